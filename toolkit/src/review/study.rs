//! The search of every position of a game, the last one first: what is found about it stands in the hash table when the
//! position before is searched.

use super::chance::{Standing, chance};
use crate::record::Game;
use chuhe_engine::board::Position;
use chuhe_engine::rules::{Ending, Reason, Rules, Verdict};
use chuhe_engine::search::{Control, Limits, Searcher, Silent};
use chuhe_engine::tablebase::Answer;
use chuhe_engine::types::{Color, Move, Score, score};

/// By how much a move must be better than all others to be worth a word, and how well its side must stand.
const OUTSTANDING: f64 = 0.10;
const WORTHWHILE: f64 = 0.25;
/// The others are looked at with this part of what the best move took.
const RUNNER_UP: u64 = 20;

/// What is known about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Studied {
    /// Who is to move.
    pub side: Color,
    /// How it stands for that side.
    pub standing: Standing,
    /// Depth of the search.
    pub depth: u32,
    /// Nodes of the search.
    pub nodes: u64,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
    /// What an endgame table says, for the side to move.
    pub table: Option<Answer>,
    /// What the judge says.
    pub verdict: Verdict,
    /// The best move was played, and every other move is much worse.
    pub only_good: bool,
}

impl Studied {
    /// How it stands for red.
    pub fn for_red(&self) -> Standing {
        self.standing.from_red(self.side)
    }
}

/// What was found about a game.
pub struct Study {
    /// Its positions, the beginning first.
    pub positions: Vec<Option<Studied>>,
}

/// How much each position is searched.
#[derive(Clone, Debug)]
pub struct Measure {
    pub limits: Limits,
}

/// Whoever wants to know how far it is.
pub trait Observer {
    /// So many positions of so many are done.
    fn progress(&mut self, done: usize, total: usize);
}

/// Searches a game. Stopped by its control it returns what is done.
pub fn study(
    game: &Game,
    searcher: &mut Searcher,
    measure: &Measure,
    control: &Control,
    observer: &mut dyn Observer,
) -> Study {
    let played: Vec<Move> = game.played().map(|node| node.mv()).collect();
    let total = played.len() + 1;
    let mut position = game.start().clone();
    played.iter().for_each(|&mv| position.make(mv));
    let mut positions: Vec<Option<Studied>> = vec![None; total];
    observer.progress(0, total);
    for index in (0..total).rev() {
        let found = look(&position, played.get(index).copied(), searcher, measure, control);
        if control.stopped() {
            break;
        }
        positions[index] = Some(found);
        observer.progress(total - index, total);
        if index > 0 {
            position.unmake();
        }
    }
    Study { positions }
}

/// Looks at one position, from which this move was played.
fn look(
    position: &Position,
    played: Option<Move>,
    searcher: &mut Searcher,
    measure: &Measure,
    control: &Control,
) -> Studied {
    let rules = searcher.options.rules;
    let mut studied = Studied {
        side: position.side(),
        standing: Standing::of(score::DRAW, position),
        depth: 0,
        nodes: 0,
        line: Vec::new(),
        table: searcher.tables.as_ref().and_then(|shelf| shelf.probe(position)),
        verdict: rules.judge(position),
        only_good: false,
    };
    // A game that went on after it was over by repetition is looked at as it was played.
    if let Some(ending) = studied.verdict.ending
        && (played.is_none() || !position.has_legal_move())
    {
        studied.standing =
            Standing::of(final_score(ending, studied.verdict.reason, position.side()), position);
        return studied;
    }
    let outcome = searcher.search(position, &measure.limits, control, &mut Silent);
    studied.standing = Standing::of(outcome.score, position);
    studied.depth = outcome.depth;
    studied.nodes = outcome.nodes;
    studied.line = lawful(position, &outcome.pv, &rules);
    if outcome.best.is_some() && outcome.best == played {
        studied.only_good =
            stands_out(position, &outcome.pv, outcome.score, outcome.nodes, searcher, control);
    }
    studied
}

/// The score of a game that is over.
pub fn final_score(ending: Ending, reason: Reason, side: Color) -> Score {
    match ending {
        Ending::Draw => score::DRAW,
        Ending::Loss(loser) => {
            let lost = match reason {
                Reason::Mate | Reason::Stalemate => score::mated_in(0),
                _ => score::rule_loss_in(0),
            };
            if loser == side { lost } else { -lost }
        }
    }
}

/// The moves of a line up to the end of the game.
fn lawful(position: &Position, line: &[Move], rules: &Rules) -> Vec<Move> {
    let mut position = position.clone();
    let mut kept = Vec::new();
    for &mv in line {
        if position.play(mv).is_err() {
            break;
        }
        kept.push(mv);
        if rules.judge(&position).ending.is_some() {
            break;
        }
    }
    kept
}

/// Whether a move is much better than all others, and neither forced nor the obvious taking back.
fn stands_out(
    position: &Position,
    line: &[Move],
    score: Score,
    nodes: u64,
    searcher: &mut Searcher,
    control: &Control,
) -> bool {
    let Some(&best) = line.first() else { return false };
    let takes_back = position.last_captured().is_piece() && position.last_move().to() == best.to();
    if takes_back || position.legal_moves().len() < 2 || chance(score, position) < WORTHWHILE {
        return false;
    }
    let limits = Limits { excluded: vec![best], ..Limits::nodes(nodes / RUNNER_UP + 1) };
    let other = searcher.search(position, &limits, control, &mut Silent);
    chance(score, position) - chance(other.score, position) >= OUTSTANDING
}
