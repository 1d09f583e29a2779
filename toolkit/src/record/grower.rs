//! Grows the tree of a game from a list of moves that tells of each whether another follows it, and whether an
//! alternative to it comes later: depth first, as the binary formats keep their trees.

use super::fault::{Fault, Flaw, Place, Reading};
use super::game::{Game, NodeId, Walker};
use chuhe_engine::board::Position;
use chuhe_engine::language::{phrase, tr};
use chuhe_engine::types::Move;

/// One entry of such a list.
pub struct Entry {
    /// The move; of the first entry, which is the beginning of the game, it says nothing.
    pub mv: Option<Move>,
    /// What was said of it.
    pub comment: String,
    /// The next entry follows this move.
    pub follows: bool,
    /// An alternative to this move comes when all that follows it has been told.
    pub alternative: bool,
}

/// The first move of a list that begins here, if there is one.
pub fn first(at: usize, read: impl Fn(usize) -> Result<(Entry, usize), Flaw>) -> Option<Move> {
    let (_, next) = read(at).ok().filter(|(root, _)| root.follows)?;
    read(next).ok()?.0.mv
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

    /// Takes entries, one after another from this place on, until everything that was promised has come or one cannot be
    /// read. `read` answers an entry and where the next one stands; `place` says what a fault names.
    pub fn grow(
        &mut self,
        mut at: usize,
        place: impl Fn(usize) -> Place,
        read: impl Fn(usize) -> Result<(Entry, usize), Flaw>,
    ) {
        while !self.is_over() {
            match read(at) {
                Ok((entry, next)) => {
                    self.take(place(at), entry);
                    at = next;
                }
                Err(flaw) => return self.fault(place(at), flaw),
            }
        }
    }

    /// Takes the next entry, which stands here.
    pub fn take(&mut self, place: Place, entry: Entry) {
        let node = if self.begun { self.add(place, &entry) } else { Some(NodeId::ROOT) };
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

    fn add(&mut self, place: Place, entry: &Entry) -> Option<NodeId> {
        let parent = self.parent?;
        self.walker.go_to(&self.game, parent);
        let number = self.walker.position().game_ply() as usize / 2 + 1;
        let flaw = match entry.mv.map(|mv| self.walker.play(&mut self.game, mv)) {
            Some(Ok(id)) => {
                self.main = self.main.and(Some(id));
                return Some(id);
            }
            Some(Err(source)) => Flaw::Move { number, source },
            None => Flaw::Expected { expected: phrase!("the squares of a move"), found: tr!("others") },
        };
        self.fault(place, flaw);
        None
    }

    pub fn fault(&mut self, place: Place, flaw: Flaw) {
        let breaks_off = self.main.is_some();
        self.faults.push(Fault { game: self.number, place, flaw, breaks_off });
    }

    pub fn end(self) -> Reading {
        Reading { game: self.game, faults: self.faults }
    }
}
