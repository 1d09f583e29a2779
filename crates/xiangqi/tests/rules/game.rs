//! Games and cycles of moves written as text.

use xiangqi::{Color, Ending, Move, Position, RuleSet, Rules, Verdict};

/// Parses moves, which must be valid.
pub fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// Plays moves, which must be legal.
pub fn play(position: &mut Position, moves: &[Move]) {
    for &mv in moves {
        position.play(mv).unwrap_or_else(|error| panic!("{error}: {}", position.fen()));
    }
}

/// The position after these moves.
pub fn game(fen: &str, text: &str) -> Position {
    let mut position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    play(&mut position, &moves(text));
    position
}

/// A cycle of moves, with the moves that led to it.
#[derive(Clone, Debug)]
pub struct Cycle {
    pub fen: String,
    pub before: Vec<Move>,
    pub moves: Vec<Move>,
}

impl Cycle {
    pub fn new(fen: &str, before: &str, cycle: &str) -> Cycle {
        Cycle { fen: fen.to_string(), before: moves(before), moves: moves(cycle) }
    }

    /// The game after this many rounds of the cycle.
    pub fn played(&self, rounds: usize) -> Position {
        let mut position = game(&self.fen, "");
        play(&mut position, &self.before);
        for _ in 0..rounds {
            play(&mut position, &self.moves);
        }
        position
    }

    /// The verdict once the count is full, without a natural limit.
    pub fn verdict(&self, set: RuleSet) -> Verdict {
        Rules { natural_limit: 0, ..Rules::new(set) }.judge(&self.played(set.repetition_count() - 1))
    }

    /// The same cycle, started `plies` later.
    pub fn rotated(&self, plies: usize) -> Cycle {
        let mut rotated = self.clone();
        rotated.before.extend_from_slice(&self.moves[..plies]);
        rotated.moves.rotate_left(plies);
        rotated
    }

    /// The cycle mirrored left to right.
    pub fn mirrored(&self) -> Cycle {
        self.image(Position::mirrored, Move::mirror)
    }

    /// The cycle with the sides exchanged.
    pub fn color_flipped(&self) -> Cycle {
        self.image(Position::color_flipped, Move::flip)
    }

    fn image(&self, board: fn(&Position) -> Position, mv: fn(Move) -> Move) -> Cycle {
        Cycle {
            fen: board(&game(&self.fen, "")).fen(),
            before: self.before.iter().map(|&old| mv(old)).collect(),
            moves: self.moves.iter().map(|&old| mv(old)).collect(),
        }
    }
}

/// The outcome as named in tables of cases.
pub fn outcome(verdict: &Verdict) -> &'static str {
    match verdict.ending {
        None => "ongoing",
        Some(Ending::Draw) => "draw",
        Some(Ending::Loss(Color::Red)) => "w-loses",
        Some(Ending::Loss(Color::Black)) => "b-loses",
    }
}

/// The outcome with the sides exchanged.
pub fn exchanged(outcome: &str) -> &str {
    match outcome {
        "w-loses" => "b-loses",
        "b-loses" => "w-loses",
        other => other,
    }
}
