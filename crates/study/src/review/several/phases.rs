//! The phases of a game.

use chuhe_support::language::{Phrase, phrase};
use serde::{Deserialize, Serialize};
use xiangqi::{Color, Position};
use xiangqi_record::Game;

/// The opening ends after this ply.
const OPENING_PLIES: usize = 20;
/// An ending has no more rooks, horses and cannons than these, of both sides together.
const ENDGAME_PIECES: usize = 4;

/// A phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    pub fn name(self) -> Phrase {
        match self {
            Phase::Opening => phrase!("opening"),
            Phase::Middlegame => phrase!("middlegame"),
            Phase::Endgame => phrase!("endgame"),
        }
    }

    /// The phase of a position, `ply` moves after the beginning of a game.
    fn of(position: &Position, ply: usize, has_opening: bool) -> Phase {
        if Color::ALL.into_iter().map(|color| position.major_count(color)).sum::<usize>() <= ENDGAME_PIECES {
            Phase::Endgame
        } else if has_opening && ply < OPENING_PLIES {
            Phase::Opening
        } else {
            Phase::Middlegame
        }
    }
}

/// The phase of each move of a game. A game from a position that was set up has no opening.
pub fn phases(game: &Game) -> Vec<Phase> {
    let mut position = game.start().clone();
    let has_opening = position.key() == Position::start().key();
    let phase = |(ply, mv)| {
        let phase = Phase::of(&position, ply, has_opening);
        position.play_unchecked(mv);
        phase
    };
    game.moves().enumerate().map(phase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi_record::PositionSpec;

    fn phases_of(text: &str) -> Vec<Phase> {
        let setup = PositionSpec::parse(text);
        let start = setup.start_position(false).expect("a position");
        let moves = setup.play_moves(&mut start.clone(), xiangqi_record::RankBase::Zero).expect("moves");
        phases(&Game::from_moves(&start, moves).expect("a game"))
    }

    #[test]
    fn opening_has_twenty_plies_and_an_ending_few_pieces() {
        let back_and_forth = "h2e2 h7e7 e2h2 e7h7 ".repeat(6);
        let found = phases_of(&format!("startpos moves {back_and_forth}"));
        assert_eq!((found.len(), found[19], found[20]), (24, Phase::Opening, Phase::Middlegame));
        // Black's cannon takes the fifth of them.
        let found = phases_of("2rk5/9/4n4/9/9/9/2C6/9/4K4/R1R6 w moves a0b0 c9c3 b0b3");
        assert_eq!(found, [Phase::Middlegame, Phase::Middlegame, Phase::Endgame]);
    }
}
