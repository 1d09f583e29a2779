//! `--report`: a page with everything about a tournament, in one file without anything from outside.

mod chart;
mod facts;
mod games;

use super::text::{show_estimate, show_score, word};
use crate::arena::archive::Contents;
use crate::arena::roster::Roster;
use crate::arena::sprt::Decision;
use crate::arena::standings::Standings;
use crate::files::Kind;
use chart::{Line, bars, lines};
use facts::Facts;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// By this a page is known as one of ours.
const MARK: &str = "<meta name=\"generator\" content=\"Chuhe arena\">";
const KIND: Kind = Kind { name: "report of the arena", mark: MARK.as_bytes() };

/// Makes sure that a page can be written to this path, over nothing but an older page.
pub fn check(path: &Path) -> io::Result<()> {
    KIND.check(path).map_err(io::Error::other)
}

/// Writes the page, whole or not at all.
pub fn write(path: &Path, event: &str, roster: &Roster, contents: &Contents) -> io::Result<()> {
    KIND.write(path, page(event, roster, contents).as_bytes()).map_err(io::Error::other)
}

/// The page as text.
fn page(event: &str, roster: &Roster, contents: &Contents) -> String {
    let facts = Facts::of(roster, contents);
    let mut standings = Standings::new(&roster.schedule);
    contents.iter().for_each(|(game, _)| standings.add(game));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n{MARK}\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<style>\n{1}</style>\n\
         <h1>{0}</h1>\n",
        escaped(event),
        include_str!("page.css")
    );
    summary(&mut page, roster, &standings);
    meetings(&mut page, roster, &standings);
    faults(&mut page, roster, &standings);
    conditions(&mut page, contents);
    charts(&mut page, roster, &facts);
    games::section(&mut page, contents);
    page.push_str("</html>\n");
    page
}

fn summary(page: &mut String, roster: &Roster, standings: &Standings) {
    let mut order: Vec<usize> = (0..roster.names.len()).collect();
    let share = |engine: usize| {
        let score = standings.of(engine);
        score.points() / score.games().max(1) as f64
    };
    order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
    page.push_str(
        "<table><tr><th>engine<th>games<th>points<th>%<th>+<th>=<th>−<th>Elo, with 95 % error</tr>\n",
    );
    for engine in order {
        let score = standings.of(engine);
        let _ = writeln!(
            page,
            "<tr><td>{}<td>{}<td>{:.1}<td>{:.1}<td>{}<td>{}<td>{}<td>{}</tr>",
            escaped(&roster.names[engine]),
            score.games(),
            score.points(),
            100.0 * share(engine),
            score.wins,
            score.draws,
            score.losses,
            score.pairs.elo().map_or("–".to_string(), show_estimate)
        );
    }
    page.push_str("</table>\n");
}

fn meetings(page: &mut String, roster: &Roster, standings: &Standings) {
    page.push_str("<ul>\n");
    for meeting in standings.meetings() {
        let (one, other) = (&roster.names[meeting.one], &roster.names[meeting.other]);
        let _ = writeln!(page, "<li>{} – {}: {}", escaped(one), escaped(other), show_score(&meeting.score));
        if meeting.faultless.games() < meeting.score.games() {
            let _ = writeln!(page, "<br>without games lost by a fault: {}", show_score(&meeting.faultless));
        }
        if let Some(sprt) = &roster.sprt {
            let decision = roster.decision(standings);
            let _ = writeln!(
                page,
                "<br>sequential test [{}, {}]: LLR {:.2}, <b>{}</b>",
                sprt.elo0,
                sprt.elo1,
                sprt.ratio(&meeting.score.pairs),
                word(decision)
            );
            if decision != Decision::Open && roster.is_doubtful(standings) {
                let faultless = word(roster.faultless_decision(standings));
                let _ = writeln!(page, "<br><b class=\"bad\">Doubtful: without faults {faultless}</b>");
            }
        }
    }
    page.push_str("</ul>\n");
}

fn faults(page: &mut String, roster: &Roster, standings: &Standings) {
    for (engine, fault, count) in standings.faults() {
        let name = escaped(&roster.names[engine]);
        let _ = writeln!(page, "<p class=\"bad\">{name} {}: {count} times</p>", escaped(fault));
    }
}

/// What the games say about their conditions: those of the first one, for all are alike.
fn conditions(page: &mut String, contents: &Contents) {
    let Some((_, record)) = contents.first() else { return };
    page.push_str("<details><summary>Conditions</summary><dl>\n");
    for tag in ["Tournament", "Openings", "Referee", "TimeControl"] {
        if let Some(value) = record.tag(tag) {
            let _ = writeln!(page, "<dt>{tag}<dd>{}", escaped(value));
        }
    }
    let mut told: Vec<(&str, &str)> = Vec::new();
    for (_, record) in contents {
        for (name, engine) in [("Red", "RedEngine"), ("Black", "BlackEngine")] {
            if let (Some(name), Some(engine)) = (record.tag(name), record.tag(engine))
                && !told.iter().any(|(other, _)| *other == name)
            {
                told.push((name, engine));
            }
        }
    }
    for (name, engine) in told {
        let _ = writeln!(page, "<dt>{}<dd>{}", escaped(name), escaped(engine));
    }
    page.push_str("</dl></details>\n");
}

fn charts(page: &mut String, roster: &Roster, facts: &Facts) {
    let mut figure = |title: &str, svg: String| {
        let _ = writeln!(page, "<figure><figcaption>{title}</figcaption>{svg}</figure>");
    };
    let name = |engine: usize| roster.names[engine].as_str();
    let per_engine = |points: &dyn Fn(usize) -> Vec<(f64, f64)>| -> Vec<Line> {
        (0..roster.names.len()).map(|engine| Line::plain(name(engine), points(engine))).collect()
    };
    let elo: Vec<Line> =
        facts.elo.iter().map(|(engine, points)| Line::banded(name(*engine), points)).collect();
    figure("Elo as it moved, with its 95 % error, by pairs of games", lines(&elo, "pairs"));
    let of = |table: &[Vec<facts::Mean>], engine: usize| -> Vec<(f64, f64)> {
        let means = table[engine].iter().enumerate();
        means.filter_map(|(number, mean)| Some((number as f64 + 1.0, mean.value()?))).collect()
    };
    figure(
        "Seconds per move, by number of the move",
        lines(&per_engine(&|engine| of(&facts.time, engine)), "move"),
    );
    figure("Depth, by number of the move", lines(&per_engine(&|engine| of(&facts.depth, engine)), "move"));
    figure("Game lengths, in moves", bars(&facts.lengths));
    figure("How games ended", bars(&facts.endings));
}

/// Text that means nothing in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
