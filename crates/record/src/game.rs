//! A game record: tags, start position, a tree of moves with comments and marks, and a result.
//!
//! All formats are read into this type and written from it. The moves are stored in one list with indices of parents
//! and children, so that deep trees need no recursion; the first child of each node continues the main line, the others
//! are variations. Every move is legal: [`GameCursor::play`] checks it.

use super::record_error::{Location, ParsedGame, RecordError, RecordErrorKind};
use std::fmt;
use std::ops::{Index, IndexMut};
use xiangqi::{Color, IllegalMove, Move, Position};

/// The longest result in words, in bytes, with what may stand between them.
const MAX_RESULT: usize = 64;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameResult {
    /// Not given, or the game is not over.
    #[default]
    Unknown,
    /// `1-0`
    RedWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
}

impl GameResult {
    /// All results, in the numbering of the binary formats.
    pub const ALL: [GameResult; 4] =
        [GameResult::Unknown, GameResult::RedWins, GameResult::BlackWins, GameResult::Draw];

    /// The result of a game won by this side; `None` = draw.
    pub fn from_winner(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::Red) => GameResult::RedWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn token(self) -> &'static str {
        match self {
            GameResult::Unknown => "*",
            GameResult::RedWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// The result in Chinese: `红胜`.
    pub const fn chinese(self) -> &'static str {
        match self {
            GameResult::Unknown => "未知",
            GameResult::RedWins => "红胜",
            GameResult::BlackWins => "黑胜",
            GameResult::Draw => "和棋",
        }
    }

    /// Parses a result in words of any program: `红方胜`, `先負`, `和局`, `1-0`.
    pub fn from_words(text: &str) -> Option<GameResult> {
        let text = text.trim();
        // Most words of a text tell no result, which the first letter shows.
        if text.len() > MAX_RESULT || text.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return None;
        }
        let plain: String = text
            .chars()
            .map(|letter| match letter {
                '紅' => '红',
                '勝' => '胜',
                '負' => '负',
                '－' | '—' => '-',
                _ => letter,
            })
            .filter(|letter| *letter != '方')
            .collect();
        match plain.as_str() {
            "红胜" | "红先胜" | "先胜" | "黑负" | "1-0" => Some(GameResult::RedWins),
            "黑胜" | "红先负" | "先负" | "红负" | "0-1" => Some(GameResult::BlackWins),
            "和棋" | "和局" | "和" | "红先和" | "先和" | "1/2-1/2" | "1/2" => Some(GameResult::Draw),
            "未知" | "*" => Some(GameResult::Unknown),
            _ => None,
        }
    }

    /// Parses a result token.
    pub fn from_token(token: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.token() == token)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.token())
    }
}

/// A numeric annotation glyph of PGN: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Nag(pub u8);

impl Nag {
    /// The glyphs that have a sign.
    pub const SYMBOLS: [(Nag, &str); 6] =
        [(Nag(1), "!"), (Nag(2), "?"), (Nag(3), "!!"), (Nag(4), "??"), (Nag(5), "!?"), (Nag(6), "?!")];

    /// Its sign, if it has one.
    pub fn symbol(self) -> Option<&'static str> {
        Nag::SYMBOLS.into_iter().find(|(nag, _)| *nag == self).map(|(_, sign)| sign)
    }

    /// The glyph of a sign.
    pub fn from_sign(sign: &str) -> Option<Nag> {
        Nag::SYMBOLS.into_iter().find(|(_, other)| *other == sign).map(|(nag, _)| nag)
    }
}

impl fmt::Display for Nag {
    /// `$1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// A node of the tree: a move, or the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game, before any move.
    pub const ROOT: NodeId = NodeId(0);

    /// Its place among the nodes of the game.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move with its annotations. The root has no move, only a comment.
#[derive(Clone, Debug)]
pub struct GameNode {
    /// The comment after the move, with line breaks; empty if there is none.
    pub comment: String,
    /// The annotation glyphs of the move.
    pub marks: Vec<Nag>,
    mv: Option<Move>,
    ply: u32,
    parent: NodeId,
    children: Vec<NodeId>,
}

impl GameNode {
    /// The move; `None` at the root.
    pub fn mv(&self) -> Option<Move> {
        self.mv
    }

    /// The number of moves from the start of the game to this node.
    pub fn ply(&self) -> usize {
        self.ply as usize
    }

    /// The parent node; the root is its own parent.
    pub fn parent(&self) -> NodeId {
        self.parent
    }

    /// The next move of the line, followed by its alternatives.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// The comment prefixed by the signs of the marks, for formats without marks.
    pub fn marked_comment(&self) -> String {
        let signs = self.marks.iter().filter_map(|mark| mark.symbol());
        let words: Vec<&str> = signs.chain([self.comment.as_str()]).filter(|word| !word.is_empty()).collect();
        words.join(" ")
    }

    /// Sets comment and marks from a text that may begin with signs, separated by blanks.
    pub fn set_marked_comment(&mut self, text: &str) {
        let mut rest = text.trim();
        while !rest.is_empty() && self.mv.is_some() {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let Some(nag) = Nag::from_sign(&rest[..end]) else { break };
            self.marks.push(nag);
            rest = rest[end..].trim_start();
        }
        self.append_comment(rest);
    }

    /// Appends to the comment, separated by a blank.
    pub fn append_comment(&mut self, text: &str) {
        let text = text.trim();
        if !self.comment.is_empty() && !text.is_empty() {
            self.comment.push(' ');
        }
        self.comment.push_str(text);
    }
}

/// A game: its tags, and the tree of its moves.
#[derive(Clone, Debug)]
pub struct Game {
    /// The tags in order, with PGN names.
    pub tags: Vec<(String, String)>,
    /// The result of the main line.
    pub result: GameResult,
    start: Position,
    nodes: Vec<GameNode>,
}

impl Game {
    /// A game without moves from this position.
    pub fn new(start: &Position) -> Game {
        let root = GameNode {
            comment: String::new(),
            marks: Vec::new(),
            mv: None,
            ply: 0,
            parent: NodeId::ROOT,
            children: Vec::new(),
        };
        Game { tags: Vec::new(), result: GameResult::Unknown, start: start.clone(), nodes: vec![root] }
    }

    /// A game with these moves; fails at the first illegal one.
    pub fn from_moves(start: &Position, moves: impl IntoIterator<Item = Move>) -> Result<Game, IllegalMove> {
        let mut game = Game::new(start);
        let mut cursor = GameCursor::new(&game);
        for mv in moves {
            cursor.play(&mut game, mv)?;
        }
        Ok(game)
    }

    /// The value of a tag; for `Red`, falls back to `White`, as chess programs write it.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let find = |name: &str| self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        let white = || find(&format!("White{}", name.strip_prefix("Red")?));
        find(name).or_else(white).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, or appends it.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(tag, _)| tag.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_string(), value.into())),
        }
    }

    /// Whether both have the same moves in the same tree.
    pub(crate) fn has_moves_of(&self, other: &Game) -> bool {
        let moves = |game: &Game| game.nodes.iter().map(|node| (node.mv, node.parent)).collect::<Vec<_>>();
        moves(self) == moves(other)
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// All nodes, the root first; parents come before their children.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&id| self[id].children.first().copied()).skip(1)
    }

    /// The moves of the main line with their annotations.
    pub fn main_line_nodes(&self) -> impl Iterator<Item = &GameNode> {
        self.main_line().map(|id| &self[id])
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main_line_nodes().filter_map(GameNode::mv)
    }

    /// The last node of the main line, or the root.
    pub fn last(&self) -> NodeId {
        self.main_line().last().unwrap_or(NodeId::ROOT)
    }

    /// The nodes from the first move to this one.
    pub fn line_to(&self, id: NodeId) -> Vec<NodeId> {
        let back = std::iter::successors(Some(id), |&id| Some(self[id].parent));
        let mut line: Vec<NodeId> = back.take_while(|&id| id != NodeId::ROOT).collect();
        line.reverse();
        line
    }

    /// The position at a node, with its history.
    pub fn position_at(&self, id: NodeId) -> Position {
        let mut cursor = GameCursor::new(self);
        cursor.go_to(self, id);
        cursor.position
    }

    /// Replaces control characters in tags and comments, which a terminal would interpret.
    pub(super) fn sanitize(&mut self) {
        for text in self.tags.iter_mut().flat_map(|(name, value)| [name, value]) {
            sanitize(text, false);
        }
        for node in &mut self.nodes {
            sanitize(&mut node.comment, true);
        }
    }

    /// Whether there are so many nodes.
    pub(super) fn is_as_large_as(&self, nodes: usize) -> bool {
        self.nodes.len() >= nodes
    }

    fn append(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let ply = self[parent].ply + 1;
        self.nodes.push(GameNode {
            comment: String::new(),
            marks: Vec::new(),
            mv: Some(mv),
            ply,
            parent,
            children: Vec::new(),
        });
        self[parent].children.push(id);
        id
    }
}

impl Index<NodeId> for Game {
    type Output = GameNode;
    fn index(&self, id: NodeId) -> &GameNode {
        &self.nodes[id.index()]
    }
}

impl IndexMut<NodeId> for Game {
    fn index_mut(&mut self, id: NodeId) -> &mut GameNode {
        &mut self.nodes[id.index()]
    }
}

/// Replaces control characters; line feeds and tabs may be kept.
fn sanitize(text: &mut String, keeps_lines: bool) {
    if text.contains(char::is_control) {
        let shown = |letter: char| match letter {
            '\n' | '\t' if keeps_lines => letter,
            '\n' | '\t' | '\r' | '\x0B' | '\x0C' => ' ',
            _ if letter.is_control() => char::REPLACEMENT_CHARACTER,
            _ => letter,
        };
        *text = text.chars().map(shown).collect();
    }
}

/// A cursor in the tree of a game, with the position at its node.
///
/// ```
/// use xiangqi::Position;
/// use xiangqi_record::{Game, GameCursor, NodeId};
///
/// let mut game = Game::new(&Position::start());
/// let mut cursor = GameCursor::new(&game);
/// let first = cursor.play(&mut game, "h2e2".parse()?)?;
/// game[first].comment = String::from("the central cannon");
/// cursor.go_to(&game, NodeId::ROOT);
/// cursor.play(&mut game, "h0g2".parse()?)?;
/// assert_eq!(game[NodeId::ROOT].children().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameCursor {
    position: Position,
    at: NodeId,
}

impl GameCursor {
    /// A cursor at the root.
    pub fn new(game: &Game) -> GameCursor {
        GameCursor { position: game.start.clone(), at: NodeId::ROOT }
    }

    /// The current position, with its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The node at which the cursor is.
    pub fn at(&self) -> NodeId {
        self.at
    }

    /// Moves to any node, via the last common ancestor.
    pub fn go_to(&mut self, game: &Game, id: NodeId) {
        let mut ahead = Vec::new();
        let mut target = id;
        while self.at != target {
            if game[target].ply > game[self.at].ply {
                ahead.push(target);
                target = game[target].parent;
            } else {
                self.position.undo();
                self.at = game[self.at].parent;
            }
        }
        for &id in ahead.iter().rev() {
            if let Some(mv) = game[id].mv {
                self.position.play_unchecked(mv);
            }
        }
        self.at = id;
    }

    /// Adds a move after the current node, as the last alternative if there are others, and moves to it.
    pub fn play(&mut self, game: &mut Game, mv: Move) -> Result<NodeId, IllegalMove> {
        self.position.play(mv)?;
        self.at = game.append(self.at, mv);
        Ok(self.at)
    }
}

// Builds a game tree from a depth-first list of moves with flags for children and siblings, as stored in the binary
// formats.

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
