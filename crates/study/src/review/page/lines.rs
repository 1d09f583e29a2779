//! The lines of the page that can be stepped through, as data of its script; and its sections about each position: its
//! assessment, the events of the move, and the lines.

use super::quality_class;
use crate::html_page::json;
use crate::reader::move_name;
use crate::review::analysis::AnalysedPosition;
use crate::review::json::round_to;
use crate::review::phrases::{percent, red_score_and_chance, remarks, score_text};
use crate::review::{MoveQuality, Review, ReviewedMove};
use chuhe_support::language::tr;
use maud::{Markup, html};
use serde::Serialize;
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Game, NodeId, move_times};

/// The maximum number of moves of a line.
const MAX_LINE_MOVES: usize = 16;

/// The source of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineSource {
    /// The engine: better than the move played.
    Better,
    /// The engine: the best continuation after a move of the game.
    Continuation,
    /// A recorded variation.
    Recorded,
}

/// A line beside the game.
pub struct SideLine {
    /// The ply at which it begins.
    pub from: usize,
    /// The move of the game at which it is shown.
    pub offered_at: usize,
    pub source: LineSource,
    pub moves: Vec<Move>,
}

/// All lines of a page, in the order of their numbers, which begin with 1 (0 is the game).
pub fn side_lines(review: &Review) -> Vec<SideLine> {
    let mut lines = Vec::new();
    let played: Vec<NodeId> = review.game.main_line().collect();
    for (index, reviewed) in review.moves.iter().enumerate() {
        let mut add = |from: usize, source: LineSource, moves: &[Move]| {
            if !moves.is_empty() {
                let moves = moves.iter().take(MAX_LINE_MOVES).copied().collect();
                lines.push(SideLine { from, offered_at: index + 1, source, moves });
            }
        };
        if reviewed.mark.is_some_and(MoveQuality::is_bad) {
            add(index, LineSource::Better, &reviewed.better_line);
        }
        if let Some(next) = &review.positions[index + 1] {
            add(index + 1, LineSource::Continuation, &next.line);
        }
        let parent = review.game[played[index]].parent();
        for &other in review.game[parent].children().iter().skip(1) {
            add(index, LineSource::Recorded, &first_line(&review.game, other));
        }
    }
    lines
}

/// A move and its main continuation.
fn first_line(game: &Game, id: NodeId) -> Vec<Move> {
    let nodes = std::iter::successors(Some(id), |&id| game[id].children().first().copied());
    nodes.filter_map(|id| game[id].mv()).collect()
}

#[derive(Serialize)]
struct Script<'a> {
    start: String,
    /// Red's chance at each position.
    chances: Vec<Option<f64>>,
    /// The best move of each position.
    best: Vec<Option<Move>>,
    /// The plies of the bad moves.
    bad: Vec<usize>,
    lines: Vec<ScriptLine<'a>>,
}

#[derive(Serialize)]
struct ScriptLine<'a> {
    from: usize,
    moves: &'a [Move],
}

/// The data as a JavaScript object that cannot close its script element.
pub fn script(review: &Review, beside: &[SideLine]) -> String {
    let played: Vec<Move> = review.moves.iter().map(|reviewed| reviewed.mv).collect();
    let game = ScriptLine { from: 0, moves: &played };
    let beside = beside.iter().map(|line| ScriptLine { from: line.from, moves: &line.moves });
    let chance = |studied: &Option<AnalysedPosition>| Some(round_to(studied.as_ref()?.for_red().chance, 1000.0));
    let bad = review.moves.iter().enumerate().filter(|(_, reviewed)| reviewed.mark.is_some_and(MoveQuality::is_bad));
    let script = Script {
        start: review.game.start().fen(),
        chances: review.positions.iter().map(chance).collect(),
        best: review.positions.iter().map(|studied| Some(*studied.as_ref()?.line.first()?)).collect(),
        bad: bad.map(|(index, _)| index + 1).collect(),
        lines: std::iter::once(game).chain(beside).collect(),
    };
    json(&script)
}

/// A section for each position. The script shows one of them; print shows all that have content.
pub fn position_sections(review: &Review, beside: &[SideLine]) -> Markup {
    // The positions before each move, and the last one.
    let mut positions: Vec<Position> = review.moves_in_positions().map(|(.., position)| position).collect();
    positions.push(review.position_before(positions.len()));
    // The times of the moves stand in the list of moves.
    let text = |comment: &str| written_by_people(&move_times::divide(comment).0).to_string();
    let comments: Vec<String> = review.game.main_line_nodes().map(|node| text(&node.comment)).collect();
    html! {
        div.abouts #abouts aria-live="polite" {
            (beginning(review))
            @for (index, reviewed) in review.moves.iter().enumerate() {
                @let lines = beside.iter().enumerate().filter(|(_, line)| line.offered_at == index + 1);
                @let says = reviewed.mark.is_some() || !reviewed.events.is_empty() || !comments[index].is_empty();
                section.about.says[says] hidden data-ply=(index + 1) {
                    (head(reviewed, &positions[index]))
                    @if let Some(text) = events(reviewed) { p.events { (text) } }
                    @for reason in &reviewed.reasons {
                        p.why { (reason.sentence(&positions[index], reviewed.mv)) }
                    }
                    @if !comments[index].is_empty() { p.comment { (comments[index]) } }
                    @for (number, line) in lines { (line_buttons(number + 1, line, &positions[line.from])) }
                }
            }
        }
    }
}

/// A comment without what engines note of their moves: that they are from a book, or score, depth and time, as `+0.35/12 1.25s`.
fn written_by_people(comment: &str) -> &str {
    let Some((score, rest)) = comment.split_once('/') else { return if comment == "book" { "" } else { comment } };
    let number = score.trim_start_matches(['+', '-']).trim_start_matches('M');
    let is_plain = score.bytes().all(|byte| byte.is_ascii_digit());
    let (depth, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    if is_plain || number != "?" && number.parse::<f64>().is_err() || depth.parse::<u32>().is_err() {
        return comment;
    }
    let (time, words) = rest.split_once([' ', ',']).unwrap_or((rest, ""));
    if time.trim_end_matches(['s', ',']).parse::<f64>().is_ok() { words.trim_start() } else { rest }
}

fn beginning(review: &Review) -> Markup {
    let (root, _) = move_times::divide(&review.game[NodeId::ROOT].comment);
    html! {
        section.about.says[!root.is_empty()] data-ply="0" {
            p.head { b { (tr!("The beginning")) } (standing(review)) }
            @if !root.is_empty() { p.comment { (root) } }
        }
    }
}

fn standing(review: &Review) -> Markup {
    let first = review.positions.first().and_then(Option::as_ref);
    let red = first.map(|studied| studied.for_red());
    html! {
        @if let Some(red) = red {
            span.score { (score_text(red.score)) }
            span.chance { (tr!("red's chance")) " " (percent(red.chance)) }
        }
    }
}

fn head(reviewed: &ReviewedMove, position: &Position) -> Markup {
    let dots = if reviewed.side == Color::Red { "." } else { "…" };
    html! {
        p.head {
            b.(reviewed.mark.map(quality_class).unwrap_or_default()) {
                (reviewed.number) (dots) " " (move_name(position, reviewed.mv))
                @if let Some(mark) = reviewed.mark { " " i { (mark.sign()) } }
            }
            @if let Some(after) = reviewed.after {
                @let (score, chance) = red_score_and_chance(after, reviewed.side);
                span.score { (score) }
                span.chance { (tr!("red's chance")) " " (chance) }
            }
            @if let Some(loss) = reviewed.loss().filter(|loss| *loss >= 0.005) {
                span.lost { "−" (percent(loss)) }
            }
        }
    }
}

fn events(reviewed: &ReviewedMove) -> Option<String> {
    (!reviewed.events.is_empty()).then(|| remarks(reviewed))
}

/// A line, with a button for each move.
fn line_buttons(number: usize, line: &SideLine, position: &Position) -> Markup {
    let mut position = position.clone();
    let mut steps = Vec::new();
    for (index, &mv) in line.moves.iter().enumerate() {
        let text = move_name(&position, mv);
        position.play_unchecked(mv);
        steps.push(html! {
            button.step type="button" data-line=(number) data-step=(index + 1) { (text) }
        });
    }
    let class = match line.source {
        LineSource::Better => "better",
        LineSource::Continuation => "next",
        LineSource::Recorded => "recorded",
    };
    html! {
        p.offer.(class) {
            span.word {
                (match line.source {
                    LineSource::Better => tr!("better"),
                    LineSource::Continuation => tr!("best play"),
                    LineSource::Recorded => tr!("variation"),
                })
            }
            span.steps { @for step in &steps { (step) " " } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_engines_are_not_comments() {
        for (comment, text) in [
            ("book", ""),
            ("+0.03/1 0.003s", ""),
            ("-M3/12 1.25s", ""),
            ("?/0 0.000s", ""),
            ("+0.13/9 0.27s, White mates", "White mates"),
            ("+1.20/14", ""),
            ("a good plan", "a good plan"),
            ("3/4 of the pieces", "3/4 of the pieces"),
            ("book move", "book move"),
            ("and/or", "and/or"),
        ] {
            assert_eq!(written_by_people(comment), text);
        }
    }
}
