//! A game as people keep it: tags, the position at the beginning, a tree of moves with comments and marks, a result.
//!
//! This is the middle that every format is read into and written from. The moves lie in one list, each knowing its
//! parent and its children, so that no tree is too deep for anybody; the first child of every move is the game, the
//! others are its variations. Every move is legal where it stands: [`GameCursor::play`] sees to it.

use chuhe_engine::board::{MoveError, Position};
use chuhe_engine::language::sanitize;
use chuhe_engine::types::{Color, Move};
use std::borrow::Cow;
use std::fmt;
use std::ops::{Index, IndexMut};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameResult {
    /// Nobody says, or it is not over.
    #[default]
    Unknown,
    RedWins,
    BlackWins,
    Draw,
}

impl GameResult {
    /// All of them, in the order in which the binary formats number them.
    pub const ALL: [GameResult; 4] =
        [GameResult::Unknown, GameResult::RedWins, GameResult::BlackWins, GameResult::Draw];

    /// The result of a game that this side won, or nobody.
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

    /// What people call it: `红胜`.
    pub const fn chinese(self) -> &'static str {
        match self {
            GameResult::Unknown => "未知",
            GameResult::RedWins => "红胜",
            GameResult::BlackWins => "黑胜",
            GameResult::Draw => "和棋",
        }
    }

    /// The result that people's words say, whoever they are: `红方胜`, `先負`, `和局`, `1-0`.
    pub fn from_words(text: &str) -> Option<GameResult> {
        let plain: String = text
            .trim()
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

    /// The result that a token says.
    pub fn from_token(token: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.token() == token)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.token())
    }
}

/// What somebody thought of a move, by the numbers of PGN: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Nag(pub u8);

impl Nag {
    /// Those that have signs, with them.
    pub const SYMBOLS: [(Nag, &str); 6] =
        [(Nag(1), "!"), (Nag(2), "?"), (Nag(3), "!!"), (Nag(4), "??"), (Nag(5), "!?"), (Nag(6), "?!")];

    /// Its sign, if it has one.
    pub fn symbol(self) -> Option<&'static str> {
        Nag::SYMBOLS.into_iter().find(|(nag, _)| *nag == self).map(|(_, sign)| sign)
    }

    /// The one with this sign.
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

/// A place in the tree of a game: a move, or the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The beginning of the game, before any move.
    pub const ROOT: NodeId = NodeId(0);
}

/// A move of a game and what was noted with it. At the beginning there is no move, only a comment.
#[derive(Clone, Debug)]
pub struct GameNode {
    /// The comment behind the move, with `\n` between its lines; empty if there is none.
    pub comment: String,
    /// What somebody thought of the move.
    pub marks: Vec<Nag>,
    mv: Move,
    ply: u32,
    parent: NodeId,
    children: Vec<NodeId>,
}

impl GameNode {
    /// The move; none at the beginning.
    pub fn mv(&self) -> Move {
        self.mv
    }

    /// How many moves lead here from the beginning of the game, this one included.
    pub fn ply(&self) -> usize {
        self.ply as usize
    }

    /// The move before; the beginning is its own.
    pub fn parent(&self) -> NodeId {
        self.parent
    }

    /// What was played next, and then its alternatives.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// The comment with the signs of the marks in front, for formats that have no place for them.
    pub fn marked_comment(&self) -> String {
        let signs = self.marks.iter().filter_map(|mark| mark.symbol());
        let words: Vec<&str> = signs.chain([self.comment.as_str()]).filter(|word| !word.is_empty()).collect();
        words.join(" ")
    }

    /// Takes a comment that may have signs of marks in front, apart by blanks.
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

    /// Adds to the comment, behind a blank if there is one already.
    pub fn append_comment(&mut self, text: &str) {
        let text = text.trim();
        if !self.comment.is_empty() && !text.is_empty() {
            self.comment.push(' ');
        }
        self.comment.push_str(text);
    }
}

#[derive(Clone)]
pub struct Game {
    /// Tags in their order, by the names of PGN.
    pub tags: Vec<(String, String)>,
    pub result: GameResult,
    start: Position,
    nodes: Vec<GameNode>,
}

impl Game {
    /// A game that begins here, without moves yet.
    pub fn new(start: &Position) -> Game {
        let root = GameNode {
            comment: String::new(),
            marks: Vec::new(),
            mv: Move::NONE,
            ply: 0,
            parent: NodeId::ROOT,
            children: Vec::new(),
        };
        Game { tags: Vec::new(), result: GameResult::Unknown, start: start.clone(), nodes: vec![root] }
    }

    /// A game of these moves, the first of which cannot be played, if any, is told.
    pub fn from_moves(start: &Position, moves: impl IntoIterator<Item = Move>) -> Result<Game, MoveError> {
        let mut game = Game::new(start);
        let mut walker = GameCursor::new(&game);
        for mv in moves {
            walker.play(&mut game, mv)?;
        }
        Ok(game)
    }

    /// The value of a tag; where Red's is wanted and not there, programs for chess may have called him White.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let find = |name: &str| self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        let white = || find(&format!("White{}", name.strip_prefix("Red")?));
        find(name).or_else(white).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, or adds it behind the others.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(tag, _)| tag.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_string(), value.into())),
        }
    }

    pub fn start(&self) -> &Position {
        &self.start
    }

    /// All places of the tree, the beginning first; parents come before their children.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The moves of the game, without its variations.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&id| self[id].children.first().copied()).skip(1)
    }

    /// The moves of the game with what was noted, without its variations.
    pub fn main_line_nodes(&self) -> impl Iterator<Item = &GameNode> {
        self.main_line().map(|id| &self[id])
    }

    /// The last move of the game, or the beginning.
    pub fn last(&self) -> NodeId {
        self.main_line().last().unwrap_or(NodeId::ROOT)
    }

    /// The moves that lead to a place.
    pub fn line_to(&self, id: NodeId) -> Vec<NodeId> {
        let back = std::iter::successors(Some(id), |&id| Some(self[id].parent));
        let mut line: Vec<NodeId> = back.take_while(|&id| id != NodeId::ROOT).collect();
        line.reverse();
        line
    }

    /// The position at a place, with all that led there.
    pub fn position_at(&self, id: NodeId) -> Position {
        let mut walker = GameCursor::new(self);
        walker.go_to(self, id);
        walker.position
    }

    /// Puts signs in the place of what terminals obey and no person means: control characters in tags and comments.
    pub(super) fn sanitize(&mut self) {
        for text in self.tags.iter_mut().flat_map(|(name, value)| [name, value]) {
            if text.contains(char::is_control) {
                *text = sanitize(text).replace(['\n', '\t'], " ");
            }
        }
        for node in &mut self.nodes {
            if let Cow::Owned(comment) = sanitize(&node.comment) {
                node.comment = comment;
            }
        }
    }

    fn append(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let ply = self[parent].ply + 1;
        self.nodes.push(GameNode { comment: String::new(), marks: Vec::new(), mv, ply, parent, children: Vec::new() });
        self[parent].children.push(id);
        id
    }
}

impl Index<NodeId> for Game {
    type Output = GameNode;
    fn index(&self, id: NodeId) -> &GameNode {
        &self.nodes[id.0 as usize]
    }
}

impl IndexMut<NodeId> for Game {
    fn index_mut(&mut self, id: NodeId) -> &mut GameNode {
        &mut self.nodes[id.0 as usize]
    }
}

/// Somebody who goes about in the tree of a game and carries a board along.
#[derive(Clone)]
pub struct GameCursor {
    position: Position,
    at: NodeId,
}

impl GameCursor {
    /// One who stands at the beginning of a game.
    pub fn new(game: &Game) -> GameCursor {
        GameCursor { position: game.start.clone(), at: NodeId::ROOT }
    }

    /// The position on his board, with all that led there.
    pub fn position(&self) -> &Position {
        &self.position
    }

    pub fn at(&self) -> NodeId {
        self.at
    }

    /// Goes to any place, by way of the last move that both places have in common.
    pub fn go_to(&mut self, game: &Game, id: NodeId) {
        let mut ahead = Vec::new();
        let mut target = id;
        while self.at != target {
            if game[target].ply > game[self.at].ply {
                ahead.push(target);
                target = game[target].parent;
            } else {
                self.position.unmake();
                self.at = game[self.at].parent;
            }
        }
        for &id in ahead.iter().rev() {
            self.position.make_unchecked(game[id].mv);
        }
        self.at = id;
    }

    /// Adds a move to the game behind the place where he stands, as an alternative to those that are there, and goes
    /// there.
    pub fn play(&mut self, game: &mut Game, mv: Move) -> Result<NodeId, MoveError> {
        self.position.play(mv)?;
        self.at = game.append(self.at, mv);
        Ok(self.at)
    }
}
