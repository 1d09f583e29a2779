//! Grows the tree of a game from a list of moves that tells of each whether another follows it, and whether an
//! alternative to it comes later: depth first, as the binary formats keep their trees.

use super::error::{Location, ParsedGame, RecordError, RecordErrorKind};
use super::game::{Game, GameCursor, NodeId};
use chuhe_engine::board::Position;
use chuhe_engine::language::{phrase, tr};
use chuhe_engine::types::Move;

/// One entry of such a list.
pub struct TreeEntry {
    /// The move; of the first entry, which is the beginning of the game, it says nothing.
    pub mv: Option<Move>,
    /// What was said of it.
    pub comment: String,
    /// The next entry follows this move.
    pub has_child: bool,
    /// An alternative to this move comes when all that follows it has been told.
    pub has_sibling: bool,
}

/// The first move of a list that begins here, if there is one.
pub fn first_move(at: usize, read: impl Fn(usize) -> Result<(TreeEntry, usize), RecordErrorKind>) -> Option<Move> {
    let (_, next) = read(at).ok().filter(|(root, _)| root.has_child)?;
    read(next).ok()?.0.mv
}

/// A tree that grows.
pub struct TreeBuilder {
    game: Game,
    walker: GameCursor,
    faults: Vec<RecordError>,
    number: usize,
    /// What the next entry is a move of; a place that could not be reached is none.
    parent: Option<NodeId>,
    /// What alternatives are still to come, the next one last.
    pending_siblings: Vec<Option<NodeId>>,
    started: bool,
    finished: bool,
    /// The end of the game itself, without its variations, while it is still being told.
    main_line_end: Option<NodeId>,
}

impl TreeBuilder {
    /// The game of this number in its file, from this position.
    pub fn new(start: &Position, number: usize) -> TreeBuilder {
        let game = Game::new(start);
        TreeBuilder {
            walker: GameCursor::new(&game),
            game,
            faults: Vec::new(),
            number,
            parent: Some(NodeId::ROOT),
            pending_siblings: Vec::new(),
            started: false,
            finished: false,
            main_line_end: Some(NodeId::ROOT),
        }
    }

    /// Whether everything that was promised has come.
    pub fn is_complete(&self) -> bool {
        self.finished
    }

    /// Takes entries, one after another from this place on, until everything that was promised has come or one cannot be
    /// read. `read` answers an entry and where the next one stands; `place` says what a fault names.
    pub fn read_entries(
        &mut self,
        mut at: usize,
        place: impl Fn(usize) -> Location,
        read: impl Fn(usize) -> Result<(TreeEntry, usize), RecordErrorKind>,
    ) {
        while !self.is_complete() {
            match read(at) {
                Ok((entry, next)) => {
                    self.push(place(at), entry);
                    at = next;
                }
                Err(flaw) => return self.record_error(place(at), flaw),
            }
        }
    }

    /// Takes the next entry, which stands here.
    pub fn push(&mut self, place: Location, entry: TreeEntry) {
        let node = if self.started { self.add(place, &entry) } else { Some(NodeId::ROOT) };
        if let Some(id) = node {
            self.game[id].set_marked_comment(&entry.comment);
        }
        if entry.has_sibling && self.started {
            self.pending_siblings.push(self.parent);
        }
        self.started = true;
        if entry.has_child {
            self.parent = node;
        } else {
            self.main_line_end = None;
            match self.pending_siblings.pop() {
                Some(parent) => self.parent = parent,
                None => self.finished = true,
            }
        }
    }

    fn add(&mut self, place: Location, entry: &TreeEntry) -> Option<NodeId> {
        let parent = self.parent?;
        self.walker.go_to(&self.game, parent);
        let number = self.walker.position().game_ply() as usize / 2 + 1;
        let flaw = match entry.mv.map(|mv| self.walker.play(&mut self.game, mv)) {
            Some(Ok(id)) => {
                self.main_line_end = self.main_line_end.and(Some(id));
                return Some(id);
            }
            Some(Err(source)) => RecordErrorKind::Move { number, source },
            None => RecordErrorKind::Expected { expected: phrase!("the squares of a move"), found: tr!("others") },
        };
        self.record_error(place, flaw);
        None
    }

    pub fn record_error(&mut self, place: Location, flaw: RecordErrorKind) {
        let breaks_off = self.main_line_end.is_some();
        self.faults.push(RecordError { game: self.number, location: place, kind: flaw, ends_main_line: breaks_off });
    }

    pub fn finish(self) -> ParsedGame {
        ParsedGame { game: self.game, errors: self.faults }
    }
}
