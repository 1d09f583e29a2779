//! A card: a position of a game in which the person is asked for a better move.

use crate::book::MirrorKey;
use crate::book::opening_names::OpeningName;
use crate::motifs::{Motif, motifs};
use crate::player_names::player_of;
use crate::reader::side_name;
use crate::reasons::{KnownMates, Mistake, REASON_NODES, Reason, find_reasons};
use crate::review::{Assessment, Phase, Review, ReviewedMove, cut_at_game_end, final_score, phases};
use chuhe_engine::Tablebase;
use chuhe_engine::search::{Control, Limits, NoReporter, Searcher};
use chuhe_engine::tablebase::ProbeResult;
use chuhe_support::language::{Language, tr};
use chuhe_support::messages::Localize;
use chuhe_support::small_sort::SmallSort;
use chuhe_support::with_values;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;
use xiangqi::zobrist::Key;
use xiangqi::{Color, IllegalMove, Move, PieceKind, Position, RuleSet, Rules};
use xiangqi_record::Game;

/// The key of the position, its side to move with it: a position that occurs in several games is one card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CardId(pub Key);

impl CardId {
    pub fn of(position: &Position) -> CardId {
        CardId(position.key())
    }

    /// The id in this text, as pages and files write it.
    pub fn parse(text: &str) -> Option<CardId> {
        let is_id = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        Key::from_str_radix(text, 16).ok().filter(|_| is_id).map(CardId)
    }
}

impl fmt::Display for CardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for CardId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CardId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<CardId, D::Error> {
        let text = String::deserialize(from)?;
        CardId::parse(&text).ok_or_else(|| serde::de::Error::custom("no card"))
    }
}

/// What a card asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CardKind {
    /// A better move than the one that was played.
    Mistake,
    /// A move that keeps the result of an ending.
    Ending,
    /// The ruling on a repetition.
    Ruling,
    /// The solution of a tactic.
    Tactic,
    /// The move of the person's repertoire.
    Opening,
}

/// Tells the card of an opening from another card of the position.
const OPENING_MARK: Key = 0x9e37_79b9_7f4a_7c15;

impl CardKind {
    pub const ALL: [CardKind; 5] =
        [CardKind::Mistake, CardKind::Ending, CardKind::Ruling, CardKind::Tactic, CardKind::Opening];

    /// The id of a card of this kind: an opening asks for the same in the mirror image, and is another card than a mistake.
    pub fn id_of(self, position: &Position) -> CardId {
        if self == CardKind::Opening {
            CardId(MirrorKey::of(position).key ^ OPENING_MARK)
        } else {
            CardId::of(position)
        }
    }
}

/// The game that a card comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CardGame {
    /// Its number in the list of games, or nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The players, or else the event.
    pub title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// Red's player and black's; empty where a name is not known.
    #[serde(skip_serializing_if = "no_players")]
    pub players: [String; 2],
}

fn no_players(players: &[String; 2]) -> bool {
    players.iter().all(String::is_empty)
}

impl CardGame {
    /// What the tags of a game say.
    pub fn of(game: &Game) -> CardGame {
        let players = Color::ALL.map(|side| player_of(game, side).unwrap_or_default().to_string());
        let name = |side: Color| if players[side].is_empty() { "?" } else { &players[side] };
        let title = if no_players(&players) {
            game.tag("Event").unwrap_or("–").to_string()
        } else {
            format!("{} – {}", name(Color::Red), name(Color::Black))
        };
        let date = game.tag("Date").filter(|date| !date.contains('?')).unwrap_or_default().to_string();
        CardGame { id: String::new(), title, date, players }
    }

    /// The player of a side. Cards of earlier versions have both in the title.
    pub fn player(&self, side: Color) -> Option<&str> {
        let name = if no_players(&self.players) {
            let (red, black) = self.title.split_once(" – ")?;
            if side == Color::Red { red } else { black }
        } else {
            &self.players[side]
        };
        Some(name).filter(|name| !["", "?"].contains(name))
    }
}

with_values! {
    /// A card as it was made. What the person changes of it is kept beside it (see [`super::CardState`]).
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    pub struct Card {
        pub id: CardId = kind.id_of(position),
        pub kind: CardKind = kind,
        /// The deck that it was put into; the person's own has no name.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub deck: String = String::new(),
        /// The start of the game as a FEN; none is the usual one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fen: Option<Box<str>> = None,
        /// The moves up to the question: rules of repetition need them.
        #[serde(default, with = "move_list")]
        pub moves: Vec<Move> = moves,
        #[serde(default)]
        pub rules: RuleSet = RuleSet::default(),
        pub side: Color = position.side(),
        /// The move that was a mistake, and the kind of its piece.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub played: Option<Move> = None,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub piece: Option<PieceKind> = None,
        /// The expected result of the side before the mistake, and what it has lost: 0 to 1.
        #[serde(default)]
        pub chance: f64 = 1.0,
        #[serde(default)]
        pub lost: f64 = 0.0,
        /// The best line, its move first; empty if another proof tells right from wrong.
        #[serde(default, with = "move_list", skip_serializing_if = "Vec::is_empty")]
        pub line: Vec<Move> = Vec::new(),
        /// What refutes the mistake: the opponent's reply first.
        #[serde(default, with = "move_list", skip_serializing_if = "Vec::is_empty")]
        pub refutation: Vec<Move> = Vec::new(),
        #[serde(default)]
        pub game: CardGame = CardGame::default(),
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub phase: Option<Phase> = None,
        /// The English name of the opening.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub opening: Option<Box<str>> = None,
        /// Why the move was a mistake, where that is proven.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub reasons: Vec<Reason> = Vec::new(),
        /// When it was made, in seconds since 1970.
        #[serde(default)]
        pub added: i64 = 0,
    }
    /// A card of a position that comes after these moves, of which nothing else is known yet.
    pub fn new(kind: CardKind, position: &Position, moves: Vec<Move>);
}

impl Card {
    /// The start of its game.
    pub fn start(&self) -> Option<Position> {
        self.fen.as_deref().map_or_else(|| Some(Position::start()), |fen| Position::from_fen(fen).ok())
    }

    /// The position of the question, with its history; nothing if a file tells nonsense.
    pub fn position(&self) -> Option<Position> {
        let mut position = self.start()?;
        self.moves.iter().try_for_each(|&mv| position.play(mv)).ok()?;
        (position.side() == self.side && self.kind.id_of(&position) == self.id).then_some(position)
    }

    /// The name of who has to find a better move.
    pub fn player(&self) -> Option<&str> {
        self.game.player(self.side)
    }

    /// The full number of the move that is asked for.
    pub fn move_number(&self) -> u32 {
        let first_ply = self.start().map_or(0, |start| start.game_ply());
        (first_ply + self.moves.len() as u32) / 2 + 1
    }

    /// Whose mistake it was, in which move of which game: `Hu (Red), move 18 · against Xu · 2024-05-01`.
    pub fn origin(&self) -> String {
        let (side, number) = (side_name(self.side), self.move_number());
        let who = match self.player() {
            Some(player) => tr!("{player} ({side}), move {number}", player, side, number),
            None => tr!("{side}, move {number}", side, number),
        };
        let game = match (self.player(), self.game.player(!self.side)) {
            (_, Some(player)) => tr!("against {player}", player),
            (None, None) => self.title(),
            (Some(_), None) => String::new(),
        };
        let parts = [who, game, self.game.date.replace('.', "-")];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    /// Whether it makes sense: all its moves are legal.
    pub fn is_sound(&self) -> bool {
        let Some(position) = self.position() else { return false };
        let is_legal = |moves: &[Move]| {
            let mut position = position.clone();
            moves.iter().all(|&mv| position.play(mv).is_ok())
        };
        let refutation: Vec<Move> = self.played.into_iter().chain(self.refutation.iter().copied()).collect();
        let is_number = [self.lost, self.chance].iter().all(|part| (0.0..=1.0).contains(part));
        let is_proof = |reason: &Reason| {
            let played = self.played.filter(|_| reason.follows_played_move());
            is_legal(&played.into_iter().chain(reason.line().iter().copied()).collect::<Vec<_>>())
        };
        is_number
            && position.has_legal_move()
            && is_legal(&self.line)
            && is_legal(&refutation)
            && self.reasons.iter().all(is_proof)
    }

    /// Why the mistake was one, in the current language; nothing without a proof.
    pub fn reason(&self) -> Option<String> {
        reasons_text(&self.reasons, &self.position()?, self.played?)
    }

    /// Looks for reasons why a move of this position is a mistake, if this line refutes it; none if that is stopped.
    pub fn find_reasons(
        &self,
        played: Move,
        refutation: &[Move],
        tables: Option<&Tablebase>,
        control: &Arc<Control>,
    ) -> Vec<Reason> {
        let Some(position) = self.position() else { return Vec::new() };
        let rules = Rules::new(self.rules);
        let mistake =
            Mistake { position: &position, played, best: &self.line, refutation, rules, known: KnownMates::default() };
        find_reasons(&mistake, tables, REASON_NODES, control)
    }

    /// The game that it comes from; of an opening its name in the current language.
    fn title(&self) -> String {
        let opening = self.opening.as_deref().filter(|_| self.kind == CardKind::Opening);
        let name = opening.and_then(OpeningName::with_english);
        name.map_or_else(|| self.game.title.clone(), |name| name.localized().to_string())
    }

    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }
}

/// Reasons why a move of a position is a mistake, in the current language.
pub fn reasons_text(reasons: &[Reason], position: &Position, played: Move) -> Option<String> {
    let sentences = reasons.iter().map(|reason| reason.sentence(position, played));
    let text = Language::text(&sentences.collect::<Vec<_>>());
    Some(text).filter(|text| !text.is_empty())
}

/// Moves as one text: a third shorter than a list.
pub(super) mod move_list {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use xiangqi::Move;

    pub fn serialize<S: Serializer>(moves: &[Move], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Move>, D::Error> {
        let text = String::deserialize(from)?;
        text.split_whitespace().map(|mv| mv.parse().map_err(D::Error::custom)).collect()
    }
}

// Cards from the mistakes of a reviewed game.

/// A move that loses this much of the expected result is a mistake for a card.
pub const LEAST_LOSS: f64 = 0.10;
/// Something must be at stake: before the mistake the side is not lost, and after it not still won.
const LOST_CHANCE: f64 = 0.10;
const WON_CHANCE: f64 = 0.90;
/// So many moves of a line are kept.
const MAX_LINE: usize = 12;

/// Whether a move is worth a card.
pub fn is_mistake(reviewed: &ReviewedMove, least_loss: f64) -> bool {
    let (Some(before), Some(after)) = (reviewed.before, reviewed.after) else { return false };
    reviewed.loss().is_some_and(|loss| loss >= least_loss) && before.chance >= LOST_CHANCE && after.chance < WON_CHANCE
}

/// The cards of the moves of these sides that are wanted and have a better line, each position once.
pub fn cards_of_review(
    review: &Review,
    sides: &[Color],
    origin: &CardGame,
    at: i64,
    is_wanted: impl Fn(&ReviewedMove) -> bool,
) -> Vec<Card> {
    let start = review.game.start();
    let fen = (start.fen() != Position::start().fen()).then(|| start.fen().into_boxed_str());
    let phases = phases(&review.game);
    let (mut cards, mut known) = (Vec::new(), HashSet::new());
    for (index, reviewed, position) in review.moves_in_positions() {
        let id = CardId::of(&position);
        let is_chosen = sides.contains(&reviewed.side) && !reviewed.better_line.is_empty() && is_wanted(reviewed);
        if let (true, Some(before)) = (is_chosen && known.insert(id), reviewed.before) {
            let after = review.positions.get(index + 1).and_then(Option::as_ref);
            let line = |moves: &[_]| moves.iter().take(MAX_LINE).copied().collect();
            cards.push(Card {
                fen: fen.clone(),
                rules: review.rules.set,
                played: Some(reviewed.mv),
                piece: Some(position.moved_piece(reviewed.mv).kind()),
                chance: rounded(before.chance),
                lost: rounded(reviewed.loss().unwrap_or_default()),
                line: line(&reviewed.better_line),
                refutation: after.map(|after| line(&after.line)).unwrap_or_default(),
                game: origin.clone(),
                phase: phases.get(index).copied(),
                opening: review.opening.map(|opening| opening.name.english.into()),
                reasons: reviewed.reasons.clone(),
                added: at,
                ..Card::new(
                    CardKind::Mistake,
                    &position,
                    review.moves[..index].iter().map(|before| before.mv).collect(),
                )
            });
        }
    }
    cards
}

/// The mistakes of a person in many games, each position once.
#[derive(Default)]
pub struct MistakeCards {
    cards: Vec<Card>,
    known: HashSet<CardId>,
}

impl MistakeCards {
    /// Adds those of these sides of a game.
    pub fn add(&mut self, review: &Review, sides: &[Color], at: i64) {
        let is_wanted = |reviewed: &ReviewedMove| is_mistake(reviewed, LEAST_LOSS);
        let cards = cards_of_review(review, sides, &CardGame::of(&review.game), at, is_wanted);
        self.cards.extend(cards.into_iter().filter(|card| self.known.insert(card.id)));
    }

    /// In the order of their games.
    pub fn all(&self) -> &[Card] {
        &self.cards
    }

    /// The costliest first.
    pub fn costliest(&self) -> Vec<&Card> {
        self.chosen(&MistakeChoice::default())
    }

    /// Those that are wanted, in the order that is.
    pub fn chosen(&self, choice: &MistakeChoice) -> Vec<&Card> {
        let has_theme = |card: &&Card| {
            let shown = card.position().map(|position| motifs(&position, &card.line)).unwrap_or_default();
            choice.themes.is_empty() || shown.iter().any(|theme| choice.themes.contains(theme))
        };
        let mut cards: Vec<&Card> = self.cards.iter().filter(has_theme).collect();
        cards.order_by(|card, other| other.lost.total_cmp(&card.lost));
        if choice.newest {
            // Dates are written with points or hyphens; an unknown one is the oldest.
            let date = |card: &Card| card.game.date.replace('.', "-").replace('?', " ");
            cards.order_by(|card, other| date(other).cmp(&date(card)));
        }
        cards.truncate(choice.count.unwrap_or(usize::MAX));
        cards
    }
}

/// Which mistakes become exercises.
#[derive(Clone, Debug, Default)]
pub struct MistakeChoice {
    /// Those whose best line shows one of these; all if there is none.
    pub themes: Vec<Motif>,
    /// Those of the latest games first, not the costliest.
    pub newest: bool,
    /// So many of them.
    pub count: Option<usize>,
}

fn rounded(chance: f64) -> f64 {
    (chance * 1000.0).round() / 1000.0
}

// Whether a move that was tried is right: by the card where it says so, by the rules and the endgame tables where they are
// exact, and else by a search.

/// A move that loses less than this against the best one is right.
pub const RIGHT_LOSS: f64 = 0.04;

/// What is to be said of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    pub is_right: bool,
    pub is_best: bool,
    /// What it loses of the expected result against the best move.
    pub lost: f64,
    /// What follows it, from the opponent's reply on.
    pub reply: Vec<Move>,
}

/// Why a move cannot be judged.
#[derive(Debug, Error)]
pub enum TrialError {
    #[error("{}", tr!("The position of this exercise is damaged."))]
    BadCard,
    #[error("{}", .0.localized())]
    IllegalMove(#[from] IllegalMove),
}

/// Judges a move with so many nodes a position; nothing if it is stopped.
pub fn judge(
    card: &Card,
    mv: Move,
    searcher: &mut Searcher,
    nodes: u64,
    control: &Control,
) -> Result<Option<Trial>, TrialError> {
    let before = card.position().ok_or(TrialError::BadCard)?;
    let mut after = before.clone();
    after.play(mv)?;
    if card.best() == Some(mv) {
        return Ok(Some(Trial { is_right: true, is_best: true, lost: 0.0, reply: card.line[1..].to_vec() }));
    }
    if card.played == Some(mv) {
        let reply = card.refutation.clone();
        return Ok(Some(Trial { is_right: false, is_best: false, lost: card.lost, reply }));
    }
    let rules = Rules::new(card.rules);
    searcher.options.rules = rules;
    let mut judge = Judge { searcher, limits: Limits::nodes(nodes), rules, control };
    let Some((chance, reply)) = judge.after(&after) else { return Ok(None) };
    let lost = match judge.table_chance(&before) {
        Some(best) => best - chance,
        None => match card.best() {
            // What the review has found counts as long as another search does not find less.
            Some(_) if card.chance - chance < RIGHT_LOSS => card.chance - chance,
            Some(best) => {
                let mut next = before.clone();
                next.play(best)?;
                let Some((best, _)) = judge.after(&next) else { return Ok(None) };
                best.min(card.chance) - chance
            }
            None => match judge.search(&before) {
                Some((standing, _)) => standing.chance - chance,
                None => return Ok(None),
            },
        },
    };
    Ok(Some(Trial { is_right: lost < RIGHT_LOSS, is_best: false, lost: lost.max(0.0), reply }))
}

struct Judge<'a> {
    searcher: &'a mut Searcher,
    limits: Limits,
    rules: Rules,
    control: &'a Control,
}

impl Judge<'_> {
    /// The chance of the side that has moved, and what follows.
    fn after(&mut self, position: &Position) -> Option<(f64, Vec<Move>)> {
        let verdict = self.rules.judge(position);
        if let Some(ending) = verdict.ending {
            let score = final_score(ending, verdict.reason, position.side());
            return Some((Assessment::of(score, position).opposite().chance, Vec::new()));
        }
        let table = self.table_chance(position);
        let (standing, line) = self.search(position)?;
        Some((1.0 - table.unwrap_or(standing.chance), line))
    }

    /// The chance of the side to move, if the endgame tables know it.
    fn table_chance(&self, position: &Position) -> Option<f64> {
        match self.searcher.tablebase.as_ref()?.probe(position)? {
            ProbeResult::Win(_) => Some(1.0),
            ProbeResult::Draw => Some(0.5),
            ProbeResult::Loss(_) => Some(0.0),
            ProbeResult::Doubtful => None,
        }
    }

    fn search(&mut self, position: &Position) -> Option<(Assessment, Vec<Move>)> {
        let found = self.searcher.search(position, &self.limits, self.control, &mut NoReporter);
        let line = cut_at_game_end(position, &found.pv, &self.rules);
        (!self.control.stopped()).then(|| (Assessment::of(found.score, position), line))
    }
}
