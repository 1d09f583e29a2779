//! The requests of a page that trains: `{"type":"train","do":NAME,...}`; `page/protocol.d.ts` has their replies.

use super::Train;
use super::exercises::{CardQuery, MAX_NAME, Solution, deck_name, shortened};
use super::openings::OpeningMark;
use super::queue::{Queue, QueueError};
use super::replies::{Hint, Imported, Players, Queued};
use super::tactics::week_of_tactics;
use super::views::{PatternView, no_card, parse_move};
use crate::bilingual::Bilingual;
use crate::client::Client;
use crate::files::FileDownload;
use crate::ids::Ids;
use crate::library::record::GameId;
use crate::requests::{Count, Empty, Reply, json};
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_study::review::PlayerNames;
use chuhe_study::train::endings::EndingSide;
use chuhe_study::train::rulings::RulingAnswer;
use chuhe_study::train::{
    AnswerRating, Card, CardEdit, CardFilter, CardId, CardKind, DeckGuard, ExerciseSheet, Pattern, PerPage,
    months_of_play,
};
use chuhe_support::date;
use chuhe_support::language::Language;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::Arc;
use xiangqi::Color;

/// The longest note, in letters.
const MAX_NOTE: usize = 2000;
/// The most names of the person.
const MAX_ME: usize = 20;

/// A request of a page that trains. `offset` is the person's time zone, minutes east of UTC: days are in it.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(tag = "do", optional_fields))]
pub enum TrainRequest {
    Today {
        offset: i16,
    },
    /// The names that recur in the list of games, the most frequent first.
    Players,
    /// The next card of all decks and kinds, or of these; `after` is not wanted again now, if there is another. With `ids`
    /// the first of these cards that is there, due or not: the page takes out those that are done.
    Question {
        offset: i16,
        deck: Option<String>,
        #[cfg_attr(test, ts(optional, type = "CardKind"))]
        kind: Option<CardKind>,
        after: Option<String>,
        #[cfg_attr(test, ts(optional, type = "Array<string>"))]
        ids: Option<Ids<CardId>>,
    },
    /// Judges a move; the answer is the event `trial`.
    Try {
        id: String,
        #[serde(rename = "move")]
        mv: String,
        number: u64,
    },
    /// The square of the piece, or with step 2 the one it goes to as well.
    Hint {
        id: String,
        step: u8,
    },
    Show {
        id: String,
    },
    /// What stands beside a card; `answered` tells what came after its position, too.
    Context {
        id: String,
        answered: bool,
    },
    Answer {
        id: String,
        #[cfg_attr(test, ts(type = "1 | 2 | 3 | 4"))]
        rating: AnswerRating,
        /// The move that was tried first.
        #[serde(rename = "move")]
        mv: Option<String>,
        offset: i16,
    },
    Edit {
        id: String,
        flagged: Option<bool>,
        note: Option<String>,
        deck: Option<String>,
    },
    /// Takes cards out of the deck; a review does not bring them back, `undrop` does, the last ones.
    Drop {
        #[cfg_attr(test, ts(type = "Array<string>"))]
        ids: Ids<CardId>,
    },
    Undrop,
    Cards(CardQuery),
    /// Reviews games of the list. Without `me` the names that were told last; with none both sides are the person's.
    Add {
        games: Ids<GameId>,
        me: Option<Vec<String>>,
        nodes: Option<u64>,
    },
    Me {
        names: Vec<String>,
    },
    Pause,
    Resume,
    /// Forgets the games that wait.
    Cancel,
    /// Makes cards of all moves of a side that the review of this page calls dubious, a mistake or a blunder.
    Learn {
        #[cfg_attr(test, ts(type = "Side"))]
        side: Color,
    },
    /// Of the person's own cards and answers, or of a deck and those of who has sent it.
    Pattern {
        deck: Option<String>,
    },
    Export {
        deck: Option<String>,
        answers: bool,
    },
    /// A file in base64. Without `deck` it comes from another device of the person.
    Import {
        bytes: String,
        #[serde(default)]
        name: String,
        deck: Option<String>,
    },
    Sheet {
        #[cfg_attr(test, ts(type = "Array<string>"))]
        ids: Ids<CardId>,
        title: String,
        per_page: u8,
        language: String,
    },
    Endings,
    /// An ending, how hard it is from 1 to 3.
    Ending {
        id: String,
        #[cfg_attr(test, ts(type = "EndingSide"))]
        side: EndingSide,
        level: u8,
    },
    EndingMove {
        #[serde(rename = "move")]
        mv: String,
    },
    /// Goes on from before the fault.
    EndingAgain,
    Rulings {
        offset: i16,
        after: Option<String>,
    },
    RulingAnswer {
        id: String,
        #[cfg_attr(test, ts(type = "string"))]
        key: RulingAnswer,
        offset: i16,
    },
    Tactics {
        offset: i16,
    },
    /// A tactic of this theme near this difficulty, or at the level of the person.
    Tactic {
        offset: i16,
        theme: Option<String>,
        target: Option<u16>,
    },
    /// Judges a move of the solver, which is the first one at step 0; without a move the solution is shown.
    TacticMove {
        id: String,
        step: usize,
        #[serde(rename = "move")]
        mv: Option<String>,
    },
    /// Whether it was solved, or at which step it was not.
    TacticAnswer {
        id: String,
        step: usize,
        right: bool,
        rated: bool,
        offset: i16,
    },
    TacticRun {
        solved: u32,
        offset: i16,
    },
    /// A file of tactics in base64, in the place of those of the program, or these with `own`; with none it is closed.
    TacticsFile {
        bytes: String,
        name: String,
        own: bool,
    },
    /// The openings of a side, in the position after these moves from the start position.
    Openings {
        #[cfg_attr(test, ts(type = "Side"))]
        side: Color,
        moves: Vec<String>,
        offset: i16,
    },
    /// Adds what the games of the person have, where the openings of a side have no move.
    OpeningsMake {
        #[cfg_attr(test, ts(type = "Side"))]
        side: Color,
    },
    /// Adds these moves, makes the last one the main one, or takes it out.
    OpeningsMark {
        #[cfg_attr(test, ts(type = "Side"))]
        side: Color,
        moves: Vec<String>,
        #[cfg_attr(test, ts(type = "\"add\" | \"main\" | \"remove\""))]
        mark: OpeningMark,
    },
    /// Adds the lines of a file of games in base64, of this side, or of the one that it tells.
    OpeningsFile {
        bytes: String,
        name: String,
        #[cfg_attr(test, ts(optional, type = "Side"))]
        side: Option<Color>,
    },
    OpeningsExport {
        #[cfg_attr(test, ts(type = "Side"))]
        side: Color,
        #[cfg_attr(test, ts(type = "\"pgn\" | \"xqf\""))]
        format: String,
    },
    /// Takes all openings of a side out.
    OpeningsClear {
        #[cfg_attr(test, ts(type = "Side"))]
        side: Color,
    },
    /// Where a game that is over has left the openings of a side, or of that of the person by these names.
    OpeningsLeft {
        #[cfg_attr(test, ts(optional, type = "Side"))]
        side: Option<Color>,
        start: String,
        moves: Vec<String>,
        #[serde(default)]
        players: Vec<String>,
    },
}

impl TrainRequest {
    /// Whether the engine answers: a deck that was imported may have any position.
    pub fn is_help(&self) -> bool {
        use TrainRequest as R;
        let is_opening = matches!(self, R::Openings { .. } | R::OpeningsExport { .. } | R::OpeningsLeft { .. });
        is_opening || matches!(self, R::Try { .. } | R::Hint { .. } | R::Show { .. } | R::Context { .. })
    }

    /// Handles the request for a client. Returns the answer as JSON.
    pub fn answer(self, client: &Client) -> Result<Reply, Bilingual> {
        use TrainRequest as R;
        let train = &client.train;
        // Who trains does not play at the same time.
        train.set_playing(client.id, false);
        train.go_on();
        match self {
            R::Today { offset } => json(&train.today(offset)),
            R::Players => json(&Players::of(client)),
            R::Question { ids: Some(Ids(ids)), .. } => json(&train.chosen_question(&ids)),
            R::Question { offset, deck, kind, after, ids: None } => {
                let after = after.as_deref().and_then(CardId::parse);
                json(&train.question(offset, CardFilter { deck: deck.as_deref(), kind }, after))
            }
            R::Try { id, mv, number } => {
                let (card, mv) = (train.card(card_id(&id)?)?, parse_move(&mv)?);
                let opening = train.opening_choice(&card, mv);
                client.trial.begin(card, mv, opening, number)?;
                json(&Empty {})
            }
            R::Hint { id, step } => json(&Hint::of(train.card(card_id(&id)?)?.best(), step)),
            R::Show { id } => json(&Solution::of(&train.card(card_id(&id)?)?)?),
            R::Context { id, answered } => json(&train.context(card_id(&id)?, answered)?),
            R::Answer { id, rating, mv, offset } => {
                json(&train.answer(card_id(&id)?, rating, mv.as_deref().map(parse_move).transpose()?, offset)?)
            }
            R::Edit { id, flagged, note, deck } => {
                let note = note.map(|note| shortened(&note, MAX_NOTE));
                let edit = CardEdit { flagged, note, deck: deck.as_deref().map(deck_name), dropped: None };
                train.edit(&[card_id(&id)?], &edit)?;
                json(&Empty {})
            }
            R::Drop { ids } => json(&Count { count: train.drop_cards(&ids.0)? }),
            R::Undrop => json(&Count { count: train.undrop_cards()? }),
            R::Cards(query) => json(&train.cards(&query)),
            R::Add { games, me, nodes } => json(&Queued { queued: train.add_games(&games.0, me, nodes)? }),
            R::Me { names } => {
                let names = checked_names(&names)?;
                train.answer_change(|queue| queue.set_me(names))
            }
            R::Pause => train.answer_change(|queue| queue.set_paused(true)),
            R::Resume => train.answer_change(|queue| queue.set_paused(false)),
            R::Cancel => train.answer_change(Queue::clear),
            R::Learn { side } => json(&train.learn(&*client.review.last()?, side)?),
            R::Pattern { deck } => {
                let file = train.deck_file();
                let week = deck.is_none().then(|| week_of_tactics(file.get(), date::unix_seconds())).flatten();
                let pattern = Pattern::of(file.get(), deck.as_deref());
                json(&PatternView::of(&pattern, &months_of_play(file.get()), week))
            }
            R::Export { deck, answers } => {
                let text = train.deck_file().export(deck.as_deref(), answers);
                Ok(Reply::File(FileDownload::new("chuhe-train.jsonl", "application/x-ndjson", text.into_bytes())))
            }
            R::Import { bytes, name, deck } => json(&Imported::from_file(client, &bytes, &name, deck.as_deref())?),
            R::Sheet { ids, title, per_page, language } => Ok(sheet(client, &ids.0, &title, per_page, &language)),
            R::Endings => json(&train.shelves()),
            R::Ending { id, side, level } => json(&train.begin_ending(client, &id, side, level)?),
            R::EndingMove { mv } => json(&train.play_ending(client, parse_move(&mv)?)?),
            R::EndingAgain => json(&train.go_on_with_ending(client)?),
            R::Rulings { offset, after } => json(&train.ruling(offset, after.as_deref())),
            R::RulingAnswer { id, key, offset } => json(&train.answer_ruling(&id, key, offset)?),
            R::Tactics { offset } => json(&train.tactics(offset)),
            R::Tactic { offset, theme, target } => json(&train.tactic(offset, theme.as_deref(), target)),
            R::TacticMove { id, step, mv } => {
                json(&train.tactic_move(card_id(&id)?, step, mv.as_deref().map(parse_move).transpose()?)?)
            }
            R::TacticAnswer { id, step, right, rated, offset } => {
                json(&train.answer_tactic(card_id(&id)?, step, right, rated, offset)?)
            }
            R::TacticRun { solved, offset } => json(&train.end_tactic_run(solved, offset)?),
            R::TacticsFile { bytes, name, own } => {
                train.open_tactics(&BASE64.decode(bytes).unwrap_or_default(), shortened(&name, MAX_NAME), own)?;
                json(&Empty {})
            }
            R::Openings { side, moves, offset } => json(&train.openings(side, &moves, offset)?),
            R::OpeningsMake { side } => json(&train.make_openings(side)?),
            R::OpeningsMark { side, moves, mark } => json(&train.mark_opening(side, &moves, mark)?),
            R::OpeningsFile { bytes, name, side } => {
                let bytes = BASE64.decode(bytes).unwrap_or_default();
                json(&train.add_file_of_openings(bytes, &shortened(&name, MAX_NAME), side)?)
            }
            R::OpeningsExport { side, format } => Ok(Reply::File(train.export_openings(side, &format)?)),
            R::OpeningsClear { side } => json(&train.clear_openings(side)?),
            R::OpeningsLeft { side, start, moves, players } => {
                json(&train.openings_left(side, &start, &moves, &players)?)
            }
        }
    }
}

impl Train {
    pub(super) fn deck_file(&self) -> DeckGuard<'_> {
        self.store.deck().deck()
    }

    fn answer_change(
        self: &Arc<Train>,
        change: impl FnOnce(&mut Queue) -> Result<(), QueueError>,
    ) -> Result<Reply, Bilingual> {
        self.change(change).map_err(Bilingual::from_error)?;
        self.go_on();
        json(&Empty {})
    }

    fn drop_cards(&self, ids: &[CardId]) -> Result<usize, Bilingual> {
        let ids = self.set_dropped(ids, true)?;
        let count = ids.len();
        self.dropped().push(ids);
        Ok(count)
    }

    /// Brings back the cards that were dropped last.
    fn undrop_cards(&self) -> Result<usize, Bilingual> {
        let ids = self.dropped().pop().unwrap_or_default();
        let outcome = self.set_dropped(&ids, false);
        if outcome.is_err() {
            self.dropped().push(ids);
        }
        Ok(outcome?.len())
    }

    fn add_games(
        self: &Arc<Train>,
        games: &[GameId],
        me: Option<Vec<String>>,
        nodes: Option<u64>,
    ) -> Result<usize, Bilingual> {
        let me = me.as_deref().map(checked_names).transpose()?;
        let queued = self.change(|queue| {
            if let Some(me) = me {
                queue.set_me(me)?;
            }
            queue.add(games, nodes)
        });
        let queued = queued.map_err(Bilingual::from_error)?;
        self.go_on();
        Ok(queued)
    }
}

fn card_id(text: &str) -> Result<CardId, Bilingual> {
    CardId::parse(text).ok_or_else(no_card)
}

/// Exercises to print.
fn sheet(client: &Client, ids: &[CardId], title: &str, per_page: u8, language: &str) -> Reply {
    let deck = client.train.deck_file();
    let cards: Vec<&Card> = ids.iter().filter_map(|&id| Some(deck.get().get(id)?.0)).collect();
    let players: BTreeSet<Option<&str>> = cards.iter().map(|card| card.player()).collect();
    let only = players.first().copied().flatten().filter(|_| players.len() == 1);
    let sheet = ExerciseSheet {
        title: title.trim(),
        name: only.unwrap_or_default(),
        per_page: if per_page > 4 { PerPage::Six } else { PerPage::Four },
        language: if language == "zh" { Language::CHINESE } else { Language::ENGLISH },
        cards,
    };
    Reply::File(FileDownload::new("exercises.html", "text/html", sheet.html().into_bytes()))
}

/// The names of the person, of which each has a letter.
fn checked_names(names: &[String]) -> Result<Vec<String>, Bilingual> {
    let names: Vec<String> = names.iter().take(MAX_ME).map(|name| shortened(name.trim(), MAX_NAME)).collect();
    PlayerNames::new(&names).map_err(Bilingual::from_error)?;
    Ok(names)
}
