//! A board for the games of a page that has many: a game that is opened is stepped through, with a curve and notes. The page
//! lists the games, and calls `openGame` of `viewer.js` with the index of one.

use super::{FLIP_BUTTON, NAVIGATION_BUTTONS, button_row, json};
use crate::reader::move_name;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use xiangqi::{Position, fen::START_FEN};
use xiangqi_draw::BoardPicture;
use xiangqi_record::Game;

/// The script of the viewer; the script of the page comes after it.
pub const SCRIPT: &str = include_str!("viewer.js");
/// The most games of a page, so that it opens quickly.
pub const MAX_GAMES: usize = 2000;

/// The viewer, with `list` above the board.
pub fn section(list: &Markup) -> Markup {
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
pub fn script_data(games: &[String]) -> String {
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
