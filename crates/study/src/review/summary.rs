//! Summarises the play of each side, and finds the decisive moves.

use super::game_analysis::AnalysedPosition;
use super::judging::{MoveQuality, ReviewedMove};
use chuhe_support::small_sort::SmallSort;
use xiangqi::Color;

/// Positions in the window that tells what was at stake at a move: a tenth of the game, within these bounds.
const WINDOW_LENGTHS: (usize, usize) = (2, 8);
/// The least and the largest weight of a move: a deviation of red's chance. The least keeps a game in which nothing
/// happened from having no accuracy.
const WEIGHTS: (f64, f64) = (0.005, 0.12);
/// Lower accuracies of moves count as this one, so that a single move does not decide the harmonic mean.
const LEAST_ACCURACY: f64 = 10.0;

/// The maximum number of decisive moves.
const MAX_DECISIVE_MOVES: usize = 3;

/// The summary of a side.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SideSummary {
    /// The number of judged moves.
    pub moves: usize,
    /// The accuracy, 0 to 100, of moves weighed by what was at stake; `None` without moves.
    pub accuracy: Option<f64>,
    /// The mean loss of expected result.
    pub loss: Option<f64>,
    /// The mean loss in hundredths of a minor piece.
    pub cost: Option<f64>,
    /// The number of moves of each quality, in the order of `MoveQuality::ALL`.
    pub marks: [usize; 4],
}

impl SideSummary {
    /// Summarises the moves of a side; `positions` are those of the game.
    pub fn of(color: Color, moves: &[ReviewedMove], positions: &[Option<AnalysedPosition>]) -> SideSummary {
        SideSummary::of_moves(moves, positions, |_, reviewed| reviewed.side == color)
    }

    /// Summarises the moves of a game that `is_included` chooses by index.
    pub fn of_moves(
        moves: &[ReviewedMove],
        positions: &[Option<AnalysedPosition>],
        is_included: impl Fn(usize, &ReviewedMove) -> bool,
    ) -> SideSummary {
        let chosen = || moves.iter().enumerate().filter(|&(index, reviewed)| is_included(index, reviewed));
        let own = || chosen().map(|(_, reviewed)| reviewed);
        let losses: Vec<f64> = own().filter_map(ReviewedMove::loss).collect();
        let costs: Vec<f64> = own().filter_map(ReviewedMove::cost).map(f64::from).collect();
        let chances: Vec<Option<f64>> =
            positions.iter().map(|position| Some(position.as_ref()?.for_red().chance)).collect();
        let accuracies: Vec<(f64, f64)> = chosen()
            .filter_map(|(index, reviewed)| Some((move_weight(index, &chances), reviewed.accuracy()?)))
            .collect();
        SideSummary {
            moves: losses.len(),
            accuracy: side_accuracy(&accuracies),
            loss: mean(&losses),
            cost: mean(&costs),
            marks: MoveQuality::ALL.map(|mark| own().filter(|reviewed| reviewed.mark == Some(mark)).count()),
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// What was at stake at a move: how far red's chance deviates in the positions around it, up to the one after the move.
fn move_weight(index: usize, chances: &[Option<f64>]) -> f64 {
    let length = (chances.len() / 10).clamp(WINDOW_LENGTHS.0, WINDOW_LENGTHS.1);
    let begin = (index + 2).saturating_sub(length);
    let window: Vec<f64> = chances.iter().skip(begin).take(length).copied().flatten().collect();
    let middle = mean(&window).unwrap_or_default();
    let squares: Vec<f64> = window.iter().map(|chance| (chance - middle).powi(2)).collect();
    mean(&squares).unwrap_or_default().sqrt().clamp(WEIGHTS.0, WEIGHTS.1)
}

/// The accuracy of a side from the weights and accuracies of its moves: the mean of their weighted mean and their harmonic
/// mean. The first is what a move was worth on average, the second what bad moves cost.
fn side_accuracy(moves: &[(f64, f64)]) -> Option<f64> {
    let weights: f64 = moves.iter().map(|(weight, _)| weight).sum();
    let weighted = moves.iter().map(|(weight, accuracy)| weight * accuracy).sum::<f64>() / weights;
    let harmonic =
        moves.len() as f64 / moves.iter().map(|(_, accuracy)| 1.0 / accuracy.max(LEAST_ACCURACY)).sum::<f64>();
    (!moves.is_empty()).then_some((weighted + harmonic) / 2.0)
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
    bad.order_by(|a, b| b.1.total_cmp(&a.1));
    bad.truncate(MAX_DECISIVE_MOVES);
    let mut decisive: Vec<usize> = bad.into_iter().map(|(index, _)| index).collect();
    decisive.order();
    decisive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_weigh_by_what_was_at_stake() {
        let chances: Vec<Option<f64>> = [0.5, 0.5, 0.1].into_iter().chain([0.0; 30]).map(Some).collect();
        assert_eq!(move_weight(20, &chances), WEIGHTS.0, "decided");
        assert_eq!(move_weight(1, &chances), WEIGHTS.1, "much was at stake");
        // Unknown positions do not count.
        assert_eq!(move_weight(1, &[None; 3]), WEIGHTS.0);
    }

    #[test]
    fn good_moves_of_decided_positions_do_not_make_up_for_bad_ones() {
        let fought: Vec<(f64, f64)> = [(0.1, 20.0); 10].to_vec();
        let with_decided: Vec<(f64, f64)> = [&fought[..], &[(WEIGHTS.0, 100.0); 30]].concat();
        let accuracy = |moves: &[(f64, f64)]| side_accuracy(moves).expect("an accuracy");
        assert!((accuracy(&fought) - 20.0).abs() < 1e-9);
        // The plain mean is 80.
        assert!(accuracy(&with_decided) < 45.0, "{}", accuracy(&with_decided));
        // And 50 for both of these.
        assert!(accuracy(&[(0.1, 99.0), (0.1, 1.0)]) < accuracy(&[(0.1, 50.0), (0.1, 50.0)]) - 10.0);
        assert_eq!((side_accuracy(&[]), accuracy(&[(0.1, 100.0)])), (None, 100.0));
    }
}
