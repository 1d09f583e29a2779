//! Formats an analysis: for people, a few lines about the position, one for each line of play, and the findings of
//! book, tablebases and rules; for scripts, a line of JSON with its id and whether it is final.

use super::list::SourceGame;
use crate::cli::values::group_digits;
use chuhe_engine::tablebase::ProbeResult;
use chuhe_study::analyse::{Analysis, AnalysisLine, AnalysisReport};
use chuhe_study::book::{self, opening_names};
use chuhe_study::reader::{NamedVerdict, line_in, move_in};
use chuhe_study::review::{Assessment, percent, score_text};
use chuhe_support::language::{Language, tr};
use serde::Serialize;
use serde_json::{Map, Value};
use xiangqi::Color;
use xiangqi_record::Notation;

/// How to show an analysis to people.
#[derive(Clone)]
pub struct TextStyle {
    pub language: Language,
    pub notation: Notation,
    /// Scores are from the side to move's point of view, not red's.
    pub mover_scores: bool,
}

/// The most book moves shown.
const MAX_BOOK_MOVES: usize = 6;

/// The full analysis, as lines that may be wider than a terminal.
pub fn table(analysis: &Analysis, style: &TextStyle) -> String {
    style.language.with(|| {
        let mut lines = vec![headline(analysis)];
        lines.extend(game_over(analysis, style));
        lines.extend(mate_search(analysis));
        for (index, line) in analysis.lines.iter().enumerate() {
            lines.push(line_of_play(index + 1, line, analysis, style));
            lines.extend(end_of_line(line, style));
        }
        if analysis.lines.is_empty() && analysis.verdict.ending.is_none() {
            lines.extend(static_evaluation(analysis, style));
        }
        lines.extend(losing_moves_text(analysis, style));
        lines.extend(tablebase_text(analysis.tablebase, analysis.position.side()));
        lines.extend(book(analysis, style));
        lines.join("\n") + "\n"
    })
}

/// The analysis of one position of a list, in one line.
pub fn row(number: &str, analysis: &Analysis, style: &TextStyle) -> String {
    style.language.with(|| {
        let (score, chance) = analysis
            .assessment
            .map_or((String::from("-"), String::from("-")), |standing| format_assessment(standing, analysis, style));
        let what = match (analysis.lines.first(), analysis.verdict.ending) {
            (Some(line), _) => move_texts(analysis, line, style.notation),
            (None, Some(_)) => verdict_sentence(analysis, style),
            (None, None) => String::new(),
        };
        let depth = format!("d{}", analysis.depth);
        format!("{number:>4}  {score:>7}  {chance:>4}  {depth:<4} {what}").trim_end().to_string() + "\n"
    })
}

fn headline(analysis: &Analysis) -> String {
    let name = opening_names::name_of_game(&analysis.position);
    let name = name.map(opening_names::OpeningName::localized);
    let side = match analysis.position.side() {
        Color::Red => tr!("red to move"),
        Color::Black => tr!("black to move"),
    };
    let work = if analysis.nodes == 0 {
        String::new()
    } else {
        tr!(
            "  depth {depth}/{seldepth}  {nodes} nodes  {speed} n/s  {seconds} s",
            depth = analysis.depth,
            seldepth = analysis.seldepth,
            nodes = group_digits(analysis.nodes),
            speed = group_digits(analysis.speed()),
            seconds = format!("{:.1}", analysis.time.as_secs_f64())
        )
    };
    let name = name.map_or_else(String::new, |name| format!("  {name}"));
    format!("{side}{name}{work}")
}

fn game_over(analysis: &Analysis, style: &TextStyle) -> Option<String> {
    analysis.verdict.ending.map(|_| verdict_sentence(analysis, style))
}

fn verdict_sentence(analysis: &Analysis, style: &TextStyle) -> String {
    NamedVerdict::new(analysis.verdict, &analysis.position).sentence(style.notation)
}

fn mate_search(analysis: &Analysis) -> Option<String> {
    let search = analysis.mate_search?;
    let moves = |count: u32| if count == 1 { tr!("1 move") } else { tr!("{count} moves", count) };
    Some(match search.found {
        Some(found) if search.ruled_out + 1 >= found => {
            tr!("mate in {moves}, and there is no shorter one", moves = moves(found))
        }
        Some(found) => tr!("mate in {moves}; a shorter one is not ruled out", moves = moves(found)),
        None if search.ruled_out >= search.requested => {
            tr!("there is no mate in {moves}", moves = moves(search.requested))
        }
        None => tr!("no mate found; there is none in {moves}", moves = moves(search.ruled_out)),
    })
}

/// The static evaluation, shown where there is no line of play.
fn static_evaluation(analysis: &Analysis, style: &TextStyle) -> Option<String> {
    let (score, chance) = format_assessment(analysis.assessment?, analysis, style);
    Some(tr!("without looking ahead: {score}  {chance}", score, chance))
}

/// Score and win rate, from the chosen point of view.
fn format_assessment(standing: Assessment, analysis: &Analysis, style: &TextStyle) -> (String, String) {
    let seen = if style.mover_scores { standing } else { standing.from_red(analysis.position.side()) };
    (score_text(seen.score), percent(seen.chance))
}

fn line_of_play(number: usize, line: &AnalysisLine, analysis: &Analysis, style: &TextStyle) -> String {
    let (score, chance) = format_assessment(line.assessment, analysis, style);
    let bound = if style.mover_scores { line.bound } else { line.bound.from_red(analysis.position.side()) };
    let score = format!("{}{score}", bound.sign());
    format!("{number:>2} {score:>6} {chance:>4}  {}", move_texts(analysis, line, style.notation))
}

fn move_texts(analysis: &Analysis, line: &AnalysisLine, notation: Notation) -> String {
    line_in(&analysis.position, &line.moves, notation).join(" ")
}

fn end_of_line(line: &AnalysisLine, style: &TextStyle) -> Option<String> {
    let line_verdict = line.line_verdict.as_ref()?;
    let verdict = line_verdict.judgement.sentence(style.notation);
    let margin = " ".repeat(16);
    Some(match line_verdict.cycle {
        0 => format!("{margin}{verdict}"),
        _ => format!("{margin}{}", tr!("repeated on: {verdict}", verdict)),
    })
}

fn losing_moves_text(analysis: &Analysis, style: &TextStyle) -> Option<String> {
    let write = |&mv| move_in(&analysis.position, mv, style.notation);
    let moves: Vec<String> = analysis.losing_moves.iter().map(write).collect();
    (!moves.is_empty()).then(|| tr!("lost at once by the rules: {moves}", moves = moves.join(" ")))
}

fn tablebase_text(answer: Option<ProbeResult>, side: Color) -> Option<String> {
    let winner = |wins: bool| match (wins, side) {
        (true, Color::Red) | (false, Color::Black) => tr!("red wins"),
        _ => tr!("black wins"),
    };
    let answer = answer?;
    let text = match answer {
        ProbeResult::Win(_) => winner(true),
        ProbeResult::Loss(_) => winner(false),
        ProbeResult::Draw => tr!("a draw"),
        ProbeResult::Doubtful => tr!("a draw if the rules of repetition let both hold it"),
    };
    Some(match answer.plies() {
        Some(plies) => tr!("endgame table: {verdict}, in {plies} plies", verdict = text, plies),
        None => tr!("endgame table: {verdict}", verdict = text),
    })
}

fn book(analysis: &Analysis, style: &TextStyle) -> Option<String> {
    let one = |entry: &chuhe_study::book::BookMove| {
        let text = move_in(&analysis.position, entry.mv, style.notation);
        format!("{text} {:.0}%", book::weight_percent(entry, &analysis.book))
    };
    let listed: Vec<String> = analysis.book.iter().take(MAX_BOOK_MOVES).map(one).collect();
    let more = if analysis.book.len() > MAX_BOOK_MOVES { " …" } else { "" };
    (!listed.is_empty()).then(|| tr!("book: {moves}", moves = listed.join("  ") + more))
}

/// A line of JSON: the report of an analysis, and what it is about.
#[derive(Serialize)]
pub struct ReportLine<'a> {
    #[serde(flatten)]
    pub subject: Subject<'a>,
    pub r#final: bool,
    #[serde(flatten)]
    pub report: &'a AnalysisReport,
}

/// What an answer is about.
#[derive(Serialize)]
pub struct Subject<'a> {
    /// The number in the list, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// The id of the query; in a list the number, or the game and the ply.
    pub id: &'a Value,
    /// The number of its game in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// What the file says of its game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<&'a Map<String, Value>>,
    /// The move of the game from there.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub played_move: Option<PlayedMove>,
}

/// A move of the game, where every position of it is analysed.
#[derive(Serialize)]
pub struct PlayedMove {
    /// Null after the last move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The part of the expected points that it loses; null where that is not known.
    pub loss: Option<f64>,
}

impl<'a> Subject<'a> {
    pub fn of_id(id: &'a Value) -> Subject<'a> {
        Subject { number: None, id, game: None, tags: None, played_move: None }
    }

    pub fn with_game(self, game: Option<&'a SourceGame>) -> Subject<'a> {
        Subject { game: game.map(|game| game.number), tags: game.map(|game| &game.tags), ..self }
    }
}

/// An entry of a list about which nothing can be answered.
#[derive(Serialize)]
pub struct ErrorLine<'a> {
    #[serde(flatten)]
    pub subject: Subject<'a>,
    pub error: &'a str,
}

/// The line of JSON, without its line end.
pub fn to_json_line(line: &impl Serialize) -> String {
    serde_json::to_string(line).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
}
