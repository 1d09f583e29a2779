//! A position of a game shown by a page: its facts that need no search, its analysis, one query at a time, cancelled when the next
//! one begins, and its check, as `chuhe mates check` does it. A check publishes its progress, and is cancelled when the page closes.

use crate::game_session::{Choices, texts};
use crate::game_tree::GameTree;
use crate::searches::{JobPriority, PageSearch, SearchTurn};
use chuhe_engine::search::{Control, Options};
use chuhe_engine::tablebase::ProbeResult;
use chuhe_study::analyse::{
    Analysis, AnalysisLine, Analyst, AnalystResources, GamePosition, LineVerdict, Query, SearchBudget,
    null_move_position,
};
use chuhe_study::book::{BookMove, opening_names, weight_percent};
use chuhe_study::composition::{self, CheckBudget, CheckReport, CheckSettings, Composition, Soundness, annotated_game};
use chuhe_study::reader::{NamedVerdict, chosen_notation, line_names, move_name};
use chuhe_study::review::{default_notation, score_text};
use chuhe_support::language::{Message, message, tr};
use chuhe_support::lock::Lock;
use chuhe_support::with_values;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use xiangqi::{Color, Move, Position, Rules};
use xiangqi_record::{GameResult, PositionSpec};

/// The interval between partial updates of an analysis.
const REPORT_INTERVAL: Duration = Duration::from_millis(150);
/// The maximum number of lines.
const MAX_LINES: usize = 8;
/// The maximum number of moves shown of a line.
const MAX_LINE_MOVES: usize = 16;

/// An analyst, with the threads and the megabytes that it has; another one when others are chosen.
type ChosenAnalyst = Option<(Analyst, [usize; 2])>;

pub struct AnalysisSession {
    pub search: Arc<PageSearch>,
    /// A query holds it until it is done.
    analyst: Arc<Mutex<ChosenAnalyst>>,
}

impl AnalysisSession {
    pub fn new(search: Arc<PageSearch>) -> AnalysisSession {
        AnalysisSession { search, analyst: Arc::default() }
    }

    /// Starts a query; its updates carry this number.
    pub fn begin(&self, query: Query, number: u64) -> Result<(), Message> {
        let Some(turn) = self.search.begin(Some(number)) else { return Ok(()) };
        let context = &self.search.context;
        let resources = context.preferences.chosen_room(&context.resources);
        let room = [resources.threads, resources.hash_mb];
        let mut known = self.analyst.locked();
        if known.as_ref().is_none_or(|(_, own)| *own != room) {
            // The other table is given back first.
            *known = None;
            *known = Some((Analyst::new(&resources).map_err(Message::from_value)?, room));
        }
        drop(known);
        let (analyst, query, mut depth) = (Arc::clone(&self.analyst), Arc::new(query), 0);
        turn.search("analysis", JobPriority::Analysis, move |turn, control| {
            let mut analyst = analyst.locked();
            let Some((analyst, _)) = analyst.as_mut().filter(|_| !turn.control.stopped()) else { return true };
            let events = &turn.owner.events;
            let answer = analyst.analyse(&query, control, &mut |analysis| {
                // What was shown already is not shown again.
                if analysis.depth >= depth {
                    depth = analysis.depth;
                    events.publish("analysis", || AnalysisDto::of(number, false, analysis));
                }
            });
            if control.stopped() && !turn.control.stopped() {
                return false;
            }
            events.publish("analysis", || AnalysisDto::of(number, true, &answer));
            true
        })
    }
}

with_values! {
    /// An analysis in the form sent to the page.
    #[derive(Serialize, crate::TS)]
    #[ts(rename = "Analysis")]
    pub struct AnalysisDto {
        number: u64 = number,
        #[serde(rename = "final")]
        is_final: bool = is_final,
        depth: u32 = analysis.depth,
        nodes: u64 = analysis.nodes,
        speed: u64 = analysis.speed(),
        /// Red's expected score.
        chance: Option<f64> = analysis.assessment.map(|standing| standing.from_red(position.side()).chance),
        lines: Vec<LineDto> = analysis.lines.iter().map(|line| LineDto::of(line, position)).collect(),
    }
    fn of(number: u64, is_final: bool, analysis: &Analysis) {
        let position = &analysis.position;
    }

    #[derive(Serialize, crate::TS)]
    #[ts(rename = "AnalysisLine")]
    struct LineDto {
        moves: Vec<String> = texts(moves),
        names: Vec<String> = line_names(position, moves),
        score: String = format!("{}{}", bound.sign(), score_text(red.score)),
        chance: f64 = red.chance,
        depth: u32 = line.depth,
        /// How the game ends at the end of the line.
        end: Option<String> = line.line_verdict.as_ref().map(line_end),
    }
    fn of(line: &AnalysisLine, position: &Position) {
        let moves = line.moves.get(..MAX_LINE_MOVES).unwrap_or(&line.moves);
        let side = position.side();
        let (red, bound) = (line.assessment.from_red(side), line.bound.from_red(side));
    }
}

/// Describes how the game ends at the end of a line.
fn line_end(line_verdict: &LineVerdict) -> String {
    let verdict = line_verdict.judgement.sentence(default_notation());
    match line_verdict.cycle {
        0 => tr!("after {moves} moves: {verdict}", moves = line_verdict.plies, verdict),
        _ => tr!("if this is repeated: {verdict}", verdict),
    }
}

/// The maximum number of book moves shown.
const MAX_BOOK_MOVES: usize = 8;

#[derive(Deserialize, crate::TS)]
pub struct PositionQuery {
    /// A FEN.
    start: String,
    moves: Vec<String>,
    /// The name of a rule set.
    rules: String,
    /// How many of the last moves are named.
    #[serde(default)]
    #[ts(as = "Option<usize>", optional)]
    name_last: usize,
}

impl PositionQuery {
    pub fn rules(&self) -> Result<Rules, Message> {
        Ok(Rules::new(self.rules.parse().map_err(Message::from_value)?))
    }

    /// The position, with its history.
    pub fn position(&self) -> Result<Position, Message> {
        let setup = PositionSpec { fen: Some(self.start.clone()), moves: self.moves.clone() };
        setup.position_with(false, chosen_notation()).map_err(Message::from_value)
    }

    /// The last positions, at most this many before the current one, which is the last of them.
    pub fn last_positions(&self, before: usize) -> Result<Vec<Position>, Message> {
        let first = self.moves.len().saturating_sub(before);
        let at = |count: usize| {
            let setup = PositionSpec { fen: Some(self.start.clone()), moves: self.moves[..count].to_vec() };
            setup.position_with(false, chosen_notation()).map_err(Message::from_value)
        };
        (first..=self.moves.len()).map(at).collect()
    }

    /// An analysis of the position, or of what the opponent threatens, without limit or up to a node count.
    pub fn analysis(&self, lines: usize, wants_threat: bool, nodes: Option<u64>) -> Result<Query, Message> {
        let position = self.position()?;
        let position = if wants_threat {
            null_move_position(&position).ok_or_else(|| message!("A side in check cannot pass."))?
        } else {
            position
        };
        Ok(Query {
            rules: self.rules()?,
            budget: SearchBudget { nodes, ..SearchBudget::default() },
            lines: lines.clamp(1, MAX_LINES),
            report_interval: Some(REPORT_INTERVAL),
            ..Query::new(GamePosition::from_position(&position))
        })
    }
}

with_values! {
    /// The facts about a position.
    #[derive(Serialize, crate::TS)]
    pub struct PositionFacts {
        fen: String = position.fen(),
        #[serde(flatten)]
        choices: Choices = Choices::of(&position, &rules),
        /// The moves whose names were asked for.
        names: Vec<String> = names(&position, query.name_last),
        /// Why the game is over, if it is.
        verdict: Option<String> =
            verdict.ending.map(|_| NamedVerdict::new(verdict, &position).sentence(default_notation())),
        /// Its result then.
        result: Option<&'static str> = verdict.ending.map(|ending| GameResult::from_winner(ending.winner()).token()),
        opening: Option<String> = opening_names::name_of_game(&position).map(|name| name.localized().to_string()),
        book: Vec<BookEntry> = book(&position, resources),
        table: Option<String> = resources.tablebases.probe(&position).map(|answer| table(answer, position.side())),
    }
    /// The facts about the position.
    pub fn of(query: &PositionQuery, resources: &AnalystResources) -> Result<Self, Message> as Ok {
        let (position, rules) = (query.position()?, query.rules()?);
        let verdict = rules.judge(&position);
    }

    /// A move of the opening book.
    #[derive(Serialize, crate::TS)]
    struct BookEntry {
        r#move: String = entry.mv.to_string(),
        name: String = move_name(position, entry.mv),
        /// The share of this move in percent.
        share: u32 = weight_percent(entry, all) as u32,
        opening: Option<String> =
            opening_names::name_after(position, entry.mv).map(|name| name.localized().to_string()),
    }
    fn of(position: &Position, entry: &BookMove, all: &[BookMove]);
}

/// The last moves of a position in notation.
fn names(position: &Position, count: usize) -> Vec<String> {
    let mut before = position.clone();
    let mut names = Vec::new();
    while names.len() < count
        && let Some(last) = before.last_move()
    {
        before.undo();
        names.push(move_name(&before, last));
    }
    names.reverse();
    names
}

fn book(position: &Position, resources: &AnalystResources) -> Vec<BookEntry> {
    let moves = resources.book_moves(position);
    moves.iter().take(MAX_BOOK_MOVES).map(|entry| BookEntry::of(position, entry, &moves)).collect()
}

/// A tablebase result in words.
fn table(answer: ProbeResult, side: Color) -> String {
    let wins = |winner: Color, plies: Option<u16>| match (winner, plies) {
        (Color::Red, Some(plies)) => {
            tr!("Endgame table: red wins in {moves} moves.", moves = plies.div_ceil(2))
        }
        (Color::Black, Some(plies)) => {
            tr!("Endgame table: black wins in {moves} moves.", moves = plies.div_ceil(2))
        }
        (Color::Red, None) => tr!("Endgame table: red wins."),
        (Color::Black, None) => tr!("Endgame table: black wins."),
    };
    match answer {
        ProbeResult::Win(plies) => wins(side, plies),
        ProbeResult::Loss(plies) => wins(!side, plies),
        ProbeResult::Draw => tr!("Endgame table: a draw."),
        ProbeResult::Doubtful => tr!("Endgame table: the rules of repetition may turn it."),
    }
}

/// The longest time to look for a solution.
const MAX_SECONDS: u64 = 3600;

pub struct SolveSession {
    /// What a check knows when it is stopped is published.
    pub search: Arc<PageSearch>,
    /// The last report.
    done: Mutex<Option<Arc<CheckReport>>>,
}

/// The progress of a check.
#[derive(Serialize, crate::TS)]
pub struct SolveProgress {
    number: u64,
    /// There is no mate in so many moves.
    ruled_out: u32,
    /// The end of the check.
    result: Option<Solution>,
}

with_values! {
    /// What a check has found.
    #[derive(Serialize, crate::TS)]
    struct Solution {
        #[ts(type = "string")]
        soundness: Soundness = report.soundness,
        /// Whether something was settled, if only that there is no win.
        settled: bool = report.solution.is_some() || report.soundness != Soundness::Unsettled,
        /// False if it was stopped.
        finished: bool = report.finished,
        /// All sentences about it.
        sentences: Vec<String> = composition::sentences(report, default_notation()),
        /// The solution against the longest defence.
        moves: Vec<String> = texts(&line),
        names: Vec<String> = line_names(&start, &line),
    }
    fn of(report: &CheckReport) {
        let line: Vec<Move> = report.main_line().iter().map(|&index| report.tree[index as usize].mv).collect();
        let start = Position::from_fen(&report.fen).unwrap_or_else(|_| Position::start());
    }
}

impl SolveSession {
    pub fn new(search: Arc<PageSearch>) -> SolveSession {
        SolveSession { search, done: Mutex::default() }
    }

    /// Starts the check of a position within a time or a count of nodes; what is published carries this number.
    pub fn begin(
        self: &Arc<SolveSession>,
        query: &PositionQuery,
        number: u64,
        seconds: u64,
        nodes: Option<u64>,
    ) -> Result<(), Message> {
        let budget = CheckBudget::new(nodes, Duration::from_secs(seconds.clamp(1, MAX_SECONDS)));
        let (position, rules) = (query.position()?, query.rules()?);
        let Some(turn) = self.search.begin(None) else { return Ok(()) };
        *self.done.locked() = None;
        let [hash, megabytes] = CheckSettings::memory_shares(CheckSettings::USUAL_MEGABYTES);
        let mut searcher = self.search.context.searcher(Options { rules, ..Options::default() }, hash)?;
        // A composition is a position: what was played before it does not count.
        let start = Position::from_fen(&position.fen()).map_err(Message::from_value)?;
        let problem = Composition::new(&start);
        let (session, events, mut told) = (Arc::clone(self), Arc::clone(&self.search.events), 0);
        let check = move |control: &Arc<Control>| {
            let settings = CheckSettings { megabytes, ..CheckSettings::default() };
            // A check that goes on begins again: what was told is not told once more.
            let mut publish = |moves: u32| {
                if moves > told {
                    told = moves;
                    events.publish("solution", || SolveProgress { number, ruled_out: moves, result: None });
                }
            };
            composition::check(&problem, &mut searcher, &settings, budget, control, &mut publish)
        };
        let (mut check, mut known) = (Some(check), None);
        turn.search("solve", JobPriority::Review, move |turn, control| {
            let Some(run) = &mut check else { return true };
            let report = known.take().filter(|_| turn.control.stopped()).unwrap_or_else(|| run(control));
            if control.stopped() && !turn.control.stopped() {
                known = Some(report);
                return false;
            }
            // The tables are given back before another search may begin.
            check = None;
            session.finish(report, number, turn);
            true
        })
    }

    /// Publishes a report, unless another check has begun.
    fn finish(&self, report: CheckReport, number: u64, turn: &SearchTurn) {
        let mut done = self.done.locked();
        if !turn.is_current() {
            return;
        }
        let result = || Some(Solution::of(&report));
        self.search.events.publish("solution", || SolveProgress {
            number,
            ruled_out: report.ruled_out,
            result: result(),
        });
        *done = Some(Arc::new(report));
    }

    /// The last solution as a tree of moves with comments: against the longest defence, or with all defences.
    pub fn tree(&self, all: bool) -> Result<GameTree, Message> {
        let nothing = || message!("There is no solution yet.");
        let report = self.done.locked().clone().ok_or_else(nothing)?;
        let report = if all { report } else { Arc::new(report.with_main_line_alone()) };
        let game = annotated_game(&report, default_notation()).ok_or_else(nothing)?;
        GameTree::of(&game)
    }
}
