//! A place in a game that a page looks at: where the game began and the moves since, and what there is to know about it without
//! a search.

use super::both::Both;
use crate::analyse::Equipment;
use crate::board::Position;
use crate::book::{BookMove, names, percent};
use crate::language::tr;
use crate::record::{Ranks, Setup};
use crate::rules::Rules;
use crate::tables::Answer;
use crate::types::Color;
use serde::{Deserialize, Serialize};

/// Moves of a book that are shown.
const BOOK_MOVES: usize = 8;

#[derive(Deserialize)]
pub struct Place {
    /// A FEN.
    start: String,
    moves: Vec<String>,
    /// The name of a rule set.
    rules: String,
}

impl Place {
    pub fn rules(&self) -> Result<Rules, Both> {
        Ok(Rules::of(self.rules.parse().map_err(Both::told)?))
    }

    /// The position, with all that led there.
    pub fn position(&self) -> Result<Position, Both> {
        let setup = Setup { fen: Some(self.start.clone()), moves: self.moves.clone() };
        setup.position_of(false, Ranks::FromZero).map_err(Both::told)
    }

    /// What there is to know.
    pub fn look(&self, equipment: &Equipment) -> Result<Looked, Both> {
        let (position, rules) = (self.position()?, self.rules()?);
        let verdict = rules.judge(&position);
        Ok(Looked {
            fen: position.fen(),
            check: position.in_check().then(|| position.king(position.side()).to_string()),
            legal: position.legal_moves().moves().map(|mv| mv.to_string()).collect(),
            name: name(&position),
            over: verdict.ending.map(|_| Both::of(|| verdict.told())),
            forbidden: rules.losing_moves(&position).iter().map(ToString::to_string).collect(),
            opening: names::of_game(&position).map(named),
            book: book(&position, equipment),
            table: equipment.tables.probe(&position).map(|answer| table(answer, position.side())),
        })
    }
}

/// A place, looked at.
#[derive(Serialize)]
pub struct Looked {
    fen: String,
    check: Option<String>,
    legal: Vec<String>,
    /// The move that led here.
    name: Option<Both>,
    /// Why the game is over.
    over: Option<Both>,
    /// Moves that lose at once by the rules of repetition.
    forbidden: Vec<String>,
    opening: Option<Both>,
    book: Vec<Entry>,
    table: Option<Both>,
}

/// A move of the opening book.
#[derive(Serialize)]
struct Entry {
    #[serde(rename = "move")]
    mv: String,
    name: Both,
    /// How often it is played, in percent.
    share: u32,
    opening: Option<Both>,
}

/// The move before a position, as it was written there.
fn name(position: &Position) -> Option<Both> {
    let (mut before, last) = (position.clone(), position.last_move());
    last.is_some().then(|| {
        before.unmake();
        Both::of_move(&before, last)
    })
}

fn named(name: names::Name) -> Both {
    Both { zh: name.chinese.to_string(), en: name.english.to_string() }
}

fn book(position: &Position, equipment: &Equipment) -> Vec<Entry> {
    let moves = equipment.book_moves(position);
    let entry = |entry: &BookMove| Entry {
        mv: entry.mv.to_string(),
        name: Both::of_move(position, entry.mv),
        share: percent(entry, &moves) as u32,
        opening: names::after(position, entry.mv).map(named),
    };
    moves.iter().take(BOOK_MOVES).map(entry).collect()
}

/// What an endgame table says of a position with this side to move.
fn table(answer: Answer, side: Color) -> Both {
    let wins = |winner: Color, plies: Option<u16>| match (winner, plies) {
        (Color::Red, Some(plies)) => {
            tr!("Endgame table: red wins in {moves} moves.", moves = plies.div_ceil(2))
        }
        (Color::Black, Some(plies)) => {
            tr!("Endgame table: black wins in {moves} moves.", moves = plies.div_ceil(2))
        }
        (Color::Red, None) => tr!("Endgame table: red wins."),
        (Color::Black, None) => tr!("Endgame table: black wins."),
    };
    Both::of(|| match answer {
        Answer::Win(plies) => wins(side, plies),
        Answer::Loss(plies) => wins(!side, plies),
        Answer::Draw => tr!("Endgame table: a draw."),
        Answer::Doubtful => tr!("Endgame table: the rules of repetition may turn it."),
    })
}
