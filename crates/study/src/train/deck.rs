//! All cards with their answers, and the openings of the person, as the events tell them.

use super::card::{Card, CardGame, CardId, CardKind};
use super::endings::EndingSide;
use super::event::{
    Answer, CardEdit, Day, DeviceId, EditStamp, EndingPass, Event, OpeningMoves, ReviewedGame, TacticAnswer, TacticRun,
    TriedMove, due_day,
};
use crate::book::opening_names;
use crate::repertoire::Repertoire;
use chuhe_support::small_sort::SmallSort;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use xiangqi::{Color, Move, Position};

/// So many new cards come each day.
const NEW_PER_DAY: usize = 10;

/// The parts of a card that the person may change, each alone, and when it was changed.
type Edits = [(EditStamp, CardEdit); 4];

/// Whether a change of a part counts. Of two of the same moment the order of their values decides, as anything must.
fn is_later((known_stamp, known): &(EditStamp, CardEdit), stamp: EditStamp, part: &CardEdit) -> bool {
    let none = CardEdit::default();
    *part != none && (*known == none || (stamp, part) > (*known_stamp, known))
}

/// A card with all that has become of it. Answers and changes may be known before their card.
#[derive(Clone, Default, Debug)]
pub struct CardState {
    card: Option<Box<Card>>,
    /// In the order of their times.
    answers: Vec<Answer>,
    /// The moves that were tried, by the answers.
    tried: BTreeMap<EditStamp, Move>,
    edits: Option<Box<Edits>>,
    /// When it is due; `None` if the person has never answered it.
    due: Option<Day>,
}

impl CardState {
    /// The card, unless it was dropped.
    pub fn card(&self) -> Option<&Card> {
        self.card.as_deref().filter(|_| !self.is_dropped())
    }

    fn is_dropped(&self) -> bool {
        self.edits.as_ref().and_then(|edits| edits[3].1.dropped).unwrap_or(false)
    }

    /// The deck that it is in.
    pub fn deck(&self) -> &str {
        let moved = self.edits.as_ref().and_then(|edits| edits[2].1.deck.as_deref());
        moved.or(self.card.as_ref().map(|card| card.deck.as_str())).unwrap_or_default()
    }

    pub fn is_flagged(&self) -> bool {
        self.edits.as_ref().and_then(|edits| edits[0].1.flagged).unwrap_or(false)
    }

    pub fn note(&self) -> &str {
        self.edits.as_ref().and_then(|edits| edits[1].1.note.as_deref()).unwrap_or_default()
    }

    /// All answers, those of other people with them.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// The answers of the person.
    pub fn own_answers(&self) -> impl DoubleEndedIterator<Item = &Answer> {
        self.answers.iter().filter(|answer| answer.by.is_none())
    }

    /// The move that an answer of the person tried first, if it is known.
    pub fn tried(&self, answer: &Answer) -> Option<Move> {
        let stamp = EditStamp { at: answer.at, device: answer.device };
        self.tried.get(&stamp).copied().filter(|_| answer.by.is_none())
    }

    /// When it is due; `None` if the person has never answered it.
    pub fn due(&self) -> Option<Day> {
        self.due
    }

    fn schedule(&mut self, today: Day) {
        self.due = due_day(self.answers.iter().filter(|answer| answer.by.is_none()), today);
    }
}

/// Which cards are meant.
#[derive(Clone, Copy, Default, Debug)]
pub struct CardFilter<'a> {
    pub deck: Option<&'a str>,
    pub kind: Option<CardKind>,
}

impl CardFilter<'_> {
    fn includes(self, card: &Card, state: &CardState) -> bool {
        self.deck.is_none_or(|deck| state.deck() == deck) && self.kind.is_none_or(|kind| card.kind == kind)
    }
}

/// What is left for a day.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TodaysCards {
    /// Those that are due, the one that has waited for longest first; then the new ones.
    pub cards: Vec<CardId>,
    /// How many of them are new.
    pub fresh: usize,
    /// How many were answered today.
    pub done: usize,
    /// When the next one is due after today.
    pub next: Option<Day>,
}

/// All cards.
#[derive(Default, Debug)]
pub struct Deck {
    cards: BTreeMap<CardId, CardState>,
    games: HashMap<CardId, ReviewedGame>,
    /// The endings that were passed, by the positions from which; the first time counts.
    passes: BTreeMap<(String, EndingSide), BTreeMap<CardId, i64>>,
    /// In the order of their times.
    tactics: BTreeSet<TacticAnswer>,
    runs: BTreeSet<TacticRun>,
    openings: OpeningLines,
    /// The day that dues were last computed for: it matters for answers in the future.
    today: Day,
}

impl Deck {
    /// Takes in events. Returns how many of them tell anything new.
    pub fn apply_all(&mut self, events: Vec<Event>) -> usize {
        // The answers to a card are put in order together: one after the other they would cost the square of their number.
        let (mut answered, mut count) = (BTreeMap::<CardId, Vec<Answer>>::new(), 0);
        for event in events {
            match event {
                Event::Answer { card, answer } => answered.entry(card).or_default().push(answer),
                event => count += usize::from(self.apply(event)),
            }
        }
        for (card, answers) in answered {
            let state = self.cards.entry(card).or_default();
            let before = state.answers.len();
            state.answers.extend(answers);
            state.answers.order();
            state.answers.dedup();
            count += state.answers.len() - before;
            state.schedule(self.today);
        }
        count
    }

    /// Takes in an event. Returns whether it tells anything new.
    pub fn apply(&mut self, event: Event) -> bool {
        if !self.is_news(&event) {
            return false;
        }
        match event {
            Event::Card(card) => {
                let state = self.cards.entry(card.id).or_default();
                state.card = Some(card);
            }
            answer @ Event::Answer { .. } => _ = self.apply_all(vec![answer]),
            Event::Edit { card, stamp, edit } => {
                let edits = self.cards.entry(card).or_default().edits.get_or_insert_default();
                for (known, part) in edits.iter_mut().zip(edit.parts()) {
                    if is_later(known, stamp, &part) {
                        *known = (stamp, part);
                    }
                }
            }
            Event::Game(game) => {
                self.games.insert(game.hash, game);
            }
            Event::Ending(EndingPass { ending, side, start, at }) => {
                self.passes.entry((ending, side)).or_default().insert(start, at);
            }
            Event::Tactic(answer) => _ = self.tactics.insert(answer),
            Event::TacticRun(run) => _ = self.runs.insert(run),
            Event::Opening(moves) => self.openings.apply(moves),
            Event::Tried(TriedMove { card, stamp, mv }) => {
                self.cards.entry(card).or_default().tried.insert(stamp, mv);
            }
        }
        true
    }

    /// Whether an event tells anything new.
    pub fn is_news(&self, event: &Event) -> bool {
        match event {
            // Of two cards of one position, that is of two games, all devices keep the earlier one.
            Event::Card(card) => {
                let known = self.cards.get(&card.id).and_then(|state| state.card.as_deref());
                known.is_none_or(|known| is_before(card, known))
            }
            Event::Answer { card, answer } => {
                self.cards.get(card).is_none_or(|state| state.answers.binary_search(answer).is_err())
            }
            Event::Edit { card, stamp, edit } => {
                let known = self.cards.get(card).and_then(|state| state.edits.clone()).unwrap_or_default();
                known.iter().zip(edit.parts()).any(|(known, part)| is_later(known, *stamp, &part))
            }
            Event::Game(game) => {
                let rank = |game: &ReviewedGame| (game.failed, game.at, game.mistakes);
                self.games.get(&game.hash).is_none_or(|known| rank(game) < rank(known))
            }
            Event::Ending(EndingPass { ending, side, start, at }) => {
                let known = self.passes.get(&(ending.clone(), *side)).and_then(|starts| starts.get(start));
                known.is_none_or(|known| at < known)
            }
            Event::Tactic(answer) => !self.tactics.contains(answer),
            Event::TacticRun(run) => !self.runs.contains(run),
            Event::Opening(moves) => self.openings.is_news(moves),
            Event::Tried(TriedMove { card, stamp, mv }) => {
                let known = self.cards.get(card).and_then(|state| state.tried.get(stamp));
                known.is_none_or(|known| mv < known)
            }
        }
    }

    /// Computes dues for this day.
    pub fn set_today(&mut self, today: Day) {
        if std::mem::replace(&mut self.today, today) != today {
            self.cards.values_mut().filter(|state| !state.answers.is_empty()).for_each(|state| state.schedule(today));
        }
    }

    // ---- what is there ----

    /// A card, unless it was dropped.
    pub fn get(&self, id: CardId) -> Option<(&Card, &CardState)> {
        let state = self.cards.get(&id)?;
        Some((state.card()?, state))
    }

    /// Whether there is or was a card of this position.
    pub fn has_known(&self, id: CardId) -> bool {
        self.cards.get(&id).is_some_and(|state| state.card.is_some())
    }

    /// All cards.
    pub fn cards(&self) -> impl Iterator<Item = (&Card, &CardState)> {
        self.cards.values().filter_map(|state| Some((state.card()?, state)))
    }

    /// How many answers to cards that are not here, and changes of them, wait for their cards.
    pub fn waiting(&self) -> usize {
        let waiting = self.cards.values().filter(|state| state.card.is_none());
        waiting.map(|state| state.answers.len() + state.tried.len() + usize::from(state.edits.is_some())).sum()
    }

    /// How many positions are known, dropped ones with them.
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// A game that was reviewed.
    pub fn game(&self, hash: CardId) -> Option<&ReviewedGame> {
        self.games.get(&hash)
    }

    pub fn games(&self) -> impl Iterator<Item = &ReviewedGame> {
        self.games.values()
    }

    /// From how many positions an ending was passed.
    pub fn passes(&self, ending: &str, side: EndingSide) -> usize {
        self.passes.get(&(ending.to_string(), side)).map_or(0, BTreeMap::len)
    }

    /// The tactics that were tried, in the order of their times.
    pub fn tactics(&self) -> impl DoubleEndedIterator<Item = &TacticAnswer> {
        self.tactics.iter()
    }

    /// The runs, in the order of their times.
    pub fn tactic_runs(&self) -> impl Iterator<Item = &TacticRun> {
        self.runs.iter()
    }

    /// The openings of the person.
    pub fn openings(&self) -> &OpeningLines {
        &self.openings
    }

    /// What is left for today.
    pub fn todays(&self, filter: CardFilter) -> TodaysCards {
        let (mut due, mut fresh) = (Vec::new(), Vec::new());
        let (mut begun, mut todays) = (0, TodaysCards::default());
        for (card, state) in self.cards() {
            // New cards of all decks together are so many.
            begun += usize::from(state.own_answers().next().is_some_and(|answer| answer.day() == self.today));
            if !filter.includes(card, state) {
                continue;
            }
            todays.done += usize::from(state.own_answers().any(|answer| answer.day() == self.today));
            match state.due {
                // Those of the last games first, and of these what cost most.
                None => fresh.push((card.added.saturating_neg(), (-1000.0 * card.lost) as i64, card.id)),
                Some(day) if day <= self.today => due.push((i64::from(day.number()), 0, card.id)),
                Some(day) => todays.next = Some(todays.next.map_or(day, |next| next.min(day))),
            }
        }
        let (due, mut fresh) = (in_order(due), in_order(fresh));
        let waiting = fresh.len();
        fresh.truncate(NEW_PER_DAY.saturating_sub(begun));
        if waiting > fresh.len() {
            todays.next = Some(self.today.next());
        }
        todays.fresh = fresh.len();
        todays.cards = [due, fresh].concat();
        todays
    }

    /// The names of the decks, the person's own first.
    pub fn decks(&self) -> BTreeMap<&str, usize> {
        let mut decks = BTreeMap::from([("", 0)]);
        self.cards().for_each(|(_, state)| *decks.entry(state.deck()).or_default() += 1);
        decks
    }

    // ---- events of this device ----

    /// The person's answer now. A clock that shows the time of an answer that is there makes it another one.
    pub fn answer(&self, card: CardId, mut answer: Answer) -> Event {
        let known = self.cards.get(&card).map(|state| state.answers.as_slice()).unwrap_or_default();
        let begin = known.partition_point(|other| other.at < answer.at);
        for other in known[begin..].iter().filter(|other| other.device == answer.device) {
            match other.at.cmp(&answer.at) {
                Ordering::Equal => answer.at += 1,
                Ordering::Greater => break,
                Ordering::Less => {}
            }
        }
        Event::Answer { card, answer }
    }

    /// A change now: it counts, even if the clock went back since the last one.
    pub fn edit(&self, card: CardId, edit: CardEdit, at: i64, device: DeviceId) -> Event {
        let edits = self.cards.get(&card).and_then(|state| state.edits.as_ref());
        let last = edits.and_then(|edits| edits.iter().map(|(stamp, _)| *stamp).max());
        let at = at.max(last.map_or(i64::MIN, |last| last.at.saturating_add(1)));
        Event::Edit { card, stamp: EditStamp { at, device }, edit }
    }

    /// The fewest events that tell the same.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        let of_cards = self.cards.iter().flat_map(|(&id, state)| {
            let card = state.card.clone().map(Event::Card);
            let answers = state.answers.iter().map(move |answer| Event::Answer { card: id, answer: answer.clone() });
            let tried = state.tried.iter().map(move |(&stamp, &mv)| Event::Tried(TriedMove { card: id, stamp, mv }));
            let edits =
                state.edits.iter().flat_map(|edits| edits.iter()).filter(|(_, edit)| *edit != CardEdit::default());
            let edits = edits.map(move |(stamp, edit)| Event::Edit { card: id, stamp: *stamp, edit: edit.clone() });
            card.into_iter().chain(answers).chain(tried).chain(edits)
        });
        let passes = self.passes.iter().flat_map(|((ending, side), starts)| {
            let pass = |(&start, &at)| Event::Ending(EndingPass { ending: ending.clone(), side: *side, start, at });
            starts.iter().map(pass)
        });
        let tactics = self.tactics.iter().cloned().map(Event::Tactic);
        let runs = self.runs.iter().cloned().map(Event::TacticRun);
        let games = self.games.values().cloned().map(Event::Game);
        of_cards.chain(games).chain(passes).chain(tactics).chain(runs).chain(self.openings.events())
    }
}

/// Cards in the order of two numbers each.
pub fn in_order(mut cards: Vec<(i64, i64, CardId)>) -> Vec<CardId> {
    cards.order();
    cards.into_iter().map(|(_, _, id)| id).collect()
}

/// Whether a card was made before another one of the same position; of the same second, the one whose text comes first.
fn is_before(card: &Card, known: &Card) -> bool {
    let text = |card: &Card| serde_json::to_string(card).unwrap_or_default();
    card.added < known.added || card.added == known.added && card != known && text(card) < text(known)
}

/// The moves of a position, and when they were changed.
type Change = (EditStamp, Vec<Move>);

/// The openings of both colours.
#[derive(Default, Debug)]
pub struct OpeningLines {
    /// Red's and black's.
    sides: [BTreeMap<CardId, Change>; 2],
}

impl OpeningLines {
    /// Whether a change counts. Of two of the same moment the order of their moves decides, as anything must.
    pub(super) fn is_news(&self, change: &OpeningMoves) -> bool {
        let known = self.sides[change.colour].get(&change.position);
        known.is_none_or(|(stamp, moves)| (change.stamp, &change.moves) > (*stamp, moves))
    }

    pub(super) fn apply(&mut self, change: OpeningMoves) {
        self.sides[change.colour].insert(change.position, (change.stamp, change.moves));
    }

    pub(super) fn events(&self) -> impl Iterator<Item = Event> {
        Color::ALL.into_iter().flat_map(|colour| {
            self.sides[colour].iter().map(move |(&position, (stamp, moves))| {
                Event::Opening(OpeningMoves { colour, position, moves: moves.clone(), stamp: *stamp })
            })
        })
    }

    /// The repertoire of a colour.
    pub fn repertoire(&self, colour: Color) -> Repertoire {
        let stored = self.sides[colour].iter().map(|(position, (_, moves))| (position.0, moves.clone()));
        Repertoire::from_stored(colour, stored)
    }

    /// The changes that make this repertoire of what is there. They count, even if the clock went back since the last ones.
    pub fn changes_to(&self, repertoire: &Repertoire, at: i64, device: DeviceId) -> Vec<Event> {
        let colour = repertoire.colour();
        let known = &self.sides[colour];
        let change = |position: CardId, moves: Vec<Move>| {
            let last = known.get(&position).map(|(stamp, _)| stamp.at.saturating_add(1));
            let stamp = EditStamp { at: at.max(last.unwrap_or(i64::MIN)), device };
            Event::Opening(OpeningMoves { colour, position, moves, stamp })
        };
        let is_other = |position: &CardId, moves: &[Move]| {
            known.get(position).map(|(_, moves)| moves.as_slice()).unwrap_or_default() != moves
        };
        let wanted = repertoire.stored();
        let given = wanted.iter().map(|(&key, moves)| (CardId(key), moves.clone()));
        let gone = known.keys().filter(|position| !wanted.contains_key(&position.0)).map(|&id| (id, Vec::new()));
        let all = given.chain(gone).filter(|(position, moves)| is_other(position, moves));
        all.map(|(position, moves)| change(position, moves)).collect()
    }
}

// The cards of a repertoire.

/// So many moves of a line are kept.
const MAX_KEPT: usize = 12;

/// The cards of all positions in which the repertoire has a move, each once. Of new cards the latest are asked first: the
/// earlier in the lines, the later they are made.
pub fn opening_cards(repertoire: &Repertoire, at: i64) -> Vec<Card> {
    let mut cards = Vec::new();
    repertoire.walk(&mut |place| {
        if repertoire.is_mine(place.position) && !place.is_known && !place.moves.is_empty() {
            let line = repertoire.main_line(place.position);
            cards.push(opening_card(place.position, place.line, &line, at - cards.len() as i64));
        }
    });
    cards
}

fn opening_card(position: &Position, moves: &[Move], line: &[Move], added: i64) -> Card {
    let name = opening_names::name_of_game(position);
    let title = name.map(|name| format!("{} {}", name.chinese, name.english)).unwrap_or_default();
    Card {
        chance: 0.5,
        line: line.iter().take(MAX_KEPT).copied().collect(),
        game: CardGame { title, ..CardGame::default() },
        opening: name.map(|name| name.english.into()),
        added,
        ..Card::new(CardKind::Opening, position, moves.to_vec())
    }
}
