//! A game with its variations in the form of the page: a list of moves, each with the index of its parent.

use chuhe_study::reader::move_name;
use chuhe_support::language::{Message, message};
use chuhe_support::with_values;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use xiangqi::{Move, Position};
use xiangqi_record::{Game, GameCursor, GameNode, GameResult, Nag, NodeId, move_times};

/// The maximum number of moves of a page; the first node of a game is no move.
const MAX_MOVES: usize = 20_000;

#[derive(Clone, Serialize, Deserialize, crate::TS)]
#[ts(rename = "SentTree")]
pub struct GameTree {
    /// The start position as a FEN.
    start: String,
    tags: Vec<(String, String)>,
    result: String,
    /// The root and the moves; each comes after its parent.
    nodes: Vec<SentNode>,
}

with_values! {
    #[derive(Clone, Serialize, Deserialize, crate::TS)]
    struct SentNode {
        /// The index of the parent; the root is its own.
        parent: usize = parent,
        #[serde(rename = "move")]
        mv: String = node.mv().map(|mv| mv.to_string()).unwrap_or_default(),
        #[serde(skip_deserializing)]
        name: Option<String> = node.mv().map(|mv| move_name(before, mv)),
        comment: String = comment,
        marks: Vec<u8> = node.marks.iter().map(|mark| mark.0).collect(),
        /// The seconds that the move took, if they are known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        time: Option<u64> = time.map(|time| time.as_secs()),
        /// What the comment says of clocks beside its text.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[ts(as = "Option<String>", optional)]
        clock: String = clock,
    }
    fn of(node: &GameNode, parent: usize, before: &Position, time: Option<Duration>) {
        let (comment, clock) = move_times::divide(&node.comment);
    }
}

impl GameTree {
    /// The tree sent to the page.
    pub fn of(game: &Game) -> Result<GameTree, Message> {
        if game.nodes().count() > MAX_MOVES + 1 {
            return Err(too_long());
        }
        let ids: Vec<NodeId> = game.nodes().collect();
        let mut cursor = GameCursor::new(game);
        let times = move_times::of_game(game);
        let node = |&id: &NodeId| {
            let parent = game[id].parent();
            cursor.go_to(game, parent);
            let index = ids.binary_search(&parent).unwrap_or(0);
            SentNode::of(&game[id], index, cursor.position(), times.of(id))
        };
        let nodes = ids.iter().map(node).collect();
        Ok(GameTree {
            start: game.start().fen(),
            tags: game.tags.clone(),
            result: game.result.token().to_string(),
            nodes,
        })
    }

    /// The game of a tree sent by the page.
    pub fn game(&self) -> Result<Game, Message> {
        if self.nodes.len() > MAX_MOVES + 1 {
            return Err(too_long());
        }
        let start = Position::from_fen(&self.start).map_err(Message::from_value)?;
        let mut game = Game::new(&start);
        game.tags.clone_from(&self.tags);
        game.result = GameResult::from_token(&self.result).unwrap_or_default();
        let mut cursor = GameCursor::new(&game);
        let (mut ids, mut times): (Vec<NodeId>, Vec<(NodeId, Duration)>) = Default::default();
        for node in &self.nodes {
            let id = match ids.get(node.parent) {
                None => NodeId::ROOT,
                Some(&parent) => {
                    cursor.go_to(&game, parent);
                    let mv: Move = node.mv.parse().map_err(Message::from_value)?;
                    cursor.play(&mut game, mv).map_err(Message::from_value)?
                }
            };
            game[id].comment.clone_from(&node.comment);
            if !node.clock.is_empty() {
                game[id].comment.clone_from(&node.clock);
                game[id].append_comment(&node.comment);
            }
            times.extend(node.time.map(|seconds| (id, Duration::from_secs(seconds))));
            game[id].marks = node.marks.iter().map(|&mark| Nag(mark)).collect();
            ids.push(id);
        }
        move_times::note(&mut game, &times);
        Ok(game)
    }
}

fn too_long() -> Message {
    message!("The game has more than {count} moves.", count = MAX_MOVES)
}
