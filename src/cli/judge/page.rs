//! A page for arbiters: each move of a repetition as a picture, with what it threatens.

use super::ruling::Ruling;
use chuhe_support::language::{Language, tr};
use chuhe_support::messages::Localize;
use std::fmt::Write;
use xiangqi_draw::{ArrowKind, BoardPicture, BoardStyle, Coordinates};

/// How a page of this kind begins.
pub(super) const MARKER: &str = "<!-- judged by Chuhe -->";

/// A verdict, and the moves that it rests upon.
pub(super) struct Section {
    title: String,
    verdict: String,
    moves: Vec<Picture>,
    notes: Vec<String>,
}

struct Picture {
    svg: String,
    caption: String,
}

impl Section {
    pub(super) fn of(ruling: &Ruling, title: Option<&str>) -> Section {
        let mut moves = Vec::new();
        for (before, explained) in ruling.moves() {
            let mut after = before.clone();
            after.play_unchecked(explained.mv);
            let picture = BoardPicture {
                last: Some(explained.mv),
                arrows: explained.threats.iter().map(|&mv| (mv, ArrowKind::Bad)).collect(),
                marked: explained.newly_chased.iter().map(|&(_, square)| square).collect(),
                // The captions name squares.
                style: BoardStyle { coordinates: Coordinates::Letters, ..BoardStyle::default() },
                ..BoardPicture::new(&after)
            };
            let [mv, text] = ruling.move_text(&before, explained);
            moves.push(Picture {
                svg: picture.svg(),
                caption: format!("{}  {mv}  {text}", explained.mover.localized()),
            });
        }
        let notes = ruling.explanation().split_off(ruling.explanations().len().min(ruling.explanation().len()));
        let rules = ruling.rules.set;
        Section {
            title: tr!("{title} by {rules} rules", title = title.unwrap_or_default(), rules).trim().to_string(),
            verdict: ruling.text(),
            moves,
            notes,
        }
    }
}

/// The page.
pub(super) fn write(sections: &[Section]) -> String {
    let title = tr!("Repetitions");
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">{MARKER}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{}</title><style>\
         body{{font-family:sans-serif;margin:1em auto;max-width:70em;padding:0 1em}}\
         .moves{{display:flex;flex-wrap:wrap;gap:1em}}figure{{margin:0;width:20em}}svg{{width:100%;height:auto}}\
         @media print{{figure{{break-inside:avoid}}}}</style></head><body><h1>{}</h1>\n",
        Language::current(),
        escape(&title),
        escape(&title),
    );
    for section in sections {
        let (title, verdict) = (escape(&section.title), escape(&section.verdict));
        let _ = write!(html, "<section><h2>{title}</h2><p><strong>{verdict}</strong></p><div class=\"moves\">");
        for picture in &section.moves {
            let caption = escape(&picture.caption);
            let _ = writeln!(html, "<figure>{}<figcaption>{caption}</figcaption></figure>", picture.svg);
        }
        html.push_str("</div>");
        for note in &section.notes {
            let _ = write!(html, "<p>{}</p>", escape(note));
        }
        html.push_str("</section>\n");
    }
    html.push_str("</body></html>\n");
    html
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
