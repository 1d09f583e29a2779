//! Walks the tree of a report with its positions, for the outputs.

use super::points::{MovePoint, points_of_attack, points_of_defence};
use super::report::{CheckReport, TreeMove};
use crate::reader::{line_in, move_in};
use chuhe_support::language::tr;
use xiangqi::{Move, Position};
use xiangqi_record::notation::Notation;

/// A move of the tree, as an output shows it.
pub(super) struct ShownMove<'a> {
    pub entry: &'a TreeMove,
    /// Its place in the tree.
    pub index: u32,
    /// Moves of both sides before it.
    pub ply: u32,
    /// The position before it.
    pub before: Position,
    /// The moves after it.
    pub below: Vec<ShownMove<'a>>,
}

impl ShownMove<'_> {
    /// Whether the attacker plays it.
    pub fn is_attack(&self) -> bool {
        self.ply.is_multiple_of(2)
    }

    /// The move in this notation.
    pub fn text(&self, notation: Notation) -> String {
        move_in(&self.before, self.entry.mv, notation)
    }

    /// What the move does.
    pub fn points(&self) -> Vec<MovePoint> {
        let points = if self.is_attack() { points_of_attack } else { points_of_defence };
        points(&self.before, self.entry.mv)
    }

    /// The same in words.
    pub fn points_text(&self, notation: Notation) -> String {
        let mut passed = self.before.after(&[self.entry.mv]);
        if !passed.in_check() {
            passed.play_null();
        }
        let write = |mv: Move| move_in(&passed, mv, notation);
        self.points()
            .into_iter()
            .map(|point| point.text(write))
            .reduce(|one, next| tr!("{one}, {next}", one, next))
            .unwrap_or_default()
    }

    /// The moves until mate after a defence, at most if not exact.
    pub fn moves_left(&self) -> String {
        let moves = self.entry.plies.div_ceil(2);
        if self.entry.exact { tr!("mate in {moves}", moves) } else { tr!("mate in at most {moves}", moves) }
    }

    /// What stands in place of a continuation that is not there.
    pub fn remark(&self, report: &CheckReport, notation: Notation) -> Option<String> {
        if let Some(same) = self.entry.same_as {
            let line = report.line_to(same);
            let texts = line_in(&super::phrases::start_of(report)?, &line, notation);
            let ply = (texts.len() as u32).checked_sub(1)?;
            return Some(tr!("as after {mv}", mv = super::phrases::numbered(ply, texts.last()?)));
        }
        self.entry.cut.then(|| tr!("left out"))
    }
}

/// The first moves of the tree with all that follows; one that cannot be played is left out.
pub(super) fn shown_tree(report: &CheckReport) -> Vec<ShownMove<'_>> {
    let mut children = vec![Vec::new(); report.tree.len() + 1];
    for (index, entry) in report.tree.iter().enumerate() {
        let parent = entry.parent.map_or(0, |parent| parent as usize + 1);
        // A parent stands before its children.
        if parent <= index {
            children[parent].push(index as u32);
        }
    }
    let start = super::phrases::start_of(report);
    start.map(|start| shown_below(report, &children, None, &start, 0)).unwrap_or_default()
}

fn shown_below<'a>(
    report: &'a CheckReport,
    children: &[Vec<u32>],
    parent: Option<u32>,
    before: &Position,
    ply: u32,
) -> Vec<ShownMove<'a>> {
    let list = &children[parent.map_or(0, |parent| parent as usize + 1)];
    let shown = |&index: &u32| {
        let entry = &report.tree[index as usize];
        let mut after = before.clone();
        after.play(entry.mv).ok()?;
        let below = shown_below(report, children, Some(index), &after, ply + 1);
        Some(ShownMove { entry, index, ply, before: before.clone(), below })
    };
    list.iter().filter_map(shown).collect()
}
