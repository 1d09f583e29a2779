//! A review as terminal text: a curve of block characters, a line for each move, and a summary, within 100 columns or
//! the terminal width. And a review as an annotated game for other programs: comments with scores, marks, and better lines as
//! variations, in the current language.

use super::analysis::Assessment;
use super::judging::{MoveQuality, Review, ReviewedMove, SideSummary};
use super::phrases::{self, percent, red_score_and_chance};
use crate::reader::{move_name, side_name};
use chuhe_support::language::tr;
use chuhe_support::text_width::{pad_left, pad_right, truncate, wrap};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use xiangqi::{Color, Position};
use xiangqi_draw::ColourMode;
use xiangqi_record::{Game, GameCursor, Nag, NodeId};

/// The maximum width of a line.
pub(crate) const MAX_WIDTH: usize = 100;
/// On narrower terminals, notes go below the move, and the summary is a list.
pub(crate) const WIDE_LAYOUT_WIDTH: usize = 78;
/// The height of the curve, its maximum width, and the label before it.
const CURVE_ROWS: usize = 6;
const CURVE_BLOCKS: usize = 90;
const CURVE_LABEL_WIDTH: usize = 5;
/// The indentation of notes.
const NOTE_INDENT: usize = 6;
/// The maximum number of moves shown of a better line.
const MAX_LINE_MOVES: usize = 6;

/// The style of the output.
#[derive(Clone, Copy)]
struct TableStyle {
    ink: ColourMode,
    /// The terminal width in columns.
    width: usize,
}

/// The whole review as text.
pub fn table(review: &Review, ink: ColourMode, width: usize) -> String {
    let reader = TableStyle { ink, width: width.min(MAX_WIDTH) };
    let mut text = String::new();
    headline(&mut text, review, reader);
    curve(&mut text, review, reader);
    text.push('\n');
    rows(&mut text, review, reader);
    text.push('\n');
    summary(&mut text, review, reader);
    text
}

fn headline(text: &mut String, review: &Review, TableStyle { width, .. }: TableStyle) {
    let name = |color| name(review, color);
    let line = format!("{} – {}  {}", name(Color::Red), name(Color::Black), review.game.result);
    let _ = writeln!(text, "{}", truncate(&line, width));
    if let Some(opening) = review.opening {
        let _ = writeln!(text, "{}", truncate(&tr!("Opening: {name}", name = opening.name.localized()), width));
    }
    if !review.is_complete() {
        let _ = writeln!(text, "{}", tr!("Interrupted: the first moves were not analysed"));
    }
}

/// The name of a side, with its player.
fn name(review: &Review, color: Color) -> String {
    match review.player(color) {
        Some(name) => format!("{} {}", side_name(color), phrases::player_name(name)),
        None => side_name(color).to_string(),
    }
}

/// Red's chance after each move; one block per move or per few moves.
fn curve(text: &mut String, review: &Review, TableStyle { ink, width }: TableStyle) {
    const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let moves = &review.moves;
    if moves.is_empty() {
        return;
    }
    let each = moves.len().div_ceil(width.saturating_sub(CURVE_LABEL_WIDTH).clamp(1, CURVE_BLOCKS));
    let groups: Vec<&[ReviewedMove]> = moves.chunks(each).collect();
    let heights: Vec<Option<f64>> = groups
        .iter()
        .map(|group| {
            let known = group.iter().rev().find_map(|reviewed| Some((reviewed.after?, reviewed.side)));
            known.map(|(after, side)| after.from_red(side).chance)
        })
        .collect();
    let _ = writeln!(text, "\n{}", tr!("Red's winning chance"));
    for row in (0..CURVE_ROWS).rev() {
        let label = match row {
            row if row + 1 == CURVE_ROWS => "100%",
            row if row == CURVE_ROWS / 2 => " 50%",
            0 => "  0%",
            _ => "    ",
        };
        let block = |height: &Option<f64>| {
            let Some(height) = height else { return '·' };
            let eighths = (height * (CURVE_ROWS * 8) as f64).round() as usize;
            HEIGHTS[eighths.saturating_sub(row * 8).min(8)]
        };
        let line: String = heights.iter().map(block).collect();
        let colour = if row >= CURVE_ROWS / 2 { "31" } else { "33" };
        let _ = writeln!(text, "{label} {}", ink.paint(colour, line.trim_end()));
    }
    let worst = |group: &&[ReviewedMove]| {
        let marks = group.iter().filter_map(|reviewed| reviewed.mark);
        match marks.max_by_key(|mark| MoveQuality::ALL.iter().position(|other| other == mark)) {
            Some(MoveQuality::Blunder) => 'X',
            Some(MoveQuality::Mistake) => '?',
            Some(MoveQuality::Dubious) => ',',
            Some(MoveQuality::Good) => '!',
            None => ' ',
        }
    };
    let signs: String = groups.iter().map(worst).collect();
    if !signs.trim().is_empty() {
        let _ = writeln!(text, "     {}", signs.trim_end());
    }
}

fn rows(text: &mut String, review: &Review, reader: TableStyle) {
    let TableStyle { ink, width } = reader;
    let heads = [tr!("move"), tr!("score"), tr!("chance"), tr!("lost"), tr!("what was better")];
    let head = format!(
        "      {} {} {} {}    {}",
        pad_right(&heads[0], 9),
        pad_left(&heads[1], 7),
        pad_left(&heads[2], 6),
        pad_left(&heads[3], 5),
        if width >= WIDE_LAYOUT_WIDTH { &heads[4] } else { "" }
    );
    let _ = writeln!(text, "{}", ink.paint("1", head.trim_end()));
    for (index, reviewed, position) in review.moves_in_positions() {
        let _ = writeln!(text, "{}", row(index, reviewed, &position, reader));
        for reason in &reviewed.reasons {
            let line = format!("{:NOTE_INDENT$}{}", "", reason.sentence(&position, reviewed.mv));
            let _ = writeln!(text, "{}", wrap(&line, reader.width));
        }
    }
}

fn row(index: usize, reviewed: &ReviewedMove, position: &Position, reader: TableStyle) -> String {
    let TableStyle { ink, width } = reader;
    let number = match reviewed.side {
        Color::Red => format!("{:>4}. ", reviewed.number),
        Color::Black if index == 0 => format!("{:>4}… ", reviewed.number),
        Color::Black => " ".repeat(6),
    };
    let mv = move_name(position, reviewed.mv);
    let (score, chance) = match reviewed.after {
        Some(after) => red_score_and_chance(after, reviewed.side),
        None => (String::from("–"), String::from("–")),
    };
    let loss = reviewed.loss().filter(|loss| *loss >= 0.005).map(percent).unwrap_or_default();
    let sign = reviewed.mark.map_or("", MoveQuality::sign);
    let head = format!("{number}{} {score:>7} {chance:>6} {loss:>5} ", pad_right(&mv, 9));
    let remarks = note(reviewed, position);
    let sign = match reviewed.mark {
        Some(mark) => ink.paint(quality_colour(mark), &pad_right(sign, 3)),
        None => pad_right(sign, 3),
    };
    if width >= WIDE_LAYOUT_WIDTH {
        let room = width.saturating_sub(head.width() + 3);
        return format!("{head}{sign}{}", truncate(&remarks, room)).trim_end().to_string();
    }
    let below = if remarks.is_empty() { String::new() } else { format!("\n{:NOTE_INDENT$}{remarks}", "") };
    format!("{}{}", format!("{head}{sign}").trim_end(), wrap(&below, width))
}

/// The better line of a marked move, and the remarks.
fn note(reviewed: &ReviewedMove, position: &Position) -> String {
    let remarks = phrases::remarks(reviewed);
    let is_bad = reviewed.mark.is_some_and(MoveQuality::is_bad);
    let better = if is_bad {
        phrases::line_moves(position, &reviewed.better_line, MAX_LINE_MOVES).join(" ")
    } else {
        String::new()
    };
    match (remarks.is_empty(), better.is_empty()) {
        (false, false) => tr!("{what}: {line}", what = remarks, line = better),
        (true, _) => better,
        (_, true) => remarks,
    }
}

fn quality_colour(mark: MoveQuality) -> &'static str {
    match mark {
        MoveQuality::Good => "1;32",
        MoveQuality::Dubious => "33",
        MoveQuality::Mistake => "1;33",
        MoveQuality::Blunder => "1;31",
    }
}

fn summary(text: &mut String, review: &Review, reader: TableStyle) {
    let TableStyle { ink, width } = reader;
    let marks: String = MoveQuality::ALL.iter().map(|mark| format!("{:>5}", mark.sign())).collect();
    let head = format!(
        "{} {} {}{marks}",
        pad_right("", 24),
        pad_left(&tr!("accuracy"), 9),
        pad_left(&tr!("average loss"), 22),
    );
    if width >= WIDE_LAYOUT_WIDTH {
        let _ = writeln!(text, "{}", ink.paint("1", &head));
    }
    for color in Color::ALL {
        let _ = writeln!(text, "{}", side(&name(review, color), review.side(color), reader));
    }
    let _ = writeln!(text, "{}", tr!("accuracy at {nodes} nodes a position", nodes = review.mean_nodes()));
    if review.decisive.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", ink.paint("1", &tr!("Where the game turned")));
    for (_, reviewed, position) in review.moves_in_positions().filter(|(index, ..)| review.decisive.contains(index)) {
        let _ = writeln!(text, "{}", decisive_move(reviewed, &position, reader));
    }
}

fn side(name: &str, side: &SideSummary, TableStyle { width, .. }: TableStyle) -> String {
    let number = |value: Option<f64>, digits: usize| match value {
        Some(value) => format!("{value:.digits$}"),
        None => String::from("–"),
    };
    let loss = tr!(
        "{percent}% ({points})",
        percent = number(side.loss.map(|loss| 100.0 * loss), 1),
        points = number(side.cost.map(|cost| cost / 100.0), 2)
    );
    let accuracy = format!("{}%", number(side.accuracy, 1));
    if width < WIDE_LAYOUT_WIDTH {
        let marks: String =
            MoveQuality::ALL.iter().zip(side.marks).map(|(mark, count)| format!("  {} {count}", mark.sign())).collect();
        let (accurate, lost) = (tr!("accuracy"), tr!("average loss"));
        return format!("{}\n  {accurate} {accuracy}\n  {lost} {loss}\n{marks}", truncate(name, width));
    }
    let counts: String = side.marks.iter().map(|count| format!("{count:>5}")).collect();
    format!("{} {accuracy:>9} {}{counts}", pad_right(&truncate(name, 24), 24), pad_left(&loss, 22))
}

fn decisive_move(reviewed: &ReviewedMove, position: &Position, TableStyle { width, .. }: TableStyle) -> String {
    let dots = if reviewed.side == Color::Red { "." } else { "…" };
    let mv = move_name(position, reviewed.mv);
    let sign = reviewed.mark.map_or("", MoveQuality::sign);
    let chance = |standing: Option<Assessment>| standing.map(|standing| percent(standing.chance)).unwrap_or_default();
    let better = phrases::line_moves(position, &reviewed.better_line, MAX_LINE_MOVES).join(" ");
    let line = format!(
        "{:>4}{dots} {mv}{sign}  {} {} → {}  {} {better}",
        reviewed.number,
        side_name(reviewed.side),
        chance(reviewed.before),
        chance(reviewed.after),
        tr!("better:"),
    );
    if width >= WIDE_LAYOUT_WIDTH { truncate(&line, width) } else { wrap(&line, width) }
}

/// The maximum number of moves of a variation.
const MAX_VARIATION_MOVES: usize = 12;
const ANNOTATOR: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));

/// The game with the findings added to its existing annotations.
pub fn annotate(review: &Review) -> Game {
    let mut game = review.game.clone();
    game.set_tag("Annotator", annotator_tag(game.tag("Annotator").unwrap_or_default()));
    // What the file says itself is often more exact.
    let is_named = game.tag("Opening").is_some_and(|name| !matches!(name.trim(), "" | "?"));
    if let Some(opening) = review.opening.filter(|_| !is_named) {
        game.set_tag("Opening", opening.name.localized());
    }
    let line: Vec<NodeId> = game.main_line().collect();
    let mut cursor = GameCursor::new(&game);
    for (id, reviewed) in line.into_iter().zip(&review.moves) {
        let before = cursor.position().clone();
        if let Some(mark) = reviewed.mark {
            game[id].marks.retain(|nag| Nag::SYMBOLS.iter().all(|(sign, _)| sign != nag));
            game[id].marks.extend(Nag::from_sign(mark.sign()));
        }
        let comment = comment(reviewed, &before);
        game[id].append_comment(&comment);
        if reviewed.mark.is_some_and(MoveQuality::is_bad) {
            add_variation(&mut game, &mut cursor, reviewed);
        }
        cursor.go_to(&game, id);
    }
    game
}

/// The annotator tag: Chuhe first, which identifies a review, then earlier annotators.
fn annotator_tag(before: &str) -> String {
    match before.trim() {
        "" | "?" => ANNOTATOR.to_string(),
        before if before.starts_with("Chuhe ") => before.to_string(),
        before => format!("{ANNOTATOR}, {before}"),
    }
}

/// `+0.52 64%`, and the events of the move.
fn comment(reviewed: &ReviewedMove, before: &Position) -> String {
    let mut parts = Vec::new();
    if let Some(after) = reviewed.after {
        let (score, chance) = red_score_and_chance(after, reviewed.side);
        parts.push(format!("{score} {chance}"));
    }
    let remarks = phrases::remarks(reviewed);
    parts.extend(Some(remarks).filter(|text| !text.is_empty()));
    if reviewed.mark.is_some_and(MoveQuality::is_bad)
        && let Some(best) = phrases::line_moves(before, &reviewed.better_line, 1).first()
    {
        parts.push(format!("{} {best}", tr!("better:")));
    }
    let why = reviewed.reasons.iter().map(|reason| reason.sentence(before, reviewed.mv));
    let comment = phrases::join_sentences(parts).unwrap_or_default();
    std::iter::once(comment).chain(why).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Adds the better line as a variation, with its score at the end.
fn add_variation(game: &mut Game, cursor: &mut GameCursor, reviewed: &ReviewedMove) {
    let from = cursor.at();
    let mut last = None;
    for &mv in reviewed.better_line.iter().take(MAX_VARIATION_MOVES) {
        match cursor.play(game, mv) {
            Ok(id) => last = Some(id),
            Err(_) => break,
        }
    }
    if let (Some(id), Some(before)) = (last, reviewed.before) {
        let (score, chance) = red_score_and_chance(before, reviewed.side);
        game[id].append_comment(&format!("{score} {chance}"));
    }
    cursor.go_to(game, from);
}
