//! The openings of the person: a repertoire for each colour in the deck, whose positions are cards. Lines come from the games
//! of the list, from a file, or one by one from the board. A page is sent a position with its moves, what is missing, and where a
//! game has left them.

use super::Train;
use super::queue::sides_of_person;
use super::views::{MAX_NAME, NamedMove, bring_card, drop_card, named_line, parse_move, shortened};
use crate::files::FileDownload;
use crate::game_session::Choices;
use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_study::analyse::GamePosition;
use chuhe_study::book::{Book, MirrorKey, opening_names, weight_percent};
use chuhe_study::explorer::Tally;
use chuhe_study::player::SMALL_HASH_MB;
use chuhe_study::reader::move_name;
use chuhe_study::repertoire::{
    Departure, Followed, Gap, GapOptions, OpeningCounts, Repertoire, colour_of, judge_choices,
};
use chuhe_study::review::{PlayerNames, percent};
use chuhe_study::train::{Card, CardFilter, CardId, CardKind, Deck, DeckGuard, Event, opening_cards};
use chuhe_support::language::{Language, Message, message, tr};
use chuhe_support::lock::Lock;
use chuhe_support::messages::Localize;
use chuhe_support::{date, with_values};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Color, Move, Position, Rules};
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

/// A card of an opening with the line that the openings have now.
pub fn with_line_of_today(card: Card, deck: &Deck) -> Card {
    let repertoire = deck.openings().repertoire(card.side);
    let line = card.position().map(|position| repertoire.main_line(&position)).unwrap_or_default();
    if line.is_empty() { card } else { Card { line: line.into_iter().take(MAX_LINE).collect(), ..card } }
}

impl Train {
    /// What the person has played with both colours. A game in which it is not clear which side the person had counts for none.
    pub fn own_games(&self) -> Arc<[OpeningCounts; 2]> {
        let library = self.library();
        let me = self.queue().me().map(<[String]>::to_vec);
        let version = (library.version(), me);
        let mut own = self.own_games.locked();
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
        let begins = GamePosition::from_position(game).start().key() == Position::start().key();
        let openings = || self.deck_file().get().openings().repertoire(before.side());
        begins.then(|| openings().has(&before, last))
    }

    /// Changes the openings of a side; cards come and go with its positions.
    fn change_openings(
        &self,
        side: Color,
        change: &mut dyn FnMut(Repertoire) -> Result<Repertoire, Message>,
    ) -> Result<OpeningsAdded, Message> {
        let mut deck = self.deck_file();
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
            return Err(message!("There are no moves in it."));
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
            message!("{name} has no lines from the start position.", name)
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
        let openings = self.deck_file().get().openings().repertoire(side);
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
        let openings = self.deck_file().get().openings().repertoire(side);
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
    let (old, new) = (opening_cards(before, at), opening_cards(after, at));
    let ids = |cards: &[Card]| cards.iter().map(|card| card.id).collect::<HashSet<CardId>>();
    let (old_ids, new_ids) = (ids(&old), ids(&new));
    let come = new.into_iter().filter(|card| !old_ids.contains(&card.id)).filter_map(|card| bring_card(deck, card));
    let gone = old.iter().map(|card| card.id).filter(|id| !new_ids.contains(id) && deck.get().get(*id).is_some());
    come.chain(gone.map(|id| drop_card(deck, id, true))).collect()
}

/// So many plies of games are counted.
pub const PLIES: usize = 24;
/// The most gaps of a reply, and moves of the book and of games that the openings do not have.
const MAX_GAPS: usize = 12;
const MAX_OFFERED: usize = 5;
/// So many moves of a line are shown.
const SHOWN_PLIES: usize = 7;
/// The nodes to judge each move of a game that has left.
const NODES: u64 = 40_000;

/// The moves of a line from the start position, and the position after them.
pub fn read_line(moves: &[String]) -> Result<(Vec<Move>, Position), Message> {
    let mut position = Position::start();
    let mut line = Vec::with_capacity(moves.len());
    for text in moves {
        let mv = parse_move(text)?;
        position.play(mv).map_err(Message::from_value)?;
        line.push(mv);
    }
    Ok((line, position))
}

with_values! {
    /// The openings of a side, in a position.
    #[derive(Serialize, crate::TS)]
    pub struct OpeningsView {
        #[ts(type = "Side")]
        side: Color = side,
        /// The moves from the start position.
        line: Vec<NamedMove> = named_line(&Position::start(), &line),
        name: Option<String> = opening_names::name_of_game(&position).map(|name| name.localized().to_string()),
        /// The last move of the line is in the openings.
        taken: bool = is_taken(&openings, &position),
        /// The person is to move.
        mine: bool = openings.is_mine(&position),
        choices: Vec<ChoiceView> = train.choices(&openings, &position, counts),
        #[serde(flatten)]
        here: Choices = Choices::of(&position, &Rules::default()),
        /// The positions with a move of the person, and how many of their cards are due today.
        positions: usize = openings.own_positions(),
        due: usize = due,
        /// The games of the person with this colour.
        games: usize = counts.games(),
        /// The names of the person are known.
        known: bool = known,
        gaps: Vec<GapView> = gaps.iter().take(MAX_GAPS).map(gap_view).collect(),
    }
    pub fn of(train: &Train, side: Color, moves: &[String], offset: i16) -> Result<Self, Message> as Ok {
        let (line, position) = read_line(moves)?;
        let own = train.own_games();
        let counts = &own[side];
        let known = train.queue().me().is_some_and(|me| !me.is_empty());
        let (openings, due) = {
            let deck = train.deck(offset);
            let filter = CardFilter { kind: Some(CardKind::Opening), ..CardFilter::default() };
            let todays = deck.get().todays(filter).cards;
            let is_due = |id| deck.get().get(id).is_some_and(|(card, _)| card.side == side);
            let due = todays.into_iter().filter(|&id| is_due(id)).count();
            (deck.get().openings().repertoire(side), due)
        };
        let options = GapOptions { plies: PLIES, ..GapOptions::default() };
        let book = train.context.resources.books.first().map(|book| &**book as &dyn Book);
        let gaps =
            if openings.is_empty() { Vec::new() } else { openings.gaps(counts, book, &options).unwrap_or_default() };
    }

    #[derive(Serialize, crate::TS)]
    struct ChoiceView {
        #[serde(flatten)]
        #[ts(flatten)]
        mv: NamedMove = NamedMove::of(position, mv),
        /// It is in the openings, and the first of them.
        listed: bool = is_listed,
        main: bool = is_listed && is_first && !is_answer,
        /// An answer that has no move.
        missing: bool = is_answer && is_listed && follows.is_empty(),
        /// What follows it in the openings.
        line: Vec<NamedMove> = named_line(&after, &follows[..follows.len().min(SHOWN_PLIES)]),
        /// The positions of the person behind it.
        positions: usize = if is_listed { openings.own_positions_from(&after) } else { 0 },
        games: u64 = tally.games,
        score: Option<f64> = tally.score(openings.colour()),
        /// The part of the book's weight, in percent.
        book: u32 = book.round() as u32,
        opening: Option<String> = opening_names::name_of_position(&after).map(|name| name.localized().to_string()),
    }
    fn of(choice: Choice, is_first: bool, openings: &Repertoire, position: &Position) {
        let Choice { mv, is_listed, tally, book } = choice;
        let after = position.after(&[mv]);
        let follows = if is_listed { openings.main_line(&after) } else { Vec::new() };
        let is_answer = !openings.is_mine(position);
    }
}

#[derive(Serialize, crate::TS)]
struct GapView {
    line: Vec<NamedMove>,
    games: u64,
    share: f64,
    book: f64,
}

/// What a change has done.
#[derive(Serialize, crate::TS)]
pub struct OpeningsAdded {
    #[ts(type = "Side")]
    pub side: Color,
    /// How many moves have come, and how many positions of the person there are now.
    pub added: usize,
    pub positions: usize,
}

/// Where a game has left the openings.
#[derive(Serialize, Default, crate::TS)]
pub struct OpeningsLeft {
    text: Option<String>,
    /// The plies before the move that left them.
    plies: usize,
}

/// What of a position is told, before it is told.
struct Choice {
    mv: Move,
    is_listed: bool,
    tally: Tally,
    book: f64,
}

impl Train {
    /// The moves of a position: those of the openings, then some that games and the book have.
    fn choices(&self, openings: &Repertoire, position: &Position, counts: &OpeningCounts) -> Vec<ChoiceView> {
        let key = MirrorKey::of(position);
        let mut choices: Vec<Choice> = Vec::new();
        let place = |choices: &mut Vec<Choice>, mv: Move| {
            let known = choices.iter().position(|choice| key.to_book_move(choice.mv) == key.to_book_move(mv));
            known.unwrap_or_else(|| {
                choices.push(Choice { mv, is_listed: false, tally: Tally::default(), book: 0.0 });
                choices.len() - 1
            })
        };
        for mv in openings.moves(position) {
            let at = place(&mut choices, mv);
            choices[at].is_listed = true;
        }
        let listed = choices.len();
        for entry in counts.at(position) {
            let at = place(&mut choices, entry.mv);
            choices[at].tally = entry.tally;
        }
        let book = self.context.resources.book_moves(position);
        for entry in &book {
            // Of two that mirror each other 炮二平五 is the usual one.
            let image = if key.symmetric { entry.mv.mirror() } else { entry.mv };
            let at = place(&mut choices, if image.from() > entry.mv.from() { image } else { entry.mv });
            choices[at].book += weight_percent(entry, &book);
        }
        choices.truncate(listed + MAX_OFFERED);
        let view = |(index, choice): (usize, Choice)| ChoiceView::of(choice, index == 0, openings, position);
        choices.into_iter().enumerate().map(view).collect()
    }
}

/// Whether the last move of a line is in the openings.
fn is_taken(openings: &Repertoire, position: &Position) -> bool {
    let mut before = position.clone();
    position.last_move().is_some_and(|last| {
        before.undo();
        openings.has(&before, last)
    })
}

fn gap_view(gap: &Gap) -> GapView {
    let line = named_line(&Position::start(), &gap.line);
    GapView { line, games: gap.games, share: gap.share, book: gap.book }
}

impl OpeningsLeft {
    pub fn of(followed: &Followed, side: Color) -> Result<OpeningsLeft, Message> {
        let Followed { departure, plies, played, wanted, position } = followed;
        let mut chances = None;
        if let (Some(played), Some(&first)) = (played, wanted.first()) {
            let options = Options { threads: 1, overhead: Duration::ZERO, ..Options::default() };
            let mut searcher = Searcher::new(options, SMALL_HASH_MB).map_err(Message::from_value)?;
            let judged = judge_choices(position, &[*played, first], &mut searcher, NODES, &Control::new(false));
            let own = |chance: f64| percent(if position.side() == side { chance } else { 1.0 - chance });
            chances = judged.map(|judged| [own(judged[0].chance), own(judged[1].chance)]);
        }
        let text = || {
            let names = |moves: &[Move]| {
                let names = moves.iter().map(|&mv| move_name(position, mv));
                Language::list(&names.collect::<Vec<_>>())
            };
            let number = plies / 2 + 1;
            let (played, wanted) = (played.map(|mv| names(&[mv])).unwrap_or_default(), names(wanted));
            let said = match departure {
                Departure::Never => tr!("The whole game was in your openings."),
                Departure::End => tr!("Your openings end before move {number}.", number),
                Departure::Mine => {
                    tr!(
                        "You left your openings at move {number}: {played} instead of {wanted}.",
                        number,
                        played,
                        wanted
                    )
                }
                Departure::Other => {
                    tr!("The other side left your openings at move {number}: {played}.", number, played)
                }
            };
            match &chances {
                Some([own, line]) => {
                    let told = tr!("Your chances: {own}; in your line {line}.", own, line);
                    tr!("{said} {told}", said, told)
                }
                None => said,
            }
        };
        Ok(OpeningsLeft { text: Some(text()), plies: *plies })
    }
}
