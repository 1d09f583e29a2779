//! The game viewer of the report: a list of games, a board with an evaluation curve, and the engines' comments.

use crate::arena::game_record;
use crate::arena::standings::FinishedGame;
use crate::arena::tournament_record::RecordedGames;
use chuhe_engine::nnue::win_rate::expected_score;
use chuhe_engine::score::from_hundredths;
use chuhe_study::html_page::game_viewer::{self, MAX_GAMES, ViewerMoves};
use chuhe_study::html_page::json;
use chuhe_support::language::tr;
use maud::{Markup, html};
use serde::Serialize;
use xiangqi::Color;
use xiangqi_record::Game;

/// The games to show: the last `MAX_GAMES`, and all games ended by a fault.
pub fn select_games(contents: &RecordedGames) -> Vec<&Game> {
    let skipped = contents.len().saturating_sub(MAX_GAMES);
    let shown = |(index, (game, _)): &(usize, &(FinishedGame, Game))| *index >= skipped || game.fault.is_some();
    contents.iter().enumerate().filter(shown).map(|(_, (_, record))| record).collect()
}

/// The HTML section of the games.
pub fn section(games: &[&Game], all: usize) -> Markup {
    let count = games.len();
    html! {
        section.games {
            h2 { (tr!("Games")) }
            @if count < all {
                p { (tr!("{count} of {all} games: the last ones, and those that faults ended.", count, all)) }
            }
            (game_viewer::section(&html! { select #game size="6" aria-label=(tr!("Games")) {} }))
        }
    }
}

/// The game data for the page's script.
pub fn script(games: &[&Game]) -> String {
    let games: Vec<String> = games.iter().map(|record| json(&PageGame::of(record))).collect();
    game_viewer::script_data(&games)
}

/// A game as JSON for the page's script; names are short because there may be thousands of games.
#[derive(Serialize)]
struct PageGame<'a> {
    #[serde(rename = "n")]
    round: &'a str,
    #[serde(rename = "r")]
    red: &'a str,
    #[serde(rename = "y")]
    black: &'a str,
    #[serde(rename = "o")]
    opening: &'a str,
    #[serde(rename = "e")]
    end: &'a str,
    #[serde(rename = "w")]
    result: &'a str,
    #[serde(flatten)]
    moves: ViewerMoves,
    #[serde(rename = "t")]
    notes: Vec<String>,
    /// Red's expected score in hundredths, by the score of the engine that moved.
    #[serde(rename = "c")]
    chances: Vec<Option<u8>>,
}

impl PageGame<'_> {
    fn of(record: &Game) -> PageGame<'_> {
        let tag = |name: &str| record.tag(name).unwrap_or("?");
        let mut position = record.start().clone();
        let mut game = PageGame {
            round: tag("Round"),
            red: tag("Red"),
            black: tag("Black"),
            opening: record.tag("Opening").unwrap_or(""),
            end: tag("Termination"),
            result: record.result.token(),
            moves: ViewerMoves::of(record),
            notes: Vec::new(),
            chances: Vec::new(),
        };
        for node in record.main_line_nodes() {
            let Some(mv) = node.mv() else { continue };
            let note = game_record::parse_comment(&node.comment);
            let chance = note
                .as_ref()
                .and_then(|note| note.score)
                .map(|score| expected_score(from_hundredths(score), &position));
            let for_red = |own: f64| if position.side() == Color::Red { own } else { 1.0 - own };
            game.chances.push(chance.map(|own| (100.0 * for_red(own)).round() as u8));
            game.notes.push(note.map_or_else(|| node.comment.clone(), |note| note.shown));
            position.play_unchecked(mv);
        }
        game
    }
}
