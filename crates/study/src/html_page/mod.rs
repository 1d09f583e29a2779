//! The common parts of the self-contained HTML pages that show games: reviews, compositions, tournaments.
//!
//! A page is in the current language, and readable without its script. `board.js` moves the pieces of a board that
//! `xiangqi-draw` has drawn; `page.css` adapts to screen and print.
//!
//! ```
//! use chuhe_study::html_page::HtmlPage;
//! use maud::html;
//!
//! let body = html! { h1 { "A game" } };
//! let page = HtmlPage { mark: "", title: "A game", style: "", data: "", script: "", body };
//! assert!(page.into_string().starts_with("<!DOCTYPE html><html lang=\"en\""));
//! ```

use crate::reader::move_name;
use chuhe_support::language::{Language, Phrase, phrase};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use xiangqi::Position;
use xiangqi::fen::START_FEN;
use xiangqi_draw::BoardPicture;
use xiangqi_record::Game;

/// A button below a board: its action, its icon path and its label.
pub type PageButton = (&'static str, &'static str, Phrase);

/// The navigation buttons of a game.
pub const NAVIGATION_BUTTONS: [PageButton; 4] = [
    ("first", "M5 4V16M15 4L8 10L15 16Z", phrase!("to the beginning")),
    ("back", "M13 4L6 10L13 16Z", phrase!("back")),
    ("on", "M7 4L14 10L7 16Z", phrase!("forward")),
    ("last", "M15 4V16M5 4L12 10L5 16Z", phrase!("to the end")),
];

/// The button that flips the board.
pub const FLIP_BUTTON: PageButton =
    ("flip", "M6 16V5M3 8L6 4L9 8M14 4V15M11 12L14 16L17 12", phrase!("turn the board"));

/// The script of the board, a module.
pub const BOARD_MODULE: &str = include_str!("board.js");

/// The style of every page.
pub const STYLE: &str = include_str!("page.css");

/// A self-contained page.
pub struct HtmlPage<'a> {
    /// The generator mark.
    pub mark: &'a str,
    /// The title of the window.
    pub title: &'a str,
    /// The additional style.
    pub style: &'a str,
    /// JavaScript statements that define the data of the script.
    pub data: &'a str,
    /// The script of a page that is one file; it runs after `board.js`.
    pub script: &'a str,
    /// What is on the page.
    pub body: Markup,
}

impl HtmlPage<'_> {
    /// The complete style.
    pub fn complete_style(&self) -> String {
        [STYLE, self.style].concat()
    }

    /// The page as one file, with style and script inlined: a browser loads no modules from a file.
    pub fn into_string(self) -> String {
        let style = html! { style { (PreEscaped(self.complete_style())) } };
        let board = BOARD_MODULE.replace("\nexport ", "\n");
        let script = format!("\n\"use strict\";\n{}\n{board}\n{}", self.data, self.script);
        let script = html! { script { (PreEscaped(script)) } };
        self.html(&style, &script)
    }

    /// The page with its style as a separate file, and with modules as its scripts.
    pub fn linked(self, style: &str, modules: &[&str]) -> String {
        let style = html! { link rel="stylesheet" href=(style); };
        let scripts = html! { @for module in modules { script type="module" src=(module) {} } };
        self.html(&style, &scripts)
    }

    fn html(&self, style: &Markup, script: &Markup) -> String {
        document(self.mark, self.title, style, &html! { body { (self.body) (script) } })
    }
}

/// A page in the current language: this mark of its generator, its title, its style, and its body.
pub fn document(mark: &str, title: &str, style: &Markup, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(Language::current()) {
            head {
                meta charset="utf-8";
                (PreEscaped(mark))
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                (style)
            }
            (body)
        }
    };
    page.into_string() + "\n"
}

/// The selector of the colours.
pub fn page_settings() -> Markup {
    html! {
        div.tools {
            button #theme type="button" aria-label="☀ ☾" { "◐" }
        }
    }
}

/// A row of buttons.
pub fn button_row(list: &[PageButton]) -> Markup {
    html! {
        div.buttons {
            @for (action, path, name) in list {
                button type="button" data-go=(action) aria-label=(name) title=(name) {
                    svg viewBox="0 0 20 20" aria-hidden="true" { path d=(path) {} }
                }
            }
        }
    }
}

/// A value as JSON that cannot close its script element.
pub fn json(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// A text of which no line ends within a date, at one of its hyphens.
pub fn with_whole_dates(text: &str) -> Markup {
    let is_date = |word: &str| {
        let date = word.trim_matches(|letter: char| !letter.is_ascii_digit());
        let parts: Vec<&str> = date.split('-').collect();
        parts.len() > 1 && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    html! {
        @for (index, word) in text.split(' ').enumerate() {
            @if index > 0 { " " }
            @if is_date(word) { span style="white-space:nowrap" { (word) } } @else { (word) }
        }
    }
}

// A board for the games of a page that has many: a game that is opened is stepped through, with a curve and notes. The page
// lists the games, and calls `openGame` of `viewer.js` with the index of one.

/// The script of the viewer; the script of the page comes after it.
pub const VIEWER_SCRIPT: &str = include_str!("viewer.js");
/// The most games of a page, so that it opens quickly.
pub const MAX_GAMES: usize = 2000;

/// The viewer, with `list` above the board.
pub fn viewer_section(list: &Markup) -> Markup {
    let [first, back, on, last] = NAVIGATION_BUTTONS;
    html! {
        main {
            section.stage {
                (list)
                h3 #title {}
                div.table { (PreEscaped(BoardPicture::new(&Position::start()).svg())) }
                (button_row(&[first, back, on, last, FLIP_BUTTON]))
                p #thought aria-live="polite" {}
            }
            section.side {
                div.chart {
                    svg #curve.curve viewBox="0 0 1000 240" preserveAspectRatio="none" role="img" {
                        rect.paper width="1000" height="240" {}
                        path.middle d="M0 120H1000" {}
                        path #course.line {}
                        path #cursor.cursor {}
                    }
                }
                ol.moves #moves {}
            }
        }
    }
}

/// The games for the page's script, each as `json` has written it.
pub fn viewer_data(games: &[String]) -> String {
    format!("const START = {};\nconst GAMES = [\n{}\n];", json(&START_FEN), games.join(",\n"))
}

/// The moves of a game for the script; names are short because there may be thousands of games.
#[derive(Serialize)]
pub struct ViewerMoves {
    /// Empty for the start position.
    #[serde(rename = "f")]
    fen: String,
    /// In coordinates; below as the reader writes them.
    #[serde(rename = "m")]
    moves: String,
    #[serde(rename = "z")]
    names: String,
}

impl ViewerMoves {
    pub fn of(game: &Game) -> ViewerMoves {
        let mut position = game.start().clone();
        let fen = Some(position.fen()).filter(|fen| fen != START_FEN).unwrap_or_default();
        let (mut moves, mut names) = (Vec::new(), Vec::new());
        for mv in game.moves() {
            moves.push(mv.to_string());
            names.push(move_name(&position, mv));
            position.play_unchecked(mv);
        }
        ViewerMoves { fen, moves: moves.join(" "), names: names.join(" ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_cannot_close_the_script_element() {
        assert_eq!(json(&"</script>\""), "\"\\u003c/script>\\\"\"");
    }
}
