//! A position of a game shown by a page, and its facts that need no search.

use chuhe_engine::tablebase::ProbeResult;
use chuhe_study::analyse::AnalystResources;
use chuhe_study::book::{BookMove, opening_names, weight_percent};
use chuhe_study::named_verdict::NamedVerdict;
use chuhe_study::reader::{chosen_notation, move_name};
use chuhe_study::review::default_notation;
use chuhe_support::language::{Message, tr};
use serde::{Deserialize, Serialize};
use xiangqi::{Color, Position, Rules};
use xiangqi_record::{GameResult, PositionSpec};

/// The maximum number of book moves shown.
const MAX_BOOK_MOVES: usize = 8;

#[derive(Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PositionQuery {
    /// A FEN.
    start: String,
    moves: Vec<String>,
    /// The name of a rule set.
    rules: String,
    /// How many of the last moves are named.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<usize>", optional))]
    name_last: usize,
}

impl PositionQuery {
    pub fn rules(&self) -> Result<Rules, Message> {
        Ok(Rules::new(self.rules.parse().map_err(Message::from_value)?))
    }

    /// The position, with its history.
    pub fn position(&self) -> Result<Position, Message> {
        let setup = PositionSpec { fen: Some(self.start.clone()), moves: self.moves.clone() };
        setup.position_with(false, chosen_notation()).map_err(Message::from_value)
    }

    /// The last positions, at most this many before the current one, which is the last of them.
    pub fn last_positions(&self, before: usize) -> Result<Vec<Position>, Message> {
        let first = self.moves.len().saturating_sub(before);
        let at = |count: usize| {
            let setup = PositionSpec { fen: Some(self.start.clone()), moves: self.moves[..count].to_vec() };
            setup.position_with(false, chosen_notation()).map_err(Message::from_value)
        };
        (first..=self.moves.len()).map(at).collect()
    }

    /// The facts about the position.
    pub fn facts(&self, resources: &AnalystResources) -> Result<PositionFacts, Message> {
        let (position, rules) = (self.position()?, self.rules()?);
        let verdict = rules.judge(&position);
        Ok(PositionFacts {
            fen: position.fen(),
            check: position.in_check().then(|| position.king(position.side()).to_string()),
            legal: position.legal_moves().into_iter().map(|mv| mv.to_string()).collect(),
            names: names(&position, self.name_last),
            verdict: verdict.ending.map(|_| NamedVerdict::new(verdict, &position).sentence(default_notation())),
            result: verdict.ending.map(|ending| GameResult::from_winner(ending.winner()).token()),
            forbidden: rules.losing_moves(&position).iter().map(ToString::to_string).collect(),
            opening: opening_names::name_of_game(&position).map(|name| name.localized().to_string()),
            book: book(&position, resources),
            table: resources.tablebases.probe(&position).map(|answer| table(answer, position.side())),
        })
    }
}

/// The facts about a position.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PositionFacts {
    fen: String,
    check: Option<String>,
    legal: Vec<String>,
    /// The moves whose names were asked for.
    names: Vec<String>,
    /// Why the game is over, if it is.
    verdict: Option<String>,
    /// Its result then.
    result: Option<&'static str>,
    /// The moves that lose at once by the repetition rules.
    forbidden: Vec<String>,
    opening: Option<String>,
    book: Vec<BookMoveEntry>,
    table: Option<String>,
}

/// A move of the opening book.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "BookEntry"))]
struct BookMoveEntry {
    #[serde(rename = "move")]
    mv: String,
    name: String,
    /// The share of this move in percent.
    share: u32,
    opening: Option<String>,
}

/// The last moves of a position in notation.
fn names(position: &Position, count: usize) -> Vec<String> {
    let mut before = position.clone();
    let mut names = Vec::new();
    while names.len() < count
        && let Some(last) = before.last_move()
    {
        before.undo();
        names.push(move_name(&before, last));
    }
    names.reverse();
    names
}

fn book(position: &Position, resources: &AnalystResources) -> Vec<BookMoveEntry> {
    let moves = resources.book_moves(position);
    let entry = |entry: &BookMove| BookMoveEntry {
        mv: entry.mv.to_string(),
        name: move_name(position, entry.mv),
        share: weight_percent(entry, &moves) as u32,
        opening: opening_names::name_after(position, entry.mv).map(|name| name.localized().to_string()),
    };
    moves.iter().take(MAX_BOOK_MOVES).map(entry).collect()
}

/// A tablebase result in words.
fn table(answer: ProbeResult, side: Color) -> String {
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
    match answer {
        ProbeResult::Win(plies) => wins(side, plies),
        ProbeResult::Loss(plies) => wins(!side, plies),
        ProbeResult::Draw => tr!("Endgame table: a draw."),
        ProbeResult::Doubtful => tr!("Endgame table: the rules of repetition may turn it."),
    }
}
