//! Reports of a tournament: text, JSON lines, or an HTML page.

mod json;
pub mod page;

use super::game::GameOutcome;
use super::standings::{MOVES_PER_GROUP, MatchScore, ScheduledGame, Standings, TournamentInfo};
use super::stats::{Estimate, Sprt, SprtVerdict};
use super::tournament::TournamentObserver;
use chuhe_support::language::{Phrase, phrase, tr};
use chuhe_support::terminal::{self, ProgressDisplay};
use chuhe_support::text_width::{pad_left, pad_right, truncate, wrap};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

pub use json::JsonReport;

/// A line for each game and a table at the end; on a terminal a table that is redrawn after each game, above a progress
/// bar.
pub struct TextReport<'a> {
    roster: &'a TournamentInfo,
    out: &'a mut dyn Write,
    is_terminal: bool,
    progress: Option<ProgressDisplay>,
}

impl<'a> TextReport<'a> {
    pub fn new(roster: &'a TournamentInfo, out: &'a mut dyn Write, is_terminal: bool) -> TextReport<'a> {
        TextReport { roster, out, is_terminal, progress: None }
    }
}

impl TournamentObserver for TextReport<'_> {
    fn game_over(&mut self, scheduled: &ScheduledGame, played: &GameOutcome, standings: &Standings) -> io::Result<()> {
        let (width, done) = (terminal::terminal_width(self.is_terminal), standings.games());
        let line = game_line(self.roster, scheduled, played);
        let diagnostics = played.diagnostics.as_ref().map(ToString::to_string);
        if !self.is_terminal {
            let (summary, diagnostics) = (headline(self.roster, standings), diagnostics.unwrap_or_default());
            write!(self.out, "{line}  {summary}\n{diagnostics}")?;
            return self.out.flush();
        }
        let progress = self.progress.get_or_insert_with(|| {
            let progress = ProgressDisplay::on_stdout(Some(self.roster.planned as u64));
            // Games of a resumed record do not count for the remaining time.
            progress.set_already_done(done - 1);
            progress
        });
        let line = wrap(&(line + "\n"), width);
        if let Some(diagnostics) = diagnostics {
            progress.suspend(|| write!(self.out, "{line}{diagnostics}"))?;
        }
        progress.set_lines_above(table(self.roster, standings, width) + &line);
        progress.set(done, &tr!("{done} of {total} games", done, total = self.roster.planned));
        Ok(())
    }

    fn tournament_over(&mut self, standings: &Standings) -> io::Result<()> {
        self.progress = None;
        let above = if self.is_terminal { "" } else { "\n" };
        write!(self.out, "{above}{}", table(self.roster, standings, terminal::terminal_width(self.is_terminal)))?;
        self.out.flush()
    }

    fn print_beside(&mut self, say: &dyn Fn()) {
        match &self.progress {
            Some(progress) => progress.suspend(say),
            None => say(),
        }
    }
}

/// Number, players, result and ending of a game.
fn game_line(roster: &TournamentInfo, scheduled: &ScheduledGame, played: &GameOutcome) -> String {
    let name = |engine: usize| &roster.names[engine];
    tr!(
        "game {number}: {red} - {black}  {result}  ({ending}, {moves} moves)",
        number = scheduled.number + 1,
        red = name(scheduled.red),
        black = name(scheduled.black),
        result = played.result(),
        ending = played,
        moves = played.plies.len().div_ceil(2),
    )
}

/// The state of the tournament in one line.
pub fn headline(roster: &TournamentInfo, standings: &Standings) -> String {
    match standings.pairings() {
        [pairing] => {
            let score = &pairing.score;
            let mut text = format!("+{} ={} -{}", score.wins, score.draws, score.losses);
            if let Some(elo) = score.pairs.elo() {
                text.push_str(&format!("  Elo {}", format_estimate(elo)));
            }
            if let Some(sprt) = &roster.sprt {
                text.push_str(&format!("  LLR {:.2}", sprt.log_likelihood_ratio(&score.pairs)));
            }
            if pairing.faultless.games() < score.games() {
                text.push_str(&tr!("  faults {count}", count = score.games() - pairing.faultless.games()));
            }
            text
        }
        _ => tr!("{done} of {total} games", done = standings.games(), total = roster.planned),
    }
}

/// Engines by points, pairings, SPRT, time usage and faults, wrapped to `width` columns.
pub fn table(roster: &TournamentInfo, standings: &Standings, width: usize) -> String {
    let names = &roster.names;
    let columns = Columns::new("engine", names, ELO_WIDTH, width);
    let mut text = columns.header("Elo (95 %)");
    for engine in standings.ranking(names.len()) {
        text.push_str(&columns.row(&names[engine], &standings.engine_score(engine), ""));
    }
    let is_gauntlet = standings.pairings().len() > 1 && standings.pairings().iter().all(|one| one.one == 0);
    if is_gauntlet {
        text.push_str(&gauntlet(names, width, standings));
    }
    text.push_str(&wrap(&pairing_results(roster, standings, is_gauntlet), width));
    text.push_str(&time_usage_table(names, width, standings));
    for (engine, fault, count) in standings.faults() {
        text.push_str(&wrap(&(tr!("{name} {fault}: {count} times", name = names[engine], fault, count) + "\n"), width));
    }
    text
}

/// The results of the pairings and of the SPRT.
fn pairing_results(roster: &TournamentInfo, standings: &Standings, is_gauntlet: bool) -> String {
    let (names, mut text) = (&roster.names, String::new());
    for pairing in standings.pairings() {
        let (one, other) = (&names[pairing.one], &names[pairing.other]);
        let failed = pairing.faultless.games() < pairing.score.games();
        if !is_gauntlet || failed {
            text.push_str(&format!("{one} - {other}: {}\n", format_score(&pairing.score)));
        }
        if failed {
            let lost = pairing.score.games() - pairing.faultless.games();
            text.push_str(
                &(tr!(
                    "  without {lost} games lost by a fault: {score}",
                    lost,
                    score = format_score(&pairing.faultless)
                ) + "\n"),
            );
        }
        if pairing.score.is_mirrored() {
            text += &tr!(
                "{one} and {other} score the same in every pair: it is likely that they play the same moves, and no test \
                 can tell them apart",
                one,
                other
            );
            text.push('\n');
        }
        if let Some(sprt) = &roster.sprt {
            let decision = roster.decision(standings);
            text.push_str(&format_sprt(sprt, sprt.log_likelihood_ratio(&pairing.score.pairs), decision));
        }
    }
    if roster.depends_on_faults(standings) {
        let verdict = verdict_phrase(roster.faultless_decision(standings));
        text += &(tr!("DOUBTFUL: without the games that were lost by a fault, {verdict}", verdict) + "\n");
    }
    text
}

/// `+325 =54 -130, pairs [9, 19, 97, 27, 102], Elo +139.8 ± 29.1, nElo +161.7 ± 30.2, LOS 100.0 %`.
pub fn format_score(score: &MatchScore) -> String {
    let MatchScore { wins, draws, losses, pairs } = score;
    let mut text = format!("+{wins} ={draws} -{losses}, pairs {:?}", pairs.0);
    if let Some(elo) = pairs.elo() {
        text.push_str(&format!(", Elo {}", format_estimate(elo)));
    }
    if let Some(elo) = pairs.normalized_elo() {
        text.push_str(&format!(", nElo {}", format_estimate(elo)));
    }
    if let Some(superiority) = pairs.likelihood_of_superiority() {
        text.push_str(&format!(", LOS {:.1} %", 100.0 * superiority));
    }
    text
}

/// The time usage of the engines, as many columns as fit; empty without clocks.
pub fn time_usage_table(names: &[String], width: usize, standings: &Standings) -> String {
    let known: Vec<_> = (0..names.len()).filter_map(|engine| Some((engine, standings.time_usage(engine)?))).collect();
    let groups = known.iter().map(|(_, time_usage)| time_usage.seconds().count()).max().unwrap_or(0);
    if groups == 0 {
        return String::new();
    }
    const LEFT: usize = 7;
    const SECONDS: usize = 7;
    let longest = names.iter().map(|name| name.width()).max().unwrap_or(0).max("s/move".len());
    let name = longest.min(width.saturating_sub(LEFT + 2 * SECONDS)).max(longest.min(MIN_NAME_WIDTH));
    let groups = groups.min(width.saturating_sub(name + LEFT) / SECONDS);
    let mut text = format!("\n{}   left", pad_right("s/move", name));
    (0..groups).for_each(|group| text.push_str(&format!("  {:>5}", format!("{}-", group * MOVES_PER_GROUP + 1))));
    text.push('\n');
    for (engine, time_usage) in known {
        let shown = pad_right(&truncate(&names[engine], name), name);
        text.push_str(&format!("{shown}  {:>3.0} %", 100.0 * time_usage.unused_fraction()));
        time_usage.seconds().take(groups).for_each(|seconds| text.push_str(&format!("  {seconds:>5.2}")));
        text.push('\n');
    }
    text
}

/// The first engine against each of the others.
fn gauntlet(names: &[String], width: usize, standings: &Standings) -> String {
    let columns = Columns::new("against", names, ELO_WIDTH + LOS_WIDTH, width);
    let mut text = format!("\n{}", columns.header(&tr!("Elo of {name} (95 %)", name = names[0])));
    for pairing in standings.pairings() {
        let likely = pairing.score.pairs.likelihood_of_superiority();
        let superiority = likely.map_or(String::new(), |likely| format!(", LOS {:.1} %", 100.0 * likely));
        text.push_str(&columns.row(&names[pairing.other], &pairing.score, &superiority));
    }
    text.push('\n');
    text
}

/// The columns between name and Elo, with their widths.
const COLUMNS: [(&str, usize); 6] = [("games", 5), ("points", 6), ("%", 5), ("+", 3), ("=", 3), ("-", 3)];
/// Columns to hide on narrow terminals, step by step.
const HIDDEN_COLUMNS: [&[&str]; 4] = [&[], &["points"], &["games", "points"], &["games", "points", "+", "=", "-"]];
/// Widths of Elo with error and of LOS.
const ELO_WIDTH: usize = 16;
const LOS_WIDTH: usize = 13;
/// Minimum width of a shortened name.
const MIN_NAME_WIDTH: usize = 10;

/// Table columns that fit the terminal.
struct Columns {
    /// Heading and width of the name column.
    head: &'static str,
    name: usize,
    shown: Vec<(&'static str, usize)>,
    width: usize,
}

/// The heading of a column in words.
fn heading(column: &str) -> String {
    match column {
        "engine" => tr!("engine"),
        "against" => tr!("against"),
        "games" => tr!("games"),
        "points" => tr!("points"),
        sign => sign.to_string(),
    }
}

impl Columns {
    fn new(head: &'static str, names: &[String], elo: usize, width: usize) -> Columns {
        let longest = names.iter().map(|name| name.width()).max().unwrap_or(0).max(head.len());
        let choice = |left_out: &&[&str]| {
            let shown: Vec<_> = COLUMNS.into_iter().filter(|(head, _)| !left_out.contains(head)).collect();
            let others: usize = shown.iter().map(|(_, width)| 2 + width).sum::<usize>() + 2 + elo;
            Columns { head, name: longest.min(width.saturating_sub(others)), shown, width }
        };
        let fits = |columns: &Columns| columns.name >= longest.min(MIN_NAME_WIDTH);
        let narrowest = || Columns { name: longest.min(MIN_NAME_WIDTH), ..choice(&HIDDEN_COLUMNS[3]) };
        HIDDEN_COLUMNS.iter().map(choice).find(fits).unwrap_or_else(narrowest)
    }

    fn header(&self, elo: &str) -> String {
        let cells: String =
            self.shown.iter().map(|(head, width)| format!("  {}", pad_left(&heading(head), *width))).collect();
        truncate(&format!("{}{cells}  {elo}", pad_right(&heading(self.head), self.name)), self.width) + "\n"
    }

    fn row(&self, name: &str, score: &MatchScore, behind: &str) -> String {
        let cell = |(head, width): &(&str, usize)| {
            let text = match *head {
                "games" => score.games().to_string(),
                "points" => format!("{:.1}", score.points()),
                "%" => format!("{:.1}", 100.0 * score.share()),
                "+" => score.wins.to_string(),
                "=" => score.draws.to_string(),
                _ => score.losses.to_string(),
            };
            format!("  {text:>width$}")
        };
        let cells: String = self.shown.iter().map(cell).collect();
        let elo = score.pairs.elo().map_or("-".to_string(), format_estimate);
        let name = pad_right(&truncate(name, self.name), self.name);
        format!("{name}{cells}  {elo}{behind}\n")
    }
}

fn format_sprt(sprt: &Sprt, ratio: f64, decision: SprtVerdict) -> String {
    let (lower, upper) = sprt.bounds();
    let word = verdict_phrase(decision);
    let Sprt { elo0, elo1, model, .. } = sprt;
    format!("SPRT {} [{elo0}, {elo1}]: LLR {ratio:.2} ({lower:.2}, {upper:.2}), {word}\n", model.name())
}

/// The verdict in words.
pub fn verdict_phrase(decision: SprtVerdict) -> Phrase {
    match decision {
        SprtVerdict::Open => phrase!("undecided"),
        SprtVerdict::H1 => phrase!("H1 accepted"),
        SprtVerdict::H0 => phrase!("H0 accepted"),
    }
}

/// `+12.3 ± 8.9`, or `> +34.3` if one side won every game; a question mark with too few pairs.
pub fn format_estimate(estimate: Estimate) -> String {
    match (estimate.value.is_finite(), estimate.error, estimate.bound) {
        (true, Some(error), _) => format!("{:+.1} ± {error:.1}", estimate.value + 0.0),
        (true, None, _) => format!("{:+.1} ± ?", estimate.value + 0.0),
        (false, _, Some(bound)) => format!("{} {bound:+.1}", if estimate.value > 0.0 { '>' } else { '<' }),
        _ => "?".to_string(),
    }
}
