//! What pages are sent of the openings: a position with its moves, what is missing, where a game has left them.

use super::Train;
use super::views::{NamedMove, named_line, parse_move};
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_study::book::{Book, MirrorKey, opening_names, weight_percent};
use chuhe_study::explorer::Tally;
use chuhe_study::player::SMALL_HASH_MB;
use chuhe_study::reader::move_name;
use chuhe_study::repertoire::{Departure, Followed, Gap, GapOptions, OpeningCounts, Repertoire, judge_choices};
use chuhe_study::review::percent;
use chuhe_study::train::{CardFilter, CardKind};
use chuhe_support::language::{Language, Message, tr};
use serde::Serialize;
use std::time::Duration;
use xiangqi::{Color, Move, Position, Rules};

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

/// The openings of a side, in a position.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpeningsView {
    #[cfg_attr(feature = "typescript", ts(type = "Side"))]
    side: Color,
    /// The moves from the start position.
    line: Vec<NamedMove>,
    name: Option<String>,
    /// The last move of the line is in the openings.
    taken: bool,
    /// The person is to move.
    mine: bool,
    choices: Vec<ChoiceView>,
    legal: Vec<String>,
    forbidden: Vec<String>,
    check: Option<String>,
    /// The positions with a move of the person, and how many of their cards are due today.
    positions: usize,
    due: usize,
    /// The games of the person with this colour.
    games: usize,
    /// The names of the person are known.
    known: bool,
    gaps: Vec<GapView>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
struct ChoiceView {
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    mv: NamedMove,
    /// It is in the openings, and the first of them.
    listed: bool,
    main: bool,
    /// An answer that has no move.
    missing: bool,
    /// What follows it in the openings.
    line: Vec<NamedMove>,
    /// The positions of the person behind it.
    positions: usize,
    games: u64,
    score: Option<f64>,
    /// The part of the book's weight, in percent.
    book: u32,
    opening: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
struct GapView {
    line: Vec<NamedMove>,
    games: u64,
    share: f64,
    book: f64,
}

/// What a change has done.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpeningsAdded {
    #[cfg_attr(feature = "typescript", ts(type = "Side"))]
    pub side: Color,
    /// How many moves have come, and how many positions of the person there are now.
    pub added: usize,
    pub positions: usize,
}

/// Where a game has left the openings.
#[derive(Serialize, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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
    pub fn openings(&self, side: Color, moves: &[String], offset: i16) -> Result<OpeningsView, Message> {
        let (line, position) = read_line(moves)?;
        let own = self.own_games();
        let counts = &own[side];
        let known = self.queue().me().is_some_and(|me| !me.is_empty());
        let (openings, due) = {
            let deck = self.deck(offset);
            let filter = CardFilter { kind: Some(CardKind::Opening), ..CardFilter::default() };
            let todays = deck.get().todays(filter).cards;
            let is_due = |id| deck.get().get(id).is_some_and(|(card, _)| card.side == side);
            let due = todays.into_iter().filter(|&id| is_due(id)).count();
            (deck.get().openings().repertoire(side), due)
        };
        let options = GapOptions { plies: PLIES, ..GapOptions::default() };
        let book = self.resources.books.first().map(|book| &**book as &dyn Book);
        let gaps =
            if openings.is_empty() { Vec::new() } else { openings.gaps(counts, book, &options).unwrap_or_default() };
        let texts = |moves: Vec<Move>| moves.iter().map(ToString::to_string).collect();
        Ok(OpeningsView {
            side,
            line: named_line(&Position::start(), &line),
            name: opening_names::name_of_game(&position).map(|name| name.localized().to_string()),
            taken: is_taken(&openings, &position),
            mine: openings.is_mine(&position),
            choices: self.choices(&openings, &position, counts),
            legal: texts(position.legal_moves().to_vec()),
            forbidden: texts(Rules::default().losing_moves(&position)),
            check: position.in_check().then(|| position.king(position.side()).to_string()),
            positions: openings.own_positions(),
            due,
            games: counts.games(),
            known,
            gaps: gaps.iter().take(MAX_GAPS).map(gap_view).collect(),
        })
    }

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
        let book = self.resources.book_moves(position);
        for entry in &book {
            // Of two that mirror each other 炮二平五 is the usual one.
            let image = if key.symmetric { entry.mv.mirror() } else { entry.mv };
            let at = place(&mut choices, if image.from() > entry.mv.from() { image } else { entry.mv });
            choices[at].book += weight_percent(entry, &book);
        }
        choices.truncate(listed + MAX_OFFERED);
        let view = |(index, choice): (usize, Choice)| choice.view(index == 0, openings, position);
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

impl Choice {
    fn view(self, is_first: bool, openings: &Repertoire, position: &Position) -> ChoiceView {
        let Choice { mv, is_listed, tally, book } = self;
        let after = position.after(&[mv]);
        let follows = if is_listed { openings.main_line(&after) } else { Vec::new() };
        let is_answer = !openings.is_mine(position);
        ChoiceView {
            mv: NamedMove::of(position, mv),
            listed: is_listed,
            main: is_listed && is_first && !is_answer,
            missing: is_answer && is_listed && follows.is_empty(),
            line: named_line(&after, &follows[..follows.len().min(SHOWN_PLIES)]),
            positions: if is_listed { openings.own_positions_from(&after) } else { 0 },
            games: tally.games,
            score: tally.score(openings.colour()),
            book: book.round() as u32,
            opening: opening_names::name_of_position(&after).map(|name| name.localized().to_string()),
        }
    }
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
