//! A game between the user and the engine: sides, moves, clocks and result.
//!
//! * `opponent` is the engine as a player.
//! * `game_record` converts the game to a PGN record and back, and has the names of its tags; `saved_games` stores it
//!   between program runs.

pub mod game_record;
pub mod opponent;
pub mod saved_games;

use crate::player::{GameClock, Strength, TimeControl};
use crate::reader::{chosen_notation, move_in, side_name};
use chuhe_support::language::{Language, Phrase, phrase, tr};
use chuhe_support::messages::Localize;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;
use xiangqi::{Color, Ending, Move, Position, Reason, Rules, Square, Verdict};
use xiangqi_record::notation::{self, Notation};
use xiangqi_record::{GameResult, PositionSpec, PositionSpecError};

phrased! {
    /// The sides that the user plays, by their keywords on the command line.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Seat: name {
        #[default]
        Red = "red", phrase!("red");
        Black = "black", phrase!("black");
        /// Both sides; the engine does not play.
        Both = "both", phrase!("both");
    }
}

impl FromStr for Seat {
    type Err = SeatError;

    /// Parses a keyword, in English or Chinese.
    fn from_str(text: &str) -> Result<Seat, SeatError> {
        match text.to_ascii_lowercase().as_str() {
            "red" | "红" | "红方" => Ok(Seat::Red),
            "black" | "黑" | "黑方" => Ok(Seat::Black),
            "both" | "双方" => Ok(Seat::Both),
            _ => Err(SeatError),
        }
    }
}

/// A text that is not a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{}", tr!("expected red, black or both"))]
pub struct SeatError;

impl Seat {
    /// Whether the user plays this side.
    pub fn includes(self, color: Color) -> bool {
        match self {
            Seat::Red => color == Color::Red,
            Seat::Black => color == Color::Black,
            Seat::Both => true,
        }
    }
}

/// A move with its comment from the record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotedMove {
    pub mv: Move,
    /// The comment, prefixed by the signs of its marks.
    pub comment: String,
}

impl NotedMove {
    /// A move without a comment.
    pub fn plain(mv: Move) -> NotedMove {
        NotedMove { mv, comment: String::new() }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameEnd {
    Ruled(Verdict),
    /// This side resigned.
    Resigned(Color),
    /// The players agreed to a draw.
    Agreed,
    /// This side lost on time.
    OutOfTime(Color),
    /// The result given in the record that was read.
    Recorded(GameResult),
}

impl GameEnd {
    /// The result of the game.
    pub fn result(&self) -> GameResult {
        GameResult::from_winner(match self {
            GameEnd::Ruled(verdict) => verdict.ending.and_then(Ending::winner),
            GameEnd::Resigned(color) | GameEnd::OutOfTime(color) => Some(!*color),
            GameEnd::Agreed => None,
            GameEnd::Recorded(result) => return *result,
        })
    }
}

/// The clocks of both sides after each ply.
#[derive(Clone, PartialEq, Debug)]
pub struct Clocks {
    /// The time control of both sides.
    pub control: TimeControl,
    /// The first entry is the state when this game, or its continuation, began.
    history: Vec<[GameClock; 2]>,
}

impl Clocks {
    /// Clocks with these remaining times; `None` = a fresh clock.
    pub fn new(control: TimeControl, left: Option<[Duration; 2]>, plies: usize) -> Clocks {
        let made = |color: Color| ((plies + 1 - color.index()) / 2) as u32;
        let clock = |color: Color| GameClock::resumed(control, left.map(|left| left[color]), made(color));
        Clocks { control, history: vec![Color::ALL.map(clock); plies + 1] }
    }

    pub fn of(&self, color: Color) -> GameClock {
        self.history[self.history.len() - 1][color]
    }

    fn run_out(&mut self, color: Color) {
        if let Some(now) = self.history.last_mut() {
            now[color].run_out();
        }
    }

    fn press(&mut self, color: Color, spent: Duration) {
        let mut now = self.history[self.history.len() - 1];
        now[color].press(spent);
        self.history.push(now);
    }
}

#[derive(Clone, Default)]
pub struct LiveGame {
    pub seat: Seat,
    pub rules: Rules,
    /// The strength of the engine.
    pub strength: Strength,
    /// `None` = no time control.
    pub clocks: Option<Clocks>,
    /// The additional tags of the game record.
    pub tags: Vec<(String, String)>,
    start: Position,
    position: Position,
    moves: Vec<NotedMove>,
    /// How long each move took, where that is known.
    times: Vec<Option<Duration>>,
    closing: Option<GameEnd>,
}

impl LiveGame {
    /// A game from this position with these legal moves. The rules are applied later, by [`LiveGame::apply_rules`].
    pub fn new(start: Position, moves: Vec<NotedMove>) -> LiveGame {
        let mut position = start.clone();
        moves.iter().for_each(|ply| position.play_unchecked(ply.mv));
        LiveGame { start, position, times: vec![None; moves.len()], moves, ..LiveGame::default() }
    }

    /// The same with the times of its moves; those that are left out are not known.
    pub fn with_times(mut self, times: impl Iterator<Item = Option<Duration>>) -> LiveGame {
        self.times = times.chain(std::iter::repeat(None)).take(self.moves.len()).collect();
        self
    }

    /// A game from a position specification.
    pub fn from_spec(setup: &PositionSpec) -> Result<LiveGame, PositionSpecError> {
        let start = setup.start_position(false)?;
        let moves = setup.play_moves(&mut start.clone(), chosen_notation())?;
        Ok(LiveGame::new(start, moves.into_iter().map(NotedMove::plain).collect()))
    }

    pub fn start(&self) -> &Position {
        &self.start
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    pub fn moves(&self) -> &[NotedMove] {
        &self.moves
    }

    /// How long each move took, where that is known.
    pub fn times(&self) -> impl Iterator<Item = Option<Duration>> + '_ {
        self.times.iter().copied()
    }

    /// The last move, if any.
    pub fn last_move(&self) -> Option<Move> {
        self.moves.last().map(|ply| ply.mv)
    }

    /// How the game ended, if it is over.
    pub fn end(&self) -> Option<&GameEnd> {
        self.closing.as_ref()
    }

    pub fn side(&self) -> Color {
        self.position.side()
    }

    /// Whether the user is to move.
    pub fn is_users_turn(&self) -> bool {
        self.seat.includes(self.side())
    }

    /// The result; unknown while the game goes on.
    pub fn result(&self) -> GameResult {
        self.closing.as_ref().map_or(GameResult::Unknown, GameEnd::result)
    }

    /// Whether the side to move has used more time than its clock allows.
    pub fn has_lost_on_time(&self, spent: Duration) -> bool {
        self.clocks.as_ref().is_some_and(|clocks| clocks.of(self.side()).left() < spent)
    }

    /// Plays a legal move that took this time.
    pub fn play(&mut self, mv: Move, spent: Duration) {
        if let Some(clocks) = &mut self.clocks {
            clocks.press(self.position.side(), spent);
        }
        self.position.play_unchecked(mv);
        self.moves.push(NotedMove::plain(mv));
        self.times.push(Some(spent));
        self.apply_rules();
    }

    /// Ends the game if the rules say so.
    pub fn apply_rules(&mut self) {
        let verdict = self.rules.judge(&self.position);
        if verdict.ending.is_some() {
            self.closing = Some(GameEnd::Ruled(verdict));
        }
    }

    /// Ends the game; a clock that has run out shows it.
    pub fn finish(&mut self, closing: GameEnd) {
        if let (GameEnd::OutOfTime(color), Some(clocks)) = (&closing, &mut self.clocks) {
            clocks.run_out(*color);
        }
        self.closing = Some(closing);
    }

    /// Takes back the user's last action: the resignation or draw that ended the game, or the last move and the reply
    /// to it. Returns the number of moves taken back; `None` if there is nothing to take back.
    pub fn undo(&mut self) -> Option<usize> {
        if matches!(self.closing, Some(GameEnd::Resigned(_) | GameEnd::Agreed | GameEnd::Recorded(_))) {
            self.closing = None;
            return Some(0);
        }
        let mover = |back: usize| if back % 2 == 1 { !self.side() } else { self.side() };
        let back = (1..=self.moves.len()).find(|&back| self.seat.includes(mover(back)))?;
        for _ in 0..back {
            self.position.undo();
            self.moves.pop();
            self.times.pop();
            if let Some(clocks) = &mut self.clocks {
                clocks.history.pop();
            }
        }
        self.closing = None;
        Some(back)
    }
}

// Describes why a game is over.

/// A move in three notations, `炮二平五 (C2.5, h2e2)`, or in the one that was chosen: `P2-5 (h2e2)`.
pub fn move_text(position: &Position, mv: Move) -> String {
    in_notations(|way| Some(move_in(position, mv, way)), &mv.to_string())
}

/// A piece in three notations, `炮二 (C2, h2)`, or in the one that was chosen.
fn piece_text(position: &Position, square: Square) -> String {
    in_notations(|way| notation::piece_name(position, square, way).map(Language::in_script), &square.to_string())
}

fn in_notations(write: impl Fn(Notation) -> Option<String>, squares: &str) -> String {
    let others = match chosen_notation() {
        None => [Notation::Chinese, Notation::Wxf].into_iter().filter_map(write).collect(),
        Some(Notation::Iccs | Notation::Uci) => Vec::new(),
        Some(chosen) => Vec::from_iter(write(chosen)),
    };
    match &others[..] {
        [] => squares.to_string(),
        [first, rest @ ..] => {
            let rest: Vec<&str> = rest.iter().map(String::as_str).chain([squares]).collect();
            format!("{first} ({})", rest.join(", "))
        }
    }
}

/// The reasons why the game is over, one per line.
pub fn end_reasons(game: &LiveGame, closing: &GameEnd) -> Vec<String> {
    match closing {
        GameEnd::Ruled(verdict) => verdict_lines(game, verdict),
        GameEnd::Resigned(color) => vec![tr!("{side} resigns (认输).", side = side_name(*color))],
        GameEnd::Agreed => vec![tr!("Draw by agreement (议和).")],
        GameEnd::OutOfTime(color) => vec![tr!("The time of {side} is over (超时判负).", side = color.localized())],
        GameEnd::Recorded(_) => vec![tr!("The record ends here.")],
    }
}

/// The reason why the game is over, in a word or two.
pub fn end_reason_name(closing: &GameEnd) -> Phrase {
    let verdict = match closing {
        GameEnd::Ruled(verdict) => verdict,
        GameEnd::Resigned(_) => return phrase!("resignation"),
        GameEnd::Agreed => return phrase!("agreement"),
        GameEnd::OutOfTime(_) => return phrase!("out of time"),
        GameEnd::Recorded(_) => return phrase!("end of the record"),
    };
    match verdict.reason {
        Reason::Mate => phrase!("checkmate"),
        Reason::Stalemate => phrase!("stalemate"),
        Reason::PerpetualCheck => phrase!("perpetual check"),
        Reason::PerpetualChase { .. } | Reason::ChasesAlone => phrase!("perpetual chase"),
        Reason::Perpetual(_) => phrase!("forbidden repetition"),
        Reason::ForbiddenMove | Reason::OnlyForbiddenMoves => phrase!("a forbidden move"),
        Reason::GameLength => phrase!("the limit of moves"),
        Reason::Repetition => phrase!("a repetition"),
        Reason::NaturalLimit => phrase!("the natural limit"),
        Reason::Material => phrase!("nothing left to win with"),
        // The game goes on.
        _ => phrase!("end of the record"),
    }
}

/// Explains a verdict of the rules.
fn verdict_lines(game: &LiveGame, verdict: &Verdict) -> Vec<String> {
    let side = game.position().side().localized();
    let times = game.rules.set.repetition_count();
    let loser = match verdict.ending {
        Some(Ending::Loss(color)) => side_name(color),
        _ => phrase!("Nobody"),
    };
    let line = match verdict.reason {
        Reason::Mate => tr!("Checkmate (将死): {side} is in check, and no move helps.", side),
        Reason::Stalemate => {
            tr!("Stalemate (困毙): {side} has no legal move and loses.", side)
        }
        Reason::PerpetualCheck => tr!(
            "Perpetual check (长将判负): the position has stood {times} times, and in between one side gave check \
             with every move. {loser} loses.",
            times,
            loser
        ),
        Reason::PerpetualChase { square, .. } => tr!(
            "Perpetual chase (长捉判负): the position has stood {times} times, and with every move in between the \
             piece that is now {piece} was chased. {loser} loses.",
            times,
            piece = piece_text(game.position(), square),
            loser
        ),
        Reason::Perpetual(offence) => tr!(
            "Forbidden repetition (禁止着法判负): the position has stood {times} times, with nothing in between \
             but {offence}. {loser} loses.",
            times,
            offence = offence.localized(),
            loser
        ),
        Reason::ChasesAlone => tr!(
            "Both sides chased (双方长捉): the position has stood {times} times, and one chased alone while the \
             other chased jointly. {loser} loses.",
            times,
            loser
        ),
        Reason::ForbiddenMove => {
            tr!("A forbidden move (禁手): the counter of checks and chases was full. {loser} loses.", loser)
        }
        Reason::OnlyForbiddenMoves => tr!("Only forbidden moves (禁手) are left. {loser} loses.", loser),
        Reason::GameLength => tr!("The game has lasted as long as it may (总步数限制)."),
        Reason::Repetition => tr!(
            "Repetition (循环局面作和): the position has stood {times} times, and neither side did anything in \
             between that loses by rule.",
            times
        ),
        Reason::NaturalLimit => tr!(
            "The natural limit (自然限着): {moves} moves of either side without a capture.",
            moves = game.rules.natural_limit / 2
        ),
        Reason::Material => tr!("Neither side has anything left to win with (双方均无进攻子力)."),
        // The game goes on.
        _ => String::new(),
    };
    std::iter::once(line).chain(repetition_lines(game)).collect()
}

/// What each move of the repetition does.
fn repetition_lines(game: &LiveGame) -> Vec<String> {
    let explanations = game.rules.explain(game.position());
    let mut position = game.position().clone();
    explanations.iter().for_each(|_| position.undo());
    let mut lines = Vec::new();
    for explanation in explanations {
        let mv = move_text(&position, explanation.mv);
        position.play_unchecked(explanation.mv);
        let done = explanation.words_naming(&|_, square| piece_text(&position, square).into()).localized();
        lines.push(format!("  {:<5}  {mv}  {done}", explanation.mover.localized()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(seat: Seat, moves: &[&str]) -> LiveGame {
        let mut game = LiveGame::new(Position::start(), Vec::new());
        game.seat = seat;
        for text in moves {
            let mv: Move = text.parse().expect("a move");
            assert!(game.position.is_legal(mv));
            game.play(mv, Duration::from_secs(1));
        }
        game
    }

    #[test]
    fn undo_returns_to_the_users_turn() {
        let after = |seat, moves: &[&str]| {
            let mut game = game(seat, moves);
            (game.undo(), game.moves().len(), game.position().fen())
        };
        let fen = |moves| game(Seat::Red, moves).position().fen();
        assert_eq!(after(Seat::Red, &["h2e2", "h9g7"]), (Some(2), 0, fen(&[])));
        assert_eq!(after(Seat::Red, &["h2e2"]), (Some(1), 0, fen(&[])));
        assert_eq!(after(Seat::Both, &["h2e2", "h9g7"]), (Some(1), 1, fen(&["h2e2"])));
        assert_eq!(after(Seat::Black, &["h2e2"]), (None, 1, fen(&["h2e2"])), "the engine's own move stays");
        assert_eq!(after(Seat::Black, &["h2e2", "h9g7", "h0g2"]), (Some(2), 1, fen(&["h2e2"])));
    }

    #[test]
    fn times_are_those_of_the_moves_that_were_made_here() {
        let read = ["h2e2", "h9g7"].map(|text| NotedMove::plain(text.parse().expect("a move")));
        let mut game = LiveGame { seat: Seat::Both, ..LiveGame::new(Position::start(), read.to_vec()) };
        game.play("h0g2".parse().expect("a move"), Duration::from_secs(4));
        game.play("i9h9".parse().expect("a move"), Duration::from_secs(9));
        let times = |game: &LiveGame| game.times().map(|time| time.map(|time| time.as_secs())).collect::<Vec<_>>();
        assert_eq!(times(&game), [None, None, Some(4), Some(9)]);
        game.undo();
        assert_eq!(times(&game), [None, None, Some(4)]);
        game.undo();
        game.undo();
        assert_eq!(times(&game), [None]);
    }

    #[test]
    fn undo_of_a_resignation_keeps_the_moves() {
        let mut game = game(Seat::Red, &["h2e2", "h9g7"]);
        game.finish(GameEnd::Resigned(Color::Red));
        assert_eq!(game.result(), GameResult::BlackWins);
        assert_eq!((game.undo(), game.result()), (Some(0), GameResult::Unknown));
        assert_eq!(game.moves().len(), 2);
    }

    #[test]
    fn undo_restores_the_clocks() {
        let mut game = game(Seat::Red, &[]);
        let control = TimeControl { base: Duration::from_secs(60), increment: Duration::ZERO, moves: None };
        game.clocks = Some(Clocks::new(control, None, 0));
        for (text, spent) in [("h2e2", 7), ("h9g7", 2)] {
            game.play(text.parse().expect("a move"), Duration::from_secs(spent));
        }
        let left = |game: &LiveGame| {
            let clocks = game.clocks.as_ref().expect("clocks");
            Color::ALL.map(|color| clocks.of(color).left().as_secs())
        };
        assert_eq!(left(&game), [53, 58]);
        game.finish(GameEnd::OutOfTime(Color::Red));
        assert_eq!(left(&game), [0, 58], "a clock that has run out shows it");
        game.undo();
        assert_eq!(left(&game), [60, 60]);
    }
}
