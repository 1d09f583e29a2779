//! Questions about rulings. One that was answered is a card of the deck, which brings it back.

use super::Train;
use super::views::{NamedMove, plain_card};
use chuhe_study::train::rulings::{Deed, Ruling, RulingAnswer};
use chuhe_study::train::{AnswerRating, CardId, CardKind, Day};
use chuhe_support::language::{Message, message, tr};
use chuhe_support::{date, with_values};
use serde::Serialize;
use xiangqi::RuleSet;

with_values! {
    #[derive(Serialize, crate::TS)]
    pub struct RulingQuestion {
        id: &'static str = ruling.id,
        fen: String = start.fen(),
        moves: Vec<String> = moves.iter().map(ToString::to_string).collect(),
        text: String = ruling.question(),
        choices: Vec<Choice> = RulingAnswer::ALL.into_iter().map(choice).collect(),
        left: usize = left,
    }
    fn of(ruling: &Ruling, left: usize) {
        let (start, mut moves) = ruling.figure();
        moves.extend(&ruling.cycle);
        let choice = |key: RulingAnswer| Choice { key, text: key.phrase().to_string() };
    }
}

#[derive(Serialize, crate::TS)]
struct Choice {
    #[ts(type = "string")]
    key: RulingAnswer,
    text: String,
}

#[derive(Serialize, crate::TS)]
pub struct RulingVerdict {
    right: bool,
    #[ts(type = "string")]
    answer: RulingAnswer,
    sentence: Option<String>,
    article: Option<String>,
    /// What each move of the repetition does.
    deeds: Vec<DeedView>,
}

with_values! {
    #[derive(Serialize, crate::TS)]
    #[ts(rename = "Deed")]
    struct DeedView {
        r#move: NamedMove = NamedMove::of(&deed.before(), deed.mv()),
        text: String = deed.text(),
        /// What it threatens to play: captures, as a rule; of the king where it checks.
        threats: Vec<String> = deed.threats.iter().map(ToString::to_string).collect(),
    }
    fn of(deed: &Deed);
}

impl Train {
    /// The next question: one that is due, or else one that was never asked.
    pub fn ruling(&self, offset: i16, after: Option<&str>) -> Option<RulingQuestion> {
        let today = Day::of(date::unix_seconds(), offset);
        let deck = self.deck(offset);
        let due = |ruling: &&Ruling| {
            let card = deck.get().get(CardId::of(&ruling.position));
            card.and_then(|(_, state)| state.due()).is_some_and(|day| day <= today)
        };
        let is_new = |ruling: &&Ruling| !deck.get().has_known(CardId::of(&ruling.position));
        let all = Ruling::all().iter();
        let open: Vec<&Ruling> = all.clone().filter(due).chain(all.filter(is_new)).collect();
        let next = open.iter().find(|ruling| Some(ruling.id) != after).or(open.first());
        next.map(|ruling| RulingQuestion::of(ruling, open.len()))
    }

    pub fn answer_ruling(&self, id: &str, key: RulingAnswer, offset: i16) -> Result<RulingVerdict, Message> {
        let no_ruling = || message!("There is no such ruling.");
        let ruling = Ruling::find(id).ok_or_else(no_ruling)?;
        let right = key == ruling.answer;
        let ((start, moves), title) = (ruling.figure(), ruling.id.to_string());
        self.keep_card(plain_card(CardKind::Ruling, &ruling.position, &start, moves, RuleSet::Cxa, title));
        let rating = if right { AnswerRating::Right } else { AnswerRating::Wrong };
        if let Err(error) = self.answer(CardId::of(&ruling.position), rating, None, offset) {
            log::warn!("{}", error.english());
        }
        let article = ruling.articles().map(|articles| tr!("Article {articles}", articles));
        Ok(RulingVerdict {
            right,
            answer: ruling.answer,
            sentence: Some(tr!("{verdict}.", verdict = ruling.verdict())),
            article,
            deeds: ruling.deeds().iter().map(DeedView::of).collect(),
        })
    }
}
