//! JSON lines for scripts: one object per game and one at the end.

use crate::arena::game::GameOutcome;
use crate::arena::standings::{MatchScore, Pairing, ScheduledGame, Standings, TournamentInfo};
use crate::arena::stats::SprtVerdict;
use crate::arena::tournament::TournamentObserver;
use chuhe_support::language::Language;
use serde::Serialize;
use std::io::{self, Write};

pub struct JsonReport<'a> {
    roster: &'a TournamentInfo,
    out: &'a mut dyn Write,
}

#[derive(Serialize)]
struct GameLine<'a> {
    game: usize,
    red: &'a str,
    black: &'a str,
    result: &'a str,
    end: String,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultOfGame<'a>>,
}

/// The fault that ended a game.
#[derive(Serialize)]
struct FaultOfGame<'a> {
    engine: &'a str,
    kind: &'a str,
    what: String,
    stderr: Vec<String>,
    talk: Vec<String>,
}

#[derive(Serialize)]
struct LastLine<'a> {
    games: u64,
    engines: Vec<EngineEntry<'a>>,
    meetings: Vec<MeetingEntry<'a>>,
    faults: Vec<FaultCount<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<TestEntry>,
}

#[derive(Serialize)]
struct EngineEntry<'a> {
    name: &'a str,
    #[serde(flatten)]
    score: ScoreFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockEntry>,
}

/// Clock usage of an engine.
#[derive(Serialize)]
struct ClockEntry {
    /// Seconds per move, by groups of ten moves.
    seconds: Vec<f64>,
    /// Fraction of the base time left at the end of games.
    left: f64,
}

#[derive(Serialize)]
struct MeetingEntry<'a> {
    one: &'a str,
    other: &'a str,
    #[serde(flatten)]
    score: ScoreFields,
    without_faults: ScoreFields,
}

#[derive(Serialize)]
struct FaultCount<'a> {
    engine: &'a str,
    fault: &'a str,
    count: u64,
}

/// Infinite numbers become `null`, since JSON has no infinity.
#[derive(Serialize)]
struct ScoreFields {
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
    elo: Option<f64>,
    elo_error: Option<f64>,
    /// The Elo bound if one side won every game.
    #[serde(skip_serializing_if = "Option::is_none")]
    elo_at_least: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elo_at_most: Option<f64>,
    normalized_elo: Option<f64>,
    normalized_elo_error: Option<f64>,
    superiority: Option<f64>,
}

#[derive(Serialize)]
struct TestEntry {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    decision: Option<&'static str>,
    decision_without_faults: Option<&'static str>,
    doubtful: bool,
}

impl<'a> JsonReport<'a> {
    pub fn new(roster: &'a TournamentInfo, out: &'a mut dyn Write) -> JsonReport<'a> {
        JsonReport { roster, out }
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)?;
        self.out.flush()
    }

    /// The SPRT, if there is one.
    fn test(&self, standings: &Standings) -> Option<TestEntry> {
        let (Some(sprt), [meeting]) = (&self.roster.sprt, standings.pairings()) else { return None };
        let (lower, upper) = sprt.bounds();
        Some(TestEntry {
            model: sprt.model.name(),
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            llr: sprt.log_likelihood_ratio(&meeting.score.pairs) + 0.0,
            lower,
            upper,
            decision: word(self.roster.decision(standings)),
            decision_without_faults: word(self.roster.faultless_decision(standings)),
            doubtful: self.roster.depends_on_faults(standings),
        })
    }
}

fn word(decision: SprtVerdict) -> Option<&'static str> {
    match decision {
        SprtVerdict::Open => None,
        SprtVerdict::H0 => Some("H0"),
        SprtVerdict::H1 => Some("H1"),
    }
}

fn fields(score: &MatchScore) -> ScoreFields {
    let pairs = score.pairs;
    let (elo, normalized) = (pairs.elo(), pairs.normalized_elo());
    ScoreFields {
        wins: score.wins,
        draws: score.draws,
        losses: score.losses,
        pairs: pairs.0,
        // Not "-0.0".
        elo: elo.map(|elo| elo.value + 0.0),
        elo_error: elo.and_then(|elo| elo.error),
        elo_at_least: elo.filter(|elo| elo.value > 0.0).and_then(|elo| elo.bound),
        elo_at_most: elo.filter(|elo| elo.value < 0.0).and_then(|elo| elo.bound),
        normalized_elo: normalized.map(|elo| elo.value + 0.0),
        normalized_elo_error: normalized.and_then(|elo| elo.error),
        superiority: pairs.likelihood_of_superiority(),
    }
}

impl TournamentObserver for JsonReport<'_> {
    fn game_over(&mut self, scheduled: &ScheduledGame, played: &GameOutcome, _: &Standings) -> io::Result<()> {
        let names = &self.roster.names;
        let fault = played.fault().map(|(side, fault)| {
            let diagnostics = played.diagnostics.clone().unwrap_or_default();
            FaultOfGame {
                engine: &names[scheduled.engine(side)],
                kind: fault.kind().0,
                what: Language::ENGLISH.with(|| fault.to_string()),
                stderr: diagnostics.stderr,
                talk: diagnostics.talk,
            }
        });
        self.line(&GameLine {
            game: scheduled.number + 1,
            red: &names[scheduled.red],
            black: &names[scheduled.black],
            result: played.result(),
            end: Language::ENGLISH.with(|| played.to_string()),
            plies: played.plies.len(),
            fault,
        })
    }

    fn tournament_over(&mut self, standings: &Standings) -> io::Result<()> {
        let names = &self.roster.names;
        let engine = |(engine, name)| EngineEntry {
            name,
            score: fields(&standings.engine_score(engine)),
            clock: standings.time_usage(engine).map(|time_usage| ClockEntry {
                seconds: time_usage.seconds().collect(),
                left: time_usage.unused_fraction(),
            }),
        };
        let meeting = |meeting: &Pairing| MeetingEntry {
            one: &names[meeting.one],
            other: &names[meeting.other],
            score: fields(&meeting.score),
            without_faults: fields(&meeting.faultless),
        };
        let fault = |(engine, fault, count): (usize, _, _)| FaultCount { engine: &names[engine], fault, count };
        self.line(&LastLine {
            games: standings.games(),
            engines: names.iter().map(String::as_str).enumerate().map(engine).collect(),
            meetings: standings.pairings().iter().map(meeting).collect(),
            faults: standings.faults().map(fault).collect(),
            sprt: self.test(standings),
        })
    }
}
