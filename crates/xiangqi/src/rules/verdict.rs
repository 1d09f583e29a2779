//! Verdicts: how a game ended, and why.

use super::Uncounted;
use super::explanation::{PieceNaming, PieceWords, piece_on_square};
use crate::board::Position;
use crate::types::{Color, Piece, PieceKind, Square};
use crate::words::{Worded, Words};
use crate::{worded, words};
use std::fmt;

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ending {
    /// A draw.
    Draw,
    /// This side lost.
    Loss(Color),
}

impl Ending {
    /// The winner, if there is one.
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Draw => None,
            Ending::Loss(color) => Some(!color),
        }
    }

    /// The same ending with the sides exchanged.
    pub const fn flipped(self) -> Ending {
        match self {
            Ending::Draw => Ending::Draw,
            Ending::Loss(color) => Ending::Loss(color.other()),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Draw => f.write_str("draw"),
            Ending::Loss(color) => write!(f, "{color}-loses"),
        }
    }
}

/// The offence of a side with every move of a repetition: check, kill, chase, or a mixture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Offence {
    /// Some moves gave check.
    pub checks: bool,
    /// Some moves were kills: they threatened mate.
    pub kills: bool,
    /// Some moves were chases.
    pub chases: bool,
}

impl Offence {
    /// Nothing but checks.
    pub const CHECK: Offence = Offence { checks: true, kills: false, chases: false };

    /// The rank of the offence: checks alone rank above everything else.
    pub(super) fn severity(self) -> u32 {
        if self == Offence::CHECK { 2 } else { 1 }
    }
}

worded!(Offence, |offence| match (offence.checks, offence.kills, offence.chases) {
    (true, true, true) => words!("perpetual check, kill and chase"),
    (true, true, false) => words!("perpetual check and kill"),
    (true, false, true) => words!("perpetual check and chase"),
    (false, true, true) => words!("perpetual kill and chase"),
    (true, false, false) => words!("perpetual check"),
    (false, true, false) => words!("perpetual kill"),
    (false, false, _) => words!("perpetual chase"),
});

/// The reason why a game is over, or that it is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The game goes on.
    Ongoing,
    /// The side to move is in check and has no legal move.
    Mate,
    /// The side to move has no legal move.
    Stalemate,
    /// The loser checked with every move of a repetition.
    PerpetualCheck,
    /// The loser chased one piece with every move of a repetition.
    PerpetualChase {
        /// The victim.
        victim: Piece,
        /// Its current square.
        square: Square,
    },
    /// Every move of the loser in a repetition was a check, a kill or a chase.
    Perpetual(Offence),
    /// Both sides chased with every move, the loser alone and the other side jointly.
    ChasesAlone,
    /// The loser made a move that a counter forbids.
    ForbiddenMove,
    /// Counters forbid every legal move of the loser.
    OnlyForbiddenMoves,
    /// The game reached its maximum length.
    GameLength,
    /// A repetition in which neither side did more than the other.
    Repetition,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has enough material to mate.
    Material,
}

impl Reason {
    /// True if a game that ends for this reason is a draw, unless a host has draws count as wins.
    pub const fn is_draw(self) -> bool {
        matches!(self, Reason::Repetition | Reason::NaturalLimit | Reason::Material | Reason::GameLength)
    }

    /// The reason in English, with a chased piece called as the caller likes.
    pub fn text_naming(&self, naming: &PieceNaming) -> String {
        self.words_naming(&|piece, square| naming(piece, square).into()).to_string()
    }

    /// The same as words.
    pub fn words_naming(&self, naming: &PieceWords) -> Words<'static> {
        match self {
            Reason::Ongoing => words!("the game goes on"),
            Reason::Mate => words!("mate"),
            Reason::Stalemate => words!("stalemate"),
            Reason::PerpetualCheck => words!("perpetual check"),
            Reason::PerpetualChase { victim, square } => {
                words!("perpetual chase of {piece}", piece = naming(*victim, *square))
            }
            Reason::Perpetual(offence) => Words::of(offence.words().template),
            Reason::ChasesAlone => words!("chases alone against a joint chase"),
            Reason::ForbiddenMove => words!("forbidden move"),
            Reason::OnlyForbiddenMoves => words!("only forbidden moves left"),
            Reason::GameLength => words!("length of the game"),
            Reason::Repetition => words!("repetition"),
            Reason::NaturalLimit => words!("natural limit"),
            Reason::Material => words!("material"),
        }
    }
}

worded!(Reason, |reason| reason.words_naming(&piece_on_square));

/// The verdict on a position with its history.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Verdict {
    /// The result of the game; `None` while it goes on.
    pub ending: Option<Ending>,
    /// The reason.
    pub reason: Reason,
}

impl Verdict {
    /// The game goes on.
    pub const ONGOING: Verdict = Verdict { ending: None, reason: Reason::Ongoing };

    /// A draw for this reason.
    pub const fn draw(reason: Reason) -> Verdict {
        Verdict { ending: Some(Ending::Draw), reason }
    }

    /// Result and reason in English, with a chased piece called as the caller likes.
    pub fn text_naming(&self, naming: &PieceNaming) -> String {
        self.words_naming(&|piece, square| naming(piece, square).into()).to_string()
    }

    /// The same as words.
    pub fn words_naming(&self, naming: &PieceWords) -> Words<'static> {
        let reason = self.reason.words_naming(naming);
        match self.ending {
            None => words!("ongoing"),
            Some(Ending::Draw) => words!("draw {reason}", reason),
            Some(Ending::Loss(color)) => {
                words!("{color}-loses {reason}", color = Words::of(color.words().template), reason)
            }
        }
    }

    /// An English sentence that tells the result and the reason.
    pub fn sentence(&self) -> String {
        self.sentence_words(&piece_on_square).to_string()
    }

    /// The same, with a chased piece called as the caller likes.
    pub fn sentence_naming(&self, naming: &PieceNaming) -> String {
        self.sentence_words(&|piece, square| naming(piece, square).into()).to_string()
    }

    /// The same as words.
    pub fn sentence_words(&self, naming: &PieceWords) -> Words<'static> {
        let why = match self.reason {
            Reason::Material => words!("nobody can win any more"),
            reason => reason.words_naming(naming),
        };
        match self.ending {
            None => why,
            Some(Ending::Loss(loser)) if self.reason.is_draw() => match !loser {
                Color::Red => words!("a draw, which counts as a win for Red: {why}", why),
                Color::Black => words!("a draw, which counts as a win for Black: {why}", why),
            },
            Some(Ending::Draw) => words!("draw: {why}", why),
            Some(Ending::Loss(Color::Red)) => words!("Black wins: {why}", why),
            Some(Ending::Loss(Color::Black)) => words!("Red wins: {why}", why),
        }
    }

    /// A loss of this side for this reason.
    pub const fn loss(color: Color, reason: Reason) -> Verdict {
        Verdict { ending: Some(Ending::Loss(color)), reason }
    }
}

worded!(Verdict, |verdict| verdict.words_naming(&piece_on_square));

// Draws by the natural limit (§7) and by lack of material (§1.2).
//
// What a draw counts as. A draw is a draw, unless a host asks for a game in which one side wins by it.

/// The number of checks of each side that count under `Uncounted::ChecksBeyondTen`.
const MAX_COUNTED_CHECKS: usize = 10;

/// The count since the last capture, with the state on which its continuation depends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct NaturalCount {
    counted: usize,
    /// Checks of the side that made the last move, and of the other.
    checks: [usize; 2],
    /// The last move was an uncounted check, so its answer is not counted either.
    last_check_uncounted: bool,
}

/// True if the counted plies since the last capture reach the limit; a limit of 0 is never reached.
pub(super) fn is_natural_limit_reached(position: &Position, limit: usize, uncounted: Uncounted) -> bool {
    limit > 0 && position.plies_since_capture() >= limit && natural_count(position, uncounted).counted >= limit
}

/// A key that is equal for two histories only if the natural limit is equally far away; never 0.
pub(super) fn natural_limit_key(position: &Position, uncounted: Uncounted) -> u64 {
    let NaturalCount { counted, checks, last_check_uncounted: answers_left_out_check } =
        natural_count(position, uncounted);
    // Above the number that counts, all numbers of checks are equal.
    let [own, other] = checks.map(|count| count.min(MAX_COUNTED_CHECKS + 1) as u64);
    let facts = 1 + counted as u64 * 4096 + own * 256 + other * 16 + u64::from(answers_left_out_check);
    facts.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Counts the plies since the last capture; plies before the known history all count.
fn natural_count(position: &Position, uncounted: Uncounted) -> NaturalCount {
    let plies = position.plies_since_capture();
    let known = plies.min(position.history_len());
    let mut tally = NaturalCount { counted: plies - known, ..NaturalCount::default() };
    for back in (0..known).rev() {
        let mover = back % 2;
        let check = position.move_before(back).is_some_and(|(_, check)| check);
        tally.checks[mover] += usize::from(check);
        let left_out = check && (uncounted == Uncounted::AllChecks || tally.checks[mover] > MAX_COUNTED_CHECKS);
        tally.counted += usize::from(!left_out && !tally.last_check_uncounted);
        tally.last_check_uncounted = left_out;
    }
    tally
}

/// False if neither side can ever mate: no rook, horse, cannon or pawn is left, or only one cannon whose owner has no
/// advisor, against a bare king (§1.2).
pub fn can_anyone_win(position: &Position) -> bool {
    let count = |kind: PieceKind| position.count(Color::Red, kind) + position.count(Color::Black, kind);
    if [PieceKind::Rook, PieceKind::Pawn, PieceKind::Horse].into_iter().any(|kind| count(kind) > 0) {
        return true;
    }
    // In the promotion variant these may become pawns.
    if position.promotion() && count(PieceKind::Advisor) + count(PieceKind::Bishop) > 0 {
        return true;
    }
    match count(PieceKind::Cannon) {
        0 => false,
        1 => {
            let red_has_it = position.count(Color::Red, PieceKind::Cannon) == 1;
            let owner = if red_has_it { Color::Red } else { Color::Black };
            position.count(owner, PieceKind::Advisor) > 0
                || position.count(!owner, PieceKind::Advisor) > 0
                || position.count(!owner, PieceKind::Bishop) > 0
        }
        _ => true,
    }
}

/// What a draw counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum DrawRule {
    /// A draw.
    #[default]
    Draw,
    /// A win of this side.
    Wins(Color),
    /// A win of this side if it is by repetition; other draws are draws.
    RepetitionWins(Color),
}

impl DrawRule {
    /// The side that wins by a draw for this reason.
    fn winner(self, reason: Reason) -> Option<Color> {
        match self {
            DrawRule::Draw => None,
            DrawRule::Wins(color) => Some(color),
            DrawRule::RepetitionWins(color) => (reason == Reason::Repetition).then_some(color),
        }
    }

    /// What a game ends with that would be a draw for this reason.
    #[inline]
    pub(super) fn ending(self, reason: Reason) -> Ending {
        self.winner(reason).map_or(Ending::Draw, |winner| Ending::Loss(!winner))
    }

    /// The verdict in which draws count as this rule has it.
    pub(super) fn apply(self, verdict: Verdict) -> Verdict {
        match verdict.ending {
            Some(Ending::Draw) => Verdict { ending: Some(self.ending(verdict.reason)), ..verdict },
            _ => verdict,
        }
    }
}
