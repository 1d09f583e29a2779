//! `--report`: a page with everything about a tournament, in one file without anything from outside, in Chinese and English.

mod facts;
mod games;

use super::text::{show_estimate, show_score, word};
use crate::arena::archive::Contents;
use crate::arena::roster::Roster;
use crate::arena::sprt::Decision;
use crate::arena::standings::{Meeting, Standings};
use chuhe_engine::files::{OutputError, Over};
use chuhe_engine::language::{Language, phrase, tr};
use chuhe_toolkit::draw::chart::{self, Line};
use chuhe_toolkit::draw::page::{self, Page, both, tools};
use facts::{Facts, Mean};
use maud::{Markup, PreEscaped, html};
use std::path::Path;

/// By this a page is known as one of ours.
const MARK: &str = "<meta name=\"generator\" content=\"Chuhe arena\">";
/// Whether all of a file is such a page.
pub fn is_one(bytes: &[u8]) -> bool {
    page::is_one(bytes, MARK)
}

/// Writes the page, whole or not at all.
pub fn write(
    path: &Path,
    over: Over,
    event: &str,
    roster: &Roster,
    contents: &Contents,
) -> Result<(), OutputError> {
    over.write(path, page(event, roster, contents).as_bytes())
}

/// The page as text.
fn page(event: &str, roster: &Roster, contents: &Contents) -> String {
    let mut standings = Standings::new(&roster.schedule);
    contents.iter().for_each(|(game, _)| standings.add(game));
    let games = games::shown(contents);
    let body = html! {
        header { (tools()) h1 { (event) } }
        (summary(roster, &standings))
        (meetings(roster, &standings))
        @for (engine, pace) in (0..roster.names.len()).filter_map(|engine| Some((engine, standings.pace(engine)?))) {
            p {
                (roster.names[engine]) ": "
                @let percent = format!("{:.0}", 100.0 * pace.left());
                (both(|| tr!("{percent} % of the first time left when games end", percent)))
            }
        }
        @for (engine, fault, count) in standings.faults() {
            p.bad { (roster.names[engine]) " " (both(|| tr!("{fault}: {count} times", fault = Language::of_reader().translation(fault), count))) }
        }
        (conditions(contents))
        (charts(roster, &Facts::of(roster, contents)))
        (games::section(&games, contents.len()))
    };
    Page {
        mark: MARK,
        language: Language::chosen(),
        title: event,
        style: include_str!("page.css"),
        data: &games::script(&games),
        script: include_str!("page.js"),
        body,
    }
    .into_string()
}

fn summary(roster: &Roster, standings: &Standings) -> Markup {
    let share = |engine: usize| {
        let score = standings.of(engine);
        score.points() / score.games().max(1) as f64
    };
    let mut order: Vec<usize> = (0..roster.names.len()).collect();
    order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
    html! {
        div.wide { table {
            tr {
                th { (both(|| tr!("engine"))) } th { (both(|| tr!("games"))) } th { (both(|| tr!("points"))) } th { "%" }
                th { "+" } th { "=" } th { "−" } th { (both(|| tr!("Elo, with 95 % error"))) }
            }
            @for engine in order {
                @let score = standings.of(engine);
                tr {
                    td { (roster.names[engine]) } td { (score.games()) } td { (format!("{:.1}", score.points())) }
                    td { (format!("{:.1}", 100.0 * share(engine))) } td { (score.wins) } td { (score.draws) }
                    td { (score.losses) } td { (score.pairs.elo().map_or("–".to_string(), show_estimate)) }
                }
            }
        } }
    }
}

fn meetings(roster: &Roster, standings: &Standings) -> Markup {
    html! {
        ul.meetings {
            @for meeting in standings.meetings() {
                li {
                    (roster.names[meeting.one]) " – " (roster.names[meeting.other]) ": " (show_score(&meeting.score))
                    @if meeting.faultless.games() < meeting.score.games() {
                        br; (both(|| tr!("without games lost by a fault:"))) (show_score(&meeting.faultless))
                    }
                    (test(roster, standings, meeting))
                }
            }
        }
    }
}

fn test(roster: &Roster, standings: &Standings, meeting: &Meeting) -> Markup {
    let Some(sprt) = &roster.sprt else { return Markup::default() };
    let decision = roster.decision(standings);
    let numbers = format!("[{}, {}]: LLR {:.2}, ", sprt.elo0, sprt.elo1, sprt.ratio(&meeting.score.pairs));
    html! {
        br; (both(|| tr!("sequential test"))) (numbers) b { (both(|| word(decision).to_string())) }
        @if decision != Decision::Open && roster.is_doubtful(standings) {
            br;
            b.bad { (both(|| tr!("Doubtful: without faults"))) (both(|| word(roster.faultless_decision(standings)).to_string())) }
        }
    }
}

/// What the games say about their conditions: those of the first one, for all are alike.
fn conditions(contents: &Contents) -> Markup {
    let Some((_, first)) = contents.first() else { return Markup::default() };
    let mut told: Vec<(&str, &str)> = ["Tournament", "Openings", "Referee", "TimeControl"]
        .into_iter()
        .filter_map(|tag| Some((tag, first.tag(tag)?)))
        .collect();
    for (_, record) in contents {
        for (name, engine) in [("Red", "RedEngine"), ("Black", "BlackEngine")] {
            if let (Some(name), Some(engine)) = (record.tag(name), record.tag(engine))
                && !told.iter().any(|(other, _)| *other == name)
            {
                told.push((name, engine));
            }
        }
    }
    html! {
        details {
            summary { (both(|| tr!("Conditions"))) }
            dl { @for (name, value) in told { dt { (name) } dd { (value) } } }
        }
    }
}

fn charts(roster: &Roster, facts: &Facts) -> Markup {
    let name = |engine: usize| roster.names[engine].as_str();
    let elo = facts.elo.iter().map(|(engine, course)| Line { name: name(*engine), points: course.clone() });
    let by_move = |table: &[Vec<Mean>]| -> Vec<Line> {
        let points = |means: &Vec<Mean>| {
            let numbered = means.iter().enumerate();
            numbered.filter_map(|(number, mean)| Some((number as f64 + 1.0, mean.value()?, None))).collect()
        };
        table
            .iter()
            .enumerate()
            .map(|(engine, means)| Line { name: name(engine), points: points(means) })
            .collect()
    };
    let lines = |lines: &[Line], axis: &str| {
        chart::lines("", lines, axis).map_or_else(|| both(|| tr!("Too few games to draw.")), PreEscaped)
    };
    let figures = [
        (
            phrase!("Elo as it moved, with its 95 % error, by pairs of games"),
            lines(&elo.collect::<Vec<_>>(), "pairs"),
        ),
        (phrase!("Seconds per move, by number of the move"), lines(&by_move(&facts.time), "move")),
        (phrase!("Depth, by number of the move"), lines(&by_move(&facts.depth), "move")),
        (phrase!("Game lengths, in moves"), PreEscaped(chart::bars(&facts.lengths))),
        (phrase!("How games ended"), PreEscaped(chart::bars(&facts.endings))),
    ];
    html! {
        div.graphs {
            @for (title, picture) in figures { figure { figcaption { (both(|| title.to_string())) } (picture) } }
        }
    }
}
