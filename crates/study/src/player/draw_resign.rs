//! When a player offers or accepts a draw, and when it resigns.

use chuhe_engine::score::{Score, from_hundredths, mate_plies};
use xiangqi::rules::can_anyone_win;
use xiangqi::{Color, Position};

/// A draw offer is accepted at this score or below: three hundredths of a minor piece are not worth playing on.
const DRAW_ACCEPT_SCORE: Score = from_hundredths(3);
/// At this score or below an offer is accepted at any time but in the opening, not only late in the game.
const DRAW_ACCEPT_ALWAYS_SCORE: Score = from_hundredths(-30);
/// A draw is offered if neither side leads by more than this.
const DRAW_OFFER_SCORE: Score = from_hundredths(10);
/// The opening ends after this ply: nobody takes a draw before, however bad a position a weak level finds itself in.
const OPENING_PLIES: u32 = 20;
/// The minimum number of plies without a capture before a draw is offered.
const DRAW_OFFER_MIN_QUIET_PLIES: usize = 40;
/// The minimum number of own moves between two draw offers.
const DRAW_OFFER_INTERVAL: u32 = 20;
/// The game is late from this ply on.
const LATE_GAME_PLY: u32 = 80;
/// The game is also late with at most this many rooks, horses and cannons on the board.
const LATE_GAME_PIECES: usize = 5;
/// At this score or below the position is hopeless: three rooks behind.
const RESIGN_SCORE: Score = from_hundredths(-600);
/// Being mated within this many plies is also hopeless.
const RESIGN_MATE_PLIES: i32 = 24;
/// The minimum depth at which a hopeless score is trusted.
const RESIGN_MIN_DEPTH: u32 = 6;
/// The number of consecutive hopeless moves before resigning.
const RESIGN_MOVES: u32 = 3;

/// The decision that goes with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DrawOrResign {
    #[default]
    None,
    /// Offers or accepts a draw.
    Draw,
    Resign,
}

/// The result of a search, as input to the decision.
pub struct SearchSummary<'a> {
    pub position: &'a Position,
    /// From the side to move.
    pub score: Score,
    pub depth: u32,
    /// The opponent has offered a draw.
    pub draw_offered: bool,
    /// A game with a clock is played; otherwise the engine neither resigns nor offers draws, because an analysis needs
    /// moves.
    pub in_game: bool,
}

/// The state of the decision between moves.
#[derive(Default)]
pub struct DrawResignPolicy {
    hopeless_moves: u32,
    hopeless_side: Option<Color>,
    moves_since_offer: Option<u32>,
}

impl DrawResignPolicy {
    /// Decides what goes with the move.
    pub fn decide(&mut self, now: &SearchSummary) -> DrawOrResign {
        let dead = !can_anyone_win(now.position);
        if now.draw_offered && (dead || accepts_draw(now)) {
            return DrawOrResign::Draw;
        }
        if !now.in_game {
            return DrawOrResign::None;
        }
        if self.should_resign(now) {
            return DrawOrResign::Resign;
        }
        if self.offer_is_due() && (dead || is_drawish(now)) {
            self.moves_since_offer = Some(0);
            return DrawOrResign::Draw;
        }
        DrawOrResign::None
    }

    fn should_resign(&mut self, now: &SearchSummary) -> bool {
        let side = Some(now.position.side());
        if !is_hopeless(now) || self.hopeless_side != side {
            self.hopeless_moves = 0;
        }
        if is_hopeless(now) {
            self.hopeless_moves += 1;
            self.hopeless_side = side;
        }
        self.hopeless_moves >= RESIGN_MOVES
    }

    /// Counts own moves between offers.
    fn offer_is_due(&mut self) -> bool {
        self.moves_since_offer = self.moves_since_offer.map(|moves| moves + 1);
        self.moves_since_offer.is_none_or(|moves| moves > DRAW_OFFER_INTERVAL)
    }
}

fn accepts_draw(now: &SearchSummary) -> bool {
    let is_late = is_late_game(now.position);
    now.score <= DRAW_ACCEPT_ALWAYS_SCORE && (is_late || now.position.game_ply() >= OPENING_PLIES)
        || now.score <= DRAW_ACCEPT_SCORE && is_late
}

fn is_drawish(now: &SearchSummary) -> bool {
    now.score.abs() <= DRAW_OFFER_SCORE
        && is_late_game(now.position)
        && now.position.plies_since_capture() >= DRAW_OFFER_MIN_QUIET_PLIES
}

fn is_hopeless(now: &SearchSummary) -> bool {
    let mated_soon = mate_plies(now.score).is_some_and(|plies| (-RESIGN_MATE_PLIES..=0).contains(&plies));
    let far_behind = mate_plies(now.score).is_none() && now.score <= RESIGN_SCORE && now.depth >= RESIGN_MIN_DEPTH;
    mated_soon || far_behind
}

fn is_late_game(position: &Position) -> bool {
    let pieces = position.major_count(Color::Red) + position.major_count(Color::Black);
    position.game_ply() >= LATE_GAME_PLY || pieces <= LATE_GAME_PIECES
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engine::score::mated_in;

    /// A late position: one rook each.
    const LATE: &str = "3ak4/9/9/9/9/9/9/9/4A4/r2AK3R w - - 50 60";

    fn now(position: &Position, score: Score, draw_offered: bool, in_game: bool) -> SearchSummary<'_> {
        SearchSummary { position, score, depth: 12, draw_offered, in_game }
    }

    #[test]
    fn policy_accepts_draws_when_nothing_is_left_to_win() {
        let mut policy = DrawResignPolicy::default();
        let (start, late) = (Position::start(), Position::from_fen(LATE).unwrap());
        let dead = Position::from_fen("3ak4/9/9/9/9/9/9/9/4A4/3AK4 w - - 0 1").unwrap();
        assert_eq!(policy.decide(&now(&start, 0, true, false)), DrawOrResign::None, "too early");
        let worse = DRAW_ACCEPT_ALWAYS_SCORE - 1;
        assert_eq!(policy.decide(&now(&start, worse, true, false)), DrawOrResign::None, "worse, but it has just begun");
        let later =
            Position::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 20 11").unwrap();
        assert_eq!(policy.decide(&now(&later, worse, true, false)), DrawOrResign::Draw, "worse");
        assert_eq!(policy.decide(&now(&late, 0, true, false)), DrawOrResign::Draw, "late and level");
        assert_eq!(policy.decide(&now(&late, DRAW_ACCEPT_SCORE + 1, true, false)), DrawOrResign::None, "ahead");
        assert_eq!(
            policy.decide(&now(&dead, DRAW_ACCEPT_SCORE + 1, true, false)),
            DrawOrResign::Draw,
            "nobody can win"
        );
    }

    #[test]
    fn policy_offers_draws_late_and_seldom() {
        let mut policy = DrawResignPolicy::default();
        let late = Position::from_fen(LATE).unwrap();
        assert_eq!(policy.decide(&now(&Position::start(), 0, false, true)), DrawOrResign::None);
        assert_eq!(policy.decide(&now(&late, 0, false, false)), DrawOrResign::None, "no game");
        assert_eq!(policy.decide(&now(&late, 0, false, true)), DrawOrResign::Draw);
        for _ in 0..DRAW_OFFER_INTERVAL {
            assert_eq!(policy.decide(&now(&late, 0, false, true)), DrawOrResign::None);
        }
        assert_eq!(policy.decide(&now(&late, 0, false, true)), DrawOrResign::Draw);
    }

    #[test]
    fn policy_resigns_only_after_several_hopeless_moves() {
        let red = Position::start();
        let black = Position::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b").unwrap();
        let lost = mated_in(6);
        let mut policy = DrawResignPolicy::default();
        let mut say = |position, score, in_game| policy.decide(&now(position, score, false, in_game));
        assert_eq!(say(&red, lost, true), DrawOrResign::None);
        assert_eq!(say(&red, lost, true), DrawOrResign::None);
        assert_eq!(say(&red, RESIGN_SCORE + 1, true), DrawOrResign::None, "hope");
        assert_eq!(say(&red, RESIGN_SCORE, true), DrawOrResign::None);
        assert_eq!(say(&black, RESIGN_SCORE, true), DrawOrResign::None, "the other side");
        assert_eq!(say(&red, RESIGN_SCORE, true), DrawOrResign::None);
        assert_eq!(say(&red, lost, true), DrawOrResign::None);
        assert_eq!(say(&red, lost, false), DrawOrResign::None, "analysis");
        assert_eq!(say(&red, lost, true), DrawOrResign::Resign);
    }
}
