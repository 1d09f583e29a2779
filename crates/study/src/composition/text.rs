//! A report as text, what was found and the tree of solution and defences; and as an annotated game for other programs, in
//! which the solution is the main line, defences and duals are variations.

use super::report::{self, CheckReport, OtherMove, numbered};
use super::tree::{ShownMove, shown_tree};
use crate::reader::move_in;
use chuhe_support::language::tr;
use xiangqi::Position;
use xiangqi_record::notation::Notation;
use xiangqi_record::{Game, GameCursor, GameResult, NodeId};

/// The text, with its line ends. Without the tree it is a summary.
pub fn text(report: &CheckReport, notation: Notation, with_tree: bool) -> String {
    let title = report::title(report);
    let mut lines =
        vec![tr!("{title}: {verdict}", title, verdict = report.soundness.phrase()), format!("  {}", report.fen)];
    lines.extend(report::sentences(report, notation).iter().map(|sentence| format!("  {sentence}")));
    if with_tree {
        let mut writer = TreeWriter { report, notation, lines: Vec::new() };
        for first in &shown_tree(report) {
            let line = writer.attack_text(first);
            writer.follow(first, line, 1);
        }
        lines.extend(writer.lines);
    }
    lines.join("\n") + "\n"
}

/// So many defences that the same move mates are not named, if they are the most.
const MIN_UNNAMED: usize = 4;

/// Writes the tree line by line: a defence that is the only one goes on in its line.
struct TreeWriter<'a> {
    report: &'a CheckReport,
    notation: Notation,
    lines: Vec<String>,
}

impl TreeWriter<'_> {
    fn push(&mut self, depth: usize, line: &str) {
        self.lines.push(format!("{}{line}", "  ".repeat(depth)));
    }

    fn move_text(&self, shown: &ShownMove, is_first: bool) -> String {
        let text = shown.text(self.notation);
        if shown.is_attack() || is_first { numbered(shown.ply, &text) } else { text }
    }

    fn with_points(&self, text: String, shown: &ShownMove) -> String {
        match shown.points_text(self.notation).as_str() {
            "" => text,
            points => tr!("{mv} ({points})", mv = text, points),
        }
    }

    /// A move of the attacker with its point and its duals.
    fn attack_text(&self, shown: &ShownMove) -> String {
        let text = self.with_points(self.move_text(shown, false), shown);
        let entry = shown.entry;
        let other = |mv| move_in(&shown.before, mv, self.notation);
        let mut text = text;
        if !entry.duals.is_empty() {
            let duals: Vec<String> = entry.duals.iter().map(|dual| other(dual.mv)).collect();
            text = tr!("{mv} [also {duals}]", mv = text, duals = duals.join(" "));
        }
        if !entry.open_duals.is_empty() {
            let count = entry.open_duals.len();
            text = tr!("{mv} [not settled: {count}]", mv = text, count);
        }
        text
    }

    /// Writes what follows a move of the attacker behind `line`, which ends with it.
    fn follow(&mut self, attack: &ShownMove, line: String, depth: usize) {
        match &attack.below[..] {
            [] => self.push(depth, &line),
            [only] => {
                let text = self.with_points(self.move_text(only, false), only);
                self.answer(only, format!("{line} {text}"), depth);
            }
            several => {
                self.push(depth, &line);
                let mut groups = groups(several);
                let rest = take_rest(&mut groups);
                for group in &groups {
                    let named = group.iter().map(|shown| self.with_points(self.move_text(shown, true), shown));
                    let named = named.collect::<Vec<String>>().join(", ");
                    self.defences(group[0], &named, depth + 1);
                }
                if let Some(first) = rest {
                    self.defences(first, &numbered(first.ply, &tr!("any other move")), depth + 1);
                }
            }
        }
    }

    /// Writes the answer to defences, `first` among them, behind their text.
    fn defences(&mut self, first: &ShownMove, text: &str, depth: usize) {
        let left = first.moves_left();
        self.answer(first, tr!("{defence} [{left}]:", defence = text, left), depth);
    }

    /// Writes the answer to a defence behind `line`.
    fn answer(&mut self, defence: &ShownMove, line: String, depth: usize) {
        let Some(answer) = defence.below.first() else {
            let remark = defence.remark(self.report, self.notation).unwrap_or_default();
            self.push(depth, format!("{line} {remark}").trim_end());
            return;
        };
        let text = self.attack_text(answer);
        self.follow(answer, format!("{line} {text}"), depth);
    }
}

/// Defences that the same move mates at once stand together.
fn groups<'s, 'a>(defences: &'s [ShownMove<'a>]) -> Vec<Vec<&'s ShownMove<'a>>> {
    let mating = |shown: &ShownMove| {
        shown
            .below
            .first()
            .filter(|answer| answer.entry.plies == 0)
            .map(|answer| (answer.entry.mv, answer.entry.duals.clone()))
    };
    let mut groups: Vec<Vec<&ShownMove>> = Vec::new();
    for shown in defences {
        let answer = mating(shown);
        match groups.iter_mut().find(|group| answer.is_some() && mating(group[0]) == answer) {
            Some(group) => group.push(shown),
            None => groups.push(vec![shown]),
        }
    }
    groups
}

/// Takes out the largest group if it is large and answers no check; its first defence.
fn take_rest<'s, 'a>(groups: &mut Vec<Vec<&'s ShownMove<'a>>>) -> Option<&'s ShownMove<'a>> {
    let (index, largest) = groups.iter().enumerate().max_by_key(|(_, group)| group.len())?;
    let first = largest[0];
    if largest.len() < MIN_UNNAMED || first.before.in_check() {
        return None;
    }
    groups.remove(index);
    Some(first)
}

/// Who checked; it marks the files.
pub const ANNOTATOR: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"), " mates");

/// The game; `None` if the report has no position.
pub fn annotated_game(report: &CheckReport, notation: Notation) -> Option<Game> {
    let start: Position = report::start_of(report)?;
    let mut game = Game::new(&start);
    game.tags = report.tags.clone();
    if report.title.is_empty() {
        game.set_tag("Event", report::title(report));
    }
    game.set_tag("Annotator", ANNOTATOR);
    if report.solution.is_some() {
        game.result = GameResult::from_winner(Some(start.side()));
    }
    let verdict = tr!("{verdict}.", verdict = report.soundness.phrase());
    let mut sentences = vec![verdict];
    sentences.extend(report::sentences(report, notation));
    game[NodeId::ROOT].comment = sentences.join(" ");
    let mut cursor = GameCursor::new(&game);
    let tree = shown_tree(report);
    add_moves(&mut game, &mut cursor, report, notation, &tree);
    for finding in &report.findings {
        if let super::report::Finding::Cook(other) = finding {
            add_other(&mut game, &mut cursor, other);
        }
    }
    Some(game)
}

fn add_moves(game: &mut Game, cursor: &mut GameCursor, report: &CheckReport, notation: Notation, list: &[ShownMove]) {
    let from = cursor.at();
    for shown in list {
        let Ok(id) = cursor.play(game, shown.entry.mv) else { continue };
        let mut words = vec![shown.points_text(notation)];
        if !shown.is_attack() && list.len() > 1 {
            words.push(shown.moves_left());
        }
        words.extend(shown.remark(report, notation));
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        game[id].comment = words.join("; ");
        add_moves(game, cursor, report, notation, &shown.below);
        cursor.go_to(game, from);
        for dual in &shown.entry.duals {
            add_other(game, cursor, dual);
        }
    }
}

/// Adds a move that mates as fast as the solution, and goes back.
fn add_other(game: &mut Game, cursor: &mut GameCursor, other: &OtherMove) {
    let from = cursor.at();
    if let Ok(id) = cursor.play(game, other.mv) {
        game[id].comment = tr!("mates as well, in {moves}", moves = other.moves);
    }
    cursor.go_to(game, from);
}
