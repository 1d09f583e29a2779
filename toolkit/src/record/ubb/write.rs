//! Writes DhtmlXQ text.

use super::{MARK, TAGS};
use crate::record::game::{Game, NodeId};
use crate::record::grid::{CrowdError, slots};
use chuhe_engine::types::{Color, Square};
use std::collections::VecDeque;
use std::fmt::Write;

/// The game as text that ends with a line end.
pub fn write(game: &Game) -> Result<String, CrowdError> {
    let mut text = format!("{MARK}]\n");
    let mut mark = |key: &str, value: &str| {
        let _ = writeln!(text, "{MARK}_{key}]{value}[/DhtmlXQ_{key}]");
    };
    mark("ver", "www_dpxq_com");
    mark("init", "500,350");
    let mut written: Vec<&str> = Vec::new();
    for (key, tag) in TAGS {
        if let Some(value) = game.tag(tag).filter(|_| !written.contains(&tag)) {
            written.push(tag);
            mark(key, &escape(value));
        }
    }
    // What most pages show: the team and the name.
    for (key, name, team) in [("red", "Red", "RedTeam"), ("black", "Black", "BlackTeam")] {
        // A team alone would be read as a name.
        if let Some(name) = game.tag(name) {
            let words: Vec<&str> = game.tag(team).into_iter().chain([name]).collect();
            mark(key, &escape(&words.join(" ")));
        }
    }
    mark("result", game.result.chinese());
    // A position in the words of boards says nothing of counters, nor, without moves, of the side to move.
    let fen = game.start().fen();
    let has_moves = !game[NodeId::ROOT].children().is_empty();
    let told = has_moves || game.start().side() == Color::Red;
    if !told || !fen.ends_with(" - - 0 1") {
        mark("fen", &fen);
    }
    let board: String =
        slots(game.start())?.iter().map(|square| square.map_or("99".to_string(), digits)).collect();
    mark("binit", &board);
    write_lines(game, &mut mark);
    let _ = writeln!(text, "[/DhtmlXQ]");
    Ok(text)
}

/// Writes the line of the game and those that leave it, each with its comments, numbered as they come.
fn write_lines(game: &Game, mark: &mut impl FnMut(&str, &str)) {
    let comment = |key: String, id: NodeId, mark: &mut dyn FnMut(&str, &str)| {
        let comment = game[id].marked_comment();
        if !comment.is_empty() {
            mark(&key, &escape(&comment));
        }
    };
    comment("comment0".to_string(), NodeId::ROOT, mark);
    // The line that each leaves, and its first move.
    let mut lines: VecDeque<(usize, Option<NodeId>)> =
        VecDeque::from([(0, game[NodeId::ROOT].children().first().copied())]);
    let (mut name, mut last) = (0, 0);
    while let Some((left, first)) = lines.pop_front() {
        let line: Vec<NodeId> =
            std::iter::successors(first, |&id| game[id].children().first().copied()).collect();
        let mv = |id: &NodeId| digits(game[*id].mv().from()) + &digits(game[*id].mv().to());
        let moves: String = line.iter().map(mv).collect();
        match first.filter(|_| name > 0) {
            Some(first) => mark(&format!("move_{left}_{}_{name}", game[first].ply()), &moves),
            None => mark("movelist", &moves),
        }
        for (index, &id) in line.iter().enumerate() {
            let ply = game[id].ply();
            let key = if name == 0 { format!("comment{ply}") } else { format!("comment{name}_{ply}") };
            comment(key, id, mark);
            // The alternatives to the first move of a variation leave the line that it leaves.
            if index > 0 || name == 0 {
                let others = game[game[id].parent()].children().iter().skip(1);
                lines.extend(others.map(|&other| (name, Some(other))));
            }
        }
        last += 1;
        name = last;
    }
}

/// Column from the left, row from the top.
fn digits(square: Square) -> String {
    format!("{}{}", square.file(), 9 - square.rank())
}

/// A text within a mark. What would mean something else there is written by the numbers of its letters.
fn escape(text: &str) -> String {
    let escaped = |line: &str| {
        let line = line.replace("\\u", "\\u005cu").replace("[/DhtmlXQ", "\\u005b/DhtmlXQ");
        let line = line.replace(MARK, "\\u005bDhtmlXQ");
        // Two strokes end a line, and one at its end would make a pair with those.
        let ends_lines = line.contains("||") || line.starts_with('|') || line.ends_with('|');
        if ends_lines { line.replace('|', "\\u007c") } else { line }
    };
    text.lines().map(escaped).collect::<Vec<_>>().join("||")
}
