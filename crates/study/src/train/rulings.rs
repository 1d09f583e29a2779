//! Questions about rulings: the figures of the Chinese association's rule book that the judge decides as printed.

use crate::analyse::GamePosition;
use crate::reader::{NamedVerdict, default_notation, line_names};
use chuhe_support::language::{Language, phrase, tr};
use chuhe_support::messages::Localize;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use xiangqi::rules::{MoveExplanation, piece_on_square};
use xiangqi::{Color, Ending, Move, Piece, Position, RuleSet, Rules, Square, Verdict};
use xiangqi_record::notation::{self, Notation};

/// The number of the figure, the position, the moves before, the moves that are repeated, and the ruling.
const FIGURES: &str = include_str!("rulings.tsv");

phrased! {
    /// A ruling.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum RulingAnswer {
        RedLoses = phrase!("Red loses");
        BlackLoses = phrase!("Black loses");
        Draw = phrase!("Nobody: a draw");
    }
}

impl RulingAnswer {
    fn of(ending: Ending) -> RulingAnswer {
        match ending {
            Ending::Loss(Color::Red) => RulingAnswer::RedLoses,
            Ending::Loss(Color::Black) => RulingAnswer::BlackLoses,
            Ending::Draw => RulingAnswer::Draw,
        }
    }
}

/// A repetition that is to be judged.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The number of the figure.
    pub id: &'static str,
    /// The position from which the moves are repeated, with those before.
    pub position: Position,
    pub cycle: Vec<Move>,
    /// As the association rules.
    pub answer: RulingAnswer,
}

impl Ruling {
    /// All questions.
    pub fn all() -> &'static [Ruling] {
        static ALL: OnceLock<Vec<Ruling>> = OnceLock::new();
        ALL.get_or_init(|| FIGURES.lines().filter_map(read).collect())
    }

    pub fn find(id: &str) -> Option<&'static Ruling> {
        Ruling::all().iter().find(|ruling| ruling.id == id)
    }

    /// The position of the figure, and the moves before those that are repeated.
    pub fn figure(&self) -> (Position, Vec<Move>) {
        let figure = GamePosition::from_position(&self.position);
        (figure.start().clone(), figure.played().to_vec())
    }

    /// The question in the current language.
    pub fn question(&self) -> String {
        let written = line_names(&self.position, &self.cycle);
        let first = self.position.side();
        let moves = |color: Color| {
            let from = usize::from(color != first);
            written.iter().skip(from).step_by(2).cloned().collect::<Vec<_>>().join(" ")
        };
        let red = tr!("Red plays {moves}", moves = moves(Color::Red));
        let black = tr!("black plays {moves}", moves = moves(Color::Black));
        tr!("{red} and {black}, over and over. Who loses?", red, black)
    }

    /// What each move of a round does.
    pub fn deeds(&self) -> Vec<Deed> {
        let (end, _) = self.judged();
        let deeds = rules().explain(&end);
        let round = &deeds[deeds.len().saturating_sub(self.cycle.len())..];
        let mut position = end.clone();
        round.iter().for_each(|_| position.undo());
        let deed_of = |deed: &MoveExplanation| {
            position.play_unchecked(deed.mv);
            let king = position.king(position.side());
            let checks = position.checkers().into_iter().map(|from| Move::new(from, king));
            let threats = if position.in_check() { checks.collect() } else { deed.threats.clone() };
            Deed { position: position.clone(), explanation: deed.clone(), threats }
        };
        round.iter().map(deed_of).collect()
    }

    /// What each side does, and the verdict of the judge, in the current language.
    pub fn explanation(&self) -> String {
        let deeds = self.deeds();
        let natures = |color: Color| {
            let own = deeds.iter().filter(|deed| deed.explanation.mover == color);
            own.map(Deed::text).reduce(|first, next| tr!("{first}; {next}", first, next)).unwrap_or_default()
        };
        let red = tr!("Red: {natures}", natures = natures(Color::Red));
        let black = tr!("Black: {natures}", natures = natures(Color::Black));
        tr!("{red}. {black}. {verdict}.", red, black, verdict = self.verdict())
    }

    /// The verdict of the judge and its reason, in the current language.
    pub fn verdict(&self) -> String {
        let (end, verdict) = self.judged();
        NamedVerdict::new(verdict, &end).sentence(default_notation())
    }

    /// The articles of the association's text.
    pub fn articles(&self) -> Option<&'static str> {
        rules().official_articles(self.judged().1.reason)
    }

    /// The ruling of the judge.
    pub fn judge(&self) -> Option<RulingAnswer> {
        self.judged().1.ending.map(RulingAnswer::of)
    }

    /// The position after the moves were repeated as often as the rules ask, and the verdict.
    fn judged(&self) -> (Position, Verdict) {
        let mut position = self.position.clone();
        for _ in 1..RuleSet::Cxa.repetition_count() {
            self.cycle.iter().for_each(|&mv| position.play_unchecked(mv));
        }
        let verdict = rules().judge(&position);
        (position, verdict)
    }
}

/// What a move of the repetition does.
#[derive(Clone, Debug)]
pub struct Deed {
    /// The position after it.
    position: Position,
    explanation: MoveExplanation,
    /// What it threatens to play: captures, as a rule; of the king where it checks.
    pub threats: Vec<Move>,
}

impl Deed {
    pub fn mv(&self) -> Move {
        self.explanation.mv
    }

    /// The position before it.
    pub fn before(&self) -> Position {
        let mut position = self.position.clone();
        position.undo();
        position
    }

    /// In the current language; pieces are called as the moves call them.
    pub fn text(&self) -> String {
        let naming = |piece: Piece, square: Square| {
            let way = Some(default_notation()).filter(|way| !matches!(way, Notation::Iccs | Notation::Uci));
            let name = way.and_then(|way| notation::piece_name(&self.position, square, way));
            name.map_or_else(|| piece_on_square(piece, square), |name| Language::in_script(name).into())
        };
        self.explanation.words_naming(&naming).localized()
    }
}

fn rules() -> Rules {
    Rules { natural_limit: 0, ..Rules::new(RuleSet::Cxa) }
}

fn read(line: &'static str) -> Option<Ruling> {
    let fields: Vec<&'static str> = line.split('\t').collect();
    let [id, fen, before, cycle, answer] = fields[..] else { return None };
    let moves = |text: &str| text.split_whitespace().map(|mv| mv.parse().ok()).collect::<Option<Vec<Move>>>();
    let mut position = Position::from_fen(fen).ok()?;
    moves(before)?.into_iter().try_for_each(|mv| position.play(mv)).ok()?;
    let cycle = moves(cycle)?;
    let mut end = position.clone();
    cycle.iter().try_for_each(|&mv| end.play(mv)).ok()?;
    let answer = match answer {
        "red-loses" => RulingAnswer::RedLoses,
        "black-loses" => RulingAnswer::BlackLoses,
        _ => RulingAnswer::Draw,
    };
    Some(Ruling { id, position, cycle, answer })
}
