//! The session while it thinks: how a search begins, how it ends, and its answer.

use super::dialect::{Dialect, InfoStyle, SearchAnswer};
use super::go::Go;
use super::job::{Job, JobContext, JobKind, JobResult, SearchContext};
use super::session::Session;
use chuhe_engine::instant::Instant;
use chuhe_engine::nnue::WIN_RATE;
use chuhe_engine::nnue::win_rate::material_count;
use chuhe_engine::score::{MATE, from_hundredths};
use chuhe_engine::search::{Info, Limits, SearchResult};
use chuhe_study::player::{BookAnswer, BookOptions, DrawOrResign, SearchSummary};
use chuhe_support::language::tr;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::Move;

impl Session {
    /// Handles `go`.
    pub(super) fn go(&mut self, go: &Go) {
        // The host's clock has been running since it sent `go`, or since the session was free to read it.
        let begun = self.jobs.last_command_at.max(self.jobs.idle_since);
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
        if go.depth == Some(0) && self.dialect.evaluates_at_depth_zero() {
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
        let Some(searcher) = self.player.take_searcher() else { return };
        let search_context =
            SearchContext { book, ..SearchContext::new(go, &limits, &self.position_state.position, self.info_style()) };
        let context = self.job_context();
        self.jobs.job = Some(self.jobs.worker.search(context, searcher, limits, search_context));
        self.drain_in_batch_mode();
    }

    /// Handles `perft`.
    pub(super) fn start_perft(&mut self, depth: u32) {
        self.stop_and_finish();
        let context = self.job_context();
        self.jobs.job = Some(self.jobs.worker.count(context, &self.position_state.position, depth));
        self.drain_in_batch_mode();
    }

    fn job_context(&mut self) -> JobContext {
        self.jobs.jobs += 1;
        JobContext {
            number: self.jobs.jobs,
            events: self.events.clone(),
            output: Arc::clone(&self.output),
            dialect: self.dialect,
            style: self.info_style(),
        }
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
    fn drain_in_batch_mode(&mut self) {
        if self.settings.batch && self.jobs.job.as_ref().is_some_and(|job| !job.must_wait()) {
            self.finish();
        }
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
        if !self.jobs.job.as_mut().is_some_and(|job| job.ponder_hit(draw)) {
            return self.send_message(&tr!("ponderhit: not pondering"));
        }
        // The book had the answer while the opponent was still thinking.
        if self.jobs.job.as_mut().is_some_and(Job::stop_if_book_answers) {
            return self.finish();
        }
        if self.jobs.job.as_ref().is_some_and(|job| job.finished) {
            self.finish_unless_waiting();
        } else {
            self.drain_in_batch_mode();
        }
    }

    /// Handles the end of a job. Its answer may have to wait for `stop` or `ponderhit`.
    pub(super) fn job_ended(&mut self, number: u64) {
        if let Some(job) = self.jobs.job.as_mut().filter(|job| job.number == number) {
            job.finished = true;
            self.player.tablebase_warnings().iter().for_each(|remark| self.send_message(remark));
            self.finish_unless_waiting();
        }
    }

    fn finish_unless_waiting(&mut self) {
        if self.jobs.job.as_ref().is_some_and(|job| !job.must_wait()) {
            self.finish();
        }
    }

    /// Stops the job and sends its answer. Then the searcher is back in the session.
    pub(super) fn stop_and_finish(&mut self) {
        while let Some(job) = self.jobs.job.as_mut() {
            job.stop();
            self.finish();
        }
    }

    /// Handles the end of the input: a job with a limit is finished, another one stopped, and both answered.
    pub(super) fn end_of_input(&mut self) {
        if let Some(job) = self.jobs.job.as_mut() {
            if job.must_wait() {
                job.stop();
            }
            self.finish();
        }
    }

    /// Waits for the end of the job and sends its answer. Then the deferred options are applied.
    fn finish(&mut self) {
        if !self.jobs.worker.can_be_joined() {
            return;
        }
        let Some(job) = self.jobs.job.take() else { return };
        match job.join() {
            (JobResult::Search(searcher, outcome), JobKind::Search(context)) => {
                self.player.return_searcher(searcher);
                self.send_best_move(&outcome, &context);
            }
            (JobResult::Search(searcher, _), _) => self.player.return_searcher(searcher),
            (JobResult::Count, _) => {}
        }
        self.jobs.idle_since = Instant::now();
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
        if !self.dialect.supports_draw_and_resign() || context.pondering || outcome.best_move.is_none() {
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
fn book_answer_lines(dialect: &dyn Dialect, known: &BookAnswer, style: &InfoStyle, time: Duration) -> Vec<String> {
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
