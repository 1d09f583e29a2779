//! Translation: every text has a Chinese translation, and further languages need only one more table.

use crate::common::{Folder, answered, refusal, stdout, success};
use chuhe_engine::tablebase::HeaderPart;
use chuhe_support::language::{Language, translate};
use chuhe_support::messages::Localize;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use xiangqi::fen::Counter;
use xiangqi::rules::{MoveNature, Offence};
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

/// The sources of the crates that translate. The words of the others are English, and looked up by `support::messages`.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = ["support", "study", "board", "lab"].map(|name| root.join("crates").join(name).join("src"));
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

/// The templates of these sources.
fn templates_in(files: &[PathBuf]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).expect("a source");
        // Comments hold examples, and tests any text.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let code: String = code.lines().filter(is_code).map(|line| format!("{line}\n")).collect();
        found.extend(["tr", "phrase", "template"].iter().flat_map(|name| literals(&code, name)));
    }
    found
}

/// All templates of the sources, and all texts of the help.
fn templates() -> BTreeSet<String> {
    let mut found = templates_in(&sources());
    // Scripts that are loaded later look their texts up by the English ones.
    for script in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/board/src/page")) {
        let text = fs::read_to_string(&script).expect("a source");
        found.extend(text.split("words(\"").skip(1).map(unescaped));
    }
    let mut program = chuhe::cli::commands::english_command();
    program.build();
    found.extend(chuhe::cli::help_layout::texts(&program));
    found
}

/// The placeholders of a template, sorted by name.
fn holes(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = text.split('{').skip(1).filter_map(|behind| behind.split('}').next()).collect();
    names.sort_unstable();
    names
}

#[test]
fn chinese_table_holds_exactly_the_used_templates() {
    chuhe::install_languages();
    let wanted = templates();
    assert!(wanted.len() > 700, "{}", wanted.len());
    let known: BTreeSet<String> = Language::CHINESE.templates().map(str::to_string).collect();
    let missing: Vec<&String> = wanted.difference(&known).filter(|text| has_words(text)).collect();
    assert!(missing.is_empty(), "not in languages/chinese: {missing:#?}");
    // Words without holes are looked up by the values of the published crates.
    let mut own = published_literals();
    for color in Color::ALL {
        own.extend(PieceKind::ALL.map(|kind| Piece::new(color, kind).to_string()));
    }
    let unused: Vec<&String> = known.difference(&wanted).filter(|text| !own.contains(*text)).collect();
    assert!(cfg!(feature = "tune") || unused.is_empty(), "in languages/chinese for nothing: {unused:#?}");
    let lines = chuhe::CHINESE.iter().flat_map(|text| text.lines());
    let entries = lines.filter(|line| !line.is_empty() && !line.starts_with("##")).count();
    assert_eq!(entries, 2 * known.len(), "a template is there twice, or has no translation");
}

#[test]
fn chinese_has_one_word_for_a_thing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("docs")).expect("the pages").map(|entry| entry.expect("a page").path());
    let pages = pages.chain([root.join("README.zh-CN.md")]).filter(|path| path.to_string_lossy().ends_with("zh-CN.md"));
    let texts = pages.map(|path| fs::read_to_string(path).expect("a page"));
    // 棋规, 置换表.
    for text in texts.chain(chuhe::CHINESE.iter().map(ToString::to_string)) {
        for word in ["棋例", "哈希表"] {
            assert!(!text.contains(word), "{word}: {:?}", text.lines().find(|line| line.contains(word)));
        }
    }
}

#[test]
fn modules_of_webassembly_have_the_translations_of_their_sources() {
    // The last table is in the program alone.
    // The last two tables are those of the page and of the command line.
    let (in_modules, _) = chuhe::CHINESE.split_at(chuhe::CHINESE.len() - 2);
    let known: BTreeSet<&str> = in_modules.iter().flat_map(|table| table.lines()).collect();
    let is_there = |file: &PathBuf| {
        !["src/cli", "src/picture", "src/play", "board/src/page", "lab/src", "terminal.rs"]
            .iter()
            .any(|part| is_part(file, part))
    };
    let files: Vec<PathBuf> = sources().into_iter().filter(is_there).collect();
    let wanted = templates_in(&files);
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

/// The string literals of the published crates that stand on one line, with bare holes.
fn published_literals() -> BTreeSet<String> {
    let lines = published_sources().into_iter().flat_map(|text| text.lines().map(str::to_string).collect::<Vec<_>>());
    let quoted = |line: String| line.split('"').skip(1).step_by(2).map(with_bare_holes).collect::<Vec<_>>();
    lines.flat_map(quoted).collect()
}

fn published_sources() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let all = ["xiangqi", "record", "engine"].into_iter().flat_map(|name| files(&root.join(name).join("src")));
    let sources = all.filter(|file| file.extension().is_some_and(|ending| ending == "rs"));
    sources.map(|file| fs::read_to_string(file).expect("a source")).collect()
}

/// A template without the names of its holes; a brace that is doubled in a format is a hole of a template.
fn with_bare_holes(text: &str) -> String {
    let mut bare = String::new();
    let text = text.replace("}}", "{}");
    for (index, part) in text.split('{').enumerate() {
        let behind = part.split_once('}').filter(|_| index > 0).map(|(_, behind)| behind);
        bare += &behind.map_or_else(|| part.to_string(), |behind| format!("{{}}{behind}"));
    }
    bare
}

#[test]
fn words_of_the_published_crates_are_translated_and_their_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let literals = published_literals();
    // What is put together there is whole here; and what is said of tags, which have no words there.
    const WHOLE: [&str; 8] = [
        "'{}' is no legal move in this position",
        "'{}' is no legal move in this position: {}",
        "'{}' may be {}",
        "chase, gains {} {}",
        "chase, gains jointly {} {}",
        "{} or {}",
        "TimeControl",
        "{} ({})",
    ];
    let templates = templates_in(&files(&root.join("crates/support/src/messages")));
    let is_own = |text: &str| literals.contains(text) || WHOLE.contains(&text);
    let other: Vec<String> = templates.iter().map(|text| with_bare_holes(text)).filter(|text| !is_own(text)).collect();
    assert_eq!(other, [""; 0], "not in the words of the published crates");

    let known: BTreeSet<String> = Language::CHINESE.templates().map(with_bare_holes).collect();
    let errors = published_sources().into_iter().flat_map(|text| {
        let shown = text.split("#[error(").skip(1).filter_map(|error| error.trim_start().strip_prefix('"'));
        shown.map(|shown| with_bare_holes(&unescaped(shown))).collect::<Vec<_>>()
    });
    // An error that no person sees, and the two that are put together.
    const OTHERS: [&str; 3] = [
        "'{}' is no {}: expected {}",
        "expected ')', found none up to the end of the game",
        "'{}' is no legal move in this position{}",
    ];
    let is_known = |text: &str| known.contains(text) || OTHERS.contains(&text);
    let missing: Vec<String> = errors.filter(|text| has_words(text) && !is_known(text)).collect();
    assert_eq!(missing, [""; 0], "not in published.txt");
}

#[test]
fn words_of_values_are_translated() {
    chuhe::install_languages();
    let mut values: Vec<Box<dyn Localize>> = Vec::new();
    for color in Color::ALL {
        values.push(Box::new(color));
        values.extend(PieceKind::ALL.map(|kind| Box::new(Piece::new(color, kind)) as Box<dyn Localize>));
    }
    values.extend(PieceKind::ALL.map(|kind| Box::new(kind) as Box<dyn Localize>));
    for bits in 1..8 {
        let offence = Offence { checks: bits & 1 > 0, kills: bits & 2 > 0, chases: bits & 4 > 0 };
        values.push(Box::new(offence));
        values.push(Box::new(Reason::Perpetual(offence)));
    }
    values.extend([Counter::HalfMoves, Counter::FullMoves].map(|counter| Box::new(counter) as Box<dyn Localize>));
    let parts = [FilePart::Move, FilePart::Moves, FilePart::GameHead, FilePart::LibraryHead];
    values.extend(parts.map(|part| Box::new(part) as Box<dyn Localize>));
    let parts = [
        HeaderPart::Length,
        HeaderPart::BlockSize,
        HeaderPart::Checksum,
        HeaderPart::Format,
        HeaderPart::Material,
        HeaderPart::PositionCount,
        HeaderPart::BlockLength,
    ];
    values.extend(parts.map(|part| Box::new(part) as Box<dyn Localize>));
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
    values.extend(reasons.map(|reason| Box::new(reason) as Box<dyn Localize>));
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
    let mut wrong = Vec::new();
    for template in Language::CHINESE.templates() {
        let translation = Language::CHINESE.translate(template);
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

#[test]
fn help_and_errors_follow_the_language_setting() {
    let folder = Folder::new();
    let in_chinese = |words: &[&str]| folder.command(words).env("LC_ALL", "zh_CN.UTF-8").output().expect("chuhe runs");
    for help in [vec!["--help"], vec!["help", "perft"], vec!["tables", "build", "-h"], vec!["arena", "--help"]] {
        let text = success(&in_chinese(&help));
        assert!(text.contains("用法：") && text.contains("选项") && !text.contains("Usage"), "{text}");
        assert!(!text.contains("[default") && !text.contains("[possible"), "{text}");
    }
    assert_eq!(refusal(&in_chinese(&["perft", "3", "--depht", "1"])).lines().count(), 1);
    let told = refusal(&in_chinese(&["perft", "3", "--fen", "4k4/9/9/9/9/9/9/9/9/9 w"]));
    assert_eq!(told, "chuhe: FEN 棋盘：红方没有将帅\n");
    let told = refusal(&in_chinese(&["book", "show", "--book", "nowhere.chb"]));
    assert!(told.starts_with("chuhe: “nowhere.chb”无法读取："), "{told}");
    let told = refusal(&in_chinese(&["convert", "nowhere.xqf", "--to", "pgn"]));
    assert!(told.starts_with("chuhe: nowhere.xqf：") && told.chars().any(is_chinese), "{told}");
    // The option takes precedence over the environment, both ways.
    let words = ["perft", "3", "--fen", "9 w", "--lang"];
    let english = refusal(&in_chinese(&[&words[..], &["en"]].concat()));
    assert_eq!(english, "chuhe: FEN board: expected 10 ranks, found 1\n");
    let chinese = refusal(&folder.chuhe(&[&words[..], &["zh"]].concat()));
    assert_eq!(chinese, "chuhe: FEN 棋盘：应有 10 行，实有 1 行\n");
    // What people read follows the language through a pipe as well; what hosts read does not.
    let fen = "4k4/4a4/4b4/9/9/9/9/9/4C4/3AK4 w";
    assert!(success(&in_chinese(&["tables", "probe", fen])).contains("轮到红方走"));
    assert!(success(&in_chinese(&["tables", "probe", fen, "--lang", "en"])).contains("win for the side to move"));
    let mate = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w";
    for words in
        [&["judge"][..], &["eval"], &["analyse", "--nodes", "100"], &["mates", "check", mate, "--nodes", "2000"]]
    {
        let text = stdout(&in_chinese(words));
        assert!(text.chars().any(is_chinese), "{words:?}: {text}");
        let english = stdout(&in_chinese(&[words, &["--lang", "en"]].concat()));
        assert!(!english.is_empty() && english != text, "{words:?}: {english}");
    }
    let input = b"ucci\nposition fen 9 w\nquit\n";
    let session = answered(folder.command(&[]).env("LC_ALL", "zh_CN.UTF-8"), input);
    assert!(!stdout(&session).chars().any(is_chinese), "{}", stdout(&session));
    // JSON and game records do not depend on the language.
    let json = ["tables", "probe", fen, "--json"];
    assert_eq!(success(&folder.chuhe(&json)), success(&folder.chuhe(&[&json[..], &["--lang", "zh"]].concat())));
    let gbk = ["convert", "game.pgn", "--to", "pgn", "--encoding", "gbk"];
    folder.write("game.pgn", "[Red \"red\"]\n[Result \"1-0\"]\n\n1. 炮二平五 {over} 1-0\n");
    let plain = folder.chuhe(&gbk).stdout;
    assert!(!plain.is_empty() && plain == folder.chuhe(&[&gbk[..], &["--lang", "zh"]].concat()).stdout);
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
    for line in chuhe::CHINESE.iter().flat_map(|table| table.lines()).filter(|line| line.starts_with('\t')) {
        let is_spaced = ["：", "，", "。", "；", "、", "（"].iter().any(|sign| line.contains(&format!("{sign} ")));
        assert!(!is_spaced, "{line}");
    }
}
