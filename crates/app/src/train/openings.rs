//! The openings of the person: a repertoire for each colour in the deck, whose positions are cards. Lines come from the games
//! of the list, from a file, or one by one from the board.

use super::Train;
use super::exercises::{MAX_NAME, shortened};
use super::opening_views::{OpeningsAdded, OpeningsLeft, PLIES, read_line};
use super::review_worker::sides_of_person;
use crate::files::FileDownload;
use crate::library::record::GameId;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_study::repertoire::{OpeningCounts, Repertoire, cards_of, colour_of};
use chuhe_study::review::PlayerNames;
use chuhe_study::train::{Card, CardEdit, CardId, Deck, DeckGuard, Event};
use chuhe_support::date;
use chuhe_support::language::{Message, tr};
use chuhe_support::messages::Localize;
use serde::Deserialize;
use std::collections::HashSet;
use std::sync::{Arc, PoisonError};
use xiangqi::{Color, Position};
use xiangqi_record::{Encoding, Game, Notation, OutputFormat, RecordFile};

/// Moves and answers of so many games are taken.
const LEAST_GAMES: u64 = 2;
/// So many moves of a line are kept with a card.
const MAX_LINE: usize = 12;

/// What is done with the last move of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningMark {
    Add,
    Main,
    Remove,
}

/// The state of the list of games, and the names of the person.
type Version = ((usize, GameId), Option<Vec<String>>);

/// What the person has played with red and with black, counted when it is first wanted.
#[derive(Default)]
pub struct OwnGames(Option<(Version, Arc<[OpeningCounts; 2]>)>);

/// A card of an opening with the line that the openings have now.
pub fn with_line_of_today(card: Card, deck: &Deck) -> Card {
    let repertoire = deck.openings().repertoire(card.side);
    let line = card.position().map(|position| repertoire.main_line(&position)).unwrap_or_default();
    if line.is_empty() { card } else { Card { line: line.into_iter().take(MAX_LINE).collect(), ..card } }
}

impl Train {
    /// What the person has played with both colours. A game in which it is not clear which side the person had counts for none.
    pub fn own_games(&self) -> Arc<[OpeningCounts; 2]> {
        let library = self.store.library();
        let me = self.queue().me().map(<[String]>::to_vec);
        let version = (library.version(), me);
        let mut own = self.own_games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, counts)) = &own.0
            && *known == version
        {
            return Arc::clone(counts);
        }
        let mut counts = [OpeningCounts::new(PLIES), OpeningCounts::new(PLIES)];
        library.each(&mut |stored| {
            if let Some(game) = stored.game()
                && let [side] = sides_of_person(&game, version.1.as_deref())[..]
            {
                counts[side].add(&game);
            }
        });
        let counts = Arc::new(counts);
        own.0 = Some((version, Arc::clone(&counts)));
        counts
    }

    /// Whether the last move of a game is in the openings of who has made it; nothing if it does not begin in the start position.
    pub fn is_in_openings(&self, game: &Position) -> Option<bool> {
        let last = game.last_move()?;
        let mut before = game.clone();
        before.undo();
        let mut start = before.clone();
        while start.history_len() > 0 {
            start.undo();
        }
        let begins = start.key() == Position::start().key();
        let openings = || self.store.deck().deck().get().openings().repertoire(before.side());
        begins.then(|| openings().has(&before, last))
    }

    /// Changes the openings of a side; cards come and go with its positions.
    fn change_openings(
        &self,
        side: Color,
        change: &mut dyn FnMut(Repertoire) -> Result<Repertoire, Message>,
    ) -> Result<OpeningsAdded, Message> {
        let mut deck = self.store.deck().deck();
        let before = deck.get().openings().repertoire(side);
        let after = change(before.clone())?;
        let mut events = deck.get().openings().changes_to(&after, date::unix_seconds(), deck.device());
        events.extend(changed_cards(&deck, &before, &after));
        deck.add(events).map_err(Message::from_error)?;
        let added = after.len().saturating_sub(before.len());
        Ok(OpeningsAdded { side, added, positions: after.own_positions() })
    }

    pub fn make_openings(&self, side: Color) -> Result<OpeningsAdded, Message> {
        let counts = self.own_games();
        let make = |before: Repertoire| before.with_games(&counts[side], LEAST_GAMES).map_err(Message::from_error);
        self.change_openings(side, &mut { make })
    }

    pub fn mark_opening(&self, side: Color, moves: &[String], mark: OpeningMark) -> Result<OpeningsAdded, Message> {
        let (line, mut before_last) = read_line(moves)?;
        let Some(&last) = line.last() else {
            return Err(Message::of(|| tr!("There are no moves in it.")));
        };
        before_last.undo();
        self.change_openings(side, &mut |mut openings| {
            if mark == OpeningMark::Remove {
                openings.remove_move(&before_last, last);
            } else {
                openings.add_line(&line).map_err(Message::from_error)?;
            }
            if mark == OpeningMark::Main {
                openings.set_main(&before_last, last);
            }
            Ok(openings)
        })
    }

    /// Adds the lines of a file of games in base64, of this side, or of the one that it tells.
    pub fn add_file_of_openings(&self, bytes: &str, name: &str, side: Option<Color>) -> Result<OpeningsAdded, Message> {
        let bytes = BASE64.decode(bytes).unwrap_or_default();
        let games: Vec<Game> =
            RecordFile::read(bytes).games().filter_map(|game| game.ok().map(|parsed| parsed.game)).collect();
        let nothing = || {
            let name = shortened(name, MAX_NAME);
            Message::of(move || tr!("{name} has no lines from the start position.", name))
        };
        let side = side.or_else(|| colour_of(&games)).ok_or_else(nothing)?;
        self.change_openings(side, &mut |mut openings| {
            openings.add_games(&games).map_err(|_| nothing())?;
            Ok(openings)
        })
    }

    pub fn clear_openings(&self, side: Color) -> Result<OpeningsAdded, Message> {
        self.change_openings(side, &mut |_| Ok(Repertoire::new(side)))
    }

    pub fn export_openings(&self, side: Color, format: &str) -> Result<FileDownload, Message> {
        let openings = self.store.deck().deck().get().openings().repertoire(side);
        let (format, content_type) = match format {
            "xqf" => (OutputFormat::Xqf, "application/octet-stream"),
            _ => (OutputFormat::Pgn, "application/x-chess-pgn"),
        };
        let bytes = format.write(&openings.to_game(), Notation::Chinese, Encoding::Utf8);
        let bytes = bytes.map_err(|error| Message::of(move || error.localized()))?;
        Ok(FileDownload::new(&format!("openings-{side}.{format}"), content_type, bytes))
    }

    /// Where a game has left the openings of a side; without one, of the side that the person has by these names, red's first.
    pub fn openings_left(
        &self,
        side: Option<Color>,
        start: &str,
        moves: &[String],
        players: &[String],
    ) -> Result<OpeningsLeft, Message> {
        let nothing = Ok(OpeningsLeft::default());
        if Position::from_fen(start).map(|start| start.key()) != Ok(Position::start().key()) {
            return nothing;
        }
        let me = self.queue().me().and_then(|me| PlayerNames::new(me).ok()).filter(|me| !me.is_everybody());
        let is_me = |name: &String| me.as_ref().is_some_and(|me| me.include(name));
        let named = Color::ALL.into_iter().zip(players).filter(|(_, name)| is_me(name)).map(|(side, _)| side);
        let sides: Vec<Color> = side.map_or_else(|| named.collect(), |side| vec![side]);
        let [side] = sides[..] else { return nothing };
        let openings = self.store.deck().deck().get().openings().repertoire(side);
        if openings.is_empty() {
            return nothing;
        }
        let (line, _) = read_line(moves)?;
        let game = Game::from_moves(&Position::start(), line).map_err(Message::from_value)?;
        match openings.follow(&game) {
            Some(followed) => OpeningsLeft::of(&followed, side),
            None => nothing,
        }
    }
}

/// The cards of positions that have come, and of those that have gone.
fn changed_cards(deck: &DeckGuard, before: &Repertoire, after: &Repertoire) -> Vec<Event> {
    let at = date::unix_seconds();
    let (old, new) = (cards_of(before, at), cards_of(after, at));
    let ids = |cards: &[Card]| cards.iter().map(|card| card.id).collect::<HashSet<CardId>>();
    let (old_ids, new_ids) = (ids(&old), ids(&new));
    let edit = |id: CardId, is_dropped: bool| {
        let edit = CardEdit { dropped: Some(is_dropped), ..CardEdit::default() };
        deck.get().edit(id, edit, at, deck.device())
    };
    let come = new.into_iter().filter(|card| !old_ids.contains(&card.id)).filter_map(|card| {
        if !deck.get().has_known(card.id) {
            return Some(Event::Card(Box::new(card)));
        }
        deck.get().get(card.id).is_none().then(|| edit(card.id, false))
    });
    let gone = old.iter().map(|card| card.id).filter(|id| !new_ids.contains(id) && deck.get().get(*id).is_some());
    come.chain(gone.map(|id| edit(id, true))).collect()
}
