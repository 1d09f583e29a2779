//! Judges the move that a page has tried, and publishes what it finds. Where a move of the openings is asked for, it says what they
//! and the games of the person have.

use super::Train;
use super::views::{NamedMove, named_line};
use crate::searches::{JobPriority, PageSearch};
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_study::explorer::Tally;
use chuhe_study::player::SMALL_HASH_MB;
use chuhe_study::reader::move_name;
use chuhe_study::reasons::Reason;
use chuhe_study::repertoire::{MoveJudgement, OpeningCounts, judge_choices};
use chuhe_study::review::percent;
use chuhe_study::train::reasons_text;
use chuhe_study::train::{Card, CardKind, Trial, TrialError, judge};
use chuhe_support::language::{Language, Message, tr};
use serde::Serialize;
use std::sync::Arc;
use xiangqi::{Move, Position};

/// The nodes of a position; without threads it may be a phone.
const NODES: u64 = 150_000;
const INLINE_NODES: u64 = 40_000;

/// What is told of a move.
#[derive(Serialize, Default, crate::TS)]
pub struct TrainTrial {
    id: String,
    number: u64,
    right: bool,
    best: bool,
    lost: Option<f64>,
    reply: Vec<NamedMove>,
    reason: Option<String>,
    line: Vec<NamedMove>,
    error: Option<String>,
}

impl TrainTrial {
    fn of(card: &Card, mv: Move, number: u64, trial: Result<Trial, TrialError>, reasons: &[Reason]) -> TrainTrial {
        let view = TrainTrial { id: card.id.to_string(), number, ..TrainTrial::default() };
        match (trial, card.position()) {
            (Ok(trial), Some(position)) => {
                let line: Vec<Move> = std::iter::once(mv).chain(trial.reply.iter().copied()).collect();
                let line = named_line(&position, &line);
                let reply = if trial.is_right { Vec::new() } else { line[1..].to_vec() };
                let reason = reasons_text(reasons, &position, mv);
                let lost = Some(trial.lost);
                TrainTrial { right: trial.is_right, best: trial.is_best, lost, reply, reason, line, ..view }
            }
            (Err(error), _) => TrainTrial { error: Some(error.to_string()), ..view },
            (Ok(_), None) => TrainTrial { error: Some(TrialError::BadCard.to_string()), ..view },
        }
    }
}

/// Judges a move; what is published carries this number.
pub fn begin_trial(
    search: &Arc<PageSearch>,
    card: Card,
    mv: Move,
    opening: Option<OpeningChoice>,
    number: u64,
) -> Result<(), Message> {
    let Some(turn) = search.begin(None) else { return Ok(()) };
    let mut searcher = search.context.searcher(Options { threads: 1, ..Options::default() }, SMALL_HASH_MB)?;
    let nodes = search.context.nodes(NODES, INLINE_NODES);
    turn.search("trial", JobPriority::Review, move |turn, control| {
        let events = &turn.owner.events;
        if let Some(opening) = &opening {
            let Some((trial, judged)) = opening.judge(&card, &mut searcher, nodes, control) else { return false };
            events.publish("trial", || TrainTrial {
                reason: opening.told(&judged),
                ..TrainTrial::of(&card, mv, number, Ok(trial), &[])
            });
            return true;
        }
        let Some(trial) = judge(&card, mv, &mut searcher, nodes, control).transpose() else { return false };
        let mut reasons = Vec::new();
        if let Ok(Trial { is_right: false, reply, .. }) = &trial {
            let tables = searcher.tablebase.as_deref();
            let is_known = card.played == Some(mv);
            reasons = if is_known { card.reasons.clone() } else { card.find_reasons(mv, reply, tables, control) };
            if control.stopped() {
                return false;
            }
        }
        events.publish("trial", || TrainTrial::of(&card, mv, number, trial, &reasons));
        true
    })
}

/// The move of a card, and what is known of it without a search.
pub struct OpeningChoice {
    counts: Arc<[OpeningCounts; 2]>,
    position: Position,
    /// The moves of the openings, the main one first.
    wanted: Vec<Move>,
    is_right: bool,
    mv: Move,
}

impl Train {
    /// Nothing for a card of another kind.
    pub fn opening_choice(&self, card: &Card, mv: Move) -> Option<OpeningChoice> {
        let position = card.position().filter(|_| card.kind == CardKind::Opening)?;
        let openings = self.deck_file().get().openings().repertoire(card.side);
        let mut wanted = openings.moves(&position);
        if wanted.is_empty() {
            wanted.extend(card.best());
        }
        let is_right = openings.has(&position, mv) || wanted.first() == Some(&mv);
        Some(OpeningChoice { counts: self.own_games(), position, wanted, is_right, mv })
    }
}

impl OpeningChoice {
    /// Judges the move: one of the openings is right, whatever the engine thinks of it. With what the engine thinks of others.
    /// Nothing if the search is stopped.
    pub fn judge(
        &self,
        card: &Card,
        searcher: &mut Searcher,
        nodes: u64,
        control: &Control,
    ) -> Option<(Trial, Vec<MoveJudgement>)> {
        if self.is_right {
            let is_best = self.wanted.first() == Some(&self.mv);
            let reply = if is_best { card.line.iter().skip(1).copied().collect() } else { Vec::new() };
            return Some((Trial { is_right: true, is_best, lost: 0.0, reply }, Vec::new()));
        }
        let moves: Vec<Move> = [self.mv].into_iter().chain(self.wanted.first().copied()).collect();
        let judged = judge_choices(&self.position, &moves, searcher, nodes, control)?;
        let lost = judged.get(1).map_or(0.0, |wanted| (wanted.chance - judged[0].chance).max(0.0));
        let reply = judged[0].reply.clone();
        Some((Trial { is_right: false, is_best: false, lost, reply }, judged))
    }

    /// What the openings have, what the engine thinks, and how the games of the person went; nothing of a move that is right.
    pub fn told(&self, judged: &[MoveJudgement]) -> Option<String> {
        if self.is_right {
            return None;
        }
        let name = |mv: Move| move_name(&self.position, mv);
        let wanted: Vec<String> = self.wanted.iter().map(|&mv| name(mv)).collect();
        let played = name(self.mv);
        let list = Language::list(&wanted);
        let mut sentences = vec![tr!("Your line has {list}.", list)];
        if let [first, second] = judged {
            let (own, line) = (percent(first.chance), percent(second.chance));
            sentences.push(tr!("The engine: {own} after {played}, {line} after your line.", own, played, line));
        }
        let tally = |mv: Move| self.counts[self.position.side()].of_move(&self.position, mv);
        let games = |name: &str, tally: Tally| {
            let score = tally.score(self.position.side()).map(percent);
            let (name, games) = (name.to_string(), tally.games);
            match score {
                Some(score) => tr!("{name} {games} times, score {score}", name, games, score),
                None => tr!("{name} {games} times", name, games),
            }
        };
        let mut told = vec![games(&played, tally(self.mv))];
        told.extend(self.wanted.first().zip(wanted.first()).map(|(&mv, name)| games(name, tally(mv))));
        if self.counts[self.position.side()].games() > 0 {
            let list = told.join(Language::choose("；", "; "));
            sentences.push(tr!("Your games: {list}.", list));
        }
        Some(Language::text(&sentences))
    }
}
