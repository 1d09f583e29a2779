//! A ruling for arbiters, to be printed and signed: the game, each move of a repetition as a picture with what it
//! threatens, the paragraphs, and the conclusion.

use super::GameSource;
use super::ruling::{Ruling, rules_name};
use chuhe_study::html_page::{document, with_whole_dates};
use chuhe_study::reader::line_in;
use chuhe_study::review::player_of;
use chuhe_support::files::shown;
use chuhe_support::language::{Language, Phrase, phrase, sanitize, tr};
use chuhe_support::messages::Localize;
use chuhe_support::small_sort::SmallSort;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeSet;
use std::path::Path;
use xiangqi::rules::MoveNature;
use xiangqi::{Color, Position, Reason, RuleSet};
use xiangqi_draw::{ArrowKind, BoardPicture, BoardStyle, Coordinates};
use xiangqi_record::Game;

/// How a page of this kind begins.
pub(super) const MARKER: &str = "<!-- judged by Chuhe -->";

/// A verdict, or those of several rule sets, and the moves that they rest upon.
pub(super) struct Section {
    title: String,
    /// The players or the event alone; empty if the game names neither.
    game: String,
    /// What the record says of the game.
    facts: Vec<[String; 2]>,
    /// The verdict as one sentence.
    conclusion: String,
    /// All moves up to where the game was decided.
    score: String,
    /// The moves of the repetition, or else the last position.
    moves: Vec<Picture>,
    notes: Vec<String>,
    /// The rules that decide, and the articles of the association that they name.
    quotes: Vec<Quote>,
    articles: Vec<String>,
    /// Of several rule sets the verdict of each, and its paragraph.
    verdicts: Vec<[String; 2]>,
}

struct Picture {
    svg: String,
    caption: String,
}

impl Section {
    /// One section for all rule sets that judge a game. It shows the moves of the first section that has any.
    pub(super) fn joined(sections: Vec<Section>) -> Option<Section> {
        if sections.len() < 2 {
            return sections.into_iter().next();
        }
        let verdicts = sections.iter().map(|section| [section.conclusion.clone(), section.notes.join(" ")]).collect();
        let telling = sections.iter().position(|section| section.moves.len() > 1).unwrap_or(0);
        let (mut quotes, mut articles) = (Vec::new(), Vec::new());
        for section in &sections {
            add_new(&mut quotes, &section.quotes);
            add_new(&mut articles, &section.articles);
        }
        // In the order of the rules.
        let place = |quote: &Quote| quote.number.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>();
        quotes.order_by_key(place);
        let section = sections.into_iter().nth(telling)?;
        let title = section.game.clone();
        Some(Section { title, conclusion: String::new(), notes: Vec::new(), verdicts, quotes, articles, ..section })
    }

    /// In both languages at once: Chinese, and below it English.
    pub(super) fn bilingual(ruling: &Ruling, source: Option<&GameSource>) -> Section {
        let [chinese, english] = both_languages().map(|language| language.with(|| Section::of(ruling, source)));
        let both = |one: String, other: String| if one == other { one } else { format!("{one}\n{other}") };
        let moves = chinese.moves.into_iter().zip(english.moves);
        let facts = chinese.facts.into_iter().zip(english.facts);
        let quotes = chinese.quotes.into_iter().zip(english.quotes);
        Section {
            score: both(chinese.score, english.score),
            quotes: quotes.map(|(one, other)| Quote { text: both(one.text, other.text), ..one }).collect(),
            articles: chinese.articles,
            title: both(chinese.title, english.title),
            game: chinese.game,
            verdicts: Vec::new(),
            facts: facts
                .map(|([label, value], [other, same])| [format!("{label} {other}"), both(value, same)])
                .collect(),
            conclusion: both(chinese.conclusion, english.conclusion),
            moves: moves.map(|(one, other)| Picture { caption: both(one.caption, other.caption), ..one }).collect(),
            notes: chinese.notes.into_iter().zip(english.notes).map(|(one, other)| both(one, other)).collect(),
        }
    }

    pub(super) fn of(ruling: &Ruling, source: Option<&GameSource>) -> Section {
        let game = source.map(|source| source.game);
        let (start, played) = ruling.game();
        let score = line_in(&start, &played, ruling.notation());
        let mut moves = Vec::new();
        for (before, explained) in ruling.moves() {
            let after = before.after(&[explained.mv]);
            let picture = BoardPicture {
                last: Some(explained.mv),
                arrows: explained.threats.iter().map(|&mv| (mv, ArrowKind::Bad)).collect(),
                marked: explained.newly_chased.iter().map(|&(_, square)| square).collect(),
                // The captions name squares.
                style: BoardStyle { coordinates: Coordinates::Letters, ..BoardStyle::default() },
                ..BoardPicture::new(&after)
            };
            let [mv, text] = ruling.move_text(&before, explained);
            let caption = format!("{} {}  {mv}  {text}", move_number(&before), explained.mover.localized());
            moves.push(Picture { svg: picture.svg(), caption });
        }
        if moves.is_empty() {
            moves.push(last_position(ruling, &score));
        }
        let rules = rules_name(ruling.rules.set);
        let quotes = quotes(ruling);
        Section {
            game: game.and_then(players).unwrap_or_default(),
            verdicts: Vec::new(),
            title: match game.and_then(players) {
                Some(players) => tr!("{players}, by {rules}", players, rules),
                None => tr!("By {rules}", rules),
            },
            facts: facts(source, &start),
            conclusion: ruling.conclusion(game),
            score: numbered(&start, &score),
            moves,
            notes: ruling.remarks(),
            articles: articles(ruling),
            quotes,
        }
    }
}

fn add_new<T: PartialEq + Clone>(all: &mut Vec<T>, more: &[T]) {
    let new: Vec<T> = more.iter().filter(|item| !all.contains(item)).cloned().collect();
    all.extend(new);
}

/// `12.` before a move of red, `12…` before one of black.
fn move_number(before: &Position) -> String {
    let dots = if before.side() == Color::Red { "." } else { "…" };
    format!("{}{dots}", before.game_ply() / 2 + 1)
}

/// Moves with their numbers.
fn numbered(start: &Position, names: &[String]) -> String {
    let first = start.game_ply() as usize;
    let mut words = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let ply = first + index;
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        } else if index == 0 {
            words.push(move_number(start));
        }
        words.push(name.clone());
    }
    words.join(" ")
}

/// Where a game ended without a repetition.
fn last_position(ruling: &Ruling, score: &[String]) -> Picture {
    let position = &ruling.position;
    let checked = position.in_check().then(|| position.king(position.side()));
    let picture = BoardPicture {
        last: position.last_move(),
        marked: checked.into_iter().collect(),
        style: BoardStyle { coordinates: Coordinates::Letters, ..BoardStyle::default() },
        ..BoardPicture::new(position)
    };
    let mut before = position.clone();
    before.undo();
    let caption = match score.last() {
        Some(mv) => tr!("after {number} {mv}", number = move_number(&before), mv),
        None => position.side().localized(),
    };
    Picture { svg: picture.svg(), caption }
}

/// The players of a game, or else its event.
fn players(game: &Game) -> Option<String> {
    let name = |side| player_of(game, side).map(|name| sanitize(name).into_owned());
    let unknown = || String::from("?");
    match (name(Color::Red), name(Color::Black)) {
        (None, None) => game.tag("Event").filter(|text| !text.is_empty()).map(|text| sanitize(text).into_owned()),
        (red, black) => Some(format!("{} – {}", red.unwrap_or_else(unknown), black.unwrap_or_else(unknown))),
    }
}

/// What the record of a game says of it, and where it began if not as games do.
fn facts(source: Option<&GameSource>, start: &Position) -> Vec<[String; 2]> {
    let is_set_up = start.fen() != Position::start().fen();
    let start = is_set_up.then(|| [tr!("Start"), start.fen()]);
    let recorded = source.map(recorded_facts).unwrap_or_default();
    recorded.into_iter().chain(start).collect()
}

fn recorded_facts(source: &GameSource) -> Vec<[String; 2]> {
    let game = source.game;
    let tags = [
        ("Event", phrase!("Event")),
        ("Site", phrase!("Place")),
        ("Date", phrase!("Date")),
        ("Round", phrase!("Round")),
        ("Red", phrase!("Red")),
        ("Black", phrase!("Black")),
    ];
    let known = |tag: &str| game.tag(tag).map(str::trim).filter(|text| !text.is_empty() && !text.starts_with('?'));
    let fact = |(tag, label): (&str, Phrase)| Some([label.to_string(), sanitize(known(tag)?).into_owned()]);
    let name = source.file.file_name().map_or_else(|| shown(source.file), |name| shown(Path::new(name)));
    let file = match source.number {
        1 => name,
        number => tr!("{file}, game {number}", file = name, number),
    };
    let result = [tr!("Recorded result"), game.result.to_string()];
    tags.into_iter().filter_map(fact).chain([[tr!("File"), file], result]).collect()
}

/// So many moves have pictures of the usual size: a ruling is two pages. So many have any, the last ones.
const FEW_MOVES: usize = 15;
const MAX_PICTURES: usize = 56;

/// Those of a ruling in two languages: Chinese, in the reader's characters, and English.
fn both_languages() -> [Language; 2] {
    let current = Language::current();
    [if current.is_chinese() { current } else { Language::CHINESE }, Language::ENGLISH]
}

const STYLE: &str = "body{font-family:sans-serif;margin:1em auto;max-width:70em;padding:0 1em}\
    .moves{display:flex;flex-wrap:wrap;gap:1em}figure{margin:0;width:20em}svg{width:100%;height:auto}\
    th{text-align:start;font-weight:normal;padding-inline-end:1em}td{font-weight:bold}\
    .end{break-inside:avoid}.verdicts td{font-weight:normal;padding:.2em 1em .2em 0;vertical-align:top;border-top:1px solid}\
    .verdicts td:first-child{font-weight:bold}.sign{display:flex;gap:2em;margin-top:2em}.sign span{flex:1;border-bottom:1px solid}\
    td.fact{overflow-wrap:anywhere}.score{line-height:1.5}.rules{columns:2;column-gap:2em;font-size:.85em}\
    .rules p{margin:.3em 0}h3{margin:1em 0 .3em;font-size:1em}\
    @page{size:A4;margin:14mm}@media print{body{margin:0;padding:0;font-size:9pt}h1,h2,p{margin:.4em 0}\
    .moves{gap:2mm}figure{width:34mm;break-inside:avoid}.one figure{width:60mm}.many figure{width:24mm;font-size:7pt}section+section{break-before:page}}";

/// The page.
pub(super) fn write(sections: &[Section], is_bilingual: bool) -> String {
    let in_each = |text: &dyn Fn() -> String| {
        if is_bilingual { both_languages().map(|language| language.with(text)).join(" ") } else { text() }
    };
    let title = in_each(&|| tr!("Ruling"));
    let [arbiter, date] = [in_each(&|| tr!("Arbiter")), in_each(&|| tr!("Date"))];
    let rules = |section: &Section| {
        in_each(&|| match section.articles.join(", ") {
            articles if articles.is_empty() => tr!("The rules that this applies"),
            articles => tr!("The rules that this applies; articles of the association: {articles}", articles),
        })
    };
    let body = html! {
        body {
            h1 { (title) }
            @for section in sections {
                section {
                    h2 { (lines(&section.title)) }
                    table {
                        @for [label, value] in &section.facts { tr { th { (lines(label)) } td.fact { (lines(value)) } } }
                    }
                    @if !section.score.is_empty() { p.score { (lines(&section.score)) } }
                    (moves(&section.moves))
                    // What is signed stands on one page with the signature.
                    div.end {
                        @if !section.verdicts.is_empty() {
                            table.verdicts {
                                @for [verdict, notes] in &section.verdicts {
                                    tr { td { (lines(verdict)) } td { (lines(notes)) } }
                                }
                            }
                        }
                        @for note in &section.notes { p { (lines(note)) } }
                        p { strong { (lines(&section.conclusion)) } }
                        p.sign { (arbiter) " " span {} (date) " " span {} }
                    }
                    @if !section.quotes.is_empty() {
                        h3 { (lines(&rules(section))) }
                        div.rules { @for quote in &section.quotes { p { b { "§" (quote.number) } " " (lines(&quote.text)) } } }
                    }
                }
            }
        }
    };
    document(MARKER, &title, &html! { style { (PreEscaped(STYLE)) } }, &body)
}

/// The captions of the first moves, if there are very many, and the pictures of the others.
fn moves(all: &[Picture]) -> Markup {
    let class = match all.len() {
        1 => "moves one",
        few if few <= FEW_MOVES => "moves",
        _ => "moves many",
    };
    let (early, pictures) = all.split_at(all.len().saturating_sub(MAX_PICTURES));
    html! {
        @if !early.is_empty() {
            p { @for (index, picture) in early.iter().enumerate() { @if index > 0 { "; " } (lines(&picture.caption)) } }
        }
        div class=(class) {
            @for Picture { svg, caption } in pictures { figure { (PreEscaped(svg)) figcaption { (lines(caption)) } } }
        }
    }
}

fn lines(text: &str) -> Markup {
    html! { @for (index, line) in text.split('\n').enumerate() { @if index > 0 { br; } (with_whole_dates(line)) } }
}

const ENGLISH_RULES: &str = include_str!("../../../docs/rules.md");
const CHINESE_RULES: &str = include_str!("../../../docs/rules.zh-CN.md");

/// A paragraph of the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Quote {
    /// `9.8`, or `6` for a part that has no paragraphs.
    pub number: String,
    pub text: String,
}

/// The paragraphs that a verdict rests upon, those that say what its words mean among them, in the current language.
pub(super) fn quotes(ruling: &Ruling) -> Vec<Quote> {
    let Some(decisive) = ruling.rules.rule_paragraph(ruling.verdict.reason) else { return Vec::new() };
    let mut wanted: Vec<&str> = decisive.split(", ").map(|number| number.trim_start_matches('§')).collect();
    let explanations = ruling.explanations();
    let is_chase = explanations.iter().any(|explained| !explained.newly_chased.is_empty());
    match (ruling.rules.set, ruling.verdict.reason) {
        (_, Reason::Mate | Reason::Stalemate | Reason::Material) => {}
        (RuleSet::League, Reason::NaturalLimit) => wanted.push("7.3"),
        (_, Reason::NaturalLimit) => wanted.push("7.2"),
        (RuleSet::Cxa, _) => {
            wanted.extend(["9.1", "9.6", "9.10"]);
            let natures: Vec<&MoveNature> =
                explanations.iter().filter_map(|explained| explained.nature.as_ref()).collect();
            let has = |is: fn(&MoveNature) -> bool| natures.iter().any(|nature| is(nature));
            if has(|nature| matches!(nature, MoveNature::Kill)) {
                wanted.push("9.2");
            }
            if has(|nature| matches!(nature, MoveNature::ChaseByChecks)) {
                wanted.push("9.3");
            }
            if has(|nature| !matches!(nature, MoveNature::Check | MoveNature::Kill | MoveNature::Idle)) {
                wanted.extend(["9.4", "9.5"]);
            }
        }
        (RuleSet::Tiantian, _) => wanted.extend(is_chase.then_some("3")),
        (RuleSet::None, _) => wanted.push("2.1"),
        (set, reason) => {
            wanted.extend(["2.1", "2.2", "2.3"]);
            if reason == Reason::PerpetualCheck {
                wanted.push("2.4");
            }
            if reason == Reason::Repetition {
                wanted.push("2.5");
            }
            match set {
                RuleSet::League => wanted.push("4"),
                RuleSet::Computer => wanted.extend(["3", "5"]),
                _ if is_chase => wanted.push("3"),
                _ => {}
            }
        }
    }
    // Articles that a move is told by stand in the paragraphs that have their numbers.
    let articles: Vec<&str> = explanations.iter().filter_map(|explained| explained.article).collect();
    let is_wanted = |quote: &Quote| {
        let part = quote.number.split('.').next().unwrap_or_default();
        let has_article = |article: &&str| article_numbers(&quote.text).any(|number| number == *article);
        wanted.iter().any(|&number| number == quote.number || number == part) || articles.iter().any(has_article)
    };
    paragraphs(Language::choose(CHINESE_RULES, ENGLISH_RULES)).into_iter().filter(is_wanted).collect()
}

/// The articles of the association that the verdict and its moves are told by.
pub(super) fn articles(ruling: &Ruling) -> Vec<String> {
    let decisive = ruling.rules.official_articles(ruling.verdict.reason).unwrap_or_default();
    let of_moves = ruling.explanations().iter().filter_map(|explained| explained.article);
    let all = decisive.split(", ").chain(of_moves).filter(|article| !article.is_empty()).map(String::from);
    all.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The articles that a text names in brackets: `(26.9.2)`.
fn article_numbers(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.split(['(', '（']).skip(1).filter_map(|rest| rest.split([')', '）']).next());
    inner.filter(|number| number.contains('.') && number.chars().all(|letter| letter.is_ascii_digit() || letter == '.'))
}

/// All paragraphs of a page of rules; pictures, and the lines that lead to one, are left out.
fn paragraphs(page: &str) -> Vec<Quote> {
    let mut found: Vec<Quote> = Vec::new();
    let mut blocks = blocks_outside_code(page).into_iter().peekable();
    // The number of a part that has no paragraphs yet.
    let mut part: Option<&str> = None;
    let mut is_open = false;
    while let Some(block) = blocks.next() {
        if let Some(heading) = block.strip_prefix("## ") {
            part = heading.split(' ').next().filter(|number| number.parse::<u32>().is_ok());
            is_open = false;
        } else if block.starts_with('#') {
            (part, is_open) = (None, false);
        } else if block == CODE {
        } else if let Some((number, text)) = block.strip_prefix("**§").and_then(split_number) {
            (part, is_open) = (None, true);
            found.push(Quote { number: number.to_string(), text: plain(text) });
        } else if blocks.peek() == Some(&CODE) && block.ends_with([':', '：']) {
        } else if is_open {
            if let Some(last) = found.last_mut() {
                last.text = format!("{}\n{}", last.text, plain(block));
            }
        } else if let Some(number) = part.take() {
            is_open = true;
            found.push(Quote { number: number.to_string(), text: plain(block) });
        }
    }
    // A part with paragraphs is these, not its introduction.
    let parts: Vec<String> =
        found.iter().filter_map(|quote| Some(quote.number.split_once('.')?.0.to_string())).collect();
    found.retain(|quote| !parts.contains(&quote.number));
    found
}

/// `9.8 The table.** A side …` as its number and its text.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    Some((&text[..end], &text[end..]))
}

/// Stands for a block of code.
const CODE: &str = "```";

/// The blocks between empty lines; one of code is `CODE`.
fn blocks_outside_code(page: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    for (index, outside) in page.split("```").enumerate() {
        if index % 2 == 1 {
            blocks.push(CODE);
        } else {
            blocks.extend(outside.split("\n\n").map(str::trim).filter(|block| !block.is_empty()));
        }
    }
    blocks
}

/// A block without its marks: a table is a line for each row, other lines are joined as the language joins them.
fn plain(block: &str) -> String {
    let unmarked = |text: &str| text.replace("**", "").replace('`', "").trim().to_string();
    if block.starts_with('|') {
        let cells = |row: &str| row.trim_matches('|').split('|').map(unmarked).collect::<Vec<_>>().join(" · ");
        let rows = block.lines().filter(|row| !row.contains("---"));
        return rows.map(cells).collect::<Vec<_>>().join("\n");
    }
    let mut text = String::new();
    for line in block.lines() {
        // Chinese lines join without a blank.
        if text.chars().next_back().is_some_and(|last| last.is_ascii()) && !text.is_empty() {
            text.push(' ');
        }
        text += line.trim();
    }
    unmarked(&text).replace(" *", " ").replace("* ", " ").replace('*', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_alike_in_both_languages_and_have_no_pictures() {
        let [english, chinese] = [ENGLISH_RULES, CHINESE_RULES].map(paragraphs);
        let numbers = |quotes: &[Quote]| quotes.iter().map(|quote| quote.number.clone()).collect::<Vec<_>>();
        assert_eq!(numbers(&english), numbers(&chinese));
        for number in ["1.1", "2.3", "3.9", "4.5", "5.5", "6", "7.4", "9.8", "9.10", "10.6"] {
            assert!(numbers(&english).iter().any(|have| have == number), "{number}");
        }
        for quote in english.iter().chain(&chinese) {
            assert!(!quote.text.is_empty() && !quote.text.contains(['`', '*', '#']), "{quote:?}");
            assert!(!quote.text.ends_with([':', '：']), "a line that leads to a picture: {quote:?}");
        }
        let levels = |quotes: &[Quote]| quotes.iter().any(|quote| quote.number == "2.3" && quote.text.contains("§2.4"));
        assert!(levels(&english) && levels(&chinese), "the table of levels");
    }

    #[test]
    fn articles_are_those_in_brackets() {
        let text = "A king (26.1.3); another (§9.9) and (24.9), （26.1）, (see 3.1)";
        assert_eq!(article_numbers(text).collect::<Vec<_>>(), ["26.1.3", "24.9", "26.1"]);
    }
}
