//! What the cards tell of a player: where the mistakes are made, how well they are known by now, and how the play changes from
//! month to month.

use super::card::{Card, CardKind};
use super::deck::Deck;
use super::event::Day;
use crate::book::opening_names::OpeningName;
use crate::reasons::Reason;
use crate::review::Phase;
use chuhe_support::language::{Phrase, phrase, tr};
use serde::Serialize;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use xiangqi::PieceKind;

/// Some mistakes, and what they have lost of the expected result together.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MistakeCount {
    pub count: usize,
    pub lost: f64,
}

impl MistakeCount {
    fn add(&mut self, card: &Card) {
        self.count += 1;
        self.lost += card.lost;
    }
}

/// The mistakes and answers of a person.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Pattern {
    pub all: MistakeCount,
    /// The games that were reviewed.
    pub games: usize,
    /// Those without any are left out.
    pub phases: Vec<(Phase, MistakeCount)>,
    /// The most frequent ones first.
    pub openings: Vec<(OpeningName, MistakeCount)>,
    pub pieces: Vec<(PieceKind, MistakeCount)>,
    /// By the gravest reason, where one is proven.
    pub causes: Vec<(Phrase, MistakeCount)>,
    /// By the months of the games, such as `2026-11`, the earliest first.
    pub months: Vec<(String, MistakeCount)>,
    /// Right and wrong answers.
    pub days: Vec<(Day, [usize; 2])>,
}

impl Pattern {
    /// The person's own, without the decks of others; or of a deck, with the answers of who has sent it.
    pub fn of(deck: &Deck, name: Option<&str>) -> Pattern {
        let mut days: BTreeMap<Day, [usize; 2]> = BTreeMap::new();
        for (_, state) in deck.cards() {
            for answer in state.answers().iter().filter(|answer| answer.by.as_deref() == name) {
                days.entry(answer.day()).or_default()[usize::from(!answer.rating.is_right())] += 1;
            }
        }
        let meant = deck.cards().filter(|(card, state)| name.map_or(card.deck.is_empty(), |name| state.deck() == name));
        Pattern {
            games: if name.is_none() { deck.games().filter(|game| !game.failed).count() } else { 0 },
            days: days.into_iter().collect(),
            ..Pattern::of_mistakes(meant.map(|(card, _)| card))
        }
    }

    /// What the mistakes among these cards have in common.
    pub fn of_mistakes<'a>(cards: impl IntoIterator<Item = &'a Card>) -> Pattern {
        let mut pattern = Pattern::default();
        let mut phases = Phase::ALL.map(|phase| (phase, MistakeCount::default()));
        let mut pieces = PieceKind::ALL.map(|kind| (kind, MistakeCount::default()));
        let mut openings: BTreeMap<&str, MistakeCount> = BTreeMap::new();
        let mut months: BTreeMap<String, MistakeCount> = BTreeMap::new();
        for card in cards.into_iter().filter(|card| card.kind == CardKind::Mistake) {
            pattern.all.add(card);
            phases.iter_mut().filter(|(phase, _)| Some(*phase) == card.phase).for_each(|(_, count)| count.add(card));
            pieces.iter_mut().filter(|(kind, _)| Some(*kind) == card.piece).for_each(|(_, count)| count.add(card));
            if let Some(opening) = card.opening.as_deref() {
                openings.entry(opening).or_default().add(card);
            }
            months.entry(month(card)).or_default().add(card);
            if let Some(cause) = card.reasons.first().map(cause) {
                entry(&mut pattern.causes, cause).add(card);
            }
        }
        pattern.phases = phases.into_iter().filter(|(_, count)| count.count > 0).collect();
        pattern.pieces = pieces.into_iter().filter(|(_, count)| count.count > 0).collect();
        sort_by_count(&mut pattern.pieces);
        sort_by_count(&mut pattern.causes);
        pattern.openings =
            openings.into_iter().filter_map(|(name, count)| Some((OpeningName::with_english(name)?, count))).collect();
        sort_by_count(&mut pattern.openings);
        pattern.months = months.into_iter().collect();
        pattern
    }

    /// The share of right answers.
    pub fn right_share(&self) -> Option<f64> {
        let [right, wrong] = self.days.iter().fold([0, 0], |[right, wrong], (_, day)| [right + day[0], wrong + day[1]]);
        (right + wrong > 0).then(|| right as f64 / (right + wrong) as f64)
    }
}

/// What a list has for this key, which is added if it is not there.
fn entry<K: PartialEq, V: Default>(list: &mut Vec<(K, V)>, key: K) -> &mut V {
    let place = list.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
        list.push((key, V::default()));
        list.len() - 1
    });
    &mut list[place].1
}

/// The most frequent ones first. There are few: less code than a sort is worth more than its speed.
fn sort_by_count<K>(counts: &mut [(K, MistakeCount)]) {
    for end in 1..counts.len() {
        let place = (0..end).find(|&place| counts[place].1.count < counts[end].1.count).unwrap_or(end);
        counts[place..=end].rotate_right(1);
    }
}

/// What went wrong, in a word or two.
pub(super) fn cause(reason: &Reason) -> Phrase {
    match reason {
        Reason::AllowsMate(_) => phrase!("allowed a mate"),
        Reason::EndsByRule { .. } => phrase!("broke a rule of repetition"),
        Reason::ThrowsAwayWin { .. } => phrase!("threw a won ending away"),
        Reason::ThrowsAwayDraw => phrase!("threw a drawn ending away"),
        Reason::MissesMate(_) => phrase!("missed a mate"),
        Reason::LosesPiece(_) => phrase!("lost a piece"),
        Reason::MissesPiece(_) => phrase!("missed a piece"),
        Reason::AllowsThreat(_) => phrase!("allowed a threat"),
        Reason::MissesThreat(_) => phrase!("missed a threat"),
        Reason::AllowsBind(_) => phrase!("let a piece be bound"),
        Reason::MissesBind(_) => phrase!("did not bind a piece"),
        Reason::MissesFreeing(_) => phrase!("did not free a piece"),
        Reason::AllowsAttack(_) => phrase!("let a piece attack the palace"),
        Reason::MissesAttack(_) => phrase!("did not attack the palace"),
        Reason::AllowsCrossing { .. } => phrase!("let a pawn cross the river"),
        Reason::MissesCrossing { .. } => phrase!("did not cross the river"),
    }
}

/// The month of the game of a card, or else that in which it was made.
pub(super) fn month(card: &Card) -> String {
    month_of(&card.game.date).unwrap_or_else(|| Day::of(card.added, 0).month())
}

/// The month of a date such as `2026.11.20`, as `2026-11`.
pub fn month_of(date: &str) -> Option<String> {
    let is_month = |text: &str| {
        let (year, month) = text.split_once('.')?;
        let is_number = [year, month].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        (is_number && year.len() == 4 && month.len() == 2).then(|| format!("{year}-{month}"))
    };
    date.get(..7).and_then(is_month)
}

/// A kind is compared if there were so many of it before, and has become rarer if less than this share is left of it.
const LEAST_COUNT: usize = 3;
const RARER: f64 = 0.75;
/// So many points of accuracy are a gain.
const GAIN: f64 = 1.0;

/// A month of games that were reviewed.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct MonthOfPlay {
    /// Such as `2026-11`.
    pub month: String,
    pub games: usize,
    /// The mean accuracy of its games, 0 to 100.
    pub accuracy: Option<f64>,
    /// How many mistakes of each kind have a proven reason.
    pub causes: Vec<(Phrase, usize)>,
}

/// The months of a person's own games, the earliest first.
pub fn months_of_play(deck: &Deck) -> Vec<MonthOfPlay> {
    let mut accuracies: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for game in deck.games().filter(|game| !game.failed && !game.month.is_empty()) {
        accuracies.entry(&game.month).or_default().extend(game.accuracy.map(|tenths| f64::from(tenths) / 10.0));
    }
    let own = deck.cards().map(|(card, _)| card).filter(|card| card.deck.is_empty() && card.kind == CardKind::Mistake);
    let mistakes: Vec<(String, &Card)> = own.map(|card| (month(card), card)).collect();
    let of_month = |(name, found): (&str, Vec<f64>)| {
        let mut causes: Vec<(Phrase, usize)> = Vec::new();
        let here = mistakes.iter().filter(|(month, _)| month == name);
        for cause in here.filter_map(|(_, card)| card.reasons.first().map(cause)) {
            *entry(&mut causes, cause) += 1;
        }
        let accuracy = (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64);
        MonthOfPlay { month: name.to_string(), games: found.len(), accuracy, causes }
    };
    accuracies.into_iter().map(of_month).collect()
}

/// What has become better in the last month, compared with all before it: a sentence each, in the current language.
pub fn what_became_better(months: &[MonthOfPlay]) -> Vec<String> {
    let Some((last, before)) = months.split_last().filter(|(last, _)| last.games > 0) else { return Vec::new() };
    let games: usize = before.iter().map(|month| month.games).sum();
    if games == 0 {
        return Vec::new();
    }
    let sum: f64 = before.iter().filter_map(|month| Some(month.accuracy? * month.games as f64)).sum();
    let mut found = Vec::new();
    if let Some(now) = last.accuracy.filter(|now| *now >= sum / games as f64 + GAIN) {
        let (before, now) = (format!("{:.0}", sum / games as f64), format!("{now:.0}"));
        found.push(tr!("Accuracy: {before} before, {now} in {month}.", before, now, month = last.month));
    }
    let count = |months: &[MonthOfPlay], kind: Phrase| {
        let all = months.iter().flat_map(|month| &month.causes);
        all.filter(|(other, _)| *other == kind).map(|(_, count)| count).sum::<usize>()
    };
    let mut kinds: Vec<Phrase> = Vec::new();
    for (kind, _) in before.iter().flat_map(|month| &month.causes) {
        if !kinds.contains(kind) {
            kinds.push(*kind);
        }
    }
    for kind in kinds.into_iter().filter(|kind| count(before, *kind) >= LEAST_COUNT) {
        let rate = |count: usize, games: usize| 100.0 * count as f64 / games as f64;
        let (then, now) = (rate(count(before, kind), games), rate(count(std::slice::from_ref(last), kind), last.games));
        if now < RARER * then {
            let (before, now) = (format!("{then:.0}"), format!("{now:.0}"));
            found.push(tr!(
                "{kind}: {before} times in a hundred games before, {now} in {month}.",
                kind,
                before,
                now,
                month = last.month
            ));
        }
    }
    found
}

// The rating of a person in tactics, after Glickman, "Example of the Glicko-2 system" (2013): a number, how far it may be off,
// and how much it changes. Each tactic is an opponent of a known rating; so is the engine at a level, for the strength of a
// person in games.

/// The scale of the system, and its middle.
const SCALE: f64 = 173.7178;
const MIDDLE: f64 = 1500.0;
/// Where a person begins.
const FIRST: Rating = Rating { number: 1100.0, deviation: 350.0, volatility: 0.06 };
/// How much the volatility may change.
const TAU: f64 = 0.5;
/// How far the difficulty of a tactic may be off.
const TACTIC_DEVIATION: f64 = 80.0;
/// How far the strength of a level may be off.
const LEVEL_DEVIATION: f64 = 60.0;
/// The strength that an accuracy speaks for, in Elo: at no accuracy, for each part of a hundred, and how far one game is off.
/// Fitted to the games of `examples/own_level.rs`; `docs/levels.md` has the table.
const BY_ACCURACY: (f64, f64, f64) = (-6400.0, 100.0, 740.0);
/// Less than so many moves of a side say nothing about its accuracy.
pub const LEAST_MOVES: usize = 12;
/// The number is never taken for surer than this.
const LEAST_DEVIATION: f64 = 45.0;
/// The volatility is computed to this.
const PRECISION: f64 = 1e-6;

/// A game of a person against the engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedGame {
    /// The Elo of the engine's level.
    pub opponent: f64,
    /// 1 for a win, ½ for a draw.
    pub score: f64,
    /// The accuracy of the person, from 0 to 100, if the game was reviewed.
    pub accuracy: Option<f64>,
}

/// A rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    pub number: f64,
    /// Two of these around the number hold the true one nineteen times of twenty.
    pub deviation: f64,
    volatility: f64,
}

impl Default for Rating {
    fn default() -> Rating {
        FIRST
    }
}

impl Rating {
    /// The rating after these answers: difficulties, and whether they were right.
    pub fn after(answers: impl IntoIterator<Item = (u16, bool)>) -> Rating {
        answers.into_iter().fold(FIRST, |rating, (difficulty, is_right)| rating.updated(difficulty.into(), is_right))
    }

    /// The strength of a person who begins here, after games against the engine.
    pub fn after_games(first: f64, games: impl IntoIterator<Item = RatedGame>) -> Rating {
        games.into_iter().fold(Rating { number: first, ..FIRST }, |rating, game| {
            let rating = rating.updated_by(game.opponent, LEVEL_DEVIATION, game.score);
            game.accuracy.map_or(rating, |accuracy| rating.weighed(accuracy))
        })
    }

    /// The rating after a look at the moves of a game: the mean of both, each by how sure it is.
    fn weighed(self, accuracy: f64) -> Rating {
        let (base, slope, deviation) = BY_ACCURACY;
        let (own, other) = (self.deviation.powi(-2), deviation.powi(-2));
        let number = (self.number * own + (base + slope * accuracy) * other) / (own + other);
        Rating { number, deviation: (own + other).powf(-0.5).max(LEAST_DEVIATION), ..self }
    }

    /// The rating after a tactic.
    fn updated(self, difficulty: f64, is_right: bool) -> Rating {
        self.updated_by(difficulty, TACTIC_DEVIATION, f64::from(u8::from(is_right)))
    }

    /// The rating after a game against an opponent of this rating, which may be so far off: 1 is a win.
    fn updated_by(self, opponent: f64, deviation: f64, score: f64) -> Rating {
        let scaled = |number: f64| (number - MIDDLE) / SCALE;
        let (mu, phi) = (scaled(self.number), self.deviation / SCALE);
        let other = deviation / SCALE;
        let g = 1.0 / (1.0 + 3.0 * other * other / (PI * PI)).sqrt();
        let expected = 1.0 / (1.0 + (-g * (mu - scaled(opponent))).exp());
        let variance = 1.0 / (g * g * expected * (1.0 - expected));
        let surprise = g * (score - expected);
        let volatility = self.next_volatility(phi, variance, variance * surprise);
        let before = (phi * phi + volatility * volatility).sqrt();
        let phi = 1.0 / (1.0 / (before * before) + 1.0 / variance).sqrt();
        Rating {
            number: SCALE * (mu + phi * phi * surprise) + MIDDLE,
            deviation: (SCALE * phi).clamp(LEAST_DEVIATION, FIRST.deviation),
            volatility,
        }
    }

    /// The fifth step of the paper: the zero of a function, by the Illinois method.
    fn next_volatility(self, phi: f64, variance: f64, delta: f64) -> f64 {
        let a = (self.volatility * self.volatility).ln();
        let f = |x: f64| {
            let sum = phi * phi + variance + x.exp();
            x.exp() * (delta * delta - sum) / (2.0 * sum * sum) - (x - a) / (TAU * TAU)
        };
        let (mut low, mut high) = (a, (delta * delta - phi * phi - variance).max(f64::MIN_POSITIVE).ln());
        if delta * delta <= phi * phi + variance {
            let steps = (1..100).map(f64::from);
            high = steps.map(|step| a - step * TAU).find(|&x| f(x) >= 0.0).unwrap_or(a);
        }
        let (mut at_low, mut at_high) = (f(low), f(high));
        for _ in 0..100 {
            if (high - low).abs() <= PRECISION {
                break;
            }
            let next = low + (low - high) * at_low / (at_high - at_low);
            let at_next = f(next);
            if at_next * at_high <= 0.0 {
                (low, at_low) = (high, at_high);
            } else {
                at_low /= 2.0;
            }
            (high, at_high) = (next, at_next);
        }
        (low / 2.0).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_support::language::Language;

    fn month_of(month: &str, games: usize, accuracy: f64, lost: usize) -> MonthOfPlay {
        let causes = vec![(phrase!("lost a piece"), lost)];
        MonthOfPlay { month: month.to_string(), games, accuracy: Some(accuracy), causes }
    }

    #[test]
    fn months_tell_only_what_became_better() {
        let told = |months: &[MonthOfPlay]| Language::ENGLISH.with(|| what_became_better(months));
        let before = [month_of("2026-09", 4, 70.0, 6), month_of("2026-10", 6, 80.0, 4)];
        let better = [&before[..], &[month_of("2026-11", 10, 84.0, 5)]].concat();
        assert_eq!(
            told(&better),
            [
                "Accuracy: 76 before, 84 in 2026-11.",
                "lost a piece: 100 times in a hundred games before, 50 in 2026-11."
            ]
        );
        let worse = [&before[..], &[month_of("2026-11", 10, 76.5, 8)]].concat();
        assert!(told(&worse).is_empty(), "{:?}", told(&worse));
        assert!(told(&before[..1]).is_empty() && told(&[]).is_empty(), "nothing to compare with");
    }

    #[test]
    fn rating_agrees_with_the_example_of_the_paper_for_one_game() {
        // A player of 1500 ± 200 beats one of 1400 ± 30: the paper has 1.0 for the outcome and 0.639 expected.
        let player = Rating { number: 1500.0, deviation: 200.0, volatility: 0.06 };
        let after = player.updated(1400.0, true);
        assert!(after.number > 1550.0 && after.number < 1580.0, "{after:?}");
        assert!(after.deviation < 200.0 && (after.volatility - 0.06).abs() < 1e-3, "{after:?}");
    }

    #[test]
    fn rating_settles_where_half_is_solved() {
        let strong_at = |difficulty: u16| difficulty < 1400;
        let answers =
            (0..300).map(|index| 1200 + index * 37 % 400).map(|difficulty| (difficulty, strong_at(difficulty)));
        let rating = Rating::after(answers);
        assert!((rating.number - 1400.0).abs() < 120.0 && rating.deviation < 80.0, "{rating:?}");
        assert!(Rating::after([(1100, true)]).number > FIRST.number);
        assert!(Rating::after([(1100, false)]).number < FIRST.number);
    }
}
