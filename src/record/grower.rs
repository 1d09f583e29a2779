//! Grows the tree of a game from a list of moves that tells of each whether another follows it, and whether an
//! alternative to it comes later: depth first, as the binary formats keep their trees.

use super::fault::{Fault, Flaw, Place, Reading};
use super::game::{Game, NodeId, Walker};
use crate::board::Position;
use crate::types::Move;

/// One entry of such a list.
pub struct Entry {
    /// Where it stands in the file.
    pub place: Place,
    /// The move; of the first entry, which is the beginning of the game, it says nothing.
    pub mv: Option<Move>,
    /// What was said of it.
    pub comment: String,
    /// The next entry follows this move.
    pub follows: bool,
    /// An alternative to this move comes when all that follows it has been told.
    pub alternative: bool,
}

/// A tree that grows.
pub struct Grower {
    game: Game,
    walker: Walker,
    faults: Vec<Fault>,
    number: usize,
    /// What the next entry is a move of; a place that could not be reached is none.
    parent: Option<NodeId>,
    /// What alternatives are still to come, the next one last.
    promised: Vec<Option<NodeId>>,
    begun: bool,
    over: bool,
    /// The end of the game itself, without its variations, while it is still being told.
    main: Option<NodeId>,
}

impl Grower {
    /// The game of this number in its file, from this position.
    pub fn new(start: &Position, number: usize) -> Grower {
        let game = Game::new(start);
        Grower {
            walker: Walker::new(&game),
            game,
            faults: Vec::new(),
            number,
            parent: Some(NodeId::ROOT),
            promised: Vec::new(),
            begun: false,
            over: false,
            main: Some(NodeId::ROOT),
        }
    }

    /// Whether everything that was promised has come.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Takes the next entry.
    pub fn take(&mut self, entry: Entry) {
        let node = if self.begun { self.add(&entry) } else { Some(NodeId::ROOT) };
        if let Some(id) = node {
            self.game[id].set_marked_comment(&entry.comment);
        }
        if entry.alternative && self.begun {
            self.promised.push(self.parent);
        }
        self.begun = true;
        if entry.follows {
            self.parent = node;
        } else {
            self.main = None;
            match self.promised.pop() {
                Some(parent) => self.parent = parent,
                None => self.over = true,
            }
        }
    }

    fn add(&mut self, entry: &Entry) -> Option<NodeId> {
        let parent = self.parent?;
        self.walker.go_to(&self.game, parent);
        let number = self.walker.position().game_ply() as usize / 2 + 1;
        let flaw = match entry.mv.map(|mv| self.walker.play(&mut self.game, mv)) {
            Some(Ok(id)) => {
                self.main = self.main.and(Some(id));
                return Some(id);
            }
            Some(Err(source)) => Flaw::Move { number, source },
            None => Flaw::Expected { expected: "the squares of a move", found: "others".to_string() },
        };
        self.fault(entry.place, flaw);
        None
    }

    /// Something is wrong.
    pub fn fault(&mut self, place: Place, flaw: Flaw) {
        let breaks_off = self.main.is_some();
        self.faults.push(Fault { game: self.number, place, flaw, breaks_off });
    }

    /// What has grown.
    pub fn end(self) -> Reading {
        Reading { game: self.game, faults: self.faults }
    }
}
