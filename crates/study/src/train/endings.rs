//! Endings to practise: the materials of the tables, positions drawn anew, and a game against a side that never gives
//! the result away.
//!
//! [`Ending`] is one of those of the tables inside the program or of table files, with how many positions are won;
//! [`draw_start`] draws a position of a wished difficulty; [`EndingSession`] judges what the person plays, and tells where a
//! result was given away. The opponent finds the move that makes it hardest among those that keep the result.

use crate::analyse::GamePosition;
use crate::reader::{NamedVerdict, default_notation, move_name};
use chuhe_engine::score;
use chuhe_engine::search::{Control, Limits, NoReporter, Searcher};
use chuhe_engine::tablebase::{Material, ProbeResult, SideMaterial, Tablebase};
use chuhe_support::language::{Language, tr};
use chuhe_support::messages::Localize;
use chuhe_support::small_sort::SmallSort;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::OnceLock;
use thiserror::Error;
use xiangqi::{Color, IllegalMove, Move, Piece, PieceKind, Position, Rules, Setup, Square, Verdict};

/// The materials of the tables inside the program, each with how many of a thousand quiet positions the attacker wins
/// who is to move. Made by `cargo test -p chuhe-study --test all ending_shares -- --ignored --nocapture`.
const SHARES: &str = include_str!("ending_shares.tsv");
/// From this share on an ending is a technical win; so many draws make it a technical draw.
const GRADE_SHARE: f64 = 0.95;
/// So many quiet positions of an ending are looked up where its share is not known.
const SAMPLED: usize = 200;
const ATTACKERS: [PieceKind; 4] = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon, PieceKind::Pawn];

/// How an ending usually ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndingGrade {
    /// 例胜: at least 95 % of the quiet positions are won.
    Won,
    /// 例和: at least 95 % are drawn.
    Drawn,
    Mixed,
}

/// An ending: the pieces of both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ending {
    pub material: Material,
    /// The share of quiet positions that the attacker wins who is to move.
    pub share_won: f64,
}

impl Ending {
    /// The endings of the tables inside the program: rook, horse, cannon and pawn, and of each the weaker defences first.
    pub fn all() -> &'static [Ending] {
        static ALL: OnceLock<Vec<Ending>> = OnceLock::new();
        ALL.get_or_init(|| {
            let read = |line: &str| {
                let (name, share) = line.split_once('\t')?;
                Some(Ending { material: name.parse().ok()?, share_won: share.parse::<f64>().ok()? / 1000.0 })
            };
            SHARES.lines().filter_map(read).collect()
        })
    }

    /// The endings of table files that are not among those of the program. Left out are those with a capture that leads
    /// to no table, as the result of their moves is not known. How many positions are won is estimated, which takes a
    /// few milliseconds for each.
    pub fn of_files(tables: &Tablebase) -> Vec<Ending> {
        let inside: HashSet<Material> = Ending::all().iter().map(|ending| ending.material).collect();
        let files: HashSet<Material> = tables.materials_on_disk().into_iter().collect();
        let is_known = |material: &Material| inside.contains(material) || files.contains(material);
        let is_complete = |material: &Material| Material::with_successors(&[*material]).iter().all(is_known);
        let mut found: Vec<Material> = files.difference(&inside).copied().filter(is_complete).collect();
        found.order();
        let estimated = found.into_iter().map(|material| {
            let mut random = StdRng::seed_from_u64(material.key());
            share_won(material, tables, SAMPLED, &mut random).map(|share_won| Ending { material, share_won })
        });
        estimated.flatten().collect()
    }

    /// The name of its table, `KRKAABB`.
    pub fn id(&self) -> String {
        self.material.to_string()
    }

    pub fn grade(&self) -> EndingGrade {
        match self.share_won {
            share if share >= GRADE_SHARE => EndingGrade::Won,
            share if share <= 1.0 - GRADE_SHARE => EndingGrade::Drawn,
            _ => EndingGrade::Mixed,
        }
    }

    /// Whether positions can be found for this side.
    pub fn offers(&self, side: EndingSide) -> bool {
        match side {
            EndingSide::Attack => self.share_won >= 0.01,
            EndingSide::Defend => self.share_won <= 0.99,
        }
    }

    /// Its name in the current language: `lone rook against two advisors`, `单车对双士`.
    pub fn name(&self) -> String {
        let [attacker, defender] = Color::ALL.map(|color| side_name(color, &self.material.side(color)));
        tr!("{attacker} against {defender}", attacker, defender)
    }
}

/// The pieces of a side beside the king: `horse and pawn`, `马兵`.
fn side_name(color: Color, side: &SideMaterial) -> String {
    let guards = guards_name(color, side);
    let counts = ATTACKERS.into_iter().map(|kind| (piece_name(color, kind), side.count(kind)));
    let counts: Vec<(String, usize)> = counts.filter(|&(_, count)| count > 0).collect();
    let attackers: Vec<String> = match &counts[..] {
        [] => return guards.unwrap_or_else(|| tr!("bare king")),
        [(piece, 1)] if guards.is_none() => return tr!("lone {piece}", piece),
        counts => counts.iter().map(|(piece, count)| counted(piece, *count)).collect(),
    };
    let (last, first) = match guards {
        Some(guards) => (guards, attackers),
        None => (attackers.last().cloned().unwrap_or_default(), attackers[..attackers.len() - 1].to_vec()),
    };
    let first = first.into_iter().reduce(|one, other| tr!("{one}, {other}", one, other));
    first.map_or(last.clone(), |one| tr!("{one} and {other}", one, other = last))
}

/// The advisors and bishops of a side; `None` without any.
fn guards_name(color: Color, side: &SideMaterial) -> Option<String> {
    let [advisor, bishop] = [PieceKind::Advisor, PieceKind::Bishop].map(|kind| piece_name(color, kind));
    let stand_alone = side.attackers() == 0;
    Some(match (side.count(PieceKind::Advisor), side.count(PieceKind::Bishop)) {
        (0, 0) => return None,
        (1, 0) if stand_alone => tr!("one {piece}", piece = advisor),
        (0, 1) if stand_alone => tr!("one {piece}", piece = bishop),
        (1, 1) if stand_alone => tr!("one {advisor} and one {bishop}", advisor, bishop),
        (1, 1) => tr!("{one} and {other}", one = advisor, other = bishop),
        (2, 1) => tr!("two {advisor}s and a {bishop}", advisor, bishop),
        (1, 2) => tr!("{advisor} and two {bishop}s", advisor, bishop),
        (2, 2) => tr!("all guards"),
        (count, 0) => counted(&advisor, count),
        (_, count) => counted(&bishop, count),
    })
}

fn counted(piece: &str, count: usize) -> String {
    match count {
        1 => piece.to_string(),
        2 => tr!("two {piece}s", piece),
        3 => tr!("three {piece}s", piece),
        4 => tr!("four {piece}s", piece),
        _ => tr!("five {piece}s", piece),
    }
}

/// In Chinese the character on the piece, which depends on the side.
fn piece_name(color: Color, kind: PieceKind) -> String {
    Language::in_script(Language::choose(Piece::new(color, kind).character().to_string(), kind.localized()))
}

/// So many placements are tried for a position, and so many positions are compared.
const MAX_PLACEMENTS: usize = 6_000;
const COMPARED: usize = 24;
/// The levels of difficulty.
const LEVELS: usize = 3;

/// The side that the person takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndingSide {
    /// With the attacker, who is red, from a won position.
    Attack,
    /// Against him, from a drawn one.
    Defend,
}

impl EndingSide {
    pub const ALL: [EndingSide; 2] = [EndingSide::Attack, EndingSide::Defend];

    /// The colour of the person.
    pub fn color(self) -> Color {
        match self {
            EndingSide::Attack => Color::Red,
            EndingSide::Defend => Color::Black,
        }
    }
}

/// Whether a position is quiet: no side is in check or can take.
pub fn is_quiet(position: &Position) -> bool {
    let takes = |position: &Position| position.legal_moves().into_iter().any(|mv| position.piece_at(mv.to()).is_some());
    if position.in_check() || takes(position) {
        return false;
    }
    let mut passed = position.clone();
    passed.play_null();
    !takes(&passed)
}

/// A quiet position of this material, with the attacker as red; nothing if the pieces fell badly.
fn random_position(material: Material, mover: Color, random: &mut StdRng) -> Option<Position> {
    let mut setup = Setup::empty();
    setup.side = mover;
    for color in Color::ALL {
        for kind in PieceKind::ALL {
            let can_stand = |square: &Square| kind.can_stand(square.file(), square.rank_for(color));
            let squares: Vec<Square> = Square::all().filter(can_stand).collect();
            for _ in 0..material.side(color).count(kind) {
                let square = squares[random.random_range(0..squares.len())];
                if setup.place(Piece::new(color, kind), square).is_some() {
                    return None;
                }
            }
        }
    }
    Position::try_from(setup).ok().filter(|position| position.has_legal_move() && is_quiet(position))
}

/// The share of so many quiet positions that the attacker wins who is to move; `None` without a table, or if hardly any
/// position is quiet.
pub fn share_won(material: Material, tables: &Tablebase, count: usize, random: &mut StdRng) -> Option<f64> {
    let (mut won, mut seen) = (0, 0);
    for _ in 0..count.max(MAX_PLACEMENTS) * 10 {
        let Some(position) = random_position(material, Color::Red, random) else { continue };
        won += usize::from(matches!(tables.probe(&position)?, ProbeResult::Win(_)));
        seen += 1;
        if seen == count {
            return Some(won as f64 / count as f64);
        }
    }
    None
}

/// A position in which this side, to move, wins as the attacker or holds as the defender. The higher the level, from 1
/// to 3, the fewer of its moves keep that. `None` if there is no such position, or it is too rare to be found.
pub fn draw_start(
    material: Material,
    side: EndingSide,
    level: u8,
    tables: &Tablebase,
    random: &mut StdRng,
) -> Option<Position> {
    let mut found: Vec<(f64, Position)> = Vec::new();
    for _ in 0..MAX_PLACEMENTS {
        let Some(position) = random_position(material, side.color(), random) else { continue };
        let is_wanted = matches!(
            (side, tables.probe(&position)?),
            (EndingSide::Attack, ProbeResult::Win(_)) | (EndingSide::Defend, ProbeResult::Draw)
        );
        if is_wanted {
            found.push((kept_share(&position, tables), position));
            if found.len() == COMPARED {
                break;
            }
        }
    }
    // The easiest first.
    found.order_by(|one, other| other.0.total_cmp(&one.0));
    let level = usize::from(level).clamp(1, LEVELS);
    let (from, to) = (found.len() * (level - 1) / LEVELS, (found.len() * level).div_ceil(LEVELS));
    let chosen = random.random_range(from..to.max(from + 1));
    (!found.is_empty()).then(|| found.swap_remove(chosen).1)
}

/// The worth of a table's result for the side to move.
fn worth(result: ProbeResult) -> i32 {
    match result {
        ProbeResult::Win(_) => 1,
        ProbeResult::Loss(_) => -1,
        ProbeResult::Draw | ProbeResult::Doubtful => 0,
    }
}

/// The share of the legal moves that keep the result of a position, by the tables.
fn kept_share(position: &Position, tables: &Tablebase) -> f64 {
    let legal = position.legal_moves();
    let best = tables.probe(position).map_or(0, worth);
    let mut next = position.clone();
    let kept = legal.iter().copied().filter(|&mv| {
        next.play_unchecked(mv);
        let after = tables.probe(&next).map_or(0, worth);
        next.undo();
        -after >= best
    });
    kept.count() as f64 / legal.len().max(1) as f64
}

/// Nodes of the search that looks for the longest resistance.
const NODES: u64 = 20_000;

/// The hardest move; `None` if the game is over.
///
/// Where the tables count the plies to mate, it is the longest defence or the shortest win. Else, among the moves that
/// keep the result, a search without tables decides where it sees a mate; and where it sees none, the move after which
/// the fewest answers are good enough.
pub fn hardest_move(
    position: &Position,
    rules: &Rules,
    tables: &Tablebase,
    searcher: &mut Searcher,
    control: &Control,
) -> Option<Move> {
    let legal: Vec<Move> = position.legal_moves().to_vec();
    let playable = rules.playable_moves(position, legal.clone());
    let mut next = position.clone();
    let after = |mv: Move| {
        next.play_unchecked(mv);
        // A position that has stood before brings the draw nearer.
        let found = (mv, tables.probe(&next), next.occurrence_count() > 1, kept_share(&next, tables));
        next.undo();
        found
    };
    let valued: Vec<(Move, Option<ProbeResult>, bool, f64)> = playable.into_iter().map(after).collect();
    let value_of = |value: Option<ProbeResult>| value.map_or(0, |value| -worth(value));
    let best = valued.iter().map(|&(_, value, ..)| value_of(value)).max()?;
    let keeping: Vec<_> = valued.into_iter().filter(|&(_, value, ..)| value_of(value) == best).collect();
    let plies = |value: Option<ProbeResult>| value.and_then(ProbeResult::plies);
    if best != 0 && keeping.iter().all(|&(_, value, ..)| plies(value).is_some()) {
        let chosen = keeping.iter().max_by_key(|&&(_, value, ..)| -best * i32::from(plies(value).unwrap_or(0)));
        return chosen.map(|&(mv, ..)| mv);
    }
    let excluded_moves = legal.into_iter().filter(|mv| keeping.iter().all(|(kept, ..)| kept != mv)).collect();
    searcher.tablebase = None;
    searcher.options.rules = *rules;
    let limits = Limits { excluded_moves, ..Limits::nodes(NODES) };
    let found = searcher.search(position, &limits, control, &mut NoReporter);
    let searched = found.best_move.filter(|mv| keeping.iter().any(|(kept, ..)| kept == mv));
    if score::is_mate(found.score) && searched.is_some() {
        return searched;
    }
    // The search breaks ties.
    let hardest = keeping.iter().min_by(|one, other| {
        let rank = |&(mv, _, again, kept): &(Move, Option<ProbeResult>, bool, f64)| (again, kept, Some(mv) != searched);
        let ((again, kept, other_than), (again2, kept2, other_than2)) = (rank(one), rank(other));
        again.cmp(&again2).then(kept.total_cmp(&kept2)).then(other_than.cmp(&other_than2))
    });
    hardest.map(|&(mv, ..)| mv)
}

/// A draw that was held for so many moves is held.
const HELD_MOVES: u32 = 25;

/// Where the session stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndingState {
    On,
    /// Won, or held.
    Passed,
    /// The result was given away.
    Spoiled,
}

/// Why a move is not taken.
#[derive(Debug, Error)]
pub enum EndingError {
    #[error("{}", tr!("This ending is over."))]
    Over,
    #[error("{}", .0.localized())]
    IllegalMove(#[from] IllegalMove),
}

/// What has become of a move: the moves that were played, the person's and the reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndingStep {
    pub moves: Vec<Move>,
    pub state: EndingState,
}

/// How a session ended.
#[derive(Clone, PartialEq, Debug)]
enum Outcome {
    /// By the rules.
    Verdict(NamedVerdict),
    Held,
    /// A move of the person gave the result away: it is a draw now, or lost.
    Fault {
        number: u32,
        before: Box<Position>,
        mv: Move,
        is_lost: bool,
    },
}

/// An ending that is played out. The person moves first.
#[derive(Clone, Debug)]
pub struct EndingSession {
    pub ending: Ending,
    pub side: EndingSide,
    pub level: u8,
    start: Position,
    position: Position,
    /// The moves of the person.
    moves: u32,
    faults: u32,
    outcome: Option<Outcome>,
    state: EndingState,
}

impl EndingSession {
    /// A session from this position, in which the person is to move.
    pub fn new(ending: Ending, side: EndingSide, level: u8, start: Position) -> EndingSession {
        let (position, state) = (start.clone(), EndingState::On);
        EndingSession { ending, side, level, start, position, moves: 0, faults: 0, outcome: None, state }
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position now, with its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves that were played.
    pub fn line(&self) -> Vec<Move> {
        GamePosition::from_position(&self.position).played().to_vec()
    }

    pub fn state(&self) -> EndingState {
        self.state
    }

    /// Whether it counts: it was passed, and no move was taken back.
    pub fn is_passed_cleanly(&self) -> bool {
        self.state == EndingState::Passed && self.faults == 0
    }

    /// The position in which the person gave the result away, and the move.
    pub fn fault(&self) -> Option<(&Position, Move)> {
        match &self.outcome {
            Some(Outcome::Fault { before, mv, .. }) => Some((before, *mv)),
            _ => None,
        }
    }

    /// Plays a move of the person, and the reply if the result still stands.
    pub fn play(
        &mut self,
        mv: Move,
        tables: &Tablebase,
        searcher: &mut Searcher,
        control: &Control,
    ) -> Result<EndingStep, EndingError> {
        if self.state != EndingState::On {
            return Err(EndingError::Over);
        }
        let before = Box::new(self.position.clone());
        self.position.play(mv)?;
        self.moves += 1;
        let mut moves = vec![mv];
        if !self.is_ended_by_rule() {
            let wanted = i32::from(self.side == EndingSide::Attack);
            // A table that is gone blames nobody.
            let result = tables.probe(&self.position).map_or(wanted, |result| -worth(result));
            if result < wanted {
                let (number, is_lost) = (self.moves, result < 0);
                self.end(EndingState::Spoiled, Outcome::Fault { number, before, mv, is_lost });
            } else if self.side == EndingSide::Defend && self.moves >= HELD_MOVES {
                self.end(EndingState::Passed, Outcome::Held);
            } else if let Some(reply) = hardest_move(&self.position, &Rules::default(), tables, searcher, control) {
                self.position.play_unchecked(reply);
                moves.push(reply);
                self.is_ended_by_rule();
            }
        }
        Ok(EndingStep { moves, state: self.state })
    }

    /// Goes on from before the move that gave the result away, which does not count as passed then.
    pub fn again(&mut self) -> bool {
        if self.state != EndingState::Spoiled {
            return false;
        }
        // The last move of the person, and the reply if that came.
        let person = self.side.color();
        let replies = usize::from(self.position.side() == person);
        (0..=replies).for_each(|_| self.position.undo());
        self.moves -= 1;
        self.faults += 1;
        (self.state, self.outcome) = (EndingState::On, None);
        true
    }

    fn end(&mut self, state: EndingState, outcome: Outcome) {
        (self.state, self.outcome) = (state, Some(outcome));
    }

    /// Whether the judge has ended the game; sets the outcome.
    fn is_ended_by_rule(&mut self) -> bool {
        let verdict: Verdict = Rules::default().judge(&self.position);
        let Some(ending) = verdict.ending else { return false };
        let is_passed = match (self.side, ending.winner()) {
            (_, Some(winner)) => winner == self.side.color(),
            (side, None) => side == EndingSide::Defend,
        };
        let state = if is_passed { EndingState::Passed } else { EndingState::Spoiled };
        self.end(state, Outcome::Verdict(NamedVerdict::new(verdict, &self.position)));
        true
    }

    /// What there is to say, in the current language.
    pub fn sentence(&self) -> Option<String> {
        Some(match self.outcome.as_ref()? {
            Outcome::Verdict(verdict) => verdict.sentence(default_notation()),
            Outcome::Held => tr!("Held for {count} moves: a draw.", count = self.moves),
            Outcome::Fault { number, before, mv, is_lost } => {
                let mv = move_name(before, *mv);
                if *is_lost {
                    tr!("Move {number}, {mv}: from here it is lost.", number, mv)
                } else {
                    tr!("Move {number}, {mv}: from here it is a draw.", number, mv)
                }
            }
        })
    }
}
