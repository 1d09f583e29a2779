//! The rules that a ruling quotes: the paragraphs of `docs/rules.md`, as the page has them, so that who has only the ruling
//! can read what it applies.

use super::ruling::Ruling;
use chuhe_support::language::Language;
use std::collections::BTreeSet;
use xiangqi::rules::MoveNature;
use xiangqi::{Reason, RuleSet};

const ENGLISH: &str = include_str!("../../../docs/rules.md");
const CHINESE: &str = include_str!("../../../docs/rules.zh-CN.md");

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
    paragraphs(Language::choose(CHINESE, ENGLISH)).into_iter().filter(is_wanted).collect()
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
        let [english, chinese] = [ENGLISH, CHINESE].map(paragraphs);
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
