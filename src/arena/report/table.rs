//! The table of a tournament and its one-line summary, as text.

use crate::arena::sprt::{Decision, Sprt};
use crate::arena::standings::{Score, Standings};
use crate::arena::stats::Estimate;
use crate::arena::tournament::Tournament;

/// The state of the tournament in a few words.
pub fn headline(tournament: &Tournament, standings: &Standings) -> String {
    match standings.meetings() {
        [meeting] => {
            let score = &meeting.score;
            let mut text = format!("+{} ={} -{}", score.wins, score.draws, score.losses);
            if let Some(elo) = score.pairs.elo() {
                text.push_str(&format!("  Elo {}", show_estimate(elo)));
            }
            if let Some(sprt) = &tournament.sprt {
                text.push_str(&format!("  LLR {:.2}", sprt.ratio(&score.pairs)));
            }
            text
        }
        _ => format!("{} of {} games", standings.games(), tournament.schedule().len()),
    }
}

/// All engines by points, all meetings, the test, and who failed.
pub fn table(tournament: &Tournament, standings: &Standings) -> String {
    let engines = &tournament.engines;
    let width = engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(6);
    let mut order: Vec<usize> = (0..engines.len()).collect();
    let share = |engine: usize| {
        let score = standings.of(engine);
        score.points() / score.games().max(1) as f64
    };
    order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
    let mut text = format!("{:<width$}  games  points      %    +    =    -  Elo (95 %)\n", "engine");
    for engine in order {
        text.push_str(&row(&engines[engine].name, width, &standings.of(engine)));
    }
    for meeting in standings.meetings() {
        let Score { wins, draws, losses, pairs } = meeting.score;
        let (one, other) = (&engines[meeting.one].name, &engines[meeting.other].name);
        text.push_str(&format!("{one} - {other}: +{wins} ={draws} -{losses}, pairs {:?}", pairs.0));
        if let Some(elo) = pairs.elo() {
            text.push_str(&format!(", Elo {}", show_estimate(elo)));
        }
        if let Some(superiority) = pairs.superiority() {
            text.push_str(&format!(", LOS {:.1} %", 100.0 * superiority));
        }
        text.push('\n');
        if let Some(sprt) = &tournament.sprt {
            text.push_str(&show_test(sprt, sprt.ratio(&pairs), tournament.decision(standings)));
        }
    }
    for (engine, fault, count) in standings.faults() {
        text.push_str(&format!("{} {fault}: {count} times\n", engines[engine].name));
    }
    text
}

fn row(name: &str, width: usize, score: &Score) -> String {
    let percent = 100.0 * score.points() / score.games().max(1) as f64;
    format!(
        "{name:<width$}  {:>5}  {:>6.1}  {percent:>5.1}  {:>3}  {:>3}  {:>3}  {}\n",
        score.games(),
        score.points(),
        score.wins,
        score.draws,
        score.losses,
        score.pairs.elo().map_or("-".to_string(), show_estimate),
    )
}

fn show_test(sprt: &Sprt, ratio: f64, decision: Decision) -> String {
    let (lower, upper) = sprt.bounds();
    let word = match decision {
        Decision::Open => "undecided",
        Decision::H1 => "H1 accepted",
        Decision::H0 => "H0 accepted",
    };
    format!("SPRT [{}, {}]: LLR {ratio:.2} ({lower:.2}, {upper:.2}), {word}\n", sprt.elo0, sprt.elo1)
}

/// `+12.3 ± 8.9`; a question mark where there are too few games to say.
fn show_estimate(estimate: Estimate) -> String {
    match (estimate.value.is_finite(), estimate.error) {
        (true, Some(error)) => format!("{:+.1} ± {error:.1}", estimate.value + 0.0),
        (true, None) => format!("{:+.1} ± ?", estimate.value + 0.0),
        _ => "?".to_string(),
    }
}
