//! `--report`: a self-contained HTML page about a tournament, in Chinese and English, with its games to play through: a
//! board with an evaluation curve, and the engines' comments.

use super::{format_estimate, format_score, verdict_phrase};
use crate::arena::game_record;
use crate::arena::standings::{FinishedGame, Pairing, Standings, TournamentInfo};
use crate::arena::stats::{Sprt, SprtVerdict};
use crate::arena::tournament_record::RecordedGames;
use crate::chart::{self, ChartPoint, LineSeries};
use chuhe_engine::nnue::win_rate::expected_score;
use chuhe_engine::score::from_hundredths;
use chuhe_study::html_page::{
    HtmlPage, MAX_GAMES, VIEWER_SCRIPT, ViewerMoves, json, page_settings, viewer_data, viewer_section,
};
use chuhe_support::files::{OutputError, OverwritePolicy};
use chuhe_support::language::{Language, phrase, tr};
use chuhe_support::small_sort::SmallSort;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use xiangqi::Color;
use xiangqi_record::Game;

/// Marks a page written by the arena.
pub const GENERATOR_META: &str = "<meta name=\"generator\" content=\"Chuhe arena\">";
/// Writes the page atomically.
pub fn write(
    path: &Path,
    over: OverwritePolicy,
    event: &str,
    roster: &TournamentInfo,
    contents: &RecordedGames,
) -> Result<(), OutputError> {
    over.write(path, page(event, roster, contents).as_bytes())
}

/// The page as HTML.
fn page(event: &str, roster: &TournamentInfo, contents: &RecordedGames) -> String {
    let mut standings = Standings::new(&roster.schedule);
    contents.iter().for_each(|(game, _)| standings.add(game));
    let games = select_games(contents);
    let body = html! {
        header { (page_settings()) h1 { (event) } }
        (summary(roster, &standings))
        (pairings(roster, &standings))
        @for (engine, time_usage) in (0..roster.names.len()).filter_map(|engine| Some((engine, standings.time_usage(engine)?))) {
            p {
                (roster.names[engine]) ": "
                @let percent = format!("{:.0}", 100.0 * time_usage.unused_fraction());
                (tr!("{percent} % of the first time left when games end", percent))
            }
        }
        @for (engine, fault, count) in standings.faults() {
            p.bad { (roster.names[engine]) " " (tr!("{fault}: {count} times", fault = Language::current().translate(fault), count)) }
        }
        (conditions(contents))
        (charts(roster, &ChartData::of(roster, contents)))
        (games_section(&games, contents.len()))
    };
    HtmlPage {
        mark: GENERATOR_META,
        title: event,
        style: include_str!("page.css"),
        data: &games_data(&games),
        script: &[VIEWER_SCRIPT, include_str!("page.js")].concat(),
        body,
    }
    .into_string()
}

fn summary(roster: &TournamentInfo, standings: &Standings) -> Markup {
    html! {
        div.wide { table {
            tr {
                th { (tr!("engine")) } th { (tr!("games")) } th { (tr!("points")) } th { "%" }
                th { "+" } th { "=" } th { "−" } th { (tr!("Elo, with 95 % error")) }
            }
            @for engine in standings.ranking(roster.names.len()) {
                @let score = standings.engine_score(engine);
                tr {
                    td { (roster.names[engine]) } td { (score.games()) } td { (format!("{:.1}", score.points())) }
                    td { (format!("{:.1}", 100.0 * score.share())) } td { (score.wins) } td { (score.draws) }
                    td { (score.losses) } td { (score.pairs.elo().map_or("–".to_string(), format_estimate)) }
                }
            }
        } }
    }
}

fn pairings(roster: &TournamentInfo, standings: &Standings) -> Markup {
    html! {
        ul.meetings {
            @for pairing in standings.pairings() {
                li {
                    (roster.names[pairing.one]) " – " (roster.names[pairing.other]) ": " (format_score(&pairing.score))
                    @if pairing.faultless.games() < pairing.score.games() {
                        br; (tr!("without games lost by a fault:")) (format_score(&pairing.faultless))
                    }
                    (test(roster, standings, pairing))
                }
            }
        }
    }
}

fn test(roster: &TournamentInfo, standings: &Standings, pairing: &Pairing) -> Markup {
    let Some(sprt) = &roster.sprt else { return Markup::default() };
    let decision = roster.decision(standings);
    let Sprt { elo0, elo1, model, .. } = sprt;
    let ratio = sprt.log_likelihood_ratio(&pairing.score.pairs);
    let numbers = format!("{} [{elo0}, {elo1}]: LLR {ratio:.2}, ", model.name());
    html! {
        br; (tr!("sequential test")) (numbers) b { (verdict_phrase(decision).to_string()) }
        @if decision != SprtVerdict::Open && roster.depends_on_faults(standings) {
            br;
            b.bad { (tr!("Doubtful: without faults")) (verdict_phrase(roster.faultless_decision(standings)).to_string()) }
        }
    }
}

/// The conditions: shared tags of the first game, engine tags of all games.
fn conditions(contents: &RecordedGames) -> Markup {
    let Some((_, first)) = contents.first() else { return Markup::default() };
    let mut tags: Vec<(&str, &str)> = ["Tournament", "Openings", "Referee", "TimeControl"]
        .into_iter()
        .filter_map(|tag| Some((tag, first.tag(tag)?)))
        .collect();
    for (_, record) in contents {
        for (name, engine) in [("Red", "RedEngine"), ("Black", "BlackEngine")] {
            if let (Some(name), Some(engine)) = (record.tag(name), record.tag(engine))
                && !tags.iter().any(|(other, _)| *other == name)
            {
                tags.push((name, engine));
            }
        }
    }
    html! {
        details {
            summary { (tr!("Conditions")) }
            dl { @for (name, value) in tags { dt { (name) } dd { (value) } } }
        }
    }
}

fn charts(roster: &TournamentInfo, data: &ChartData) -> Markup {
    let name = |engine: usize| roster.names[engine].as_str();
    let elo = data.elo.iter().map(|(engine, course)| LineSeries { name: name(*engine), points: course.clone() });
    let by_move = |table: &[Vec<RunningMean>]| -> Vec<LineSeries> {
        let points = |means: &Vec<RunningMean>| {
            let numbered = means.iter().enumerate();
            numbered.filter_map(|(number, mean)| Some((number as f64 + 1.0, mean.value()?, None))).collect()
        };
        table
            .iter()
            .enumerate()
            .map(|(engine, means)| LineSeries { name: name(engine), points: points(means) })
            .collect()
    };
    let lines = |lines: &[LineSeries], axis: &str| {
        chart::line_chart("", lines, axis).map_or_else(|| html! { (tr!("Too few games to draw.")) }, PreEscaped)
    };
    let figures = [
        (
            phrase!("Elo as it moved, with its 95 % error, by pairs of games"),
            lines(&elo.collect::<Vec<_>>(), &tr!("pairs")),
        ),
        (phrase!("Seconds per move, by number of the move"), lines(&by_move(&data.time), &tr!("move"))),
        (phrase!("Depth, by number of the move"), lines(&by_move(&data.depth), &tr!("move"))),
        (phrase!("Game lengths, in moves"), PreEscaped(chart::bar_chart(&data.lengths))),
        (phrase!("How games ended"), PreEscaped(chart::bar_chart(&data.endings))),
    ];
    html! {
        div.graphs {
            @for (title, picture) in figures { figure { figcaption { (title.to_string()) } (picture) } }
        }
    }
}

/// The games to show: the last `MAX_GAMES`, and all games ended by a fault.
fn select_games(contents: &RecordedGames) -> Vec<&Game> {
    let skipped = contents.len().saturating_sub(MAX_GAMES);
    let shown = |(index, (game, _)): &(usize, &(FinishedGame, Game))| *index >= skipped || game.fault.is_some();
    contents.iter().enumerate().filter(shown).map(|(_, (_, record))| record).collect()
}

/// The HTML section of the games.
fn games_section(games: &[&Game], all: usize) -> Markup {
    let count = games.len();
    html! {
        section.games {
            h2 { (tr!("Games")) }
            @if count < all {
                p { (tr!("{count} of {all} games: the last ones, and those that faults ended.", count, all)) }
            }
            (viewer_section(&html! { select #game size="6" aria-label=(tr!("Games")) {} }))
        }
    }
}

/// The game data for the page's script.
fn games_data(games: &[&Game]) -> String {
    let games: Vec<String> = games.iter().map(|record| json(&PageGame::of(record))).collect();
    viewer_data(&games)
}

/// A game as JSON for the page's script; names are short because there may be thousands of games.
#[derive(Serialize)]
struct PageGame<'a> {
    #[serde(rename = "n")]
    round: &'a str,
    #[serde(rename = "r")]
    red: &'a str,
    #[serde(rename = "y")]
    black: &'a str,
    #[serde(rename = "o")]
    opening: &'a str,
    #[serde(rename = "e")]
    end: &'a str,
    #[serde(rename = "w")]
    result: &'a str,
    #[serde(flatten)]
    moves: ViewerMoves,
    #[serde(rename = "t")]
    notes: Vec<String>,
    /// Red's expected score in hundredths, by the score of the engine that moved.
    #[serde(rename = "c")]
    chances: Vec<Option<u8>>,
}

impl PageGame<'_> {
    fn of(record: &Game) -> PageGame<'_> {
        let tag = |name: &str| record.tag(name).unwrap_or("?");
        let mut position = record.start().clone();
        let mut game = PageGame {
            round: tag("Round"),
            red: tag("Red"),
            black: tag("Black"),
            opening: record.tag("Opening").unwrap_or(""),
            end: tag("Termination"),
            result: record.result.token(),
            moves: ViewerMoves::of(record),
            notes: Vec::new(),
            chances: Vec::new(),
        };
        for node in record.main_line_nodes() {
            let Some(mv) = node.mv() else { continue };
            let note = game_record::parse_comment(&node.comment);
            let chance = note
                .as_ref()
                .and_then(|note| note.score)
                .map(|score| expected_score(from_hundredths(score), &position));
            let for_red = |own: f64| if position.side() == Color::Red { own } else { 1.0 - own };
            game.chances.push(chance.map(|own| (100.0 * for_red(own)).round() as u8));
            game.notes.push(note.map_or_else(|| node.comment.clone(), |note| note.shown));
            position.play_unchecked(mv);
        }
        game
    }
}

/// Last move number of the charts by move number: few games are longer, so the mean would be unreliable.
const MAX_CHART_MOVE: usize = 120;
/// Maximum points of a curve.
const MAX_CURVE_POINTS: usize = 400;
/// Moves per bar of the length histogram.
const LENGTH_BUCKET: usize = 10;

/// A running mean.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunningMean {
    sum: f64,
    count: u64,
}

impl RunningMean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// The mean; `None` without values.
    pub fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// Points of Elo with error, by number of pairs.
pub type EloCurve = Vec<ChartPoint>;

/// The data of all charts.
pub struct ChartData {
    /// Elo over time: of the first engine in a match, of every engine otherwise.
    pub elo: Vec<(usize, EloCurve)>,
    /// Seconds per move of each engine, by move number.
    pub time: Vec<Vec<RunningMean>>,
    pub depth: Vec<Vec<RunningMean>>,
    /// Number of games by length.
    pub lengths: Vec<(String, u64)>,
    /// Number of games by ending.
    pub endings: Vec<(String, u64)>,
}

impl ChartData {
    /// Collects the data from the games, in their order.
    pub fn of(roster: &TournamentInfo, contents: &RecordedGames) -> ChartData {
        let engines = roster.names.len();
        let mut data = ChartData {
            elo: elo_curves(roster, contents),
            time: vec![vec![RunningMean::default(); MAX_CHART_MOVE]; engines],
            depth: vec![vec![RunningMean::default(); MAX_CHART_MOVE]; engines],
            lengths: Vec::new(),
            endings: Vec::new(),
        };
        let (mut lengths, mut endings) = (BTreeMap::new(), BTreeMap::new());
        for (game, record) in contents {
            for (index, entry) in record.main_line_nodes().enumerate().take(2 * MAX_CHART_MOVE) {
                let side = if (record.start().side() == Color::Red) == index.is_multiple_of(2) {
                    Color::Red
                } else {
                    Color::Black
                };
                let Some(note) = game_record::parse_comment(&entry.comment) else { continue };
                let engine = game.scheduled.engine(side);
                data.time[engine][index / 2].add(note.seconds);
                data.depth[engine][index / 2].add(note.depth.into());
            }
            *lengths.entry(record.main_line_nodes().count() / 2 / LENGTH_BUCKET).or_insert(0) += 1;
            *endings.entry(ending_kind(record.tag("Termination").unwrap_or("?"))).or_insert(0) += 1;
        }
        let most = lengths.keys().last().copied().unwrap_or(0);
        let length = |index: usize| {
            let label = format!("{}–{}", index * LENGTH_BUCKET, index * LENGTH_BUCKET + LENGTH_BUCKET - 1);
            (label, lengths.get(&index).copied().unwrap_or(0))
        };
        data.lengths = (lengths.keys().next().copied().unwrap_or(0)..=most).map(length).collect();
        data.endings = endings.into_iter().collect();
        data.endings.order_by_key(|(_, count)| std::cmp::Reverse(*count));
        data
    }
}

/// The kind of an ending, without side, piece and numbers.
fn ending_kind(termination: &str) -> String {
    let text = termination.strip_prefix("red ").or(termination.strip_prefix("black ")).unwrap_or(termination);
    let end = text.find([':', '(']).unwrap_or(text.len());
    let text = text[..end].split(" of the ").next().unwrap_or(text).split(" by ").next().unwrap_or(text);
    let text = if text.starts_with("adjudicated") { "adjudicated by score" } else { text };
    text.trim().to_string()
}

/// The Elo after each pair, thinned to about `MAX_CURVE_POINTS` points.
fn elo_curves(roster: &TournamentInfo, contents: &RecordedGames) -> Vec<(usize, EloCurve)> {
    let shown = if roster.schedule.pairings().len() == 1 { 1 } else { roster.names.len() };
    let mut curves: Vec<(usize, EloCurve)> = (0..shown).map(|engine| (engine, EloCurve::new())).collect();
    let mut standings = Standings::new(&roster.schedule);
    let every = (contents.len() / 2 / MAX_CURVE_POINTS).max(1);
    for (index, (game, _)) in contents.iter().enumerate() {
        standings.add(game);
        let last = index + 1 == contents.len();
        if !last && (index % 2 == 0 || !(index / 2 + 1).is_multiple_of(every)) {
            continue;
        }
        for (engine, curve) in &mut curves {
            let pairs = standings.engine_score(*engine).pairs;
            if let Some(elo) = pairs.elo().filter(|elo| elo.value.is_finite()) {
                curve.push((pairs.count() as f64, elo.value, elo.error));
            }
        }
    }
    curves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ending_kind_drops_side_piece_and_numbers() {
        for (text, kind) in [
            ("red crashed (exit code 3)", "crashed"),
            ("black overran its time by 12 ms", "overran its time"),
            ("perpetual chase of the cannon on a6", "perpetual chase"),
            ("black answered nonsense: 'x'", "answered nonsense"),
            ("adjudicated by score", "adjudicated by score"),
            ("red resigns", "resigns"),
            ("mate", "mate"),
        ] {
            assert_eq!(ending_kind(text), kind);
        }
    }
}
