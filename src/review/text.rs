//! A review on a terminal: a curve of blocks, a line for each move, and a summary, within 100 columns.

use super::judging::{Mark, Reviewed};
use super::words::{for_red, percent};
use super::{Review, Side};
use crate::board::Position;
use crate::draw::Ink;
use crate::language::Language;
use crate::record::notation;
use crate::types::Color;
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// No line is wider.
const WIDTH: usize = 100;
/// Lines of the curve, and blocks in its width.
const ROWS: usize = 6;
const COLUMNS: usize = 90;
/// Moves of a better line that are shown.
const SHOWN: usize = 6;

/// The whole review as text.
pub fn table(review: &Review, language: Language, ink: Ink) -> String {
    let mut text = String::new();
    headline(&mut text, review, language);
    curve(&mut text, review, language, ink);
    text.push('\n');
    rows(&mut text, review, language, ink);
    text.push('\n');
    summary(&mut text, review, language, ink);
    text
}

fn headline(text: &mut String, review: &Review, language: Language) {
    let name = |color: Color| match review.player(color) {
        Some(name) => format!("{} {name}", language.side(color)),
        None => language.side(color).to_string(),
    };
    let line = format!("{} – {}  {}", name(Color::Red), name(Color::Black), review.game.result);
    let _ = writeln!(text, "{}", cut(&line, WIDTH));
    if let Some(opening) = review.opening {
        let name = language.pick(opening.chinese, opening.english);
        let _ = writeln!(text, "{}", cut(&format!("{} {name}", language.pick("开局：", "Opening:")), WIDTH));
    }
    if !review.is_complete() {
        let _ = writeln!(
            text,
            "{}",
            language.pick("中断：开头部分未分析", "Interrupted: the first moves were not looked at")
        );
    }
}

/// Red's chance after each move, a block for a move, or for a few.
fn curve(text: &mut String, review: &Review, language: Language, ink: Ink) {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let moves = &review.moves;
    if moves.is_empty() {
        return;
    }
    let each = moves.len().div_ceil(COLUMNS);
    let groups: Vec<&[Reviewed]> = moves.chunks(each).collect();
    let heights: Vec<Option<f64>> = groups
        .iter()
        .map(|group| {
            let known = group.iter().rev().find_map(|reviewed| Some((reviewed.after?, reviewed.side)));
            known.map(|(after, side)| after.from_red(side).chance)
        })
        .collect();
    let _ = writeln!(text, "\n{}", language.pick("红方胜率", "Red's winning chance"));
    for row in (0..ROWS).rev() {
        let label = match row {
            row if row + 1 == ROWS => "100%",
            row if row == ROWS / 2 => " 50%",
            0 => "  0%",
            _ => "    ",
        };
        let block = |height: &Option<f64>| {
            let Some(height) = height else { return '·' };
            let eighths = (height * (ROWS * 8) as f64).round() as usize;
            BLOCKS[eighths.saturating_sub(row * 8).min(8)]
        };
        let line: String = heights.iter().map(block).collect();
        let colour = if row >= ROWS / 2 { "31" } else { "33" };
        let _ = writeln!(text, "{label} {}", ink.paint(colour, line.trim_end()));
    }
    let worst = |group: &&[Reviewed]| {
        let marks = group.iter().filter_map(|reviewed| reviewed.mark);
        match marks.max_by_key(|mark| Mark::ALL.iter().position(|other| other == mark)) {
            Some(Mark::Blunder) => 'X',
            Some(Mark::Mistake) => '?',
            Some(Mark::Dubious) => ',',
            Some(Mark::Good) => '!',
            None => ' ',
        }
    };
    let signs: String = groups.iter().map(worst).collect();
    if !signs.trim().is_empty() {
        let _ = writeln!(text, "     {}", signs.trim_end());
    }
}

fn rows(text: &mut String, review: &Review, language: Language, ink: Ink) {
    let heads = language.pick(
        ["着法", "分数", "胜率", "损失", "评注"],
        ["move", "score", "chance", "loss", "what was better"],
    );
    let head = format!(
        "      {} {} {} {}    {}",
        padded(heads[0], 9),
        padded_left(heads[1], 7),
        padded_left(heads[2], 6),
        padded_left(heads[3], 5),
        heads[4]
    );
    let _ = writeln!(text, "{}", ink.paint("1", head.trim_end()));
    let mut position = review.game.start().clone();
    for (index, reviewed) in review.moves.iter().enumerate() {
        let _ = writeln!(text, "{}", row(index, reviewed, &position, language, ink));
        position.make(reviewed.mv);
    }
}

fn row(index: usize, reviewed: &Reviewed, position: &Position, language: Language, ink: Ink) -> String {
    let number = match reviewed.side {
        Color::Red => format!("{:>4}. ", reviewed.number),
        Color::Black if index == 0 => format!("{:>4}… ", reviewed.number),
        Color::Black => " ".repeat(6),
    };
    let mv = notation::write(position, reviewed.mv, language.notation());
    let (score, chance) = match reviewed.after {
        Some(after) => for_red(after, reviewed.side),
        None => (String::from("–"), String::from("–")),
    };
    let loss = reviewed.loss().filter(|loss| *loss >= 0.005).map(percent).unwrap_or_default();
    let sign = reviewed.mark.map_or("", Mark::sign);
    let head = format!("{number}{} {score:>7} {chance:>6} {loss:>5} ", padded(&mv, 9));
    let remarks = note(reviewed, position, language);
    let room = WIDTH.saturating_sub(head.width() + 3);
    let sign = match reviewed.mark {
        Some(mark) => ink.paint(colour(mark), &padded(sign, 3)),
        None => padded(sign, 3),
    };
    format!("{head}{sign}{}", cut(&remarks, room)).trim_end().to_string()
}

/// The better line where the move is marked, and what else is to be said.
fn note(reviewed: &Reviewed, position: &Position, language: Language) -> String {
    let mut parts = Vec::new();
    if reviewed.mark.is_some_and(Mark::is_bad) {
        parts.push(language.line(position, &reviewed.better, SHOWN).join(" "));
    }
    let remarks = language.remarks(reviewed);
    if !remarks.is_empty() {
        parts.insert(0, remarks);
    }
    parts.retain(|part| !part.is_empty());
    parts.join(language.pick("：", ": "))
}

fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::Good => "1;32",
        Mark::Dubious => "33",
        Mark::Mistake => "1;33",
        Mark::Blunder => "1;31",
    }
}

fn summary(text: &mut String, review: &Review, language: Language, ink: Ink) {
    let marks: String = Mark::ALL.iter().map(|mark| format!("{:>5}", mark.sign())).collect();
    let head = format!(
        "{} {} {}{marks}",
        padded("", 24),
        padded_left(language.pick("准确率", "accuracy"), 9),
        padded_left(language.pick("平均损失", "average loss"), 22),
    );
    let _ = writeln!(text, "{}", ink.paint("1", &head));
    for color in Color::ALL {
        let name = match review.player(color) {
            Some(name) => format!("{} {name}", language.side(color)),
            None => language.side(color).to_string(),
        };
        let _ = writeln!(text, "{}", side(&name, review.side(color), language));
    }
    if review.decisive.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", ink.paint("1", language.pick("转折点", "Where the game turned")));
    let mut position = review.game.start().clone();
    for (index, reviewed) in review.moves.iter().enumerate() {
        if review.decisive.contains(&index) {
            let _ = writeln!(text, "{}", moment(reviewed, &position, language));
        }
        position.make(reviewed.mv);
    }
}

fn side(name: &str, side: &Side, language: Language) -> String {
    let number = |value: Option<f64>, digits: usize| match value {
        Some(value) => format!("{value:.digits$}"),
        None => String::from("–"),
    };
    let loss = language.pick(
        format!(
            "{}%（{} 分）",
            number(side.loss.map(|loss| 100.0 * loss), 1),
            number(side.cost.map(|cost| cost / 100.0), 2)
        ),
        format!(
            "{}% ({})",
            number(side.loss.map(|loss| 100.0 * loss), 1),
            number(side.cost.map(|cost| cost / 100.0), 2)
        ),
    );
    let counts: String = side.marks.iter().map(|count| format!("{count:>5}")).collect();
    let accuracy = format!("{}%", number(side.accuracy, 1));
    format!("{} {accuracy:>9} {}{counts}", padded(&cut(name, 24), 24), padded_left(&loss, 22))
}

fn moment(reviewed: &Reviewed, position: &Position, language: Language) -> String {
    let dots = if reviewed.side == Color::Red { "." } else { "…" };
    let mv = notation::write(position, reviewed.mv, language.notation());
    let sign = reviewed.mark.map_or("", Mark::sign);
    let chance = |standing: Option<super::Standing>| {
        standing.map(|standing| percent(standing.chance)).unwrap_or_default()
    };
    let better = language.line(position, &reviewed.better, SHOWN).join(" ");
    let line = format!(
        "{:>4}{dots} {mv}{sign}  {} {} → {}  {} {better}",
        reviewed.number,
        language.side(reviewed.side),
        chance(reviewed.before),
        chance(reviewed.after),
        language.pick("应走", "better:"),
    );
    cut(&line, WIDTH)
}

/// As much of a text as fits into so many columns.
fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_string();
    }
    let mut kept = String::new();
    let mut used = 0;
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used + 1 > columns {
            break;
        }
        kept.push(letter);
    }
    format!("{}…", kept.trim_end())
}

fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

fn padded_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(text.width())))
}
