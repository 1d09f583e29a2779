//! JSON for scripts: an object per line, one for each game and one for the end.

use crate::arena::game::Played;
use crate::arena::roster::Roster;
use crate::arena::schedule::Fixture;
use crate::arena::sprt::Decision;
use crate::arena::standings::{Score, Standings};
use crate::arena::tournament::Audience;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes a tournament as JSON lines.
pub struct Json<'a> {
    roster: &'a Roster,
    out: &'a mut dyn Write,
}

impl<'a> Json<'a> {
    /// Shows a tournament on this output.
    pub fn new(roster: &'a Roster, out: &'a mut dyn Write) -> Json<'a> {
        Json { roster, out }
    }

    fn name(&self, engine: usize) -> String {
        quoted(&self.roster.names[engine])
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")?;
        self.out.flush()
    }

    fn engines(&self, standings: &Standings) -> String {
        let engine =
            |engine: usize| format!("{{\"name\":{},{}}}", self.name(engine), score(&standings.of(engine)));
        (0..self.roster.names.len()).map(engine).collect::<Vec<_>>().join(",")
    }

    fn meetings(&self, standings: &Standings) -> String {
        let meeting = |meeting: &crate::arena::standings::Meeting| {
            let (one, other) = (self.name(meeting.one), self.name(meeting.other));
            format!(
                "{{\"one\":{one},\"other\":{other},{},\"without_faults\":{{{}}}}}",
                score(&meeting.score),
                score(&meeting.faultless)
            )
        };
        standings.meetings().iter().map(meeting).collect::<Vec<_>>().join(",")
    }

    fn faults(&self, standings: &Standings) -> String {
        let fault = |(engine, fault, count): (usize, &str, u64)| {
            format!("{{\"engine\":{},\"fault\":{},\"count\":{count}}}", self.name(engine), quoted(fault))
        };
        standings.faults().map(fault).collect::<Vec<_>>().join(",")
    }

    /// The test's part of the last line; nothing without one.
    fn test(&self, standings: &Standings) -> String {
        let (Some(sprt), [meeting]) = (&self.roster.sprt, standings.meetings()) else {
            return String::new();
        };
        let (lower, upper) = sprt.bounds();
        format!(
            ",\"sprt\":{{\"elo0\":{},\"elo1\":{},\"llr\":{},\"lower\":{},\"upper\":{},\"decision\":{},\
             \"decision_without_faults\":{},\"doubtful\":{}}}",
            number(sprt.elo0),
            number(sprt.elo1),
            number(sprt.ratio(&meeting.score.pairs)),
            number(lower),
            number(upper),
            word(self.roster.decision(standings)),
            word(self.roster.faultless_decision(standings)),
            self.roster.is_doubtful(standings),
        )
    }

    /// What is known about the failure that ended a game; nothing if none did.
    fn fault(&self, fixture: &Fixture, played: &Played) -> String {
        let Some((side, fault)) = played.fault() else { return String::new() };
        let evidence = played.evidence.clone().unwrap_or_default();
        let list = |lines: &[String]| lines.iter().map(|line| quoted(line)).collect::<Vec<_>>().join(",");
        format!(
            ",\"fault\":{{\"engine\":{},\"kind\":{},\"what\":{},\"stderr\":[{}],\"talk\":[{}]}}",
            self.name(fixture.engine(side)),
            quoted(fault.kind()),
            quoted(&fault.to_string()),
            list(&evidence.stderr),
            list(&evidence.talk)
        )
    }
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Open => "null",
        Decision::H0 => "\"H0\"",
        Decision::H1 => "\"H1\"",
    }
}

impl Audience for Json<'_> {
    fn game_over(&mut self, fixture: &Fixture, played: &Played, _: &Standings) -> io::Result<()> {
        let text = format!(
            "{{\"game\":{},\"red\":{},\"black\":{},\"result\":{},\"end\":{},\"plies\":{}{}}}",
            fixture.number + 1,
            self.name(fixture.red),
            self.name(fixture.black),
            quoted(played.result()),
            quoted(&played.to_string()),
            played.plies.len(),
            self.fault(fixture, played),
        );
        self.line(&text)
    }

    fn closed(&mut self, standings: &Standings) -> io::Result<()> {
        let text = format!(
            "{{\"games\":{},\"engines\":[{}],\"meetings\":[{}],\"faults\":[{}]{}}}",
            standings.games(),
            self.engines(standings),
            self.meetings(standings),
            self.faults(standings),
            self.test(standings),
        );
        self.line(&text)
    }
}

/// The fields of a score.
fn score(score: &Score) -> String {
    let pairs = score.pairs;
    let elo = pairs.elo();
    let normalized = pairs.normalized_elo();
    format!(
        "\"wins\":{},\"draws\":{},\"losses\":{},\"pairs\":{:?},\"elo\":{},\"elo_error\":{},\
         \"normalized_elo\":{},\"normalized_elo_error\":{},\"superiority\":{}",
        score.wins,
        score.draws,
        score.losses,
        pairs.0,
        optional(elo.map(|elo| elo.value)),
        optional(elo.and_then(|elo| elo.error)),
        optional(normalized.map(|elo| elo.value)),
        optional(normalized.and_then(|elo| elo.error)),
        optional(pairs.superiority()),
    )
}

fn optional(value: Option<f64>) -> String {
    value.map_or("null".to_string(), number)
}

/// A number; JSON has no word for infinity.
fn number(value: f64) -> String {
    if value.is_finite() { format!("{}", value + 0.0) } else { "null".to_string() }
}

/// A text as JSON and JavaScript write it.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            letter if letter < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", letter as u32);
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
