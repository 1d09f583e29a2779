//! Games as lines of text, for reading and for exchange:
//! `FEN | result of red: 1, 0.5 or 0 | how it ended | move:score:depth:nodes …`
//! (`move:score` where depth and nodes are unknown)

use super::game::{Effort, End, Game, GameError, Ply};
use chuhe_engine::board::Position;
use chuhe_engine::types::Move;
use std::fmt::Write as _;

/// The game as a line, without its end.
pub fn write(game: &Game) -> String {
    let mut line = format!("{} | {} | {} |", game.start.fen(), game.result(), game.end);
    for ply in &game.plies {
        let _ = write!(line, " {}:{}", ply.mv, ply.score);
        if let Some(Effort { depth, nodes }) = ply.effort {
            let _ = write!(line, ":{depth}:{nodes}");
        }
    }
    line
}

/// Reads a line; the game gets this number.
pub fn read(line: &str, number: u64) -> Result<Game, GameError> {
    let mut fields = line.split('|').map(str::trim);
    let mut field = || fields.next().ok_or(GameError::Short);
    let start = Position::from_fen(field()?)?;
    let red_half_points = match field()? {
        "0" => 0,
        "0.5" => 1,
        "1" => 2,
        other => return Err(GameError::Nonsense(format!("{other:?} is no result"))),
    };
    let name = field()?;
    let end = End::ALL.into_iter().find(|end| end.to_string() == name);
    let end = end.ok_or_else(|| GameError::Nonsense(format!("no game ends by {name:?}")))?;
    let plies = field()?.split_whitespace().map(ply).collect::<Result<Vec<Ply>, GameError>>()?;
    let game = Game { number, start, plies, red_half_points, end };
    game.check()?;
    Ok(game)
}

fn ply(word: &str) -> Result<Ply, GameError> {
    let parts: Vec<&str> = word.split(':').collect();
    let ply = match parts[..] {
        [mv, score] => scored(mv, score),
        [mv, score, depth, nodes] => scored(mv, score).and_then(|ply| {
            Some(Ply { effort: Some(effort(depth.parse().ok()?, nodes.parse().ok()?)?), ..ply })
        }),
        _ => None,
    };
    ply.ok_or_else(|| GameError::Nonsense(format!("{word:?} is no move with a score")))
}

fn scored(mv: &str, score: &str) -> Option<Ply> {
    let score = score.parse().ok().filter(|score: &i32| score.abs() <= 30_000)?;
    Some(Ply { mv: mv.parse::<Move>().ok()?, score, effort: None })
}

/// What can have been searched.
fn effort(depth: u32, nodes: u64) -> Option<Effort> {
    (depth <= 1000 && (1..=1 << 56).contains(&nodes)).then_some(Effort { depth, nodes })
}
