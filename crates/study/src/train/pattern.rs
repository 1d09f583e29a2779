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

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_support::language::{Language, phrase};

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
}
