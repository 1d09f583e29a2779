//! The summary of many reviews, also by the phases of games.

use super::players::{PlayTally, PlayerNames, RecurringNames};
use crate::book::opening_names::OpeningName;
use crate::review::{MoveQuality, Review, SideSummary};
use chuhe_support::language::{Phrase, phrase, tr};
use chuhe_support::small_sort::SmallSort;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use xiangqi::{Color, Move, Position, zobrist::Key};
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

/// So many mistakes are kept.
const MAX_COSTLY_MOVES: usize = 10;

/// Where a game stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePlace {
    /// The file, as it is shown.
    pub file: String,
    /// The number in it, from 1.
    pub number: usize,
}

impl GamePlace {
    /// `game 3`, and the name of its file if there are several.
    pub fn text(&self, has_several_files: bool) -> String {
        let game = tr!("game {number}", number = self.number);
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
        if has_several_files { format!("{name} {game}") } else { game }
    }
}

/// A move that cost much.
#[derive(Clone, PartialEq, Debug)]
pub struct CostlyMove {
    /// The index of the game in the summary.
    pub index: usize,
    pub place: GamePlace,
    /// The name of the player, if the game gives it.
    pub player: Option<String>,
    /// From 1.
    pub ply: usize,
    /// The full move number.
    pub number: u32,
    pub side: Color,
    /// The position before the move.
    pub position: Position,
    pub mv: Move,
    pub mark: MoveQuality,
    /// The chances of the side before and after the move.
    pub before: f64,
    pub after: f64,
    /// The first moves of the better line.
    pub better: Vec<Move>,
    /// The position and the move: a mistake that is made in several games is one.
    repeated: (Key, Move),
}

impl CostlyMove {
    pub fn loss(&self) -> f64 {
        self.before - self.after
    }
}

/// The summary of many games: of one person's moves, or of everybody's.
#[derive(Default)]
pub struct GamesSummary {
    pub person: PlayerNames,
    pub names: RecurringNames,
    /// The results are those of the person, or red's.
    pub all: PlayTally,
    /// Indexed by colour.
    pub colours: [PlayTally; 2],
    /// In the order of `Phase::ALL`; games that reached the phase, with their results.
    pub phases: [PlayTally; 3],
    openings: HashMap<OpeningName, PlayTally>,
    /// The worst one first.
    pub costliest: Vec<CostlyMove>,
    nodes: u64,
    /// The file of the first game, and whether another one came after it.
    first_file: Option<String>,
    pub has_several_files: bool,
}

/// The first moves of a better line that are kept.
const BETTER_MOVES: usize = 4;

impl GamesSummary {
    pub fn new(person: PlayerNames) -> GamesSummary {
        GamesSummary { person, ..GamesSummary::default() }
    }

    /// Adds the review of a game.
    pub fn add(&mut self, place: &GamePlace, review: &Review) {
        let sides = self.person.sides(&review.game);
        let Some(&view) = sides.first() else { return };
        self.names.add_review(review);
        self.nodes += review.mean_nodes();
        let first_file = self.first_file.get_or_insert_with(|| place.file.clone());
        self.has_several_files |= *first_file != place.file;
        let phases = phases(&review.game);
        let result = review.game.result;
        self.all.add_game(result, view);
        for (index, phase) in Phase::ALL.into_iter().enumerate() {
            if phases.contains(&phase) {
                self.phases[index].add_game(result, view);
            }
        }
        let opening = review.opening.map(|opening| opening.name);
        if let Some(opening) = opening {
            self.openings.entry(opening).or_default().add_game(result, view);
        }
        for side in sides {
            let summary = review.side(side);
            self.all.add(summary);
            self.colours[side].add_game(result, side);
            self.colours[side].add(summary);
            if let Some(tally) = opening.and_then(|opening| self.openings.get_mut(&opening)) {
                tally.add(summary);
            }
            for (index, phase) in Phase::ALL.into_iter().enumerate() {
                let is_in_phase = |ply: usize| phases[ply] == phase;
                self.phases[index].add(&SideSummary::of_moves(&review.moves, &review.positions, |ply, reviewed| {
                    reviewed.side == side && is_in_phase(ply)
                }));
            }
            self.add_costly_moves(place, review, side);
        }
    }

    fn add_costly_moves(&mut self, place: &GamePlace, review: &Review, side: Color) {
        let mut position = review.game.start().clone();
        for (index, reviewed) in review.moves.iter().enumerate() {
            let least = self.costliest.get(MAX_COSTLY_MOVES - 1).map_or(0.0, CostlyMove::loss);
            if let (Some(mark), Some(before), Some(after)) = (reviewed.mark, reviewed.before, reviewed.after)
                && mark.is_bad()
                && reviewed.side == side
                && before.chance - after.chance > least
                && self.costliest.iter().all(|other| other.repeated != (position.key(), reviewed.mv))
            {
                let better = &reviewed.better_line[..reviewed.better_line.len().min(BETTER_MOVES)];
                let costly = CostlyMove {
                    index: self.all.games - 1,
                    place: place.clone(),
                    player: review.player(side).map(str::to_string),
                    ply: index + 1,
                    number: reviewed.number,
                    side,
                    position: position.clone(),
                    mv: reviewed.mv,
                    mark,
                    before: before.chance,
                    after: after.chance,
                    better: better.to_vec(),
                    repeated: (position.key(), reviewed.mv),
                };
                let at = self.costliest.partition_point(|other| other.loss() >= costly.loss());
                self.costliest.insert(at, costly);
                self.costliest.truncate(MAX_COSTLY_MOVES);
            }
            position.play_unchecked(reviewed.mv);
        }
    }

    /// The openings, the most frequent first.
    pub fn openings(&self) -> Vec<(OpeningName, &PlayTally)> {
        let mut openings: Vec<_> = self.openings.iter().map(|(&name, tally)| (name, tally)).collect();
        openings.order_by_key(|(name, tally)| (std::cmp::Reverse(tally.games), name.english));
        openings
    }

    /// The nodes of a position on average.
    pub fn mean_nodes(&self) -> u64 {
        self.nodes / self.all.games.max(1) as u64
    }
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
