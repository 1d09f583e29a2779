//! From games to positions to learn from.

use super::archive::{Archive, ArchiveError};
use super::game::{End, Game};
use super::settings::Settings;
use crate::board::Position;
use crate::eval::layout::piece_number;
use crate::types::{Color, Move, Piece, Score, score};
use std::path::PathBuf;

/// No piece. One on a square is kept as its number × 90 + square.
const NONE: u16 = u16::MAX;
/// One game in so many is held out: its positions judge the network and never teach it.
const HELD_OUT: u64 = 50;

/// A position with what there is to learn about it.
#[derive(Clone, Copy)]
pub struct Sample {
    pieces: [u16; 32],
    /// From the side to move.
    pub score: i16,
    /// Half points of the side to move.
    half_points: u8,
    /// Whether black is to move.
    black: bool,
    /// Number of attackers on the board.
    pub attackers: u8,
    count: u8,
}

impl Sample {
    fn of(position: &Position, score: Score, red_half_points: u8) -> Sample {
        let mut pieces = [NONE; 32];
        let mut count = 0;
        let mut attackers = 0;
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                pieces[count] = (piece_number(Piece::new(color, kind)) * 90 + square.dense()) as u16;
                count += 1;
                attackers += u8::from(kind.is_major());
            }
        }
        let black = position.side() == Color::Black;
        let half_points = if black { 2 - red_half_points } else { red_half_points };
        Sample { pieces, score: score as i16, half_points, black, attackers, count: count as u8 }
    }

    /// The pieces, as number × 90 + square. The kings are the first of each side.
    pub fn pieces(&self) -> &[u16] {
        &self.pieces[..usize::from(self.count)]
    }

    /// Who is to move.
    pub fn side(&self) -> Color {
        if self.black { Color::Black } else { Color::Red }
    }

    /// The result for the side to move, 0 to 1.
    pub fn result(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }
}

/// Positions to learn from and positions to be judged by.
#[derive(Default)]
pub struct Samples {
    pub training: Vec<Sample>,
    /// To be judged by: of other games.
    pub held_out: Vec<Sample>,
    pub games: u64,
    /// Bytes that held no sound games.
    pub damaged: usize,
}

impl Samples {
    /// Reads files of games.
    pub fn read(files: &[PathBuf], settings: &Settings) -> Result<Samples, ArchiveError> {
        let mut samples = Samples::default();
        for file in files {
            let archive = Archive::open(file)?;
            let mut number = 0u64;
            samples.damaged += archive.games(|game| {
                let held_out = number % HELD_OUT == HELD_OUT - 1;
                number += 1;
                let into = if held_out { &mut samples.held_out } else { &mut samples.training };
                pick(&game, settings, into);
            });
            samples.games += number;
        }
        Ok(samples)
    }
}

/// Whether nothing hangs: no check, and no capture was best.
pub fn is_quiet(position: &Position, best: Move) -> bool {
    !position.in_check() && !position.piece_at(best.to()).is_piece()
}

/// Picks the positions of a game in which nothing hangs: no check, and no capture was best; and nothing is decided.
fn pick(game: &Game, settings: &Settings, into: &mut Vec<Sample>) {
    let mut position = game.start.clone();
    let last = game.plies.len();
    for (index, ply) in game.plies.iter().enumerate() {
        let is_open = !score::is_decided(ply.score) && ply.score.abs() <= settings.limit;
        // Of a game that was adjudicated flat or too long, the tail is the same again and again.
        let in_tail = matches!(game.end, End::Flat | End::Length | End::NaturalLimit) && index + 40 > last;
        let is_fresh = !in_tail || index % 4 == 0;
        if is_quiet(&position, ply.mv) && is_open && is_fresh {
            into.push(Sample::of(&position, ply.score, game.red_half_points));
        }
        position.make(ply.mv);
    }
}
