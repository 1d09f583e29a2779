//! The table of a tournament and its one-line summary, as text.

use crate::arena::pace::GROUP;
use crate::arena::roster::Roster;
use crate::arena::sprt::{Decision, Sprt};
use crate::arena::standings::{Score, Standings};
use crate::arena::stats::Estimate;
use chuhe_engine::language::{Phrase, phrase};
use chuhe_toolkit::text::{cut, padded, wrapped};
use unicode_width::UnicodeWidthStr;

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

/// All engines by points, all meetings, the test, and who failed, in lines of so many columns.
pub fn table(roster: &Roster, standings: &Standings, width: usize) -> String {
    let names = &roster.names;
    let mut order: Vec<usize> = (0..names.len()).collect();
    let share = |engine: usize| {
        let score = standings.of(engine);
        score.points() / score.games().max(1) as f64
    };
    order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
    let columns = Columns::new("engine", names, ELO, width);
    let mut text = columns.heads("Elo (95 %)");
    for engine in order {
        text.push_str(&columns.row(&names[engine], &standings.of(engine), ""));
    }
    let is_gauntlet = standings.meetings().len() > 1 && standings.meetings().iter().all(|one| one.one == 0);
    if is_gauntlet {
        text.push_str(&gauntlet(names, width, standings));
    }
    text.push_str(&wrapped(&verdicts(roster, standings, is_gauntlet), width));
    text.push_str(&paces(names, width, standings));
    for (engine, fault, count) in standings.faults() {
        text.push_str(&wrapped(&format!("{} {fault}: {count} times\n", names[engine]), width));
    }
    text
}

/// What came of the meetings, and of the test.
fn verdicts(roster: &Roster, standings: &Standings, is_gauntlet: bool) -> String {
    let (names, mut text) = (&roster.names, String::new());
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
        let faultless = word(roster.faultless_decision(standings)).0;
        text.push_str(&format!("DOUBTFUL: without the games that were lost by a fault, {faultless}\n"));
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

/// What the engines did with their clocks, as far as there is room; nothing where there were none.
pub fn paces(names: &[String], width: usize, standings: &Standings) -> String {
    let known: Vec<_> =
        (0..names.len()).filter_map(|engine| Some((engine, standings.pace(engine)?))).collect();
    let groups = known.iter().map(|(_, pace)| pace.seconds().count()).max().unwrap_or(0);
    if groups == 0 {
        return String::new();
    }
    const LEFT: usize = 7;
    const SECONDS: usize = 7;
    let longest = names.iter().map(|name| name.width()).max().unwrap_or(0).max("s/move".len());
    let name = longest.min(width.saturating_sub(LEFT + 2 * SECONDS)).max(longest.min(SHORTEST_NAME));
    let groups = groups.min(width.saturating_sub(name + LEFT) / SECONDS);
    let mut text = format!("\n{}   left", padded("s/move", name));
    (0..groups).for_each(|group| text.push_str(&format!("  {:>5}", format!("{}-", group * GROUP + 1))));
    text.push('\n');
    for (engine, pace) in known {
        let shown = padded(&cut(&names[engine], name), name);
        text.push_str(&format!("{shown}  {:>3.0} %", 100.0 * pace.left()));
        pace.seconds().take(groups).for_each(|seconds| text.push_str(&format!("  {seconds:>5.2}")));
        text.push('\n');
    }
    text
}

/// The first engine against each of the others, with an error for each.
fn gauntlet(names: &[String], width: usize, standings: &Standings) -> String {
    let columns = Columns::new("against", names, ELO + SUPERIORITY, width);
    let mut text = format!("\n{}", columns.heads(&format!("Elo of {} (95 %)", names[0])));
    for meeting in standings.meetings() {
        let likely = meeting.score.pairs.superiority();
        let superiority = likely.map_or(String::new(), |likely| format!(", LOS {:.1} %", 100.0 * likely));
        text.push_str(&columns.row(&names[meeting.other], &meeting.score, &superiority));
    }
    text.push('\n');
    text
}

/// The columns between the name and the Elo, and how wide they are.
const COLUMNS: [(&str, usize); 6] = [("games", 5), ("points", 6), ("%", 5), ("+", 3), ("=", 3), ("-", 3)];
/// What a narrow terminal goes without: a bit at first, then more.
const LEFT_OUT: [&[&str]; 4] = [&[], &["points"], &["games", "points"], &["games", "points", "+", "=", "-"]];
/// How wide an Elo is with its error, and the likelihood of superiority behind it.
const ELO: usize = 16;
const SUPERIORITY: usize = 13;
/// The least that is left of a name.
const SHORTEST_NAME: usize = 10;

/// A table that fits the terminal.
struct Columns {
    /// What is written above the names, and how wide they are.
    head: &'static str,
    name: usize,
    shown: Vec<(&'static str, usize)>,
    width: usize,
}

impl Columns {
    fn new(head: &'static str, names: &[String], elo: usize, width: usize) -> Columns {
        let longest = names.iter().map(|name| name.width()).max().unwrap_or(0).max(head.len());
        let choice = |left_out: &&[&str]| {
            let shown: Vec<_> = COLUMNS.into_iter().filter(|(head, _)| !left_out.contains(head)).collect();
            let others: usize = shown.iter().map(|(_, width)| 2 + width).sum::<usize>() + 2 + elo;
            Columns { head, name: longest.min(width.saturating_sub(others)), shown, width }
        };
        let fits = |columns: &Columns| columns.name >= longest.min(SHORTEST_NAME);
        let narrowest = || Columns { name: longest.min(SHORTEST_NAME), ..choice(&LEFT_OUT[3]) };
        LEFT_OUT.iter().map(choice).find(fits).unwrap_or_else(narrowest)
    }

    fn heads(&self, elo: &str) -> String {
        let cells: String = self.shown.iter().map(|(head, width)| format!("  {head:>width$}")).collect();
        cut(&format!("{}{cells}  {elo}", padded(self.head, self.name)), self.width) + "\n"
    }

    fn row(&self, name: &str, score: &Score, behind: &str) -> String {
        let cell = |(head, width): &(&str, usize)| {
            let text = match *head {
                "games" => score.games().to_string(),
                "points" => format!("{:.1}", score.points()),
                "%" => format!("{:.1}", 100.0 * score.points() / score.games().max(1) as f64),
                "+" => score.wins.to_string(),
                "=" => score.draws.to_string(),
                _ => score.losses.to_string(),
            };
            format!("  {text:>width$}")
        };
        let cells: String = self.shown.iter().map(cell).collect();
        let elo = score.pairs.elo().map_or("-".to_string(), show_estimate);
        let name = padded(&cut(name, self.name), self.name);
        format!("{name}{cells}  {elo}{behind}\n")
    }
}

fn show_test(sprt: &Sprt, ratio: f64, decision: Decision) -> String {
    let (lower, upper) = sprt.bounds();
    let word = word(decision).0;
    format!("SPRT [{}, {}]: LLR {ratio:.2} ({lower:.2}, {upper:.2}), {word}\n", sprt.elo0, sprt.elo1)
}

/// What a test decided.
pub fn word(decision: Decision) -> Phrase {
    match decision {
        Decision::Open => phrase!("undecided"),
        Decision::H1 => phrase!("H1 accepted"),
        Decision::H0 => phrase!("H0 accepted"),
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
