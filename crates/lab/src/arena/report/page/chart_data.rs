//! The data of the report's charts, collected from all games of a tournament.

use crate::arena::game_record;
use crate::arena::standings::{Standings, TournamentInfo};
use crate::arena::tournament_record::RecordedGames;
use crate::chart::ChartPoint;
use chuhe_support::small_sort::SmallSort;
use std::collections::BTreeMap;
use xiangqi::Color;

/// Last move number of the charts by move number: few games are longer, so the mean would be unreliable.
const MAX_CHART_MOVE: usize = 120;
/// Maximum points of a curve.
const MAX_CURVE_POINTS: usize = 400;
/// Moves per bar of the length histogram.
const LENGTH_BUCKET: usize = 10;

/// A running mean.
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

    /// The mean; `None` without values.
    pub fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// Points of Elo with error, by number of pairs.
pub type EloCurve = Vec<ChartPoint>;

/// The data of all charts.
pub struct ChartData {
    /// Elo over time: of the first engine in a match, of every engine otherwise.
    pub elo: Vec<(usize, EloCurve)>,
    /// Seconds per move of each engine, by move number.
    pub time: Vec<Vec<RunningMean>>,
    pub depth: Vec<Vec<RunningMean>>,
    /// Number of games by length.
    pub lengths: Vec<(String, u64)>,
    /// Number of games by ending.
    pub endings: Vec<(String, u64)>,
}

impl ChartData {
    /// Collects the data from the games, in their order.
    pub fn of(roster: &TournamentInfo, contents: &RecordedGames) -> ChartData {
        let engines = roster.names.len();
        let mut data = ChartData {
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
                let engine = game.scheduled.engine(side);
                data.time[engine][index / 2].add(note.seconds);
                data.depth[engine][index / 2].add(note.depth.into());
            }
            *lengths.entry(record.main_line_nodes().count() / 2 / LENGTH_BUCKET).or_insert(0) += 1;
            *endings.entry(ending_kind(record.tag("Termination").unwrap_or("?"))).or_insert(0) += 1;
        }
        let most = lengths.keys().last().copied().unwrap_or(0);
        let length = |index: usize| {
            let label = format!("{}–{}", index * LENGTH_BUCKET, index * LENGTH_BUCKET + LENGTH_BUCKET - 1);
            (label, lengths.get(&index).copied().unwrap_or(0))
        };
        data.lengths = (lengths.keys().next().copied().unwrap_or(0)..=most).map(length).collect();
        data.endings = endings.into_iter().collect();
        data.endings.order_by_key(|(_, count)| std::cmp::Reverse(*count));
        data
    }
}

/// The kind of an ending, without side, piece and numbers.
fn ending_kind(termination: &str) -> String {
    let text = termination.strip_prefix("red ").or(termination.strip_prefix("black ")).unwrap_or(termination);
    let end = text.find([':', '(']).unwrap_or(text.len());
    let text = text[..end].split(" of the ").next().unwrap_or(text).split(" by ").next().unwrap_or(text);
    let text = if text.starts_with("adjudicated") { "adjudicated by score" } else { text };
    text.trim().to_string()
}

/// The Elo after each pair, thinned to about `MAX_CURVE_POINTS` points.
fn elo_curves(roster: &TournamentInfo, contents: &RecordedGames) -> Vec<(usize, EloCurve)> {
    let shown = if roster.schedule.pairings().len() == 1 { 1 } else { roster.names.len() };
    let mut curves: Vec<(usize, EloCurve)> = (0..shown).map(|engine| (engine, EloCurve::new())).collect();
    let mut standings = Standings::new(&roster.schedule);
    let every = (contents.len() / 2 / MAX_CURVE_POINTS).max(1);
    for (index, (game, _)) in contents.iter().enumerate() {
        standings.add(game);
        let last = index + 1 == contents.len();
        if !last && (index % 2 == 0 || !(index / 2 + 1).is_multiple_of(every)) {
            continue;
        }
        for (engine, curve) in &mut curves {
            let pairs = standings.engine_score(*engine).pairs;
            if let Some(elo) = pairs.elo().filter(|elo| elo.value.is_finite()) {
                curve.push((pairs.count() as f64, elo.value, elo.error));
            }
        }
    }
    curves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ending_kind_drops_side_piece_and_numbers() {
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
