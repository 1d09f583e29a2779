//! How the play of a person changes from month to month: accuracy, and kinds of mistakes by game.

use super::card::{Card, CardKind};
use super::deck::Deck;
use super::pattern::{cause, month};
use chuhe_support::language::{Phrase, tr};
use std::collections::BTreeMap;

/// A kind is compared if there were so many of it before, and has become rarer if less than this share is left of it.
const LEAST_COUNT: usize = 3;
const RARER: f64 = 0.75;
/// So many points of accuracy are a gain.
const GAIN: f64 = 1.0;

/// A month of games that were reviewed.
#[derive(Clone, PartialEq, Debug, Default)]
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
            match causes.iter_mut().find(|(known, _)| *known == cause) {
                Some((_, count)) => *count += 1,
                None => causes.push((cause, 1)),
            }
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
