//! The table of a tournament and its one-line summary, as text.

use crate::arena::pace::GROUP;
use crate::arena::roster::Roster;
use crate::arena::sprt::{Decision, Sprt};
use crate::arena::standings::{Score, Standings};
use crate::arena::stats::Estimate;

/// The state of the tournament in a few words.
pub fn headline(roster: &Roster, standings: &Standings) -> String {
    match standings.meetings() {
        [meeting] => {
            let score = &meeting.score;
            let mut text = format!("+{} ={} -{}", score.wins, score.draws, score.losses);
            if let Some(elo) = score.pairs.elo() {
                text.push_str(&format!("  Elo {}", show_estimate(elo)));
            }
            if let Some(sprt) = &roster.sprt {
                text.push_str(&format!("  LLR {:.2}", sprt.ratio(&score.pairs)));
            }
            if meeting.faultless.games() < score.games() {
                text.push_str(&format!("  faults {}", score.games() - meeting.faultless.games()));
            }
            text
        }
        _ => format!("{} of {} games", standings.games(), roster.planned),
    }
}

/// All engines by points, all meetings, the test, and who failed.
pub fn table(roster: &Roster, standings: &Standings) -> String {
    let names = &roster.names;
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut order: Vec<usize> = (0..names.len()).collect();
    let share = |engine: usize| {
        let score = standings.of(engine);
        score.points() / score.games().max(1) as f64
    };
    order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
    let mut text = format!("{:<width$}  games  points      %    +    =    -  Elo (95 %)\n", "engine");
    for engine in order {
        text.push_str(&row(&names[engine], width, &standings.of(engine)));
    }
    let is_gauntlet = standings.meetings().len() > 1 && standings.meetings().iter().all(|one| one.one == 0);
    if is_gauntlet {
        text.push_str(&gauntlet(names, width, standings));
    }
    for meeting in standings.meetings() {
        let (one, other) = (&names[meeting.one], &names[meeting.other]);
        let failed = meeting.faultless.games() < meeting.score.games();
        if !is_gauntlet || failed {
            text.push_str(&format!("{one} - {other}: {}\n", show_score(&meeting.score)));
        }
        if failed {
            let lost = meeting.score.games() - meeting.faultless.games();
            text.push_str(&format!(
                "  without {lost} games lost by a fault: {}\n",
                show_score(&meeting.faultless)
            ));
        }
        if let Some(sprt) = &roster.sprt {
            let decision = roster.decision(standings);
            text.push_str(&show_test(sprt, sprt.ratio(&meeting.score.pairs), decision));
        }
    }
    if roster.is_doubtful(standings) {
        let faultless = word(roster.faultless_decision(standings));
        text.push_str(&format!("DOUBTFUL: without the games that were lost by a fault, {faultless}\n"));
    }
    text.push_str(&paces(names, width, standings));
    for (engine, fault, count) in standings.faults() {
        text.push_str(&format!("{} {fault}: {count} times\n", names[engine]));
    }
    text
}

/// `+325 =54 -130, pairs [9, 19, 97, 27, 102], Elo +139.8 ± 29.1, LOS 100.0 %`.
pub fn show_score(score: &Score) -> String {
    let Score { wins, draws, losses, pairs } = score;
    let mut text = format!("+{wins} ={draws} -{losses}, pairs {:?}", pairs.0);
    if let Some(elo) = pairs.elo() {
        text.push_str(&format!(", Elo {}", show_estimate(elo)));
    }
    if let Some(superiority) = pairs.superiority() {
        text.push_str(&format!(", LOS {:.1} %", 100.0 * superiority));
    }
    text
}

/// What the engines did with their clocks; nothing where there were none.
pub fn paces(names: &[String], width: usize, standings: &Standings) -> String {
    let known: Vec<_> =
        (0..names.len()).filter_map(|engine| Some((engine, standings.pace(engine)?))).collect();
    let groups = known.iter().map(|(_, pace)| pace.seconds().count()).max().unwrap_or(0);
    if groups == 0 {
        return String::new();
    }
    let mut text = format!("\n{:<width$}   left", "s/move");
    (0..groups).for_each(|group| text.push_str(&format!("  {:>5}", format!("{}-", group * GROUP + 1))));
    text.push('\n');
    for (engine, pace) in known {
        text.push_str(&format!("{:<width$}  {:>3.0} %", names[engine], 100.0 * pace.left()));
        pace.seconds().for_each(|seconds| text.push_str(&format!("  {seconds:>5.2}")));
        text.push('\n');
    }
    text
}

/// The first engine against each of the others, with an error for each.
fn gauntlet(names: &[String], width: usize, standings: &Standings) -> String {
    let mut text =
        format!("\n{:<width$}  games  points      %    +    =    -  Elo of {} (95 %)\n", "against", names[0]);
    for meeting in standings.meetings() {
        let row = row(&names[meeting.other], width, &meeting.score);
        let superiority = meeting.score.pairs.superiority();
        let superiority =
            superiority.map_or(String::new(), |likely| format!(", LOS {:.1} %", 100.0 * likely));
        text.push_str(&format!("{}{superiority}\n", row.trim_end()));
    }
    text.push('\n');
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
    let word = word(decision);
    format!("SPRT [{}, {}]: LLR {ratio:.2} ({lower:.2}, {upper:.2}), {word}\n", sprt.elo0, sprt.elo1)
}

/// What a test decided.
pub fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Open => "undecided",
        Decision::H1 => "H1 accepted",
        Decision::H0 => "H0 accepted",
    }
}

/// `+12.3 ± 8.9`, or `> +34.3` where every point went one way; a question mark where there are too few games to say.
pub fn show_estimate(estimate: Estimate) -> String {
    match (estimate.value.is_finite(), estimate.error, estimate.bound) {
        (true, Some(error), _) => format!("{:+.1} ± {error:.1}", estimate.value + 0.0),
        (true, None, _) => format!("{:+.1} ± ?", estimate.value + 0.0),
        (false, _, Some(bound)) => format!("{} {bound:+.1}", if estimate.value > 0.0 { '>' } else { '<' }),
        _ => "?".to_string(),
    }
}
