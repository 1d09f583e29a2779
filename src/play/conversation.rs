//! The table at which a person plays: asks him and the engine in turn, and shows what happens.

use super::error::PlayError;
use super::listener::{Heard, Listener};
use super::request::{self, COMMANDS, Request};
use super::voice::Voice;
use super::words;
use crate::terminal::Progress;
use chuhe_engine::board::Position;
use chuhe_engine::language::{phrase, tr};
use chuhe_engine::types::{Move, Square};
use chuhe_toolkit::draw::{View, terminal};
use chuhe_toolkit::game::ending;
use chuhe_toolkit::game::opponent::Opponent;
use chuhe_toolkit::game::saved_games::{self, SavedGames, Written};
use chuhe_toolkit::game::{Closing, Game, Seat};
use chuhe_toolkit::player::Gesture;
use chuhe_toolkit::record::{Notation, notation, short};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Moves of a hint that are shown.
const HINT_MOVES: usize = 5;

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Stay,
    Leave,
}

/// A person, an opponent, and a game.
pub struct Conversation<'a> {
    pub game: Game,
    /// Where it was read from or written to last.
    pub file: Option<PathBuf>,
    /// What was written last.
    written: Option<Written>,
    /// Where it is kept while it is unfinished.
    pub saved: Option<SavedGames>,
    opponent: Opponent,
    listener: Listener,
    /// Speaks to the person.
    pub voice: Voice<'a>,
    flipped: bool,
    /// The engine has offered a draw with its last move.
    offered: bool,
    /// Ctrl-C was pressed while nobody listened.
    pressed: Arc<AtomicBool>,
    /// When the turn of the side to move began.
    turn_began: Instant,
}

impl<'a> Conversation<'a> {
    pub fn new(
        game: Game,
        listener: Listener,
        voice: Voice<'a>,
        pressed: Arc<AtomicBool>,
    ) -> Result<Conversation<'a>, PlayError> {
        let opponent = Opponent::new(Arc::clone(&pressed))?;
        let (flipped, turn_began) = (game.seat == Seat::Black, Instant::now());
        let (file, written, saved, offered) = (None, None, None, false);
        Ok(Conversation {
            game,
            file,
            written,
            saved,
            opponent,
            listener,
            voice,
            flipped,
            offered,
            pressed,
            turn_began,
        })
    }

    /// Asks something that is answered by yes or no; an empty line is yes if `usual`. `None`: no answer will come.
    pub fn is_told_yes(&mut self, question: &str, usual: bool) -> Result<Option<bool>, PlayError> {
        let prompt = self.voice.ask(question, usual)?;
        loop {
            let Heard::Line(line) = self.listener.listen(&prompt, Vec::new())? else { return Ok(None) };
            match line.trim().to_lowercase().as_str() {
                "" => return Ok(Some(usual)),
                "y" | "yes" | "是" => return Ok(Some(true)),
                "n" | "no" | "否" => return Ok(Some(false)),
                _ => self.voice.say(&tr!("Please answer y or n."))?,
            }
        }
    }

    /// Plays until the person leaves.
    pub fn play(&mut self) -> Result<(), PlayError> {
        self.flipped = self.game.seat == Seat::Black;
        self.voice.say_all(&words::welcome(&self.game))?;
        self.show()?;
        self.turn_began = Instant::now();
        let mut next = Next::Stay;
        while next == Next::Stay {
            next = if self.game.closing().is_some() || self.game.is_persons_turn() {
                self.ask()?
            } else {
                self.reply()?
            };
        }
        self.leave()
    }

    /// What is left to be done at the end: a game that is over need not be offered again.
    fn leave(&mut self) -> Result<(), PlayError> {
        if self.game.closing().is_some() {
            self.put_away()?;
        } else if self.saved.is_some() && !self.game.moves().is_empty() {
            self.voice.say(&tr!("The game is kept: `chuhe play` goes on with it."))?;
        }
        Ok(())
    }

    // ---- the person ------------------------------------------------------------------------------------

    fn ask(&mut self) -> Result<Next, PlayError> {
        self.voice.flush()?;
        let heard = if self.pressed.swap(false, Ordering::Relaxed) {
            Heard::Interrupt
        } else {
            let (prompt, words) = (self.prompt(), self.completions());
            self.listener.listen(&prompt, words)?
        };
        match heard {
            Heard::End => Ok(Next::Leave),
            Heard::Interrupt => self.asks_to_leave(),
            Heard::Line(line) => match request::parse(&line) {
                Ok(request) => self.obey(request),
                Err(error) => {
                    self.voice.say(&error.to_string())?;
                    Ok(Next::Stay)
                }
            },
        }
    }

    fn prompt(&self) -> String {
        let side = self.game.side();
        let name = side.name();
        match (self.game.closing(), &self.game.clocks) {
            (Some(_), _) => format!("{}> ", tr!("over")),
            (None, None) => format!("{name}> "),
            (None, Some(clocks)) => {
                let left = clocks.of(side).left().saturating_sub(self.turn_began.elapsed());
                format!("{name} {}> ", words::time(left))
            }
        }
    }

    /// Commands, and the moves in every notation.
    fn completions(&self) -> Vec<String> {
        let position = self.game.position();
        let commands = COMMANDS.iter().map(|command| command.names_of_reader()[0].to_string());
        let moves = position.legal_moves();
        let written = |mv: Move| Notation::ALL.map(|way| notation::write(position, mv, way));
        commands.chain(moves.moves().flat_map(written)).collect()
    }

    fn asks_to_leave(&mut self) -> Result<Next, PlayError> {
        let question = if self.saved.is_some() { tr!("The game is kept. Leave?") } else { tr!("Leave?") };
        // Who presses Ctrl-C once more means it.
        let leaves = self.is_told_yes(&question, false)?;
        Ok(if leaves.unwrap_or(true) { Next::Leave } else { Next::Stay })
    }

    fn obey(&mut self, request: Request) -> Result<Next, PlayError> {
        match request {
            Request::Nothing => {}
            Request::Move(text) => self.try_move(&text)?,
            Request::Undo => self.undo()?,
            Request::Hint => self.hint()?,
            Request::Eval => self.weigh()?,
            Request::Flip => {
                self.flipped = !self.flipped;
                self.show()?;
            }
            Request::Draw => self.offer_draw()?,
            Request::Resign => self.resign()?,
            Request::Save(path) => self.save(path)?,
            Request::New(seat) => self.begin_anew(seat)?,
            Request::Level(strength) => {
                self.game.strength = strength.unwrap_or(self.game.strength);
                self.keep()?;
                let line = words::strength(self.game.strength);
                self.voice.say(&line)?;
            }
            Request::Moves => {
                let lines = words::moves(self.game.position(), self.voice.width());
                self.voice.say_all(&lines)?;
            }
            Request::Game => {
                self.voice.say_all(&words::game(&self.game))?;
                // In one piece, to be copied.
                self.voice.show(&[format!("FEN {}", self.game.position().fen())])?;
            }
            Request::Board => self.show()?,
            Request::Clock => {
                let line = match &self.game.clocks {
                    Some(clocks) => words::clocks(clocks, self.game.side(), self.turn_began.elapsed()),
                    None => tr!("No clock is running; `chuhe play --clock 600+5` plays with one."),
                };
                self.voice.say(&line)?;
            }
            Request::Help => self.voice.say_all(&words::help())?,
            Request::Quit => return Ok(Next::Leave),
        }
        Ok(Next::Stay)
    }

    fn try_move(&mut self, text: &str) -> Result<(), PlayError> {
        if self.is_over()? {
            return Ok(());
        }
        match self.read_move(text) {
            Ok(mv) => self.make(mv),
            Err(reason) => {
                Ok(self.voice.say(&tr!("{reason} (`moves` lists all, `help` the commands)", reason))?)
            }
        }
    }

    /// Reads a move, or says why it is none.
    fn read_move(&self, text: &str) -> Result<Move, String> {
        let position = self.game.position();
        match (short::read(position, text), text.parse::<Move>().ok()) {
            (Ok(mv), _) => Ok(mv),
            // The board can say more about squares.
            (Err(_), Some(mv)) => position.clone().play(mv).map(|()| mv).map_err(|error| error.to_string()),
            (Err(error), None) => Err(error.to_string()),
        }
    }

    /// True, with a word about it, if nothing can be played any more.
    fn is_over(&mut self) -> io::Result<bool> {
        let over = self.game.closing().is_some();
        if over {
            self.voice.say(&tr!("The game is over: `undo` takes back, `new` begins another one."))?;
        }
        Ok(over)
    }

    fn undo(&mut self) -> Result<(), PlayError> {
        match self.game.undo() {
            None => self.voice.say(&tr!("There is nothing of yours to take back."))?,
            Some(count) => {
                self.offered = false;
                let line = match count {
                    0 => tr!("The game goes on."),
                    _ => tr!("Taken back: {moves}.", moves = words::count_of_moves(count)),
                };
                self.voice.say(&line)?;
                self.keep()?;
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
        let (position, Some(best)) = (self.game.position(), outcome.best) else { return Ok(()) };
        let line = outcome.pv.iter().take(HINT_MOVES);
        let line = notation::write_line(position, line, Notation::Chinese).join(" ");
        let (mv, score) = (ending::of_move(position, best), words::of_score(outcome.score));
        Ok(self.voice.say(&format!("{}\n      {line}", tr!("Hint: {mv}; {score}", mv, score)))?)
    }

    /// What the position is worth at a glance, and each piece in it.
    fn weigh(&mut self) -> io::Result<()> {
        let position = self.game.position();
        let Some(explanation) = self.opponent.explain(position) else { return Ok(()) };
        let notes = |square: Square| words::worth_on(&explanation, square);
        let (last, flipped, ink) = (self.game.last_move(), self.flipped, self.voice.ink());
        let view = View { position, last, flipped, ink, width: self.voice.width(), notes: Some(&notes) };
        let lines = view.lines();
        let told = words::worth(position, &explanation);
        self.voice.show(&lines)?;
        self.voice.say_all(&told)
    }

    fn offer_draw(&mut self) -> Result<(), PlayError> {
        if self.is_over()? {
            return Ok(());
        }
        if self.offered || self.game.seat == Seat::Both || self.opponent.takes_draw(&self.game)? {
            self.close(Closing::Agreed)
        } else {
            Ok(self.voice.say(&tr!("Chuhe does not agree to a draw yet."))?)
        }
    }

    fn resign(&mut self) -> Result<(), PlayError> {
        if self.is_over()? {
            return Ok(());
        }
        self.close(Closing::Resigned(self.game.side()))
    }

    fn save(&mut self, path: Option<PathBuf>) -> Result<(), PlayError> {
        let Some(path) = path.or_else(|| self.file.clone()) else {
            return Ok(self.voice.say(&tr!("Under which name? `save FILE`"))?);
        };
        match saved_games::save(&self.game, &path, self.written.as_ref()) {
            Ok(written) => {
                self.voice.say(&tr!("Saved: {path}", path = path.display()))?;
                if !written.cut_tags.is_empty() {
                    let tags = written.cut_tags.join(", ");
                    self.voice.say(&tr!("XQF has no room for all of {tags}", tags))?;
                }
                (self.file, self.written) = (Some(path), Some(written));
                Ok(())
            }
            Err(error) => Ok(self.voice.say(&tr!("Not saved: {error}", error))?),
        }
    }

    fn begin_anew(&mut self, seat: Option<Seat>) -> Result<(), PlayError> {
        self.put_away()?;
        let control = self.game.clocks.as_ref().map(|clocks| clocks.control);
        let mut game = Game::new(Position::start(), Vec::new());
        game.seat = seat.unwrap_or(self.game.seat);
        (game.rules, game.strength) = (self.game.rules, self.game.strength);
        game.clocks = control.map(|control| chuhe_toolkit::game::Clocks::new(control, None, 0));
        (self.game, self.file, self.offered) = (game, None, false);
        self.opponent.new_game();
        self.flipped = self.game.seat == Seat::Black;
        self.voice.say_all(&words::welcome(&self.game))?;
        self.show()?;
        self.turn_began = Instant::now();
        Ok(())
    }

    // ---- the engine ------------------------------------------------------------------------------------

    fn reply(&mut self) -> Result<Next, PlayError> {
        let waits = self.game.clocks.is_some() || self.game.strength.move_time().is_some();
        let waiting = (waits && self.listener.is_person()).then(|| {
            let progress = Progress::on_output(None);
            progress.at(0, &tr!("Chuhe thinks … (Ctrl-C: play now)"));
            progress
        });
        let reply = self.opponent.play(&self.game)?;
        drop(waiting);
        if reply.gesture == Gesture::Resign {
            self.close(Closing::Resigned(self.game.side()))?;
            return Ok(Next::Stay);
        }
        if let Some(best) = reply.best {
            self.make(best)?;
            self.offered = reply.gesture == Gesture::Draw && self.game.closing().is_none();
            if self.offered {
                self.voice.say(&tr!("Chuhe offers a draw: `draw` accepts it, a move declines it."))?;
            }
        }
        if reply.interrupted { self.asks_to_leave() } else { Ok(Next::Stay) }
    }

    // ---- both ------------------------------------------------------------------------------------------

    /// Plays a legal move of the side to move, and shows what has become of the game.
    fn make(&mut self, mv: Move) -> Result<(), PlayError> {
        let (side, spent) = (self.game.side(), self.turn_began.elapsed());
        if self.game.has_overstepped(spent) {
            return self.close(Closing::OutOfTime(side));
        }
        let text = ending::of_move(self.game.position(), mv);
        let who = match self.game.is_persons_turn() {
            _ if self.game.seat == Seat::Both => side.name(),
            true => phrase!("You"),
            false => phrase!("Chuhe"),
        };
        self.game.play(mv, spent);
        self.offered = false;
        self.turn_began = Instant::now();
        self.keep()?;
        self.voice.say("")?;
        self.show()?;
        let line = match self.game.position().in_check() {
            true => tr!("{who}: {mv}  Check! 将军", who, mv = text),
            false => tr!("{who}: {mv}", who, mv = text),
        };
        self.voice.say(&line)?;
        self.tell_the_end()
    }

    fn close(&mut self, closing: Closing) -> Result<(), PlayError> {
        self.game.close(closing);
        self.keep()?;
        self.tell_the_end()
    }

    fn tell_the_end(&mut self) -> Result<(), PlayError> {
        let Some(closing) = self.game.closing() else { return Ok(()) };
        let lines = words::closing(&self.game, closing);
        Ok(self.voice.say_all(&lines)?)
    }

    fn show(&mut self) -> io::Result<()> {
        let (position, last) = (self.game.position(), self.game.last_move());
        let lines = terminal(position, last, self.flipped, self.voice.ink(), self.voice.width());
        self.voice.show(&lines)
    }

    /// Keeps the game as it stands; if that fails, says so once.
    fn keep(&mut self) -> io::Result<()> {
        let failure = self.saved.as_ref().and_then(|saved| saved.keep(&self.game).err());
        self.stop_keeping_if(failure)
    }

    /// Puts the game that is kept behind the others.
    pub fn put_away(&mut self) -> io::Result<()> {
        let Some(saved) = &self.saved else { return Ok(()) };
        match saved.put_away() {
            Ok(true) => {
                let line = tr!("The game is kept in {path}.", path = saved.archive().display());
                self.voice.say(&line)
            }
            Ok(false) => Ok(()),
            Err(error) => self.stop_keeping_if(Some(error)),
        }
    }

    fn stop_keeping_if(&mut self, failure: Option<saved_games::SavedGamesError>) -> io::Result<()> {
        let Some(error) = failure else { return Ok(()) };
        self.saved = None;
        self.voice.say(&tr!("Games are not kept from now on: {error}", error))
    }
}
