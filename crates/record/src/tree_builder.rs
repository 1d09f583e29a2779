//! Builds a game tree from a depth-first list of moves with flags for children and siblings, as stored in the binary
//! formats.

use super::game::{Game, GameCursor, NodeId};
use super::record_error::{Location, ParsedGame, RecordError, RecordErrorKind};
use xiangqi::{Move, Position};

/// An entry of the list.
pub struct TreeEntry {
    /// The move; ignored in the first entry, which is the root.
    pub mv: Option<Move>,
    pub comment: String,
    /// The next entry is a child of this one.
    pub has_child: bool,
    /// A sibling follows after all descendants of this entry.
    pub has_sibling: bool,
}

/// The first move of the list at this offset, if any.
pub fn first_move(at: usize, read: impl Fn(usize) -> Result<(TreeEntry, usize), RecordErrorKind>) -> Option<Move> {
    let (_, next) = read(at).ok().filter(|(root, _)| root.has_child)?;
    read(next).ok()?.0.mv
}

pub struct TreeBuilder {
    game: Game,
    cursor: GameCursor,
    errors: Vec<RecordError>,
    number: usize,
    /// The parent of the next entry; `None` if it could not be played.
    parent: Option<NodeId>,
    /// The parents of siblings still to come, the next one last.
    pending_siblings: Vec<Option<NodeId>>,
    started: bool,
    finished: bool,
    /// The end of the main line while it is being read.
    main_line_end: Option<NodeId>,
}

impl TreeBuilder {
    /// The builder for a game with this number in its file, from this position.
    pub fn new(start: &Position, number: usize) -> TreeBuilder {
        let game = Game::new(start);
        TreeBuilder {
            cursor: GameCursor::new(&game),
            game,
            errors: Vec::new(),
            number,
            parent: Some(NodeId::ROOT),
            pending_siblings: Vec::new(),
            started: false,
            finished: false,
            main_line_end: Some(NodeId::ROOT),
        }
    }

    /// Whether all announced entries have been read.
    pub fn is_complete(&self) -> bool {
        self.finished
    }

    /// Reads entries from an offset until the tree is complete or an error occurs. `read` returns an entry and the
    /// offset of the next one; `place` converts an offset to an error location.
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
                Err(kind) => return self.record_error(place(at), kind),
            }
        }
    }

    /// Adds the next entry.
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
        self.cursor.go_to(&self.game, parent);
        let number = self.cursor.position().game_ply() as usize / 2 + 1;
        let kind = match entry.mv.map(|mv| self.cursor.play(&mut self.game, mv)) {
            Some(Ok(id)) => {
                self.main_line_end = self.main_line_end.and(Some(id));
                return Some(id);
            }
            Some(Err(source)) => RecordErrorKind::Move { number, source },
            None => RecordErrorKind::MoveSquares,
        };
        self.record_error(place, kind);
        None
    }

    pub fn record_error(&mut self, place: Location, kind: RecordErrorKind) {
        let ends_main_line = self.main_line_end.is_some();
        self.errors.push(RecordError { game: self.number, location: place, kind, ends_main_line });
    }

    pub fn finish(self) -> ParsedGame {
        ParsedGame { game: self.game, errors: self.errors }
    }
}
