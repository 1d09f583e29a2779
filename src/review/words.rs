//! What a review says, in Chinese and in English.

use super::chance::Standing;
use super::judging::{Event, Mark, Reviewed};
use crate::board::Position;
use crate::language::Language;
use crate::record::notation::{self, Notation};
use crate::rules::{Ending, Reason, Verdict};
use crate::types::{Color, Move, PieceKind, Score, score};

impl Language {
    /// How its readers write moves.
    pub fn notation(self) -> Notation {
        self.pick(Notation::Chinese, Notation::Wxf)
    }

    /// The name of a side.
    pub fn side(self, color: Color) -> &'static str {
        match color {
            Color::Red => self.pick("红方", "Red"),
            Color::Black => self.pick("黑方", "Black"),
        }
    }

    /// What a mark is called, for one and for many.
    pub fn mark(self, mark: Mark) -> &'static str {
        match mark {
            Mark::Good => self.pick("好着", "good"),
            Mark::Dubious => self.pick("欠妥", "dubious"),
            Mark::Mistake => self.pick("失误", "mistakes"),
            Mark::Blunder => self.pick("败着", "blunders"),
        }
    }

    /// The moves of a line, as many as wanted.
    pub fn line(self, position: &Position, line: &[Move], most: usize) -> Vec<String> {
        let mut position = position.clone();
        let write = |mv: &Move| {
            let text = notation::write(&position, *mv, self.notation());
            position.make(*mv);
            text
        };
        line.iter().take(most).map(write).collect()
    }

    /// A sentence about something that happened with a move.
    pub fn event(self, event: Event, mover: Color) -> String {
        let moves = |plies: i32| (plies + 1) / 2;
        match event {
            Event::MissedMate(plies) => {
                let moves = moves(plies);
                self.pick(format!("错过{moves}步杀"), format!("misses a mate in {moves}"))
            }
            Event::AllowedMate(plies) => {
                let moves = moves(plies);
                self.pick(format!("对方可{moves}步成杀"), format!("allows a mate in {moves}"))
            }
            Event::ThrewWin => {
                self.pick("残局库：必胜残局不再必胜", "by the endgame tables a win is gone").into()
            }
            Event::ThrewDraw => {
                self.pick("残局库：和棋变为负棋", "by the endgame tables a draw is lost").into()
            }
            Event::Repeated(2) => self.pick("局面重复", "the position repeats").into(),
            Event::Repeated(times) => self
                .pick(
                    format!("同一局面第{times}次出现"),
                    format!("the position stands for the {times}th time"),
                )
                .replace("3th", "3rd"),
            Event::Over(verdict) => self.verdict(verdict),
            Event::LeftBook => self.pick("脱谱", "leaves the book").into(),
            Event::Forced => {
                let side = self.side(mover);
                self.pick(format!("{side}只此一着"), String::from("the only move"))
            }
        }
    }

    /// How a game ended.
    pub fn verdict(self, verdict: Verdict) -> String {
        let why = match verdict.reason {
            Reason::Ongoing => return self.pick("对局未完", "the game goes on").into(),
            Reason::Mate => self.pick("将死", "mate").to_string(),
            Reason::Stalemate => self.pick("困毙", "stalemate").to_string(),
            Reason::PerpetualCheck => self.pick("长将", "perpetual check").to_string(),
            Reason::PerpetualChase { victim, square } => self.pick(
                format!("长捉{}（{square}）", Self::victim(victim)),
                format!("perpetual chase of the {} on {square}", victim.name()),
            ),
            Reason::Perpetual(_)
            | Reason::ChasesAlone
            | Reason::ForbiddenMove
            | Reason::OnlyForbiddenMoves
            | Reason::GameLength => self.say(&verdict.reason.to_string()).into_owned(),
            Reason::Repetition => self.pick("不变作和", "repetition").to_string(),
            Reason::NaturalLimit => self.pick("自然限着", "natural limit").to_string(),
            Reason::Material => self.pick("双方均无攻子", "nobody can win any more").to_string(),
        };
        let how = match verdict.ending {
            None => return why,
            Some(Ending::Draw) => self.pick("和棋", "draw"),
            Some(Ending::Loss(Color::Red)) => self.pick("黑胜", "Black wins"),
            Some(Ending::Loss(Color::Black)) => self.pick("红胜", "Red wins"),
        };
        self.pick(format!("{why}，{how}"), format!("{how}: {why}"))
    }

    fn victim(kind: PieceKind) -> char {
        match kind {
            PieceKind::King => '将',
            PieceKind::Advisor => '士',
            PieceKind::Bishop => '象',
            PieceKind::Horse => '马',
            PieceKind::Rook => '车',
            PieceKind::Cannon => '炮',
            PieceKind::Pawn => '兵',
        }
    }

    /// All that is to be said about a move, without the better line: a few words, or nothing.
    pub fn remarks(self, reviewed: &Reviewed) -> String {
        let events: Vec<String> =
            reviewed.events.iter().map(|event| self.event(*event, reviewed.side)).collect();
        events.join(self.pick("；", "; "))
    }
}

/// A score from red's side: `+1.25` in minor pieces, `+M3` for a mate in three moves, `+#` for a mate on the board, `+R`
/// for a win by the rules of repetition and `+T` for one that a table promises.
pub fn score_text(value: Score) -> String {
    let sign = if value < 0 { '-' } else { '+' };
    match score::mate_plies(value) {
        Some(0) => format!("{sign}#"),
        Some(plies) => format!("{sign}M{}", (plies.abs() + 1) / 2),
        None if score::is_rule(value) => format!("{sign}R"),
        None if value.abs() > score::EVAL_LIMIT => format!("{sign}T"),
        None => {
            let value = score::hundredths(value);
            let sign = if value < 0 { '-' } else { '+' };
            format!("{sign}{}.{:02}", value.abs() / 100, value.abs() % 100)
        }
    }
}

/// A chance in percent.
pub fn percent(chance: f64) -> String {
    format!("{:.0}%", 100.0 * chance)
}

/// A standing of the mover in red's eyes: score and chance.
pub fn for_red(standing: Standing, side: Color) -> (String, String) {
    let red = standing.from_red(side);
    (score_text(red.score), percent(red.chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_short() {
        for (value, text) in [
            (0, "+0.00"),
            (-1, "+0.00"),
            (-28, "-0.07"),
            (499, "+1.25"),
            (score::mate_in(1), "+M1"),
            (score::mate_in(0), "+#"),
            (score::mated_in(0), "-#"),
            (score::mated_in(6), "-M3"),
            (score::RULE_WIN - 4, "+R"),
            (-score::TABLE_WIN, "-T"),
        ] {
            assert_eq!(score_text(value), text);
        }
    }
}
