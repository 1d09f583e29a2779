//! A verdict on a game: where it fell, why, and what the record says of it; as lines and as JSON.

use chuhe_support::language::{Phrase, phrase, sanitize, tr};
use chuhe_support::messages::Localize;
use chuhe_support::messages::xiangqi::{explanation_text, piece_on_square, verdict_text};
use serde_json::{Value, json};
use xiangqi::rules::MoveExplanation;
use xiangqi::{Ending, Move, Piece, Position, Reason, Rules, Square, Verdict};
use xiangqi_record::{Game, GameResult, Notation, notation};

/// Added to an explanation by rules that count checks and chases.
const CAVEAT: Phrase = phrase!("the platform does not publish what a chase is: what the asian rules call one is taken");

/// What a rule set says of a game.
pub(super) struct Ruling {
    pub(super) rules: Rules,
    pub(super) verdict: Verdict,
    /// The game up to where it was decided, or as far as it goes.
    pub(super) position: Position,
    /// The plies of the whole game.
    plies: usize,
    notation: Notation,
    /// What the moves of the repetition did.
    pub(super) deeds: Vec<MoveExplanation>,
}

impl Ruling {
    /// Goes through the game until it is decided.
    pub(super) fn of(rules: Rules, game: &Position, notation: Notation) -> Ruling {
        let plies = game.history_len();
        let mut boards = vec![game.clone()];
        let mut probe = game.clone();
        for _ in 0..plies {
            probe.undo();
            boards.push(probe.clone());
        }
        let verdict = rules.judge(game);
        let same = |other: &Verdict| {
            let kinds = [verdict, *other].map(|verdict| std::mem::discriminant(&verdict.reason));
            other.ending == verdict.ending && kinds[0] == kinds[1]
        };
        // The first verdict stands, but one that still holds at the end is told of the whole game.
        let decided = boards.into_iter().rev().map(|board| (rules.judge(&board), board));
        let first = decided.into_iter().find(|(verdict, _)| verdict.ending.is_some()).filter(|(first, _)| !same(first));
        let (verdict, position) = first.unwrap_or_else(|| (verdict, game.clone()));
        Ruling { verdict, deeds: rules.explain_so_far(&position), rules, position, plies, notation }
    }

    fn ply(&self) -> usize {
        self.position.history_len()
    }

    fn went_on(&self) -> bool {
        self.ply() < self.plies
    }

    /// The verdict in one line.
    pub(super) fn text(&self) -> String {
        let verdict = verdict_text(&self.verdict, &|piece, square| self.piece_text(&self.position, piece, square));
        if self.went_on() {
            return tr!("decided at ply {ply}: {verdict}; the game went on", ply = self.ply(), verdict);
        }
        verdict
    }

    /// What the record says, if that is something else.
    pub(super) fn contradiction(&self, game: &Game) -> Option<String> {
        self.contradicts(game).then(|| tr!("this contradicts the recorded result, {result}", result = game.result))
    }

    fn contradicts(&self, game: &Game) -> bool {
        let decided = self.verdict.ending.map(|ending| GameResult::from_winner(ending.winner()));
        game.result != GameResult::Unknown && decided.is_some_and(|decided| decided != game.result)
    }

    /// The boards before the moves of the repetition, each with its move.
    pub(super) fn moves(&self) -> Vec<(Position, &MoveExplanation)> {
        let mut walk = self.position.clone();
        let mut all: Vec<(Position, &MoveExplanation)> = self
            .deeds
            .iter()
            .rev()
            .map(|deed| {
                walk.undo();
                (walk.clone(), deed)
            })
            .collect();
        all.reverse();
        all
    }

    /// A move, and what it did.
    pub(super) fn move_text(&self, before: &Position, deed: &MoveExplanation) -> [String; 2] {
        let mut after = before.clone();
        after.play_unchecked(deed.mv);
        let naming = |piece: Piece, square: Square| self.piece_text(&after, piece, square);
        [notation::write(before, deed.mv, self.notation), explanation_text(deed, &naming)]
    }

    /// A piece on this board, called as the moves call it.
    fn piece_text(&self, board: &Position, piece: Piece, square: Square) -> String {
        notation::piece_name(board, square, self.notation).unwrap_or_else(|| piece_on_square(piece, square))
    }

    /// Why, move by move.
    pub(super) fn explanation(&self) -> Vec<String> {
        let mut lines: Vec<String> = self
            .moves()
            .iter()
            .map(|(before, deed)| {
                let [mv, text] = self.move_text(before, deed);
                // Padding a formatted value needs its text first.
                format!("{:<5}  {mv}  {text}", deed.mover.localized())
            })
            .collect();
        if let Some(paragraph) = self.rules.rule_paragraph(self.verdict.reason) {
            lines.push(tr!("(docs/rules.md {paragraph})", paragraph));
        }
        if self.rules.uses_counters() && !self.deeds.is_empty() {
            lines.push(tr!("({remark})", remark = CAVEAT));
        }
        if self.verdict.ending.is_none() {
            lines.extend(self.why_ongoing());
        }
        lines
    }

    fn why_ongoing(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(near) = self.rules.nearest_repetition(&self.position).filter(|near| near.stood > 1) {
            let (stood, needed) = (near.stood, near.needed);
            let (rounds, all) = (stood - 1, needed - 1);
            lines.push(if near.ply == self.ply() {
                tr!(
                    "this position has stood {stood} of {needed} times: {rounds} of {all} rounds",
                    stood,
                    needed,
                    rounds,
                    all
                )
            } else {
                let ply = near.ply;
                tr!(
                    "the position after ply {ply} has stood {stood} of {needed} times: {rounds} of {all} rounds",
                    ply,
                    stood,
                    needed,
                    rounds,
                    all
                )
            });
        } else if !self.rules.uses_counters() {
            lines.push(tr!("no position has stood twice since the last capture"));
        }
        if self.rules.natural_limit > 0 {
            let (plies, limit) = (self.position.plies_since_capture(), self.rules.natural_limit);
            lines.push(tr!("{plies} plies without a capture, of {limit} that draw", plies, limit));
        }
        lines
    }

    pub(super) fn json(&self, game: Option<&Game>) -> Value {
        let verdict = self.verdict;
        let (result, loser) = match verdict.ending {
            None => ("ongoing", None),
            Some(Ending::Draw) => ("draw", None),
            Some(Ending::Loss(color)) => ("loss", Some(color.to_string())),
        };
        let victim = match verdict.reason {
            Reason::PerpetualChase { victim, square } => Some(json_piece(&(victim, square))),
            _ => None,
        };
        let deed = |(before, deed): &(Position, &MoveExplanation)| {
            let threat = |mv: &Move| mv.to_string();
            json!({
                "mover": deed.mover.to_string(),
                "move": deed.mv.to_string(),
                "written": notation::write(before, deed.mv, self.notation),
                "check": deed.check,
                "chased": deed.newly_chased.iter().map(json_piece).collect::<Vec<_>>(),
                "threatens": deed.threats.iter().map(threat).collect::<Vec<_>>(),
                "nature": deed.nature.as_ref().map(|nature| nature.to_string()),
            })
        };
        let near = self.rules.nearest_repetition(&self.position).filter(|_| verdict.ending.is_none());
        let mut object = json!({
            "fen": self.position.fen(),
            "rules": self.rules.set.to_string(),
            "result": result,
            "loser": loser,
            "reason": verdict.reason.to_string(),
            "victim": victim,
            "ply": self.ply(),
            "plies": self.plies,
            "went_on": self.went_on(),
            "stood": near.map(|near| near.stood),
            "needed": near.map(|near| near.needed),
            "paragraph": self.rules.rule_paragraph(verdict.reason),
            "caveat": self.rules.uses_counters().then_some(CAVEAT.0),
            "repetition": self.moves().iter().map(deed).collect::<Vec<_>>(),
        });
        if let Some(game) = game {
            let tags = game.tags.iter().map(|(name, value)| (name.clone(), sanitize(value).into_owned().into()));
            object["tags"] = Value::Object(tags.collect());
            object["recorded"] = game.result.token().into();
            object["contradicts"] = self.contradicts(game).into();
        }
        object
    }
}

fn json_piece(&(piece, square): &(Piece, Square)) -> Value {
    json!({"piece": piece.kind().name(), "square": square.to_string()})
}
