//! The review of a game: judges the moves, their cost, missed chances, and events by the rules; summarises the play of each
//! side, and finds the decisive moves.

use super::analysis::{AnalysedPosition, Assessment, GameAnalysis};
use crate::book::opening_names::{self, OpeningName};
use crate::player_names::player_of;
use crate::reader::NamedVerdict;
use crate::reasons::{self, KnownMates, Mistake, REASON_NODES, find_reasons};
use chuhe_engine::Tablebase;
use chuhe_engine::score::{self, Score};
use chuhe_engine::search::Control;
use chuhe_engine::tablebase::ProbeResult;
use chuhe_support::language::phrase;
use chuhe_support::small_sort::SmallSort;
use chuhe_support::with_values;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use xiangqi::{Color, Move, Position, Reason, Rules};
use xiangqi_record::Game;

/// The review of a game.
pub struct Review {
    pub game: Game,
    /// The rules of repetition used.
    pub rules: Rules,
    /// The positions in order; the first ones are missing if the review was interrupted.
    pub positions: Vec<Option<AnalysedPosition>>,
    pub moves: Vec<ReviewedMove>,
    /// The opening, if it has a name.
    pub opening: Option<OpeningInfo>,
    sides: [SideSummary; 2],
    /// The indices of the decisive moves, ascending.
    pub decisive: Vec<usize>,
}

impl Review {
    /// Builds the review from the analysis of a game.
    pub fn of(game: Game, rules: Rules, analysis: GameAnalysis) -> Review {
        let opening = OpeningInfo::of_game(&game);
        let moves = judge_moves(&game, &rules, &analysis, opening.as_ref());
        let sides = Color::ALL.map(|color| SideSummary::of(color, &moves, &analysis.positions));
        let decisive = decisive_moves(&moves);
        Review { game, rules, positions: analysis.positions, moves, opening, sides, decisive }
    }

    /// Looks for proofs why each mistake and blunder was one; false if the control has stopped it.
    pub fn find_reasons(&mut self, tables: Option<&Tablebase>, control: &Arc<Control>) -> bool {
        (0..self.moves.len()).for_each(|index| self.find_reasons_of(index, tables, control));
        !control.stopped()
    }

    /// The same for the move of this index; once the control is stopped, there are none.
    pub fn find_reasons_of(&mut self, index: usize, tables: Option<&Tablebase>, control: &Arc<Control>) {
        let mark = self.moves[index].mark.filter(|_| !control.stopped());
        if !matches!(mark, Some(MoveQuality::Mistake | MoveQuality::Blunder)) {
            return;
        }
        let (reviewed, position) = (&self.moves[index], self.position_before(index));
        let mate = |index: usize| {
            let score = self.positions.get(index)?.as_ref()?.standing.score;
            score::mate_plies(score).and_then(|plies| u32::try_from(plies).ok())
        };
        let refutation = self.positions.get(index + 1).and_then(Option::as_ref).map(|after| after.line.as_slice());
        let mistake = Mistake {
            position: &position,
            played: reviewed.mv,
            best: &reviewed.better_line,
            refutation: refutation.unwrap_or_default(),
            rules: self.rules,
            known: KnownMates { after: mate(index + 1), before: mate(index) },
        };
        self.moves[index].reasons = find_reasons(&mistake, tables, REASON_NODES, control);
    }

    /// The position before the move of this index.
    pub(super) fn position_before(&self, index: usize) -> Position {
        let mut position = self.game.start().clone();
        self.moves[..index].iter().for_each(|reviewed| position.play_unchecked(reviewed.mv));
        position
    }

    /// The moves with their indices, and the positions before them.
    pub fn moves_in_positions(&self) -> impl Iterator<Item = (usize, &ReviewedMove, Position)> {
        let mut position = self.game.start().clone();
        self.moves.iter().enumerate().map(move |(index, reviewed)| {
            let before = position.clone();
            position.play_unchecked(reviewed.mv);
            (index, reviewed, before)
        })
    }

    /// The summary of a side.
    pub fn side(&self, color: Color) -> &SideSummary {
        &self.sides[color]
    }

    /// The nodes of a searched position on average; accuracies of few nodes cannot be compared with those of many.
    pub fn mean_nodes(&self) -> u64 {
        let searched: Vec<u64> =
            self.positions.iter().flatten().map(|position| position.nodes).filter(|&nodes| nodes > 0).collect();
        searched.iter().sum::<u64>() / searched.len().max(1) as u64
    }

    /// Whether every position was searched.
    pub fn is_complete(&self) -> bool {
        self.positions.iter().all(Option::is_some)
    }

    /// The name of a player, if the game gives it.
    pub fn player(&self, color: Color) -> Option<&str> {
        player_of(&self.game, color)
    }
}

/// The opening of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct OpeningInfo {
    #[serde(flatten)]
    pub name: OpeningName,
    /// The number of moves before the game left it.
    pub plies: usize,
}

impl OpeningInfo {
    /// The opening of a game: its latest named position.
    pub fn of_game(game: &Game) -> Option<OpeningInfo> {
        let moves: Vec<Move> = game.moves().take(opening_names::MAX_NAMED_PLY).collect();
        let (name, plies) = opening_names::last_named(&game.start().after(&moves))?;
        (plies > 0).then_some(OpeningInfo { name, plies })
    }
}

/// The loss of expected result at which the accuracy of a move drops to 1/e = 37 %.
const ACCURACY_SCALE: f64 = 0.22;
/// The loss of expected result from which a move is a blunder, a mistake or dubious.
pub const LOSS_THRESHOLDS: [(f64, MoveQuality); 3] =
    [(0.20, MoveQuality::Blunder), (0.10, MoveQuality::Mistake), (0.05, MoveQuality::Dubious)];
/// Mates within this many moves are short: missing one is dubious whatever it cost.
const SHORT_MATE: i32 = 3;
/// Below this chance a position counts as lost.
const LOST_CHANCE: f64 = 0.05;
/// Scores are capped at this value, beyond which a game is won anyway.
const SCORE_CAP: Score = 10 * score::MINOR;

phrased! {
    /// The quality of a move: its sign, and what it is called, the best first.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub enum MoveQuality: sign {
        /// The only good move.
        Good = "!", phrase!("good");
        Dubious = "?!", phrase!("dubious");
        Mistake = "?", phrase!("mistakes");
        Blunder = "??", phrase!("blunders");
    }
}

impl MoveQuality {
    /// Whether a better move existed.
    pub const fn is_bad(self) -> bool {
        !matches!(self, MoveQuality::Good)
    }
}

/// An event of a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum MoveEvent {
    /// The mover had a mate in this many moves and no longer has one.
    MissedMate { moves: i32 },
    /// The opponent now mates in this many moves, which was avoidable.
    AllowedMate { moves: i32 },
    /// By the tablebase, a won ending is no longer won.
    WinThrownAway,
    /// By the tablebase, a drawn ending is now lost.
    DrawThrownAway,
    /// The position occurs for the second, third … time.
    Repetition { times: usize },
    /// The game is over by the rules.
    GameOver(NamedVerdict),
    /// The first position without a name.
    LeftBook,
    /// The only legal move.
    OnlyMove,
}

with_values! {
    /// A move of the game with its review.
    #[derive(Clone, Debug)]
    pub struct ReviewedMove {
        pub mv: Move = mv,
        pub side: Color = position.side(),
        /// The full move number.
        pub number: u32 = position.game_ply() / 2 + 1,
        /// The mover's assessment before the move, with best play.
        pub before: Option<Assessment> = before.map(|studied| studied.standing),
        /// The mover's assessment after the move.
        pub after: Option<Assessment> = after.map(|studied| studied.standing.opposite()),
        /// The better line; empty if there is none.
        pub better_line: Vec<Move> = better(mv, before),
        pub mark: Option<MoveQuality> = None,
        pub events: Vec<MoveEvent> = Vec::new(),
        /// Why it was a mistake, as far as that was looked for and can be proven.
        pub reasons: Vec<reasons::Reason> = Vec::new(),
    }
    /// The move of a position, before it is judged.
    fn of(position: &Position, mv: Move, before: Option<&AnalysedPosition>, after: Option<&AnalysedPosition>);
}

impl ReviewedMove {
    /// The loss of expected result, 0 to 1.
    pub fn loss(&self) -> Option<f64> {
        Some(move_loss(self.before?, self.after?, self.better_line.is_empty()))
    }

    /// The accuracy of the move: 100 without loss.
    pub fn accuracy(&self) -> Option<f64> {
        self.loss().map(|loss| 100.0 * (-loss / ACCURACY_SCALE).exp())
    }

    /// The loss in hundredths of a minor piece; scores are capped at ten pieces.
    pub fn cost(&self) -> Option<Score> {
        let (before, after) = (self.before?, self.after?);
        let bounded = |standing: Assessment| standing.score.clamp(-SCORE_CAP, SCORE_CAP);
        Some(if self.better_line.is_empty() { 0 } else { score::hundredths(bounded(before) - bounded(after)).max(0) })
    }
}

/// The loss of expected result by a move, 0 to 1: of the mover's assessments before and after it.
pub fn move_loss(before: Assessment, after: Assessment, is_best: bool) -> f64 {
    if is_best { 0.0 } else { (before.chance - after.chance).max(0.0) }
}

/// Judges all moves of a game.
pub fn judge_moves(
    game: &Game,
    rules: &Rules,
    analysis: &GameAnalysis,
    opening: Option<&OpeningInfo>,
) -> Vec<ReviewedMove> {
    let mut position = game.start().clone();
    let mut moves = Vec::new();
    for (index, mv) in game.moves().enumerate() {
        let is_forced = position.legal_moves().len() == 1;
        let (before, after) = (analysis.positions[index].as_ref(), analysis.positions[index + 1].as_ref());
        let mut reviewed = ReviewedMove::of(&position, mv, before, after);
        position.play_unchecked(mv);
        if let (Some(before), Some(after)) = (before, after) {
            find_missed_chances(&mut reviewed, before, after);
            reviewed.mark = move_quality(&reviewed, before);
        }
        if is_forced {
            reviewed.events.push(MoveEvent::OnlyMove);
        }
        let repeated = position.occurrence_count();
        if repeated > 1 {
            reviewed.events.push(MoveEvent::Repetition { times: repeated });
        }
        let verdict = rules.judge(&position);
        if verdict.reason != Reason::Ongoing {
            reviewed.events.push(MoveEvent::GameOver(NamedVerdict::new(verdict, &position)));
        }
        if opening.is_some_and(|opening| opening.plies == index) {
            reviewed.events.push(MoveEvent::LeftBook);
        }
        moves.push(reviewed);
    }
    moves
}

/// The best line of a position, unless it begins with the move played.
fn better(played: Move, before: Option<&AnalysedPosition>) -> Vec<Move> {
    let line = before.map(|studied| studied.line.clone()).unwrap_or_default();
    if line.first() == Some(&played) { Vec::new() } else { line }
}

/// Adds missed mates and tablebase results.
fn find_missed_chances(reviewed: &mut ReviewedMove, before: &AnalysedPosition, after: &AnalysedPosition) {
    if reviewed.better_line.is_empty() {
        return;
    }
    let ours = score::mate_plies(before.standing.score).filter(|plies| *plies > 0);
    let theirs = score::mate_plies(after.standing.score).filter(|plies| *plies > 0);
    let still_mates = score::is_mate(after.standing.score) && after.standing.score < 0;
    if let Some(plies) = ours.filter(|_| !still_mates) {
        reviewed.events.push(MoveEvent::MissedMate { moves: score::plies_to_moves(plies) });
    }
    // A lost side will be mated anyway.
    if let Some(plies) = theirs.filter(|_| reviewed.before.is_some_and(|before| before.chance >= LOST_CHANCE)) {
        reviewed.events.push(MoveEvent::AllowedMate { moves: score::plies_to_moves(plies) });
    }
    let wins = |answer: Option<ProbeResult>| matches!(answer, Some(ProbeResult::Win(_)));
    let loses = |answer: Option<ProbeResult>| matches!(answer, Some(ProbeResult::Loss(_)));
    if wins(before.tablebase) && after.tablebase.is_some() && !loses(after.tablebase) {
        reviewed.events.push(MoveEvent::WinThrownAway);
    } else if before.tablebase == Some(ProbeResult::Draw) && wins(after.tablebase) {
        reviewed.events.push(MoveEvent::DrawThrownAway);
    }
}

fn move_quality(reviewed: &ReviewedMove, before: &AnalysedPosition) -> Option<MoveQuality> {
    if reviewed.better_line.is_empty() {
        return before.is_only_good_move.then_some(MoveQuality::Good);
    }
    let loss = reviewed.loss()?;
    let by_loss = LOSS_THRESHOLDS.iter().find(|(least, _)| loss >= *least).map(|(_, mark)| *mark);
    let overlooked = |event: &MoveEvent| matches!(event, MoveEvent::MissedMate { moves } if *moves <= SHORT_MATE);
    by_loss.or_else(|| reviewed.events.iter().any(overlooked).then_some(MoveQuality::Dubious))
}

/// Positions in the window that tells what was at stake at a move: a tenth of the game, within these bounds.
const WINDOW_LENGTHS: (usize, usize) = (2, 8);
/// The least and the largest weight of a move: a deviation of red's chance. The least keeps a game in which nothing
/// happened from having no accuracy.
const WEIGHTS: (f64, f64) = (0.005, 0.12);
/// Lower accuracies of moves count as this one, so that a single move does not decide the harmonic mean.
const LEAST_ACCURACY: f64 = 10.0;

/// The maximum number of decisive moves.
const MAX_DECISIVE_MOVES: usize = 3;

with_values! {
    /// The summary of a side.
    #[derive(Clone, PartialEq, Debug, Default)]
    pub struct SideSummary {
        /// The number of judged moves.
        pub moves: usize = losses.len(),
        /// The accuracy, 0 to 100, of moves weighed by what was at stake; `None` without moves.
        pub accuracy: Option<f64> = side_accuracy(&accuracies),
        /// The mean loss of expected result.
        pub loss: Option<f64> = mean(&losses),
        /// The mean loss in hundredths of a minor piece.
        pub cost: Option<f64> = mean(&costs),
        /// The number of moves of each quality, in the order of `MoveQuality::ALL`.
        pub marks: [usize; 4] =
            MoveQuality::ALL.map(|mark| own().filter(|reviewed| reviewed.mark == Some(mark)).count()),
    }
    /// Summarises the moves of a game that `is_included` chooses by index.
    pub fn of_moves(
        moves: &[ReviewedMove],
        positions: &[Option<AnalysedPosition>],
        is_included: impl Fn(usize, &ReviewedMove) -> bool,
    ) {
        let chosen = || moves.iter().enumerate().filter(|&(index, reviewed)| is_included(index, reviewed));
        let own = || chosen().map(|(_, reviewed)| reviewed);
        let losses: Vec<f64> = own().filter_map(ReviewedMove::loss).collect();
        let costs: Vec<f64> = own().filter_map(ReviewedMove::cost).map(f64::from).collect();
        let chances: Vec<Option<f64>> =
            positions.iter().map(|position| Some(position.as_ref()?.for_red().chance)).collect();
        let accuracies: Vec<(f64, f64)> = chosen()
            .filter_map(|(index, reviewed)| Some((move_weight(index, &chances), reviewed.accuracy()?)))
            .collect();
    }
}

impl SideSummary {
    /// Summarises the moves of a side; `positions` are those of the game.
    pub fn of(color: Color, moves: &[ReviewedMove], positions: &[Option<AnalysedPosition>]) -> SideSummary {
        SideSummary::of_moves(moves, positions, |_, reviewed| reviewed.side == color)
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

// The phases of games.

/// The opening ends after this ply.
const OPENING_PLIES: usize = 20;
/// An ending has no more rooks, horses and cannons than these, of both sides together.
const ENDGAME_PIECES: usize = 4;

phrased! {
    /// A phase of a game.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Phase {
        Opening = phrase!("opening");
        Middlegame = phrase!("middlegame");
        Endgame = phrase!("endgame");
    }
}

impl Phase {
    /// The phase of a position, `ply` moves after the beginning of a game.
    fn of(position: &Position, ply: usize, has_opening: bool) -> Phase {
        if Color::ALL.into_iter().map(|color| position.major_count(color)).sum::<usize>() <= ENDGAME_PIECES {
            Phase::Endgame
        } else if has_opening && ply < OPENING_PLIES {
            Phase::Opening
        } else {
            Phase::Middlegame
        }
    }
}

/// The phase of each move of a game. A game from a position that was set up has no opening.
pub fn phases(game: &Game) -> Vec<Phase> {
    let mut position = game.start().clone();
    let has_opening = position.key() == Position::start().key();
    let phase = |(ply, mv)| {
        let phase = Phase::of(&position, ply, has_opening);
        position.play_unchecked(mv);
        phase
    };
    game.moves().enumerate().map(phase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi_record::PositionSpec;

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

    fn phases_of(text: &str) -> Vec<Phase> {
        let setup = PositionSpec::parse(text);
        let start = setup.start_position(false).expect("a position");
        let moves = setup.play_moves(&mut start.clone(), xiangqi_record::RankBase::Zero).expect("moves");
        phases(&Game::from_moves(&start, moves).expect("a game"))
    }

    #[test]
    fn opening_has_twenty_plies_and_an_ending_few_pieces() {
        let back_and_forth = "h2e2 h7e7 e2h2 e7h7 ".repeat(6);
        let found = phases_of(&format!("startpos moves {back_and_forth}"));
        assert_eq!((found.len(), found[19], found[20]), (24, Phase::Opening, Phase::Middlegame));
        // Black's cannon takes the fifth of them.
        let found = phases_of("2rk5/9/4n4/9/9/9/2C6/9/4K4/R1R6 w moves a0b0 c9c3 b0b3");
        assert_eq!(found, [Phase::Middlegame, Phase::Middlegame, Phase::Endgame]);
    }
}
