//! Translation: every text has a translation in each language, and a further language needs only one more table.

use crate::common::{Folder, success};
use chuhe_engine::tablebase::HeaderPart;
use chuhe_study::book::opening_names::named_openings;
use chuhe_support::language::{Language, translate};
use chuhe_support::messages::Localize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use xiangqi::fen::Counter;
use xiangqi::rules::{MoveNature, Offence};
use xiangqi::words::Worded;
use xiangqi::{Color, Piece, PieceKind, Reason};
use xiangqi_record::FilePart;

/// Whether a line has words that need translation.
fn has_words(line: &str) -> bool {
    line.split(|letter: char| !letter.is_alphabetic()).any(|word| word.len() > 2 && word.is_ascii())
}

fn is_chinese(letter: char) -> bool {
    ('\u{4e00}'..'\u{a000}').contains(&letter)
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The sources of the crates that translate. The published ones have templates of their own, `words!`.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = ["support", "study", "app", "board", "lab"].map(|name| root.join("crates").join(name).join("src"));
    let all = crates.into_iter().chain([root.join("src")]).flat_map(|folder| files(&folder));
    all.filter(|file| file.extension().is_some_and(|ending| ending == "rs")).collect()
}

/// Whether this is a part of a path, with slashes everywhere.
fn is_part(path: &Path, part: &str) -> bool {
    path.display().to_string().replace('\\', "/").contains(part)
}

/// The string literals that begin the calls of this macro in a source.
fn literals(source: &str, name: &str) -> Vec<String> {
    let call = format!("{name}!(");
    let calls = source.match_indices(&call).map(|(at, call)| (at, &source[at + call.len()..]));
    // A longer name with the same end is another macro.
    let is_longer = |letter: char| letter.is_alphanumeric() || letter == '_';
    let own = calls.filter(|(at, _)| !source[..*at].ends_with(is_longer));
    own.filter_map(|(_, behind)| behind.trim_start().strip_prefix('"')).map(unescaped).collect()
}

/// A literal up to its quotation mark, with escapes resolved.
fn unescaped(literal: &str) -> String {
    let mut text = String::new();
    let mut letters = literal.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => match letters.next() {
                Some('\n') => while letters.next_if(|letter| letter.is_whitespace()).is_some() {},
                Some(other) => text.push(other),
                None => break,
            },
            other => text.push(other),
        }
    }
    text
}

/// The templates of these sources, in calls of these macros.
fn templates_in(files: &[PathBuf], macros: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).expect("a source");
        // Comments hold examples, and tests any text.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let code: String = code.lines().filter(is_code).map(|line| format!("{line}\n")).collect();
        found.extend(macros.iter().flat_map(|name| literals(&code, name)));
    }
    found
}

/// The macros of the program.
const OWN_MACROS: [&str; 4] = ["tr", "cli_error", "message", "phrase"];

/// All templates of the sources, and all texts of the help.
fn templates() -> BTreeSet<String> {
    let mut found = templates_in(&sources(), &OWN_MACROS);
    // The texts of the board are in its markup and in files of their own; scripts that are loaded later look theirs up by the
    // English ones.
    for part in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/board/src/page")) {
        let text = fs::read_to_string(&part).expect("a source");
        found.extend(text.split("words(\"").skip(1).map(unescaped));
        if part.extension().is_some_and(|ending| ending == "html") {
            let holes = text.split("{{").skip(1).filter_map(|hole| Some(hole.split_once("}}")?.0.to_string()));
            found.extend(holes.filter(|hole| !hole.starts_with('$')));
        }
        if part.file_name().is_some_and(|name| name == "texts.json") {
            found.extend(serde_json::from_str::<BTreeMap<String, String>>(&text).expect("texts").into_values());
        }
    }
    let mut program = chuhe::cli::commands::english_command();
    program.build();
    found.extend(chuhe::cli::help_layout::texts(&program));
    found.extend(chuhe::cli::help_layout::PLACEHOLDERS.map(String::from));
    found
}

fn without_holes(template: &str) -> String {
    let parts = template.split('{').map(|part| part.split_once('}').map_or(part, |(_, behind)| behind));
    parts.collect()
}

/// The placeholders of a template, sorted by name.
fn holes(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = text.split('{').skip(1).filter_map(|behind| behind.split('}').next()).collect();
    names.sort_unstable();
    names
}

/// The languages with a table, and the folders of their tables.
const TABLES: [(Language, &str); 3] =
    [(Language::CHINESE, "chinese"), (Language::TRADITIONAL, "traditional"), (Language::VIETNAMESE, "vietnamese")];

fn folder_of(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("languages").join(language)
}

/// The texts of a language, a file each.
fn texts(language: &str) -> Vec<String> {
    let all = files(&folder_of(language)).into_iter();
    let tables = all.filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
    tables.map(|path| fs::read_to_string(path).expect("a table")).collect()
}

/// The translations of a language.
fn translations(language: &str) -> Vec<String> {
    let texts = texts(language);
    let lines = texts.iter().flat_map(|text| text.lines());
    lines.filter_map(|line| line.strip_prefix('\t')).map(str::to_string).collect()
}

#[test]
fn tables_hold_exactly_the_used_templates() {
    chuhe::install_languages();
    let wanted = templates();
    assert!(wanted.len() > 700, "{}", wanted.len());
    let openings: BTreeSet<String> = named_openings().iter().map(|named| named.name.english.to_string()).collect();
    let own = published_templates();
    for (language, folder) in TABLES {
        let known: BTreeSet<String> = language.templates().map(str::to_string).collect();
        let missing: Vec<&String> = wanted.difference(&known).filter(|text| has_words(text)).collect();
        assert!(missing.is_empty(), "not in languages/{folder}: {missing:#?}");
        // The Chinese names stand beside the openings.
        let missing: Vec<&String> = openings.difference(&known).collect();
        assert!(language == Language::CHINESE || missing.is_empty(), "not in languages/{folder}: {missing:#?}");
        let is_unused = |text: &&String| !own.contains(*text) && !openings.contains(*text);
        let unused: Vec<&String> = known.difference(&wanted).filter(is_unused).collect();
        assert!(cfg!(feature = "tune") || unused.is_empty(), "in languages/{folder} for nothing: {unused:#?}");
        let texts = texts(folder);
        let lines = texts.iter().flat_map(|text| text.lines());
        let entries = lines.filter(|line| !line.is_empty() && !line.starts_with("##")).count();
        assert_eq!(entries, 2 * known.len(), "a template is there twice, or has no translation: {folder}");
    }
}

/// Words that a glossary names in its fourth column: they stand in no text of the language.
fn words_not_to_be_used(language: &str) -> Vec<String> {
    let path = folder_of(language).join("glossary.md");
    let glossary = fs::read_to_string(path).expect("a glossary");
    let rows = glossary.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    let cells = rows.filter_map(|row| row.split('|').nth(4).map(str::trim));
    let words = cells.filter(|cell| !["-", "not to be used"].contains(cell)).flat_map(|cell| cell.split(['、', ',']));
    words.map(|word| word.trim().to_lowercase()).collect()
}

/// Whether a text has these words: in letters they are whole ones.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphabetic() && !is_chinese(letter));
    text.match_indices(word).any(|(at, _)| {
        let [before, behind] = [text[..at].chars().next_back(), text[at + word.len()..].chars().next()];
        word.chars().any(is_chinese) || !is_letter(before) && !is_letter(behind)
    })
}

#[test]
fn texts_follow_the_glossaries() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (folder, pages) in [
        ("traditional", ["README.zh-TW.md", "docs/board.zh-TW.md"]),
        ("vietnamese", ["README.vi.md", "docs/board.vi.md"]),
    ] {
        let words = words_not_to_be_used(folder);
        assert!(words.len() > 40, "{folder}: {words:?}");
        let pages = pages.map(|page| fs::read_to_string(root.join(page)).expect("a page"));
        let lines = pages.iter().flat_map(|page| page.lines().map(str::to_string)).chain(translations(folder));
        let wrong: Vec<String> = lines
            .filter_map(|line| {
                let small = without_holes(&line).to_lowercase();
                words.iter().find(|word| has_word(&small, word)).map(|word| format!("{word}: {line}"))
            })
            .collect();
        assert!(wrong.is_empty(), "{folder}: {wrong:#?}");
    }
}

#[test]
fn traditional_texts_have_no_simplified_characters() {
    // Those that no text in traditional characters has.
    const SIMPLIFIED: &str = "车马将帅进么个为这来时对会国学过还后发开关问间东门见贝长风飞鱼鸟龙龟龄齐齿黄麦黑单双变边区华协压厂历厅严丧临丽举义乌乐乔习书买乱争亏云亚产亩亲亿仅从仑仓仪们价众优伙伞伟传伤伦伪体侠侣侥侦侧侨债倾偿储儿兑党兰兴养兽冈册写军农冯冲决况冻净凉减凑凤凭凯击刘则刚创删别刹剂剑剥剧劝办务动励劲劳势勋匀医卖卢卤卧卫却厉厌厕县参叠叶号叹吁吓吗听启吴呐呕员呛响哑哗唤啰啸喷园围图圆圣场坏块坚坛坝坟坠垄垒垦垫堑堕墙壮声壳壶处备复够头夹夺奋奖妆妇妈妥姗娄娱婴孙宁宝实宠审宪宫宽宾寻导寿尔尘尝层届属岁岂岗岛岭峡崭币师帐帜带帮库应庙庞废弃张弥弯弹强归当录彻径忆忧怀态怜总恋恳恶恼悦悬惊惧惨惩惯愤愿懒戏战户执扩扫扬扰抚抛抢护报担拟拢拣拥拦拨择挂挡挣挤挥捞损换捣据掷摄摆摇摊撑敌数斋断无旧旷显晋晓晕暂术机杀杂权条极构枪柜标栈栏树样桥桨档梦检楼横欢欧残毁毕气汇汉汤沟没沪泪泽洁浅测济浏浓涂涛润涨渊渐温湾湿溃滚满滤滥灭灯灵灾炉点炼烂烛烟烦烧热爱爷牵状犹独狭狮猎献玛环现琐电画畅疗疮疯痒盐监盖盘着矿码砖础确碍礼祸禅离种积称稳穷窃窍竞笔笼筑筛签简类粮紧纠红纤约级纪纯纲纳纵纷纸纹线练组细织终绍经绑结绕绘给络绝统继绩续绳维绵综绿缓编缘缩缺网罗罚职联肃肠肤肾胁胆胜胶脉脏脑脚脱脸腾舰舱艺节芦苏苹范茎荐药莱获营萧萨葱蓝虏虑虽虾蚀蚁蛮补装见观规视览觉触誉计订认讨让训议讯记讲许论设访证评识诉词译试诗诚话诞询该详语误说请诸读课谁调谅谈谋谓谜谢谣谱贡财责贤败货质贩贪贫购贯贱贴贵费贺贼资赋赌赏赔赖赚赛赞赢赵趋跃践踪躯轨转轮软轰轻载较辅辆辈输辑边达迁迈运进远违连迟适选递逻遗邓邮邻郑释里针钉钓钟钢钩钱铁铃铅银链销锁锅错锐键镇镜长门闪闭问闲间闷闹闻阅阔队阳阴阵阶际陆陈险随隐难雾静顶项顺须顾顿预领频题颜额风飘饭饮饰饱馆驱驳驶驻驾验骂骑骗骤鸡鸣鸭鹅麦黄齐";
    // Characters that both have.
    const COMMON: &str = "着黑强气没换温烟条叶里范借净凉减凑云乱号争妥户据毁毕涂湾簡才缺";
    let is_simplified = |letter: char| SIMPLIFIED.contains(letter) && !COMMON.contains(letter);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages =
        ["README.zh-TW.md", "docs/board.zh-TW.md"].map(|page| fs::read_to_string(root.join(page)).expect("a page"));
    // What links to the page in simplified characters is called so.
    let lines =
        pages.iter().flat_map(|page| page.lines().skip(6).map(str::to_string)).chain(translations("traditional"));
    let wrong: Vec<String> = lines.filter(|line| line.chars().any(is_simplified)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn translations_leave_no_english() {
    chuhe::install_languages();
    for (language, folder) in TABLES {
        // Names, and what hosts and files call so.
        let left = language.templates().filter(|template| language.translate(template) == *template);
        let left: Vec<&str> = left.filter(|template| has_words(&without_holes(template))).collect();
        assert!(left.len() <= 16, "{folder}: {left:#?}");
    }
}

#[test]
fn chinese_has_one_word_for_a_thing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("docs")).expect("the pages").map(|entry| entry.expect("a page").path());
    let pages = pages.chain([root.join("README.zh-CN.md")]).filter(|path| path.to_string_lossy().ends_with("zh-CN.md"));
    let pages = pages.map(|path| fs::read_to_string(path).expect("a page"));
    // 棋规, 置换表.
    for text in pages.chain(texts("chinese")) {
        for word in ["棋例", "哈希表"] {
            assert!(!text.contains(word), "{word}: {:?}", text.lines().find(|line| line.contains(word)));
        }
    }
}

#[test]
fn modules_of_webassembly_have_the_translations_of_their_sources() {
    let in_modules = ["published", "study", "hosts"].map(|part| folder_of("chinese").join(format!("{part}.txt")));
    let in_modules = in_modules.map(|path| fs::read_to_string(path).expect("a table"));
    let known: BTreeSet<&str> = in_modules.iter().flat_map(|table| table.lines()).collect();
    let is_there = |file: &PathBuf| {
        !["src/cli", "src/picture", "src/play", "board/src/page", "lab/src", "terminal.rs"]
            .iter()
            .any(|part| is_part(file, part))
    };
    let files: Vec<PathBuf> = sources().into_iter().filter(is_there).collect();
    let wanted = templates_in(&files, &OWN_MACROS);
    assert!(wanted.len() > 400, "{}", wanted.len());
    let missing: Vec<&String> =
        wanted.iter().filter(|text| has_words(text) && !known.contains(text.as_str())).collect();
    assert!(missing.is_empty(), "in page.txt or program.txt only: {missing:#?}");
}

#[test]
fn error_types_use_templates() {
    let mut wrong = Vec::new();
    for file in sources() {
        let text = fs::read_to_string(&file).expect("a source");
        let shown = text.split("#[error(").skip(1).filter_map(|error| error.trim_start().strip_prefix('"'));
        wrong.extend(shown.map(unescaped).filter(|shown| has_words(shown)).map(|shown| (file.clone(), shown)));
    }
    // The tuner is in no release, and some errors are never shown.
    wrong.retain(|(file, _)| !file.ends_with("tune.rs") && !file.ends_with("cli/output.rs"));
    assert!(wrong.is_empty(), "not by tr!: {wrong:#?}");
}

/// The templates of the published crates. They stand in `words!`, and names in literals of a line.
fn published_templates() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let all = ["xiangqi", "record", "engine"].into_iter().flat_map(|name| files(&root.join(name).join("src")));
    let sources: Vec<PathBuf> = all.filter(|file| file.extension().is_some_and(|ending| ending == "rs")).collect();
    let mut found = templates_in(&sources, &["words"]);
    for color in Color::ALL {
        found.extend(PieceKind::ALL.map(|kind| Piece::new(color, kind).to_string()));
    }
    found.extend(PieceKind::ALL.map(|kind| kind.to_string()));
    // What joins words.
    found.extend(["{one} or {other}", "{one} {other}"].map(String::from));
    found
}

#[test]
fn words_of_the_published_crates_are_translated() {
    chuhe::install_languages();
    let wanted = published_templates();
    assert!(wanted.len() > 150, "{}", wanted.len());
    for (language, folder) in TABLES {
        let known: BTreeSet<&str> = language.templates().collect();
        // An error that no person sees.
        let is_missing = |text: &&String| {
            has_words(&without_holes(text))
                && !known.contains(text.as_str())
                && !text.starts_with("'{text}' is no {kind}")
        };
        let missing: Vec<&String> = wanted.iter().filter(is_missing).collect();
        assert_eq!(missing, [""; 0], "not in languages/{folder}/published.txt");
    }
}

#[test]
fn words_of_values_are_translated() {
    chuhe::install_languages();
    let mut values: Vec<Box<dyn Worded>> = Vec::new();
    for color in Color::ALL {
        values.push(Box::new(color));
        values.extend(PieceKind::ALL.map(|kind| Box::new(Piece::new(color, kind)) as Box<dyn Worded>));
    }
    values.extend(PieceKind::ALL.map(|kind| Box::new(kind) as Box<dyn Worded>));
    for bits in 1..8 {
        let offence = Offence { checks: bits & 1 > 0, kills: bits & 2 > 0, chases: bits & 4 > 0 };
        values.push(Box::new(offence));
        values.push(Box::new(Reason::Perpetual(offence)));
    }
    values.extend([Counter::HalfMoves, Counter::FullMoves].map(|counter| Box::new(counter) as Box<dyn Worded>));
    let parts = [FilePart::Move, FilePart::Moves, FilePart::GameHead, FilePart::LibraryHead];
    values.extend(parts.map(|part| Box::new(part) as Box<dyn Worded>));
    let parts = [
        HeaderPart::Length,
        HeaderPart::BlockSize,
        HeaderPart::Checksum,
        HeaderPart::Format,
        HeaderPart::Material,
        HeaderPart::PositionCount,
        HeaderPart::BlockLength,
    ];
    values.extend(parts.map(|part| Box::new(part) as Box<dyn Worded>));
    let reasons = [
        Reason::Ongoing,
        Reason::Mate,
        Reason::Stalemate,
        Reason::PerpetualCheck,
        Reason::ChasesAlone,
        Reason::ForbiddenMove,
        Reason::OnlyForbiddenMoves,
        Reason::GameLength,
        Reason::Repetition,
        Reason::NaturalLimit,
        Reason::Material,
    ];
    values.extend(reasons.map(|reason| Box::new(reason) as Box<dyn Worded>));
    for value in values {
        let text = Language::CHINESE.with(|| value.localized());
        assert!(!has_words(&text) && text.chars().all(|letter| !letter.is_ascii_alphabetic()), "{value}: {text}");
    }
    let natures = [
        MoveNature::Check,
        MoveNature::Kill,
        MoveNature::Chase,
        MoveNature::ChaseByChecks,
        MoveNature::ChaseByCaptures,
        MoveNature::OffersExchange,
        MoveNature::OffersPiece,
        MoveNature::Blocks,
        MoveNature::Follows,
        MoveNature::Idle,
    ];
    for nature in natures.map(|nature| nature.to_string()) {
        assert_ne!(Language::CHINESE.translate(&nature), nature);
    }
}

#[test]
fn placeholders_are_filled_verbatim() {
    const ODD: [&str; 8] = ["red", "a.pgn: x", "{}", "{0}", "99", "black or red", "炮二平五", "\\t"];
    chuhe::install_languages();
    let mut wrong = Vec::new();
    for (template, translation) in TABLES
        .into_iter()
        .flat_map(|(language, _)| language.templates().map(move |template| (template, language.translate(template))))
    {
        if holes(template) != holes(translation) || translation.trim().is_empty() {
            wrong.push(format!("other holes: {template}: {translation}"));
            continue;
        }
        let names = holes(template);
        // Each placeholder is filled by a unique word.
        let words: Vec<String> =
            names.iter().enumerate().map(|(index, _)| format!("<{}{index}>", ODD[index % ODD.len()])).collect();
        let filling: Vec<(&str, &dyn Display)> =
            names.iter().zip(&words).map(|(&name, word)| (name, word as &dyn Display)).collect();
        for language in Language::ALL {
            let text = language.with(|| translate(template, &filling));
            for (name, word) in names.iter().zip(&words) {
                let first = names.iter().position(|other| other == name).map(|index| &words[index]);
                let often = names.iter().filter(|other| *other == name).count();
                if first == Some(word) && text.matches(word.as_str()).count() != often {
                    wrong.push(format!("{language}: {word} is not {often} times in {text}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is put together from pieces has none, either.
#[test]
fn chinese_output_has_no_blank_behind_a_full_width_sign() {
    let folder = Folder::new();
    folder.write("two.pgn", "[Red \"A\"]\n\n1. h2e2 *\n\n[Red \"B\"]\n\n1. h2e2 *\n");
    folder.write("one.pgn", "1. h2e2 *\n");
    for words in [&["eval"][..], &["judge", "two.pgn", "one.pgn"], &["explore", "two.pgn", "--games", "2"]] {
        let text = success(&folder.chuhe(&[words, &["--lang", "zh"]].concat()));
        let found = text.lines().find(|line| ["： ", "， ", "。 "].iter().any(|sign| line.contains(sign)));
        assert_eq!(found, None, "{words:?}");
    }
}

#[test]
fn no_blank_follows_a_full_width_sign_in_chinese() {
    for line in ["chinese", "traditional"].into_iter().flat_map(translations) {
        let is_spaced = ["：", "，", "。", "；", "、", "（"].iter().any(|sign| line.contains(&format!("{sign} ")));
        assert!(!is_spaced, "{line}");
    }
}
