//! The session while it thinks: how a search begins, what may end it, and what is answered.

use super::dialect::{Answer, Dialect, View};
use super::go::Go;
use super::job::{Done, Errand, Job, Surroundings, Terms};
use super::session::Session;
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_engine::nnue::WIN_RATE;
use chuhe_engine::nnue::win_rate::material;
use chuhe_engine::search::{Bound, Info, Limits, Outcome};
use chuhe_engine::types::Move;
use chuhe_engine::types::score::{MATE, Score, of_hundredths};
use chuhe_toolkit::player::{self, BookAnswer, Circumstances, Gesture, Wishes};
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Session {
    /// Obeys `go`.
    pub(super) fn go(&mut self, go: &Go) {
        // The host's clock has been running since it asked, unless it asked before this session was free to listen.
        let begun = self.thinking.heard.max(self.thinking.free_since);
        self.interrupt();
        for remark in &go.remarks {
            self.remark(&remark.to_string());
        }
        if let Some(depth) = go.perft {
            return self.count_paths(depth);
        }
        if go.depth == Some(0) && self.dialect.evaluates_at_depth_zero() {
            return self.answer_statically();
        }
        let unit = self.dialect.time_unit(self.settings.milliseconds);
        let mut limits = go.limits(self.question.position.side(), unit);
        if go.is_spoilt(&limits) {
            return self
                .remark(&tr!("go refused: nothing is left that would end the search (try 'go infinite')"));
        }
        self.player.fix_time(&mut limits);
        limits.only = self.candidates(&go.search_moves);
        limits.begun = Some(begun);
        let known = self.ask_books(&limits);
        match known {
            Some(known) if !limits.ponder => self.answer_from_book(&known, begun),
            _ => self.start_search(go, limits, known),
        }
    }

    /// What the books say, if a move is wanted: whoever analyses is told of it and gets a search.
    fn ask_books(&mut self, limits: &Limits) -> Option<BookAnswer> {
        if !self.uses_books() {
            return None;
        }
        self.choose_books();
        let (depth, variety) = (self.settings.book_depth, self.settings.book_variety);
        let analyses = limits.are_none() && !limits.ponder || limits.mate.is_some();
        let answer = if analyses || self.settings.play.multi_pv > 1 {
            let told = self.player.openings.tell(&self.question.position, depth);
            told.iter().for_each(|told| self.remark(told));
            None
        } else {
            self.player
                .openings
                .answer(&self.question.position, &Wishes { allowed: &limits.only, depth, variety })
        };
        self.player.openings.take_remarks().iter().for_each(|remark| self.remark(remark));
        answer
    }

    fn answer_from_book(&mut self, known: &BookAnswer, begun: Instant) {
        let lines = from_book(self.dialect, known, &self.view(), begun.elapsed());
        self.say(lines);
    }

    fn start_search(&mut self, go: &Go, limits: Limits, book: Option<BookAnswer>) {
        let Some(searcher) = self.player.lend() else { return };
        let terms = Terms { book, ..Terms::of(go, &limits, &self.question.position, self.view()) };
        let around = self.surroundings();
        self.thinking.job = Some(self.thinking.worker.search(around, searcher, limits, terms));
        self.wait_in_batch_mode();
    }

    /// Obeys `perft`.
    pub(super) fn count_paths(&mut self, depth: u32) {
        self.interrupt();
        let around = self.surroundings();
        self.thinking.job = Some(self.thinking.worker.count(around, &self.question.position, depth));
        self.wait_in_batch_mode();
    }

    fn surroundings(&mut self) -> Surroundings {
        self.thinking.jobs += 1;
        Surroundings {
            number: self.thinking.jobs,
            events: self.events.clone(),
            output: Arc::clone(&self.output),
            dialect: self.dialect,
            view: self.view(),
        }
    }

    fn view(&self) -> View {
        let multi_pv = self.settings.play.multi_pv > 1;
        View {
            ranks: self.question.ranks,
            rate: WIN_RATE.at(material(&self.question.position)),
            multi_pv,
            wdl: self.settings.show_wdl,
            debug: self.settings.debug,
        }
    }

    /// In batch mode nothing is read until the search has ended, unless only a command could end it.
    fn wait_in_batch_mode(&mut self) {
        if self.settings.batch && self.thinking.job.as_ref().is_some_and(|job| !job.waits()) {
            self.conclude();
        }
    }

    /// The root moves to choose from; empty = all of them.
    ///
    /// What the host asks for comes first, then what it has banned is left out.
    fn candidates(&mut self, wanted: &[String]) -> Vec<Move> {
        let (wanted, others) = self.legal_moves(wanted);
        if !others.is_empty() {
            self.remark(&tr!("searchmoves: not legal here: {moves}", moves = others.join(" ")));
        }
        player::candidates(&self.question.position, &self.settings.rules(), &wanted, &self.question.bans)
    }

    /// `go depth 0`: the static evaluation and no move.
    fn answer_statically(&mut self) {
        let Some(searcher) = self.player.searcher() else { return };
        let score = if self.question.position.has_legal_move() {
            searcher.evaluate(&self.question.position)
        } else {
            -MATE
        };
        let mut lines = self.dialect.info(&bare_info(score), &self.view());
        let nothing = Answer { best: None, ponder: None, gesture: Gesture::None };
        lines.push(self.dialect.best_move(&nothing, self.question.ranks));
        self.say(lines);
    }

    /// Obeys `ponderhit`.
    pub(super) fn ponder_hit(&mut self, draw: bool) {
        if !self.thinking.job.as_mut().is_some_and(|job| job.ponder_hit(draw)) {
            return self.remark(&tr!("ponderhit: not pondering"));
        }
        // The book knew what to play while the opponent was still thinking.
        if self.thinking.job.as_mut().is_some_and(Job::rests_on_book) {
            return self.conclude();
        }
        if self.thinking.job.as_ref().is_some_and(|job| job.ended) {
            self.answer_unless_waiting();
        } else {
            self.wait_in_batch_mode();
        }
    }

    /// A job says that it has ended. Its answer may have to wait for the host's word.
    pub(super) fn job_ended(&mut self, number: u64) {
        if let Some(job) = self.thinking.job.as_mut().filter(|job| job.number == number) {
            job.ended = true;
            self.player.remarks_on_tables().iter().for_each(|remark| self.remark(remark));
            self.answer_unless_waiting();
        }
    }

    fn answer_unless_waiting(&mut self) {
        if self.thinking.job.as_ref().is_some_and(|job| !job.waits()) {
            self.conclude();
        }
    }

    /// Ends what is running, with its answer. Then the searcher is at home.
    pub(super) fn interrupt(&mut self) {
        while let Some(job) = self.thinking.job.as_mut() {
            job.stop();
            self.conclude();
        }
    }

    /// The host says no more: work under a limit is finished, other work stopped, and answered both.
    pub(super) fn end_of_input(&mut self) {
        if let Some(job) = self.thinking.job.as_mut() {
            if job.waits() {
                job.stop();
            }
            self.conclude();
        }
    }

    /// Waits for the job's end and answers. What was put off until then is done.
    fn conclude(&mut self) {
        let Some(job) = self.thinking.job.take() else { return };
        match job.join() {
            (Done::Search(searcher, outcome), Errand::Search(terms)) => {
                self.player.take_back(searcher);
                self.answer(&outcome, &terms);
            }
            (Done::Search(searcher, _), _) => self.player.take_back(searcher),
            (Done::Count, _) => {}
        }
        self.thinking.free_since = Instant::now();
        self.settle();
    }

    fn answer(&mut self, outcome: &Outcome, terms: &Terms) {
        if let Some(known) = &terms.book {
            return self.say(from_book(self.dialect, known, &terms.view, terms.begun.elapsed()));
        }
        let best = trusted_best(outcome, terms);
        let answer = Answer {
            best,
            ponder: if best == outcome.best { legal_ponder(outcome, &terms.position) } else { None },
            gesture: self.gesture(outcome, terms),
        };
        let mut lines = Vec::new();
        if answer.best.is_none() {
            lines = self.dialect.info(&bare_info(-MATE), &terms.view);
        }
        lines.push(self.dialect.totals(terms.begun.elapsed(), outcome.nodes));
        lines.push(self.dialect.best_move(&answer, terms.view.ranks));
        self.say(lines);
    }

    /// A search that was still pondering belongs to a move that was not played: nothing goes with its answer.
    fn gesture(&mut self, outcome: &Outcome, terms: &Terms) -> Gesture {
        if !self.dialect.has_gestures() || terms.pondering || outcome.best.is_none() {
            return Gesture::None;
        }
        self.player.gesture(&Circumstances {
            position: &terms.position,
            score: outcome.score,
            depth: outcome.depth,
            draw_offered: terms.draw_offered,
            in_game: terms.in_game,
        })
    }
}

/// What is said of a move out of a book, at once or when the host says that it was right to ponder on it.
fn from_book(dialect: &dyn Dialect, known: &BookAnswer, view: &View, time: Duration) -> Vec<String> {
    let best = known.chosen.mv;
    let pv: Vec<Move> = std::iter::once(best).chain(known.reply).collect();
    let mut lines = vec![dialect.message(&known.told)];
    if let Some(score) = known.chosen.score {
        lines.extend(dialect.info(&Info { pv: &pv, ..bare_info(of_hundredths(score)) }, view));
    }
    let answer = Answer { best: Some(best), ponder: known.reply, gesture: Gesture::None };
    lines.push(dialect.totals(time, 0));
    lines.push(dialect.best_move(&answer, view.ranks));
    lines
}

/// The move found. Should it be none of those asked for, the first of them is better than a forfeit.
fn trusted_best(outcome: &Outcome, terms: &Terms) -> Option<Move> {
    let asked = |mv: &Move| terms.candidates.is_empty() || terms.candidates.contains(mv);
    let legal = terms.position.legal_moves();
    outcome.best.filter(|mv| legal.has(*mv) && asked(mv)).or_else(|| legal.moves().find(asked))
}

/// The reply found, if it is one.
fn legal_ponder(outcome: &Outcome, position: &Position) -> Option<Move> {
    let mut next = position.clone();
    next.play(outcome.best?).ok()?;
    outcome.ponder.filter(|&mv| next.legal_moves().has(mv))
}

/// A score without a search behind it.
fn bare_info(score: Score) -> Info<'static> {
    Info {
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        table_hits: 0,
        time: Duration::ZERO,
        hashfull: 0,
        pv: &[],
    }
}
