//! What a well-mannered player says along with his move: when he takes or offers a draw, and when he gives up.

use chuhe_engine::board::Position;
use chuhe_engine::rules::can_anyone_win;
use chuhe_engine::types::Color;
use chuhe_engine::types::score::{Score, mate_plies, of_hundredths};

/// A draw offer is taken at this score or below: three hundredths of a minor piece are no winning attempt.
const CONTENT: Score = of_hundredths(3);
/// Below this an offer is taken at any time, not only late in the game.
const WORSE: Score = of_hundredths(-30);
/// A draw is offered if neither side is ahead by more than this.
const LEVEL: Score = of_hundredths(10);
/// Plies without a capture before a draw is offered: something has been tried.
const TRIED: usize = 40;
/// Own moves between two offers of a draw.
const OFFER_PAUSE: u32 = 20;
/// From this ply on it is late in the game.
const LATE_PLY: u32 = 80;
/// With at most so many rooks, horses and cannons on the board it is late in the game, too.
const LATE_PIECES: usize = 5;
/// This much behind is lost beyond doubt: three rooks.
const HOPELESS: Score = of_hundredths(-600);
/// So is a mate that comes within so many plies.
const HOPELESS_PLIES: i32 = 24;
/// The iterations behind a score before it is believed to be hopeless.
const HOPELESS_DEPTH: u32 = 6;
/// Own moves in a row that must be hopeless before the game is given up.
const HOPELESS_MOVES: u32 = 3;

/// What is said along with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Gesture {
    #[default]
    None,
    /// Offers a draw, or accepts one.
    Draw,
    Resign,
}

/// What there is to know about a search that has ended.
pub struct Circumstances<'a> {
    pub position: &'a Position,
    /// From the side to move.
    pub score: Score,
    pub depth: u32,
    /// The opponent has offered a draw.
    pub draw_offered: bool,
    /// A game is played, on a clock. Only then are games given up and draws offered: who analyses wants moves.
    pub in_game: bool,
}

/// The memory that manners need.
#[derive(Default)]
pub struct Manners {
    hopeless_moves: u32,
    hopeless_side: Option<Color>,
    moves_since_offer: Option<u32>,
}

impl Manners {
    /// What to say along with the move.
    pub fn gesture(&mut self, now: &Circumstances) -> Gesture {
        let dead = !can_anyone_win(now.position);
        if now.draw_offered && (dead || takes_draw(now)) {
            return Gesture::Draw;
        }
        if !now.in_game {
            return Gesture::None;
        }
        if self.gives_up(now) {
            return Gesture::Resign;
        }
        if self.may_offer() && (dead || is_level(now)) {
            self.moves_since_offer = Some(0);
            return Gesture::Draw;
        }
        Gesture::None
    }

    fn gives_up(&mut self, now: &Circumstances) -> bool {
        let side = Some(now.position.side());
        if !is_hopeless(now) || self.hopeless_side != side {
            self.hopeless_moves = 0;
        }
        if is_hopeless(now) {
            self.hopeless_moves += 1;
            self.hopeless_side = side;
        }
        self.hopeless_moves >= HOPELESS_MOVES
    }

    /// Counts own moves between offers.
    fn may_offer(&mut self) -> bool {
        self.moves_since_offer = self.moves_since_offer.map(|moves| moves + 1);
        self.moves_since_offer.is_none_or(|moves| moves > OFFER_PAUSE)
    }
}

fn takes_draw(now: &Circumstances) -> bool {
    now.score <= WORSE || now.score <= CONTENT && is_late(now.position)
}

fn is_level(now: &Circumstances) -> bool {
    now.score.abs() <= LEVEL && is_late(now.position) && now.position.quiet_plies() >= TRIED
}

fn is_hopeless(now: &Circumstances) -> bool {
    let mated_soon = mate_plies(now.score).is_some_and(|plies| (-HOPELESS_PLIES..=0).contains(&plies));
    let far_behind = mate_plies(now.score).is_none() && now.score <= HOPELESS && now.depth >= HOPELESS_DEPTH;
    mated_soon || far_behind
}

fn is_late(position: &Position) -> bool {
    let pieces = position.majors(Color::Red) + position.majors(Color::Black);
    position.game_ply() >= LATE_PLY || pieces <= LATE_PIECES
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engine::types::score::mated_in;

    /// Late in the game: a rook each.
    const LATE: &str = "3ak4/9/9/9/9/9/9/9/4A4/r2AK3R w - - 50 60";

    fn now(position: &Position, score: Score, draw_offered: bool, in_game: bool) -> Circumstances<'_> {
        Circumstances { position, score, depth: 12, draw_offered, in_game }
    }

    #[test]
    fn a_draw_is_taken_when_nothing_is_left_to_win() {
        let mut manners = Manners::default();
        let (start, late) = (Position::start(), Position::from_fen(LATE).unwrap());
        let dead = Position::from_fen("3ak4/9/9/9/9/9/9/9/4A4/3AK4 w - - 0 1").unwrap();
        assert_eq!(manners.gesture(&now(&start, 0, true, false)), Gesture::None, "too early");
        assert_eq!(manners.gesture(&now(&start, WORSE - 1, true, false)), Gesture::Draw, "worse");
        assert_eq!(manners.gesture(&now(&late, 0, true, false)), Gesture::Draw, "late and level");
        assert_eq!(manners.gesture(&now(&late, CONTENT + 1, true, false)), Gesture::None, "ahead");
        assert_eq!(manners.gesture(&now(&dead, CONTENT + 1, true, false)), Gesture::Draw, "nobody can win");
    }

    #[test]
    fn a_draw_is_offered_late_and_seldom() {
        let mut manners = Manners::default();
        let late = Position::from_fen(LATE).unwrap();
        assert_eq!(manners.gesture(&now(&Position::start(), 0, false, true)), Gesture::None);
        assert_eq!(manners.gesture(&now(&late, 0, false, false)), Gesture::None, "no game");
        assert_eq!(manners.gesture(&now(&late, 0, false, true)), Gesture::Draw);
        for _ in 0..OFFER_PAUSE {
            assert_eq!(manners.gesture(&now(&late, 0, false, true)), Gesture::None);
        }
        assert_eq!(manners.gesture(&now(&late, 0, false, true)), Gesture::Draw);
    }

    #[test]
    fn a_game_is_given_up_only_after_several_hopeless_moves_of_one_side() {
        let red = Position::start();
        let black =
            Position::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b").unwrap();
        let lost = mated_in(6);
        let mut manners = Manners::default();
        let mut say = |position, score, in_game| manners.gesture(&now(position, score, false, in_game));
        assert_eq!(say(&red, lost, true), Gesture::None);
        assert_eq!(say(&red, lost, true), Gesture::None);
        assert_eq!(say(&red, HOPELESS + 1, true), Gesture::None, "hope");
        assert_eq!(say(&red, HOPELESS, true), Gesture::None);
        assert_eq!(say(&black, HOPELESS, true), Gesture::None, "the other side");
        assert_eq!(say(&red, HOPELESS, true), Gesture::None);
        assert_eq!(say(&red, lost, true), Gesture::None);
        assert_eq!(say(&red, lost, false), Gesture::None, "analysis");
        assert_eq!(say(&red, lost, true), Gesture::Resign);
    }
}
