//! What is said of a move that was tried where a move of the openings is asked for.

use super::Train;
use chuhe_engine::search::{Control, Searcher};
use chuhe_study::explorer::Tally;
use chuhe_study::reader::move_name;
use chuhe_study::repertoire::{MoveJudgement, OpeningCounts, judge_choices};
use chuhe_study::review::percent;
use chuhe_study::train::{Card, CardKind, Trial};
use chuhe_support::language::{Language, tr};
use std::sync::Arc;
use xiangqi::{Move, Position};

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
        let openings = self.store.deck().deck().get().openings().repertoire(card.side);
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
