//! Summarises the play of each side, and finds the decisive moves.

use super::judging::{MoveQuality, ReviewedMove};
use xiangqi::Color;

/// The maximum number of decisive moves.
const MAX_DECISIVE_MOVES: usize = 3;

/// The summary of a side.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SideSummary {
    /// The number of judged moves.
    pub moves: usize,
    /// The mean accuracy, 0 to 100; `None` without moves.
    pub accuracy: Option<f64>,
    /// The mean loss of expected result.
    pub loss: Option<f64>,
    /// The mean loss in hundredths of a minor piece.
    pub cost: Option<f64>,
    /// The number of moves of each quality, in the order of `MoveQuality::ALL`.
    pub marks: [usize; 4],
}

impl SideSummary {
    /// Summarises the moves of a side.
    pub fn of(color: Color, moves: &[ReviewedMove]) -> SideSummary {
        let own = || moves.iter().filter(move |reviewed| reviewed.side == color);
        let losses: Vec<f64> = own().filter_map(ReviewedMove::loss).collect();
        let costs: Vec<f64> = own().filter_map(ReviewedMove::cost).map(f64::from).collect();
        let accuracies: Vec<f64> = own().filter_map(ReviewedMove::accuracy).collect();
        SideSummary {
            moves: losses.len(),
            accuracy: mean(&accuracies),
            loss: mean(&losses),
            cost: mean(&costs),
            marks: MoveQuality::ALL.map(|mark| own().filter(|reviewed| reviewed.mark == Some(mark)).count()),
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The moves with the largest loss, in game order.
pub fn decisive_moves(moves: &[ReviewedMove]) -> Vec<usize> {
    let is_bad = |reviewed: &ReviewedMove| reviewed.mark.is_some_and(MoveQuality::is_bad);
    let mut bad: Vec<(usize, f64)> = moves
        .iter()
        .enumerate()
        .filter(|(_, reviewed)| is_bad(reviewed))
        .filter_map(|(index, reviewed)| Some((index, reviewed.loss()?)))
        .collect();
    bad.sort_by(|a, b| b.1.total_cmp(&a.1));
    bad.truncate(MAX_DECISIVE_MOVES);
    let mut decisive: Vec<usize> = bad.into_iter().map(|(index, _)| index).collect();
    decisive.sort_unstable();
    decisive
}
