//! The win rate model, which converts scores to centipawns and to chances to win, draw and lose.
//!
//! Between equal players the side to move wins from score `x` with probability `1 / (1 + exp((half - x) / spread))`,
//! loses with the same from `-x`, and draws otherwise. `half` is the score at which half of the games are won, `spread`
//! the width of the transition. Both depend on the material left: with all pieces on the board a smaller advantage
//! wins.
//!
//! One centipawn is a hundredth of `half`, so 100 means a win in half of the games, in the opening as in the endgame.
//! The parameters belong to the embedded network and are fitted to its games: `chuhe learn winrate GAMES` prints them
//! in the form of `WIN_RATE`.

use crate::score::{self, Score};
use xiangqi::{Color, PieceKind, Position};

/// The parameters of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRateModel {
    /// The logarithm of `half` in hundredths of a minor piece: constant, linear and square term in the material share.
    pub half: [f64; 3],
    /// The logarithm of `spread` in the same unit: constant and linear term.
    pub spread: [f64; 2],
}

/// The parameters fitted to games of the embedded network.
pub const WIN_RATE: WinRateModel = WinRateModel { half: [5.0025, -2.6274, 1.0857], spread: [3.2260, 0.8995] };

/// The material of both sides at the start of a game.
pub const MAX_MATERIAL: usize = 42;

/// The attacking material of both sides: a rook counts 4, a horse or a cannon 2, a pawn 1.
pub fn material_count(position: &Position) -> usize {
    let of = |color| {
        let count = |kind| position.count(color, kind);
        4 * count(PieceKind::Rook) + 2 * (count(PieceKind::Horse) + count(PieceKind::Cannon)) + count(PieceKind::Pawn)
    };
    Color::ALL.into_iter().map(of).sum::<usize>().min(MAX_MATERIAL)
}

/// The model for one amount of material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    /// The score at which half of the games are won.
    half: f64,
    /// The width of the transition around it.
    spread: f64,
}

/// The limit of estimates, below mate, rule and tablebase scores.
const MAX_CENTIPAWNS: Score = score::DECISIVE_BOUND - 1;

/// Fewer points per game are not told apart: a difference of 2,400 Elo.
const MIN_POINTS: f64 = 1e-6;

impl WinRateModel {
    /// The model for this amount of material.
    pub fn at(&self, material: usize) -> WinRate {
        let share = material as f64 / MAX_MATERIAL as f64;
        let [a, b, c] = self.half;
        let [d, e] = self.spread;
        let score = |hundredths: f64| hundredths * f64::from(score::MINOR) / 100.0;
        WinRate { half: score((a + (b + c * share) * share).exp()), spread: score((d + e * share).exp()) }
    }
}

impl WinRate {
    /// The score at which half of the games are won.
    pub fn half(&self) -> f64 {
        self.half
    }

    /// The width of the transition around it.
    pub fn spread(&self) -> f64 {
        self.spread
    }

    /// The probabilities to win and to lose from a score.
    pub fn win_loss(&self, score: f64) -> [f64; 2] {
        [score, -score].map(|score| 1.0 / (1.0 + ((self.half - score) / self.spread).exp()))
    }

    /// Converts a search score to centipawns; a decisive score stays unchanged.
    pub fn centipawns(&self, score: Score) -> Score {
        if score::is_decisive(score) {
            return score;
        }
        let centipawns = (f64::from(score) * 100.0 / self.half).round() as Score;
        centipawns.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)
    }

    /// Converts a search score to the difference in Elo that scores as well; a decisive score stays unchanged.
    pub fn elo(&self, score: Score) -> Score {
        if score::is_decisive(score) {
            return score;
        }
        let [win, loss] = self.win_loss(f64::from(score));
        let points = ((1.0 + win - loss) / 2.0).clamp(MIN_POINTS, 1.0 - MIN_POINTS);
        (400.0 * (points / (1.0 - points)).log10()).round() as Score
    }

    /// The chances to win, to draw and to lose from a search score, in thousandths.
    pub fn wdl_per_mille(&self, score: Score) -> [u32; 3] {
        let [win, loss] = if score::is_mate_or_rule(score) {
            if score > 0 { [1.0, 0.0] } else { [0.0, 1.0] }
        } else {
            self.win_loss(f64::from(score))
        };
        let [win, loss] = [win, loss].map(|chance| (1000.0 * chance).round() as u32);
        [win, 1000u32.saturating_sub(win + loss), loss]
    }
}

/// The model with all pieces on the board.
impl Default for WinRate {
    fn default() -> WinRate {
        WIN_RATE.at(MAX_MATERIAL)
    }
}

/// The expected points of the side to move: its wins and half of its draws.
pub fn expected_score(value: Score, position: &Position) -> f64 {
    if score::is_mate_or_rule(value) {
        return if value > 0 { 1.0 } else { 0.0 };
    }
    let [wins, losses] = WIN_RATE.at(material_count(position)).win_loss(f64::from(value));
    // In this order, so that 0 gives exactly one half.
    (1.0 + (wins - losses)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn win_rate_at_100_centipawns_is_one_half() {
        for material in 0..=MAX_MATERIAL {
            let rate = WIN_RATE.at(material);
            assert!((40.0..1600.0).contains(&rate.half), "{material}: {rate:?}");
            let [win, _] = rate.win_loss(rate.half);
            assert!((win - 0.5).abs() < 1e-9);
            let near = rate.half.round() as Score;
            assert!((99..=101).contains(&rate.centipawns(near)), "{material}: {}", rate.centipawns(near));
            assert_eq!(rate.centipawns(0), 0);
            assert_eq!(rate.centipawns(-near), -rate.centipawns(near));
        }
    }

    #[test]
    fn elo_grows_with_the_score_and_changes_its_sign_with_it() {
        for material in [0, 10, 20, MAX_MATERIAL] {
            let rate = WIN_RATE.at(material);
            assert_eq!(rate.elo(0), 0);
            let shown: Vec<Score> = (-300..=300).map(|step| rate.elo(step * 80)).collect();
            assert!(shown.is_sorted() && shown.iter().zip(shown.iter().rev()).all(|(one, other)| *one == -*other));
            assert_eq!(rate.elo(score::mate_in(3)), score::mate_in(3));
        }
    }

    #[test]
    fn wdl_adds_up_and_grows_with_the_score() {
        for material in [0, 10, 20, MAX_MATERIAL] {
            let rate = WIN_RATE.at(material);
            let of = |score| {
                let chances @ [win, _, _] = rate.wdl_per_mille(score);
                assert_eq!(chances.iter().sum::<u32>(), 1000, "{score}");
                win
            };
            let wins: Vec<u32> = (-300..=300).map(|step| of(step * 80)).collect();
            assert!(wins.is_sorted());
            let shown: Vec<Score> = (-300..=300).map(|step| rate.centipawns(step * 80)).collect();
            assert!(shown.is_sorted());
            let [win, draw, loss] = rate.wdl_per_mille(0);
            assert!(win == loss && draw > 0, "{material}");
        }
    }

    #[test]
    fn centipawns_keep_decided_scores() {
        let rate = WinRate::default();
        for decided in [score::mate_in(3), score::mated_in(4), score::RULE_WIN - 5, 5 - score::RULE_WIN] {
            assert_eq!(rate.centipawns(decided), decided);
        }
        assert_eq!(rate.wdl_per_mille(score::mate_in(3)), [1000, 0, 0]);
        assert_eq!(rate.wdl_per_mille(score::mated_in(2)), [0, 0, 1000]);
        assert!(rate.centipawns(score::TABLEBASE_WIN) < score::MATE_OR_RULE_BOUND);
    }
}
