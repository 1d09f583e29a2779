//! The openings of the person as a deck has them: for each colour the moves by positions, each with its last change.

use super::card::CardId;
use super::event::{DeviceId, EditStamp, Event, OpeningMoves};
use crate::repertoire::Repertoire;
use std::collections::BTreeMap;
use xiangqi::{Color, Move};

/// The moves of a position, and when they were changed.
type Change = (EditStamp, Vec<Move>);

/// The openings of both colours.
#[derive(Default, Debug)]
pub struct OpeningLines {
    /// Red's and black's.
    sides: [BTreeMap<CardId, Change>; 2],
}

impl OpeningLines {
    /// Whether a change counts. Of two of the same moment the order of their moves decides, as anything must.
    pub(super) fn is_news(&self, change: &OpeningMoves) -> bool {
        let known = self.sides[change.colour].get(&change.position);
        known.is_none_or(|(stamp, moves)| (change.stamp, &change.moves) > (*stamp, moves))
    }

    pub(super) fn apply(&mut self, change: OpeningMoves) {
        self.sides[change.colour].insert(change.position, (change.stamp, change.moves));
    }

    pub(super) fn events(&self) -> impl Iterator<Item = Event> {
        Color::ALL.into_iter().flat_map(|colour| {
            self.sides[colour].iter().map(move |(&position, (stamp, moves))| {
                Event::Opening(OpeningMoves { colour, position, moves: moves.clone(), stamp: *stamp })
            })
        })
    }

    /// The repertoire of a colour.
    pub fn repertoire(&self, colour: Color) -> Repertoire {
        let stored = self.sides[colour].iter().map(|(position, (_, moves))| (position.0, moves.clone()));
        Repertoire::from_stored(colour, stored)
    }

    /// The changes that make this repertoire of what is there. They count, even if the clock went back since the last ones.
    pub fn changes_to(&self, repertoire: &Repertoire, at: i64, device: DeviceId) -> Vec<Event> {
        let colour = repertoire.colour();
        let known = &self.sides[colour];
        let change = |position: CardId, moves: Vec<Move>| {
            let last = known.get(&position).map(|(stamp, _)| stamp.at.saturating_add(1));
            let stamp = EditStamp { at: at.max(last.unwrap_or(i64::MIN)), device };
            Event::Opening(OpeningMoves { colour, position, moves, stamp })
        };
        let is_other = |position: &CardId, moves: &[Move]| {
            known.get(position).map(|(_, moves)| moves.as_slice()).unwrap_or_default() != moves
        };
        let wanted = repertoire.stored();
        let given = wanted.iter().map(|(&key, moves)| (CardId(key), moves.clone()));
        let gone = known.keys().filter(|position| !wanted.contains_key(&position.0)).map(|&id| (id, Vec::new()));
        let all = given.chain(gone).filter(|(position, moves)| is_other(position, moves));
        all.map(|(position, moves)| change(position, moves)).collect()
    }
}
