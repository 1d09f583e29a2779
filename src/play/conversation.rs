//! A game at the terminal: reads the user's commands, asks the engine for its moves, and prints the game.

use super::terminal_io::{InputLine, LineReader, TerminalWriter};
use super::user_command::{self, COMMANDS, UserCommand};
use super::{PlayError, words};
use chuhe_engine::search::{Control, Limits, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::game::game_record::tag_names;
use chuhe_study::game::opponent::EngineOpponent;
use chuhe_study::game::saved_games::{self, SavedFile, SavedGames, SavedGamesError};
use chuhe_study::game::{GameEnd, LiveGame, Seat, game_record, move_text};
use chuhe_study::player::{DrawOrResign, HASH_MB};
use chuhe_study::reader::{chosen_notation, line_in};
use chuhe_study::reasons::ReasonLimits;
use chuhe_study::review::{self, AnalysisObserver, Review};
use chuhe_support::POLL_INTERVAL;
use chuhe_support::language::{Language, tr};
use chuhe_support::messages::Localize;
use chuhe_support::terminal::ProgressDisplay;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{io, thread};
use xiangqi::{Move, Position, Square};
use xiangqi_draw::TerminalBoard;
use xiangqi_record::{Encoding, Notation, intended_move, notation};

/// The most moves of a hint that are shown.
const MAX_HINT_MOVES: usize = 5;

/// Whether to continue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

/// A user, an engine, and their game.
pub struct TerminalGame<'a> {
    pub game: LiveGame,
    /// The file the game was last read from or written to.
    pub file: Option<PathBuf>,
    /// How text is saved to files that the user names.
    pub encoding: Encoding,
    /// The content of the file as last written.
    written: Option<SavedFile>,
    /// Where the unfinished game is saved.
    pub saved: Option<SavedGames>,
    /// Another program has the saved games: when it has ended, this game is saved.
    pub waits_for_saved: bool,
    /// The last attempt to save has failed, which was reported.
    saving_fails: bool,
    opponent: EngineOpponent,
    pub(super) listener: LineReader,
    /// Prints messages to the user.
    pub writer: TerminalWriter<'a>,
    flipped: bool,
    /// The engine offered a draw with its last move.
    draw_offered: bool,
    /// Ctrl-C was pressed outside of line input.
    pub(super) interrupt_flag: Arc<AtomicBool>,
    /// When the turn of the side to move began.
    turn_began: Instant,
}

impl<'a> TerminalGame<'a> {
    pub fn new(
        game: LiveGame,
        listener: LineReader,
        writer: TerminalWriter<'a>,
        pressed: Arc<AtomicBool>,
    ) -> Result<TerminalGame<'a>, PlayError> {
        let opponent = EngineOpponent::new(Arc::clone(&pressed))?;
        let (flipped, turn_began) = (game.seat == Seat::Black, Instant::now());
        let (file, written, saved, offered) = (None, None, None, false);
        Ok(TerminalGame {
            game,
            file,
            encoding: Encoding::default(),
            written,
            saved,
            waits_for_saved: false,
            saving_fails: false,
            opponent,
            listener,
            writer,
            flipped,
            draw_offered: offered,
            interrupt_flag: pressed,
            turn_began,
        })
    }

    /// Asks a yes-or-no question; an empty line is yes if `usual`. `None`: the input has ended.
    pub fn ask_yes_no(&mut self, question: &str, usual: bool) -> Result<Option<bool>, PlayError> {
        let prompt = self.writer.write_question(question, usual)?;
        loop {
            let InputLine::Line(line) = self.listener.read_line(&prompt, Vec::new())? else {
                return Ok(None);
            };
            match line.trim().to_lowercase().as_str() {
                "" => return Ok(Some(usual)),
                "y" | "yes" | "是" => return Ok(Some(true)),
                "n" | "no" | "否" => return Ok(Some(false)),
                _ => self.writer.write_wrapped(&tr!("Please answer y or n."))?,
            }
        }
    }

    /// Plays until the user leaves.
    pub fn play(&mut self) -> Result<(), PlayError> {
        self.flipped = self.game.seat == Seat::Black;
        self.writer.write_all_wrapped(&words::welcome(&self.game))?;
        self.show()?;
        self.turn_began = Instant::now();
        let mut next = Flow::Continue;
        while next == Flow::Continue {
            next =
                if self.game.end().is_some() || self.game.is_users_turn() { self.ask()? } else { self.engine_move()? };
        }
        self.leave()
    }

    /// Saves or archives the game at the end: a finished game is not offered again.
    fn leave(&mut self) -> Result<(), PlayError> {
        if self.game.end().is_some() {
            self.archive_game()?;
        } else if self.saved.is_some() && !self.game.moves().is_empty() {
            self.writer.write_wrapped(&tr!("The game is saved. `chuhe play` continues it."))?;
        }
        Ok(())
    }

    // ---- saving --------------------------------------------------------------------------------------------

    /// Saves the game; reports a failure once, and tries again after the next move.
    fn autosave(&mut self) -> io::Result<()> {
        if self.saved.is_none()
            && self.waits_for_saved
            && let Ok(saved) = SavedGames::try_open()
        {
            self.saved = Some(saved);
            // What the other program has left is not to be written over.
            self.archive_game()?;
            self.writer.write_wrapped(&tr!("The other game has ended. This one is now saved."))?;
        }
        let outcome = self.saved.as_ref().map_or(Ok(()), |saved| saved.save_unfinished(&self.game));
        self.report_saving(outcome)
    }

    /// Moves the saved game to the finished ones.
    pub fn archive_game(&mut self) -> io::Result<()> {
        let Some(saved) = &self.saved else { return Ok(()) };
        match saved.archive_unfinished() {
            Ok(true) => {
                let line = tr!("The game is saved in {path}.", path = saved.archive().display());
                self.writer.write_wrapped(&line)?;
                self.report_saving(Ok(()))
            }
            Ok(false) => Ok(()),
            Err(error) => self.report_saving(Err(error)),
        }
    }

    fn report_saving(&mut self, outcome: Result<(), SavedGamesError>) -> io::Result<()> {
        let was_failing = std::mem::replace(&mut self.saving_fails, outcome.is_err());
        match outcome {
            Err(error) if !was_failing => self
                .writer
                .write_wrapped(&tr!("The game could not be saved: {error}. The next move tries again.", error)),
            Ok(()) if was_failing => self.writer.write_wrapped(&tr!("The game is saved again.")),
            _ => Ok(()),
        }
    }

    // ---- the user's turn -------------------------------------------------------------------------------

    fn ask(&mut self) -> Result<Flow, PlayError> {
        self.writer.flush()?;
        let input = if self.interrupt_flag.swap(false, Ordering::Relaxed) {
            InputLine::Interrupt
        } else {
            let (prompt, words) = (self.prompt(), self.completions());
            self.listener.read_line(&prompt, words)?
        };
        match input {
            InputLine::End => Ok(Flow::Quit),
            InputLine::Interrupt => self.asks_to_leave(),
            InputLine::Line(line) => match user_command::parse(&line) {
                Ok(request) => self.dispatch(request),
                Err(error) => {
                    self.writer.write_wrapped(&error.to_string())?;
                    Ok(Flow::Continue)
                }
            },
        }
    }

    fn prompt(&self) -> String {
        let side = self.game.side();
        let name = side.localized();
        match (self.game.end(), &self.game.clocks) {
            (Some(_), _) => format!("{}> ", tr!("over")),
            (None, None) => format!("{name}> "),
            (None, Some(clocks)) => {
                let left = clocks.of(side).left().saturating_sub(self.turn_began.elapsed());
                format!("{name} {}> ", words::clock_time(left))
            }
        }
    }

    /// Completions: commands, and the legal moves in every notation.
    fn completions(&self) -> Vec<String> {
        let position = self.game.position();
        let commands = COMMANDS.iter().map(|command| command.names_for_reader()[0].to_string());
        let moves = position.legal_moves();
        let written = |mv: Move| Notation::ALL.map(|way| notation::format(position, mv, way));
        commands.chain(moves.iter().copied().flat_map(written)).collect()
    }

    fn asks_to_leave(&mut self) -> Result<Flow, PlayError> {
        let question = if self.saved.is_some() { tr!("The game is saved. Quit?") } else { tr!("Quit?") };
        // A second Ctrl-C is a yes.
        let leaves = self.ask_yes_no(&question, false)?;
        Ok(if leaves.unwrap_or(true) { Flow::Quit } else { Flow::Continue })
    }

    fn dispatch(&mut self, request: UserCommand) -> Result<Flow, PlayError> {
        match request {
            UserCommand::Nothing => {}
            UserCommand::Move(text) => self.try_move(&text)?,
            UserCommand::Undo => self.undo()?,
            UserCommand::Hint => self.hint()?,
            UserCommand::Eval => self.show_evaluation()?,
            UserCommand::Flip => {
                self.flipped = !self.flipped;
                self.show()?;
            }
            UserCommand::Draw => self.offer_draw()?,
            UserCommand::Resign => self.resign()?,
            UserCommand::Save(path) => self.save(path)?,
            UserCommand::New(seat) => self.start_new_game(seat)?,
            UserCommand::Level(strength) => {
                self.game.strength = strength.unwrap_or(self.game.strength);
                self.autosave()?;
                let line = words::strength_text(self.game.strength);
                self.writer.write_wrapped(&line)?;
            }
            UserCommand::Moves => {
                let lines = words::legal_move_lines(self.game.position(), self.writer.width());
                self.writer.write_all_wrapped(&lines)?;
            }
            UserCommand::Game => {
                self.writer.write_all_wrapped(&words::move_list_lines(&self.game))?;
                // Not wrapped, so that it can be copied.
                self.writer.write_lines(&[format!("FEN {}", self.game.position().fen())])?;
            }
            UserCommand::Review(time) => self.review(time)?,
            UserCommand::Board => self.show()?,
            UserCommand::Clock => {
                let line = match &self.game.clocks {
                    Some(clocks) => words::clocks_text(clocks, self.game.side(), self.turn_began.elapsed()),
                    None => tr!("No clock is running; `chuhe play --clock 600+5` plays with one."),
                };
                self.writer.write_wrapped(&line)?;
            }
            UserCommand::Help => self.writer.write_all_wrapped(&words::help_lines())?,
            UserCommand::Quit => return Ok(Flow::Quit),
        }
        Ok(Flow::Continue)
    }

    fn try_move(&mut self, text: &str) -> Result<(), PlayError> {
        if self.is_over()? {
            return Ok(());
        }
        match intended_move::parse_with(self.game.position(), text, chosen_notation()) {
            Ok(mv) => self.make(mv),
            Err(error) => {
                let reason = error.localized();
                Ok(self.writer.write_wrapped(&tr!("{reason} (`moves` lists all, `help` the commands)", reason))?)
            }
        }
    }

    /// True if the game is over; prints a message then.
    fn is_over(&mut self) -> io::Result<bool> {
        let over = self.game.end().is_some();
        if over {
            self.writer.write_wrapped(&tr!("The game is over: `undo` takes back, `new` begins another one."))?;
        }
        Ok(over)
    }

    fn undo(&mut self) -> Result<(), PlayError> {
        match self.game.undo() {
            None => self.writer.write_wrapped(&tr!("There is nothing of yours to take back."))?,
            Some(count) => {
                self.draw_offered = false;
                let line = match count {
                    0 => tr!("The game goes on."),
                    _ => tr!("Taken back: {moves}.", moves = words::count_of_moves(count)),
                };
                self.writer.write_wrapped(&line)?;
                self.autosave()?;
                self.turn_began = Instant::now();
                self.show()?;
            }
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<(), PlayError> {
        if self.is_over()? {
            return Ok(());
        }
        let outcome = self.opponent.hint(&self.game)?;
        let (position, Some(best)) = (self.game.position(), outcome.best_move) else { return Ok(()) };
        let line = outcome.pv.iter().take(MAX_HINT_MOVES);
        let line = line_in(position, line, words::shown_notation()).join(" ");
        let (mv, score) = (move_text(position, best), words::score_text(outcome.score));
        Ok(self.writer.write_wrapped(&format!("{}\n      {line}", tr!("Hint: {mv}; {score}", mv, score)))?)
    }

    /// Prints the static evaluation of the position and of each piece.
    fn show_evaluation(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let Some(explanation) = self.opponent.explain(position) else { return Ok(()) };
        let notes = |square: Square| words::piece_value_text(&explanation, square);
        let lines = TerminalBoard { notes: Some(&notes), ..self.board() }.lines();
        let summary = words::evaluation_summary(position, &explanation);
        self.writer.write_lines(&lines)?;
        self.writer.write_all_wrapped(&summary)
    }

    fn offer_draw(&mut self) -> Result<(), PlayError> {
        if self.is_over()? {
            return Ok(());
        }
        if self.draw_offered || self.game.seat == Seat::Both || self.opponent.accepts_draw(&self.game)? {
            self.end_game(GameEnd::Agreed)
        } else {
            Ok(self.writer.write_wrapped(&tr!("Chuhe does not agree to a draw yet."))?)
        }
    }

    fn resign(&mut self) -> Result<(), PlayError> {
        if self.is_over()? {
            return Ok(());
        }
        self.end_game(GameEnd::Resigned(self.game.side()))
    }

    fn save(&mut self, path: Option<PathBuf>) -> Result<(), PlayError> {
        let Some(path) = path.or_else(|| self.file.clone()) else {
            return Ok(self.writer.write_wrapped(&tr!("Under which name? `save FILE`"))?);
        };
        // The moves of a record are written as its reader reads them.
        let notation = chosen_notation().unwrap_or(Language::choose(Notation::Chinese, Notation::Iccs));
        match saved_games::save(&self.game, &path, notation, self.encoding, self.written.as_ref()) {
            Ok(written) => {
                self.writer.write_wrapped(&tr!("Saved: {path}", path = path.display()))?;
                if !written.truncated_tags.is_empty() {
                    let tags = tag_names(&written.truncated_tags);
                    self.writer.write_wrapped(&tr!("XQF cuts these tags short: {tags}", tags))?;
                }
                if !written.dropped_tags.is_empty() {
                    let tags = tag_names(&written.dropped_tags);
                    self.writer.write_wrapped(&tr!("The format has no place for {tags}", tags))?;
                }
                (self.file, self.written) = (Some(path), Some(written));
                Ok(())
            }
            Err(error) => Ok(self.writer.write_wrapped(&tr!("Not saved: {error}", error))?),
        }
    }

    fn start_new_game(&mut self, seat: Option<Seat>) -> Result<(), PlayError> {
        self.archive_game()?;
        let control = self.game.clocks.as_ref().map(|clocks| clocks.control);
        let mut game = LiveGame::new(Position::start(), Vec::new());
        game.seat = seat.unwrap_or(self.game.seat);
        (game.rules, game.strength) = (self.game.rules, self.game.strength);
        game.clocks = control.map(|control| chuhe_study::game::Clocks::new(control, None, 0));
        (self.game, self.file, self.draw_offered) = (game, None, false);
        self.opponent.new_game();
        self.flipped = self.game.seat == Seat::Black;
        self.writer.write_all_wrapped(&words::welcome(&self.game))?;
        self.show()?;
        self.turn_began = Instant::now();
        Ok(())
    }

    // ---- the engine's turn -----------------------------------------------------------------------------

    fn engine_move(&mut self) -> Result<Flow, PlayError> {
        let waits = self.game.clocks.is_some() || self.game.strength.move_time().is_some();
        let waiting = (waits && self.listener.is_interactive()).then(|| {
            let progress = ProgressDisplay::on_stdout(None);
            progress.set(0, &tr!("Chuhe thinks … (Ctrl-C: play now)"));
            progress
        });
        let reply = self.opponent.play(&self.game)?;
        drop(waiting);
        if reply.draw_or_resign == DrawOrResign::Resign {
            self.end_game(GameEnd::Resigned(self.game.side()))?;
            return Ok(Flow::Continue);
        }
        if let Some(best) = reply.best {
            self.make(best)?;
            self.draw_offered = reply.draw_or_resign == DrawOrResign::Draw && self.game.end().is_none();
            if self.draw_offered {
                self.writer.write_wrapped(&tr!("Chuhe offers a draw: `draw` accepts it, a move declines it."))?;
            }
        }
        if reply.interrupted { self.asks_to_leave() } else { Ok(Flow::Continue) }
    }

    // ---- moves -----------------------------------------------------------------------------------------

    /// Plays a legal move of the side to move, and prints the result.
    fn make(&mut self, mv: Move) -> Result<(), PlayError> {
        let (side, spent) = (self.game.side(), self.turn_began.elapsed());
        if self.game.has_lost_on_time(spent) {
            return self.end_game(GameEnd::OutOfTime(side));
        }
        let text = move_text(self.game.position(), mv);
        let who = match self.game.is_users_turn() {
            _ if self.game.seat == Seat::Both => side.localized(),
            true => tr!("You"),
            false => tr!("Chuhe"),
        };
        self.game.play(mv, spent);
        self.draw_offered = false;
        self.turn_began = Instant::now();
        self.autosave()?;
        self.writer.write_wrapped("")?;
        self.show()?;
        let line = match self.game.position().in_check() {
            true => tr!("{who}: {mv}  Check! 将军", who, mv = text),
            false => tr!("{who}: {mv}", who, mv = text),
        };
        self.writer.write_wrapped(&line)?;
        self.announce_result()
    }

    fn end_game(&mut self, closing: GameEnd) -> Result<(), PlayError> {
        self.game.finish(closing);
        self.autosave()?;
        self.announce_result()
    }

    fn announce_result(&mut self) -> Result<(), PlayError> {
        let Some(closing) = self.game.end() else { return Ok(()) };
        let lines = words::end_lines(&self.game, closing);
        Ok(self.writer.write_all_wrapped(&lines)?)
    }

    fn board(&self) -> TerminalBoard<'_> {
        TerminalBoard {
            last: self.game.last_move(),
            flipped: self.flipped,
            colours: self.writer.colour_mode(),
            width: self.writer.width(),
            ..TerminalBoard::new(self.game.position())
        }
    }

    fn show(&mut self) -> io::Result<()> {
        let lines = self.board().lines();
        self.writer.write_lines(&lines)
    }
}

/// The time for a position, unless one is given.
const TIME_PER_POSITION: Duration = Duration::from_millis(500);

impl TerminalGame<'_> {
    /// Reviews the game, with this time for each position.
    pub(super) fn review(&mut self, time: Option<Duration>) -> Result<(), PlayError> {
        if self.game.moves().is_empty() {
            return Ok(self.writer.write_wrapped(&tr!("There is no move to review yet."))?);
        }
        let (record, rules) = (game_record::to_record(&self.game), self.game.rules);
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let options = Options { threads, rules, overhead: Duration::ZERO, ..Options::default() };
        let mut searcher = Searcher::new(options, HASH_MB)?;
        searcher.tablebase = Some(Arc::new(Tablebase::open(&[])));
        let limits = Limits::move_time(time.unwrap_or(TIME_PER_POSITION));
        let (control, interrupt) = (Arc::new(Control::new(false)), &self.interrupt_flag);
        let shows_progress = self.listener.is_interactive();
        let analysis = thread::scope(|scope| {
            let search = || {
                let mut progress = ReviewProgress(shows_progress.then(|| ProgressDisplay::on_stdout(None)));
                review::analyse_game(&record, &mut searcher, &limits, &control, &mut progress)
            };
            let running = thread::Builder::new().name("review".to_string()).spawn_scoped(scope, search)?;
            while !running.is_finished() {
                if interrupt.swap(false, Ordering::Relaxed) {
                    control.stop();
                }
                thread::sleep(POLL_INTERVAL);
            }
            running.join().map_err(|_| io::Error::other(tr!("the search has failed")))
        })?;
        let mut review = Review::of(record, rules, analysis);
        review.find_reasons(searcher.tablebase.as_deref(), &ReasonLimits::default(), &control);
        let table = review::table(&review, self.writer.colour_mode(), self.writer.width());
        self.writer.write_lines(&table.lines().map(String::from).collect::<Vec<_>>())?;
        Ok(self.writer.write_wrapped(&tr!("`save FILE` and `chuhe review FILE --html PAGE` make a page of it."))?)
    }
}

/// The progress of a review, at a terminal.
struct ReviewProgress(Option<ProgressDisplay>);

impl AnalysisObserver for ReviewProgress {
    fn progress(&mut self, done: usize, total: usize) {
        if let Some(progress) = &self.0 {
            progress.set(done as u64, &tr!("{done} of {total} positions", done, total));
        }
    }
}
