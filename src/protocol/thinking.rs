//! The session while it thinks: how a search or a perft begins, how it ends, and its answer.

use super::command::Go;
use super::dialect::{Dialect, InfoStyle, SearchAnswer};
use super::info_throttle::InfoThrottle;
use super::session::{Flow, Session};
use chuhe_engine::instant::Instant;
use chuhe_engine::nnue::WIN_RATE;
use chuhe_engine::nnue::win_rate::material_count;
use chuhe_engine::score::{MATE, from_hundredths};
use chuhe_engine::search::{Control, Info, Limits, SearchResult, Searcher, TranspositionTable};
use chuhe_study::player::{BookAnswer, BookOptions, DrawOrResign, SearchSummary};
use chuhe_support::language::{Language, tr};
use std::mem;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Move, Position};

/// What a job has found: of a search its searcher, which is handed back, and its result. A perft is printed already.
pub(super) type JobResult = Option<(Box<Searcher>, SearchResult)>;

/// The work of a job. It is done without the session, which takes in lines meanwhile.
pub(super) type Task = Box<dyn FnOnce() -> JobResult + Send>;

enum Work {
    Waiting(Task),
    Running,
    Done(JobResult),
}

/// Work beside the session: a search, or perft that can be stopped.
pub(super) struct Job {
    control: Arc<Control>,
    /// What the answer to a search needs; nothing for a perft.
    search: Option<SearchContext>,
    work: Work,
    /// Its end has been heard of, and the answer waits for the host's `stop` or `ponderhit`.
    is_finished: bool,
}

/// The context that the answer to a search needs.
struct SearchContext {
    position: Position,
    begun: Instant,
    /// The answer must wait for `stop` or `ponderhit`.
    pondering: bool,
    /// No limit ends the search: the answer must wait for `stop`.
    infinite: bool,
    /// The search has a clock, as in a game.
    in_game: bool,
    /// How to print search info.
    style: InfoStyle,
    /// The opponent offered a draw.
    draw_offered: bool,
    /// The search was stopped early.
    stopped: bool,
    /// The book move to answer after `ponderhit`.
    book: Option<BookAnswer>,
    /// The transposition table, for `probe`.
    table: Arc<TranspositionTable>,
    info: Arc<InfoThrottle>,
}

impl Job {
    /// Signals the job to stop.
    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.stopped = true;
        }
        self.control.stop();
    }

    /// True if its answer must wait for the host even when the work is done.
    pub(super) fn must_wait(&self) -> bool {
        self.search.as_ref().is_some_and(|search| (search.pondering || search.infinite) && !search.stopped)
    }

    /// Handles `ponderhit`. False if the job is not pondering.
    fn ponder_hit(&mut self, draw_offered: bool) -> bool {
        let Some(search) = self.search.as_mut().filter(|search| search.pondering) else { return false };
        search.pondering = false;
        search.draw_offered |= draw_offered;
        self.control.ponderhit();
        true
    }

    /// Whether a book has the answer.
    pub(super) fn has_book_answer(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.book.is_some())
    }
}

impl Session {
    /// Handles `go`.
    pub(super) fn go(&mut self, go: &Go) {
        // The host's clock has been running since it sent `go`, or since the session was free to read it.
        let begun = self.last_command_at.max(self.idle_since);
        self.stop_and_finish();
        self.report_rules();
        for remark in &go.warnings {
            self.send_message(&remark.to_string());
        }
        if self.position_state.is_refused {
            self.send_message(&tr!("go refused: the last position was refused, and no other one has come since"));
            return self.send(vec![String::from(self.dialect.refused_go_reply())]);
        }
        if let Some(depth) = go.perft {
            return self.start_perft(depth);
        }
        // In UCCI this asks for the static evaluation, in UCI for a move.
        if go.depth == Some(0) && self.dialect == Dialect::Ucci {
            return self.send_static_eval();
        }
        let unit = self.dialect.time_unit(self.settings.use_millisec);
        let mut limits = go.limits(self.position_state.position.side(), unit);
        if go.has_no_usable_limit(&limits) {
            return self.send_message(&tr!("go refused: no valid limit (try 'go infinite')"));
        }
        self.player.adjust_moves_to_go(&mut limits);
        limits.search_moves = self.requested_moves(go.search_moves.as_deref());
        limits.excluded_moves = self.position_state.bans.clone();
        limits.started_at = Some(begun);
        let known = self.probe_books(&limits);
        match known {
            Some(known) if !limits.ponder => self.send_book_move(&known, begun),
            _ => self.start_search(go, limits, known),
        }
    }

    /// The book's answer, if a move is wanted: an analysis prints it and searches anyway.
    fn probe_books(&mut self, limits: &Limits) -> Option<BookAnswer> {
        if !self.uses_books() {
            return None;
        }
        self.apply_books();
        let (depth, variety) = (self.settings.book_depth, self.settings.book_variety);
        let analyses = limits.is_unlimited() && !limits.ponder || limits.mate.is_some();
        let answer = if analyses || self.settings.search.multi_pv > 1 {
            let descriptions = self.player.books.describe(&self.position_state.position, depth);
            descriptions.iter().for_each(|description| self.send_message(description));
            None
        } else {
            let position = &self.position_state.position;
            let allowed = self.player.searcher().map(|searcher| searcher.root_moves(position, limits));
            let allowed = &allowed.unwrap_or_default();
            self.player.books.choose_move(position, &BookOptions { allowed, depth, variety })
        };
        self.player.books.take_warnings().iter().for_each(|remark| self.send_message(remark));
        answer
    }

    fn send_book_move(&mut self, known: &BookAnswer, begun: Instant) {
        let lines = book_answer_lines(self.dialect, known, &self.info_style(), begun.elapsed());
        self.send(lines);
    }

    fn start_search(&mut self, go: &Go, limits: Limits, book: Option<BookAnswer>) {
        let Some(mut searcher) = self.player.take_searcher() else { return };
        let control = Arc::new(Control::with_poll(limits.ponder, Arc::clone(&self.poll)));
        let style = self.info_style();
        let info = Arc::new(InfoThrottle::new(self.dialect, style, Arc::clone(&self.output), Arc::clone(&control)));
        let context = SearchContext {
            position: self.position_state.position.clone(),
            begun: limits.started_at.unwrap_or_else(Instant::now),
            pondering: go.ponder,
            infinite: limits.is_unlimited(),
            in_game: go.has_clock(),
            style,
            draw_offered: go.draw,
            stopped: false,
            book,
            table: Arc::clone(searcher.transposition_table()),
            info: Arc::clone(&info),
        };
        let position = context.position.clone();
        self.start_job(Arc::clone(&control), Some(context), move || {
            let outcome = searcher.search(&position, &limits, &control, &mut &*info);
            info.send_rest();
            Some((searcher, outcome))
        });
    }

    /// Handles `perft`: prints the count below each move, then the sum.
    pub(super) fn start_perft(&mut self, depth: u32) {
        self.stop_and_finish();
        let (dialect, output, ranks) = (self.dialect, Arc::clone(&self.output), self.position_state.ranks);
        let mut position = self.position_state.position.clone();
        let control = Arc::new(Control::with_poll(false, Arc::clone(&self.poll)));
        self.start_job(Arc::clone(&control), None, move || {
            let (begun, mut sum) = (Instant::now(), u64::from(depth == 0));
            let roots: Vec<Move> = if depth == 0 { Vec::new() } else { position.legal_moves().to_vec() };
            for mv in roots {
                position.play_unchecked(mv);
                let count = position.perft_until_stopped(depth - 1, &|| {
                    control.poll();
                    control.stopped()
                });
                position.undo();
                let Some(count) = count else {
                    output.send(&[dialect.message(&tr!("perft: stopped"))]);
                    return None;
                };
                sum += count;
                output.send(&[format!("{}: {count}", ranks.format_move(mv))]);
                if output.is_closed() {
                    return None;
                }
            }
            output.send(&[dialect.search_totals(begun.elapsed(), sum), format!("Nodes searched: {sum}")]);
            None
        });
    }

    /// A job whose task is begun when the line that asks for it has been handled.
    fn start_job(
        &mut self,
        control: Arc<Control>,
        search: Option<SearchContext>,
        task: impl FnOnce() -> JobResult + Send + 'static,
    ) {
        let language = Language::current();
        let work = Work::Waiting(Box::new(move || language.with(task)));
        self.job = Some(Job { control, search, work, is_finished: false });
        self.block_input_in_batch_mode();
    }

    /// The task that is to be done now; then `end_task` must be called.
    pub(super) fn begin_task(&mut self) -> Option<Task> {
        let job = self.job.as_mut().filter(|job| matches!(job.work, Work::Waiting(_)))?;
        match mem::replace(&mut job.work, Work::Running) {
            Work::Waiting(task) => Some(task),
            Work::Running | Work::Done(_) => None,
        }
    }

    pub(super) fn end_task(&mut self, result: JobResult) -> Flow {
        if let Some(job) = &mut self.job {
            job.work = Work::Done(result);
        }
        // What comes next may have waited for this end, and leave no time for it.
        self.message_encoding()
            .language()
            .with(|| self.player.tablebase_warnings().iter().for_each(|remark| self.send_message(remark)));
        self.flow()
    }

    /// Sends search info that has been held back, if it is time.
    pub(super) fn send_due_info(&self) {
        if let Some(search) = self.job.as_ref().and_then(|job| job.search.as_ref()) {
            search.info.send_due();
        }
    }

    /// The transposition table, wherever it is.
    pub(super) fn transposition_table(&mut self) -> Option<&Arc<TranspositionTable>> {
        let lent = self.job.as_ref().and_then(|job| Some(&job.search.as_ref()?.table));
        self.player.searcher().map(|searcher| searcher.transposition_table()).or(lent)
    }

    fn info_style(&self) -> InfoStyle {
        let multi_pv = self.settings.search.multi_pv > 1;
        InfoStyle {
            ranks: self.position_state.ranks,
            rate: WIN_RATE.at(material_count(&self.position_state.position)),
            multi_pv,
            wdl: self.settings.show_wdl,
            score_type: self.settings.score_type,
            bounds: self.settings.show_bounds,
            debug: self.settings.debug,
        }
    }

    /// In batch mode no input is read until the search has ended, unless only a command could end it.
    fn block_input_in_batch_mode(&mut self) {
        self.is_input_blocked = self.settings.batch && self.job.as_ref().is_some_and(|job| !job.must_wait());
    }

    /// The legal ones of the moves that the host asks for.
    fn requested_moves(&mut self, words: Option<&[String]>) -> Vec<Move> {
        let Some(words) = words else { return Vec::new() };
        let (legal, others) = self.legal_moves(words);
        if !others.is_empty() {
            self.send_message(&tr!("searchmoves: not legal here: {moves}", moves = others.join(" ")));
        }
        if legal.is_empty() {
            self.send_message(&tr!("searchmoves: names no legal move, so all are searched"));
        }
        legal
    }

    /// `go depth 0`: prints the static evaluation and no move.
    fn send_static_eval(&mut self) {
        let Some(searcher) = self.player.searcher() else { return };
        let score = if self.position_state.position.has_legal_move() {
            searcher.evaluate(&self.position_state.position)
        } else {
            -MATE
        };
        let mut lines = self.dialect.info(&Info::without_search(score, &[]), &self.info_style());
        let nothing = SearchAnswer { best: None, ponder: None, draw_or_resign: DrawOrResign::None };
        lines.push(self.dialect.best_move(&nothing, self.position_state.ranks));
        self.send(lines);
    }

    /// Handles `ponderhit`.
    pub(super) fn ponder_hit(&mut self, draw: bool) {
        let hit = self.job.as_mut().and_then(|job| job.ponder_hit(draw).then_some(job));
        let Some(job) = hit else { return self.send_message(&tr!("ponderhit: not pondering")) };
        // The book had the answer while the opponent was still thinking.
        if job.has_book_answer() {
            job.control.stop();
            return self.finish();
        }
        if job.is_finished {
            self.finish_unless_waiting();
        } else {
            self.block_input_in_batch_mode();
        }
    }

    /// Whether a job has ended that the session has not heard of.
    pub(super) fn has_unheard_end(&self) -> bool {
        self.job.as_ref().is_some_and(|job| matches!(job.work, Work::Done(_)) && !job.is_finished)
    }

    /// Handles the end of a job. Its answer may have to wait for `stop` or `ponderhit`.
    pub(super) fn job_ended(&mut self) -> Flow {
        self.is_input_blocked = false;
        self.message_encoding().language().with(|| {
            if let Some(job) = &mut self.job {
                job.is_finished = true;
            }
            self.finish_unless_waiting();
        });
        self.flow()
    }

    fn finish_unless_waiting(&mut self) {
        if self.job.as_ref().is_some_and(|job| !job.must_wait()) {
            self.finish();
        }
    }

    /// Stops the job and sends its answer. Then the searcher is back in the session.
    pub(super) fn stop_and_finish(&mut self) {
        if let Some(job) = self.job.as_mut() {
            job.stop();
            self.finish();
        }
    }

    /// Handles the end of the input: a job with a limit is finished, another one stopped, and both answered.
    pub(super) fn end_of_input(&mut self) {
        if let Some(job) = self.job.as_mut() {
            if job.must_wait() {
                job.stop();
            }
            self.finish();
        }
    }

    /// Sends the answer of a job that has ended. Then the deferred options are applied.
    fn finish(&mut self) {
        // What was never begun is done here; no line comes meanwhile.
        if let Some(task) = self.begin_task() {
            let result = task();
            self.end_task(result);
        }
        let Some(Job { work: Work::Done(result), search, .. }) =
            self.job.take_if(|job| matches!(job.work, Work::Done(_)))
        else {
            return;
        };
        if let Some((searcher, outcome)) = result {
            self.player.return_searcher(searcher);
            search.iter().for_each(|context| self.send_best_move(&outcome, context));
        }
        self.idle_since = Instant::now();
        self.apply_options();
    }

    fn send_best_move(&mut self, outcome: &SearchResult, context: &SearchContext) {
        if let Some(known) = &context.book {
            return self.send(book_answer_lines(self.dialect, known, &context.style, context.begun.elapsed()));
        }
        let answer = SearchAnswer {
            best: outcome.best_move,
            ponder: outcome.ponder_move,
            draw_or_resign: self.draw_or_resign(outcome, context),
        };
        let mut lines = Vec::new();
        if answer.best.is_none() {
            lines = self.dialect.info(&Info::without_search(-MATE, &[]), &context.style);
        }
        lines.push(self.dialect.search_totals(context.begun.elapsed(), outcome.nodes));
        lines.push(self.dialect.best_move(&answer, context.style.ranks));
        self.send(lines);
    }

    /// A search that was still pondering belongs to a move that was not played: no draw offer or resignation.
    fn draw_or_resign(&mut self, outcome: &SearchResult, context: &SearchContext) -> DrawOrResign {
        if self.dialect == Dialect::Uci || context.pondering || outcome.best_move.is_none() {
            return DrawOrResign::None;
        }
        self.player.decide_draw_or_resign(&SearchSummary {
            position: &context.position,
            score: outcome.score,
            depth: outcome.depth,
            draw_offered: context.draw_offered,
            in_game: context.in_game,
        })
    }
}

/// The answer from a book, sent at once or after `ponderhit`.
fn book_answer_lines(dialect: Dialect, known: &BookAnswer, style: &InfoStyle, time: Duration) -> Vec<String> {
    let best = known.chosen.mv;
    let pv: Vec<Move> = std::iter::once(best).chain(known.reply).collect();
    let mut lines = vec![dialect.message(&known.description)];
    // The time is told once.
    match known.chosen.score {
        Some(score) => {
            let mut info = Info::without_search(from_hundredths(score), &pv);
            info.time = time;
            lines.extend(dialect.info(&info, style));
        }
        None => lines.push(dialect.search_totals(time, 0)),
    }
    let answer = SearchAnswer { best: Some(best), ponder: known.reply, draw_or_resign: DrawOrResign::None };
    lines.push(dialect.best_move(&answer, style.ranks));
    lines
}
