//! A card: a position of a game in which the person is asked for a better move.

use crate::book::MirrorKey;
use crate::book::opening_names::OpeningName;
use crate::reasons::{Mistake, Reason, ReasonLimits, find_reasons};
use crate::review::{Phase, player_of, side_name};
use chuhe_engine::Tablebase;
use chuhe_engine::search::Control;
use chuhe_support::language::{Language, tr};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;
use xiangqi::{Color, Move, PieceKind, Position, RuleSet, Rules, zobrist::Key};
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

/// A card as it was made. What the person changes of it is kept beside it (see [`super::CardState`]).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Card {
    pub id: CardId,
    pub kind: CardKind,
    /// The deck that it was put into; the person's own has no name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub deck: String,
    /// The start of the game as a FEN; none is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<Box<str>>,
    /// The moves up to the question: rules of repetition need them.
    #[serde(default, with = "move_list")]
    pub moves: Vec<Move>,
    #[serde(default)]
    pub rules: RuleSet,
    pub side: Color,
    /// The move that was a mistake, and the kind of its piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<Move>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<PieceKind>,
    /// The expected result of the side before the mistake, and what it has lost: 0 to 1.
    #[serde(default)]
    pub chance: f64,
    #[serde(default)]
    pub lost: f64,
    /// The best line, its move first; empty if another proof tells right from wrong.
    #[serde(default, with = "move_list", skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<Move>,
    /// What refutes the mistake: the opponent's reply first.
    #[serde(default, with = "move_list", skip_serializing_if = "Vec::is_empty")]
    pub refutation: Vec<Move>,
    #[serde(default)]
    pub game: CardGame,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// The English name of the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Box<str>>,
    /// Why the move was a mistake, where that is proven.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// When it was made, in seconds since 1970.
    #[serde(default)]
    pub added: i64,
}

impl Card {
    /// A card of a position that comes after these moves, of which nothing else is known yet.
    pub fn new(kind: CardKind, position: &Position, moves: Vec<Move>) -> Card {
        Card {
            id: kind.id_of(position),
            kind,
            deck: String::new(),
            fen: None,
            moves,
            rules: RuleSet::default(),
            side: position.side(),
            played: None,
            piece: None,
            chance: 1.0,
            lost: 0.0,
            line: Vec::new(),
            refutation: Vec::new(),
            game: CardGame::default(),
            phase: None,
            opening: None,
            reasons: Vec::new(),
            added: 0,
        }
    }

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
        let mistake = Mistake { position: &position, played, best: &self.line, refutation, rules };
        find_reasons(&mistake, tables, &ReasonLimits::default(), control)
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
