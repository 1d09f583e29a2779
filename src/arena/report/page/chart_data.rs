//! What the games of a tournament say when they are looked at together.

use crate::arena::game_record;
use crate::arena::standings::{Standings, TournamentInfo};
use crate::arena::tournament_record::RecordedGames;
use chuhe_engine::types::Color;
use chuhe_toolkit::draw::chart::ChartPoint;
use std::collections::BTreeMap;

/// Moves after which the charts by move number end: few games are longer, and a mean of few says nothing.
const MAX_CHART_MOVE: usize = 120;
/// Points of a line.
const MAX_CURVE_POINTS: usize = 400;
/// Moves that a bar of the lengths stands for.
const LENGTH_BUCKET: usize = 10;

/// A mean in the making.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunningMean {
    sum: f64,
    count: u64,
}

impl RunningMean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// The mean; `None` of nothing.
    pub fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// A value with its error, after so many pairs.
pub type EloCurve = Vec<ChartPoint>;

/// All that the charts show.
pub struct ChartData {
    /// The Elo of engines as it moved: of the first one in a match, of everybody in a league.
    pub elo: Vec<(usize, EloCurve)>,
    /// Seconds of each engine by the number of the move.
    pub time: Vec<Vec<RunningMean>>,
    pub depth: Vec<Vec<RunningMean>>,
    /// Games by their length.
    pub lengths: Vec<(String, u64)>,
    /// Games by how they ended.
    pub endings: Vec<(String, u64)>,
}

impl ChartData {
    /// Looks at the games in their order.
    pub fn of(roster: &TournamentInfo, contents: &RecordedGames) -> ChartData {
        let engines = roster.names.len();
        let mut facts = ChartData {
            elo: elo_curves(roster, contents),
            time: vec![vec![RunningMean::default(); MAX_CHART_MOVE]; engines],
            depth: vec![vec![RunningMean::default(); MAX_CHART_MOVE]; engines],
            lengths: Vec::new(),
            endings: Vec::new(),
        };
        let (mut lengths, mut endings) = (BTreeMap::new(), BTreeMap::new());
        for (game, record) in contents {
            for (index, entry) in record.main_line_nodes().enumerate().take(2 * MAX_CHART_MOVE) {
                let side = if (record.start().side() == Color::Red) == index.is_multiple_of(2) {
                    Color::Red
                } else {
                    Color::Black
                };
                let Some(note) = game_record::parse_comment(&entry.comment) else { continue };
                let engine = game.fixture.engine(side);
                facts.time[engine][index / 2].add(note.seconds);
                facts.depth[engine][index / 2].add(note.depth.into());
            }
            *lengths.entry(record.main_line_nodes().count() / 2 / LENGTH_BUCKET).or_insert(0) += 1;
            *endings.entry(ending_kind(record.tag("Termination").unwrap_or("?"))).or_insert(0) += 1;
        }
        let most = lengths.keys().last().copied().unwrap_or(0);
        let length = |index: usize| {
            let label = format!("{}–{}", index * LENGTH_BUCKET, index * LENGTH_BUCKET + LENGTH_BUCKET - 1);
            (label, lengths.get(&index).copied().unwrap_or(0))
        };
        facts.lengths = (lengths.keys().next().copied().unwrap_or(0)..=most).map(length).collect();
        facts.endings = endings.into_iter().collect();
        facts.endings.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        facts
    }
}

/// The kind of an end: without the side, the piece, the number.
fn ending_kind(termination: &str) -> String {
    let text = termination.strip_prefix("red ").or(termination.strip_prefix("black ")).unwrap_or(termination);
    let end = text.find([':', '(']).unwrap_or(text.len());
    let text = text[..end].split(" of the ").next().unwrap_or(text).split(" by ").next().unwrap_or(text);
    let text = if text.starts_with("adjudicated") { "adjudicated by score" } else { text };
    text.trim().to_string()
}

/// The Elo after each pair, thinned out to what a picture can show.
fn elo_curves(roster: &TournamentInfo, contents: &RecordedGames) -> Vec<(usize, EloCurve)> {
    let shown = if roster.schedule.pairings().len() == 1 { 1 } else { roster.names.len() };
    let mut courses: Vec<(usize, EloCurve)> = (0..shown).map(|engine| (engine, EloCurve::new())).collect();
    let mut standings = Standings::new(&roster.schedule);
    let every = (contents.len() / 2 / MAX_CURVE_POINTS).max(1);
    for (index, (game, _)) in contents.iter().enumerate() {
        standings.add(game);
        let last = index + 1 == contents.len();
        if !last && (index % 2 == 0 || !(index / 2 + 1).is_multiple_of(every)) {
            continue;
        }
        for (engine, course) in &mut courses {
            let pairs = standings.engine_score(*engine).pairs;
            if let Some(elo) = pairs.elo().filter(|elo| elo.value.is_finite()) {
                course.push((pairs.count() as f64, elo.value, elo.error));
            }
        }
    }
    courses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_by_their_kind() {
        for (text, kind) in [
            ("red crashed (exit code 3)", "crashed"),
            ("black overran its time by 12 ms", "overran its time"),
            ("perpetual chase of the cannon on a6", "perpetual chase"),
            ("black answered nonsense: 'x'", "answered nonsense"),
            ("adjudicated by score", "adjudicated by score"),
            ("red resigns", "resigns"),
            ("mate", "mate"),
        ] {
            assert_eq!(ending_kind(text), kind);
        }
    }
}
