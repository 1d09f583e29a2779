//! A month of a person who solves tactics: the rating comes to the strength of the person.

use chuhe_study::tactics::embedded;
use chuhe_study::train::{CardId, Deck, DeviceId, Event, Rating, TacticAnswer, TacticRun};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

const DAY: i64 = 86_400;
const NOON: i64 = 1_790_000_000;

fn rating(deck: &Deck) -> Rating {
    Rating::after(deck.tactics().filter(|answer| answer.rated).map(|answer| (answer.difficulty, answer.right)))
}

/// A month of eight tactics a day, each near the rating, of a person who is as strong as this.
fn month(strength: f64, seed: u64) -> Deck {
    let mut random = StdRng::seed_from_u64(seed);
    let mut deck = Deck::default();
    for day in 0..30 {
        for number in 0..8 {
            let target = rating(&deck).number;
            let far = |difficulty: u16| (f64::from(difficulty) - target).abs() as i64;
            let start = random.random_range(0..17);
            let asked =
                embedded().iter().skip(start).step_by(17).min_by_key(|tactic| far(tactic.difficulty)).expect("one");
            let chance = 1.0 / (1.0 + 10f64.powf((f64::from(asked.difficulty) - strength) / 400.0));
            let answer = TacticAnswer {
                at: NOON + day * DAY + 60 * number,
                offset: 480,
                device: DeviceId(1 + u32::from(number > 4)),
                tactic: CardId::of(&asked.position().expect("a position")),
                difficulty: asked.difficulty,
                right: random.random_bool(chance),
                rated: true,
            };
            deck.apply(Event::Tactic(answer));
        }
        let (at, solved) = (NOON + day * DAY + 900, random.random_range(4..20));
        let run = Event::TacticRun(TacticRun { at, offset: 480, device: DeviceId(1), solved });
        deck.apply(run);
    }
    deck
}

#[test]
fn a_month_finds_the_strength_of_a_person() {
    for (strength, seed) in [(900.0, 1), (1300.0, 2), (1700.0, 3)] {
        let deck = month(strength, seed);
        let Rating { number, deviation, .. } = rating(&deck);
        assert!((number - strength).abs() < 170.0 && deviation < 90.0, "{strength}: {number} ± {deviation}");
        assert_eq!((deck.tactics().count(), deck.tactic_runs().count()), (240, 30));
    }
}
