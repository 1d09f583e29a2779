//! A verdict on a game: its ply, its reason, and how it agrees with the record; as lines and as JSON.

use chuhe_study::reader::{chosen_notation, move_in};
use chuhe_support::language::{Language, Phrase, phrase, sanitize, tr};
use chuhe_support::messages::Localize;
use serde_json::{Value, json};
use std::cell::OnceCell;
use xiangqi::rules::{MoveExplanation, piece_on_square};
use xiangqi::words::Value as WordValue;
use xiangqi::{Ending, Move, Piece, Position, Reason, RuleSet, Rules, Square, Verdict};
use xiangqi_record::{Game, GameResult, Notation, notation};

/// Added to an explanation by rules that count checks and chases.
const CAVEAT: Phrase = phrase!("the platform does not define a chase; the asian definition is used");

/// A rule set, as players call it.
pub(super) fn rules_name(set: RuleSet) -> Phrase {
    match set {
        RuleSet::Asian => phrase!("the Asian rules"),
        RuleSet::League => phrase!("the league rules"),
        RuleSet::Computer => phrase!("the rules of the computer tournaments"),
        RuleSet::Cxa => phrase!("the rules of the Chinese Xiangqi Association"),
        RuleSet::Tiantian => phrase!("the rules of Tiantian Xiangqi"),
        _ => phrase!("no rules of repetition"),
    }
}

/// The verdict of a rule set on a game.
pub struct Ruling {
    pub(super) rules: Rules,
    pub(super) verdict: Verdict,
    /// The game up to where it was decided, or as far as it goes.
    pub(super) position: Position,
    /// The plies of the whole game.
    plies: usize,
    /// `None` for the usual one of the language that is written.
    notation: Option<Notation>,
    /// Whether it can contradict what a record says: not where it stands beside rules that are played by, and is of none.
    pub(super) is_counted: bool,
    /// What the moves of the repetition did, once somebody asks.
    explanations: OnceCell<Vec<MoveExplanation>>,
}

impl Ruling {
    /// Goes through the game until it is decided.
    pub fn of(rules: Rules, game: &Position, notation: Option<Notation>) -> Ruling {
        let plies = game.history_len();
        let verdict = rules.judge(game);
        let same = |other: &Verdict| {
            let kinds = [verdict, *other].map(|verdict| std::mem::discriminant(&verdict.reason));
            other.ending == verdict.ending && kinds[0] == kinds[1]
        };
        // The first verdict counts, but one that still holds at the end is reported of the whole game.
        let moves: Vec<Move> = (0..plies).map_while(|back| Some(game.move_before(back)?.0)).collect();
        let mut walk = game.clone();
        moves.iter().for_each(|_| walk.undo());
        let mut first = rules.judge(&walk);
        for &mv in moves.iter().rev() {
            if first.ending.is_some() {
                break;
            }
            walk.play_unchecked(mv);
            first = rules.judge(&walk);
        }
        let (verdict, position) = if same(&first) { (verdict, game.clone()) } else { (first, walk) };
        Ruling { verdict, explanations: OnceCell::new(), rules, position, plies, notation, is_counted: true }
    }

    /// What the moves of the repetition did.
    pub(super) fn explanations(&self) -> &[MoveExplanation] {
        self.explanations.get_or_init(|| self.rules.explain_so_far(&self.position))
    }

    fn ply(&self) -> usize {
        self.position.history_len()
    }

    fn went_on(&self) -> bool {
        self.ply() < self.plies
    }

    /// The verdict in one line; of a game that ended otherwise, its recorded result.
    pub(super) fn text(&self, game: Option<&Game>) -> String {
        let recorded = game.map(|game| game.result).filter(|result| *result != GameResult::Unknown);
        if let (None, Some(result)) = (self.verdict.ending, recorded) {
            return tr!("no rule decides (recorded {result})", result);
        }
        let naming = |piece, square| self.piece_text(&self.position, piece, square);
        let verdict = self.verdict.words_naming(&naming).localized();
        if self.went_on() {
            return tr!("decided at ply {ply}: {verdict}; the game went on", ply = self.ply(), verdict);
        }
        verdict
    }

    /// The verdict as a sentence, with what the record says where it says otherwise.
    pub(super) fn conclusion(&self, game: Option<&Game>) -> String {
        let rules = rules_name(self.rules.set);
        if self.verdict.ending.is_none() {
            return tr!("By {rules}: {verdict}.", rules, verdict = self.text(game));
        }
        let naming = |piece, square| self.piece_text(&self.position, piece, square);
        let verdict = self.verdict.sentence_words(&naming).localized();
        match game.and_then(|game| self.contradiction(game)) {
            Some(remark) => tr!("By {rules}: {verdict}; {remark}.", rules, verdict, remark),
            None => tr!("By {rules}: {verdict}.", rules, verdict),
        }
    }

    /// The result in the record, if it differs.
    pub(super) fn contradiction(&self, game: &Game) -> Option<String> {
        self.contradicts(game).then(|| tr!("this contradicts the recorded result, {result}", result = game.result))
    }

    /// Whether the record says another result than the rules.
    pub(super) fn contradicts(&self, game: &Game) -> bool {
        let decided = self.verdict.ending.map(|ending| GameResult::from_winner(ending.winner()));
        self.is_counted && game.result != GameResult::Unknown && decided.is_some_and(|decided| decided != game.result)
    }

    /// The boards before the moves of the repetition, each with its move. They have no history: there may be thousands.
    pub(super) fn moves(&self) -> Vec<(Position, &MoveExplanation)> {
        let mut replayed = self.position.clone();
        let mut all: Vec<(Position, &MoveExplanation)> = self
            .explanations()
            .iter()
            .rev()
            .map(|explained| {
                replayed.undo();
                (replayed.without_history(), explained)
            })
            .collect();
        all.reverse();
        all
    }

    /// The position that the game began with, and its moves up to where it was decided.
    pub(super) fn game(&self) -> (Position, Vec<Move>) {
        let mut start = self.position.clone();
        let mut moves: Vec<Move> = (0..self.ply()).map_while(|back| Some(self.position.move_before(back)?.0)).collect();
        moves.reverse();
        moves.iter().for_each(|_| start.undo());
        (start, moves)
    }

    pub(super) fn notation(&self) -> Notation {
        self.notation.or(chosen_notation()).unwrap_or(Language::choose(Notation::Chinese, Notation::Uci))
    }

    /// A move, and what it did.
    pub(super) fn move_text(&self, before: &Position, explained: &MoveExplanation) -> [String; 2] {
        let after = before.after(&[explained.mv]);
        let naming = |piece: Piece, square: Square| self.piece_text(&after, piece, square);
        let mut text = explained.words_naming(&naming).localized();
        if let Some(article) = explained.article {
            text += &tr!(" (article {article})", article);
        }
        [move_in(before, explained.mv, self.notation()), text]
    }

    /// A piece on this board, called as the moves call it.
    fn piece_text(&self, board: &Position, piece: Piece, square: Square) -> WordValue<'static> {
        let name = notation::piece_name(board, square, self.notation());
        name.map_or_else(|| piece_on_square(piece, square), |name| Language::in_script(name).into())
    }

    /// Why, move by move.
    pub(super) fn explanation(&self) -> Vec<String> {
        let mut lines: Vec<String> = self
            .moves()
            .iter()
            .map(|(before, explained)| {
                let [mv, text] = self.move_text(before, explained);
                // Padding a formatted value needs its text first.
                format!("{:<5}  {mv}  {text}", explained.mover.localized())
            })
            .collect();
        lines.extend(self.remarks());
        lines
    }

    /// The paragraphs, and what else there is to say of the game as a whole.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(paragraph) = self.rules.rule_paragraph(self.verdict.reason) {
            lines.push(match self.rules.official_articles(self.verdict.reason) {
                Some(article) if !article.contains(',') => {
                    tr!("(docs/rules.md {paragraph}; article {article} of the association)", paragraph, article)
                }
                Some(articles) => {
                    tr!("(docs/rules.md {paragraph}; articles {articles} of the association)", paragraph, articles)
                }
                None => tr!("(docs/rules.md {paragraph})", paragraph),
            });
        }
        if self.rules.uses_counters() && !self.explanations().is_empty() {
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

    /// The verdict for scripts; of a game also what its record says.
    pub fn json(&self, game: Option<&Game>) -> Value {
        let verdict = self.verdict;
        let is_recorded = game.is_some_and(|game| game.result != GameResult::Unknown);
        let (result, loser) = match verdict.ending {
            None if is_recorded => ("undecided", None),
            None => ("ongoing", None),
            Some(Ending::Draw) => ("draw", None),
            Some(Ending::Loss(color)) => ("loss", Some(color.to_string())),
        };
        let victim = match verdict.reason {
            Reason::PerpetualChase { victim, square } => Some(json_piece(&(victim, square))),
            _ => None,
        };
        let explained = |(before, explained): &(Position, &MoveExplanation)| {
            let threat = |mv: &Move| mv.to_string();
            json!({
                "mover": explained.mover.to_string(),
                "move": explained.mv.to_string(),
                "written": notation::format(before, explained.mv, self.notation()),
                "check": explained.check,
                "chased": explained.newly_chased.iter().map(json_piece).collect::<Vec<_>>(),
                "threatens": explained.threats.iter().map(threat).collect::<Vec<_>>(),
                "article": explained.article,
                "nature": explained.nature.as_ref().map(|nature| nature.to_string()),
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
            "articles": self.rules.official_articles(verdict.reason),
            "caveat": self.rules.uses_counters().then_some(CAVEAT.0),
            "repetition": self.moves().iter().map(explained).collect::<Vec<_>>(),
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
