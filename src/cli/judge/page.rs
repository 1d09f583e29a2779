//! A ruling for arbiters, to be printed and signed: the game, each move of a repetition as a picture with what it
//! threatens, the paragraphs, and the conclusion.

use super::ruling::{Ruling, rules_name};
use chuhe_study::review::player_of;
use chuhe_support::language::{Language, Phrase, phrase, sanitize, tr};
use chuhe_support::messages::Localize;
use std::fmt::Write;
use xiangqi::Color;
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
    moves: Vec<Picture>,
    notes: Vec<String>,
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
        let telling = sections.iter().position(|section| !section.moves.is_empty()).unwrap_or(0);
        let section = sections.into_iter().nth(telling)?;
        Some(Section { title: section.game.clone(), conclusion: String::new(), notes: Vec::new(), verdicts, ..section })
    }

    /// In both languages at once: Chinese, and below it English.
    pub(super) fn bilingual(ruling: &Ruling, game: Option<&Game>) -> Section {
        let [chinese, english] =
            [Language::CHINESE, Language::ENGLISH].map(|language| language.with(|| Section::of(ruling, game)));
        let both = |one: String, other: String| if one == other { one } else { format!("{one}\n{other}") };
        let moves = chinese.moves.into_iter().zip(english.moves);
        let facts = chinese.facts.into_iter().zip(english.facts);
        Section {
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

    pub(super) fn of(ruling: &Ruling, game: Option<&Game>) -> Section {
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
            let number = before.game_ply() / 2 + 1;
            let dots = if explained.mover == Color::Red { "." } else { "…" };
            let caption = format!("{number}{dots} {}  {mv}  {text}", explained.mover.localized());
            moves.push(Picture { svg: picture.svg(), caption });
        }
        let notes = ruling.explanation().split_off(ruling.explanations().len().min(ruling.explanation().len()));
        let rules = rules_name(ruling.rules.set);
        Section {
            game: game.and_then(players).unwrap_or_default(),
            verdicts: Vec::new(),
            title: match game.and_then(players) {
                Some(players) => tr!("{players}, by {rules}", players, rules),
                None => tr!("By {rules}", rules),
            },
            facts: game.map(facts).unwrap_or_default(),
            conclusion: ruling.conclusion(game),
            moves,
            notes,
        }
    }
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

/// What the record of a game says of it.
fn facts(game: &Game) -> Vec<[String; 2]> {
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
    let result = [tr!("Recorded result"), game.result.to_string()];
    tags.into_iter().filter_map(fact).chain([result]).collect()
}

/// So many moves have pictures of the usual size: a ruling is two pages. So many have any, the last ones.
const FEW_MOVES: usize = 15;
const MAX_PICTURES: usize = 56;

/// The page.
pub(super) fn write(sections: &[Section], is_bilingual: bool) -> String {
    let in_each = |text: &dyn Fn() -> String| {
        let languages = [Language::CHINESE, Language::ENGLISH];
        if is_bilingual { languages.map(|language| language.with(text)).join(" ") } else { text() }
    };
    let title = in_each(&|| tr!("Ruling"));
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">{MARKER}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{}</title><style>\
         body{{font-family:sans-serif;margin:1em auto;max-width:70em;padding:0 1em}}\
         .moves{{display:flex;flex-wrap:wrap;gap:1em}}figure{{margin:0;width:20em}}svg{{width:100%;height:auto}}\
         th{{text-align:start;font-weight:normal;padding-inline-end:1em}}td{{font-weight:bold}}\
         .end{{break-inside:avoid}}.verdicts td{{font-weight:normal;padding:.2em 1em .2em 0;vertical-align:top;border-top:1px solid}}\
         .verdicts td:first-child{{font-weight:bold}}.sign{{display:flex;gap:2em;margin-top:2em}}.sign span{{flex:1;border-bottom:1px solid}}\
         @page{{size:A4;margin:14mm}}@media print{{body{{margin:0;padding:0;font-size:9pt}}h1,h2,p{{margin:.4em 0}}\
         .moves{{gap:2mm}}figure{{width:34mm;break-inside:avoid}}.many figure{{width:24mm;font-size:7pt}}section+section{{break-before:page}}\
         }}</style></head><body><h1>{}</h1>\n",
        Language::current(),
        escape(&title),
        escape(&title),
    );
    for section in sections {
        let title = escape(&section.title);
        let _ = write!(html, "<section><h2>{title}</h2><table>");
        for [label, value] in &section.facts {
            let _ = write!(html, "<tr><th>{}</th><td>{}</td></tr>", escape(label), escape(value));
        }
        let class = if section.moves.len() > FEW_MOVES { "moves many" } else { "moves" };
        let _ = write!(html, "</table>");
        let (early, pictures) = section.moves.split_at(section.moves.len().saturating_sub(MAX_PICTURES));
        if !early.is_empty() {
            let lines: Vec<String> = early.iter().map(|picture| escape(&picture.caption)).collect();
            let _ = write!(html, "<p>{}</p>", lines.join("; "));
        }
        let _ = write!(html, "<div class=\"{class}\">");
        for picture in pictures {
            let caption = escape(&picture.caption);
            let _ = writeln!(html, "<figure>{}<figcaption>{caption}</figcaption></figure>", picture.svg);
        }
        // What is signed stands on one page with the signature.
        html.push_str("</div><div class=\"end\">");
        if !section.verdicts.is_empty() {
            html.push_str("<table class=\"verdicts\">");
            for [verdict, notes] in &section.verdicts {
                let _ = write!(html, "<tr><td>{}</td><td>{}</td></tr>", escape(verdict), escape(notes));
            }
            html.push_str("</table>");
        }
        for note in &section.notes {
            let _ = write!(html, "<p>{}</p>", escape(note));
        }
        let [arbiter, date] = [in_each(&|| tr!("Arbiter")), in_each(&|| tr!("Date"))].map(|label| escape(&label));
        let _ = writeln!(
            html,
            "<p><strong>{}</strong></p><p class=\"sign\">{arbiter} <span></span>{date} <span></span></p></div></section>",
            escape(&section.conclusion)
        );
    }
    html.push_str("</body></html>\n");
    html
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\n', "<br>")
}
