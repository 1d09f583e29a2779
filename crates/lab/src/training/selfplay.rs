//! Self-play: plays many fast games and writes each to the archive as soon as it is over.
//!
//! Start positions: most come from a few random moves, some with pieces removed and some are random endgames, so that the
//! network also learns unbalanced and late positions.

use super::archive::{ArchiveConditions, GameArchive, GameArchiveError, GameArchiveWriter};
use super::game_format::{EndReason, LabelledMove, SearchEffort, SelfplayGame};
use super::selfplay_workers::{self, GameTally, WorkerPool};
use crate::arena::openings::random_opening;
use chuhe_engine::nnue::win_rate::{WIN_RATE, material_count};
use chuhe_engine::score::{self, Score};
use chuhe_engine::search::{Control, NoReporter, Options, Searcher};
use chuhe_support::files::{At, make_folder};
use rand::rngs::StdRng;
use rand::seq::{IteratorRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use xiangqi::{Color, Ending, Piece, PieceKind, Position, Setup, Square};

/// A score beyond this …
const WIN_ADJUDICATION_SCORE: Score = 1800;
/// … for this many plies is adjudicated as a win; proven wins count double.
const WIN_ADJUDICATION_PLIES: u32 = 6;
/// A score below this …
const DRAW_ADJUDICATION_SCORE: Score = 15;
/// … for this many plies …
const DRAW_ADJUDICATION_PLIES: u32 = 16;
/// … after this ply is adjudicated as a draw.
const DRAW_ADJUDICATION_START: usize = 80;
/// A game of this many plies is a draw.
const MAX_PLIES: usize = 300;

/// What to play.
pub struct SelfplayPlan {
    /// The folder for the archives.
    pub folder: PathBuf,
    /// Nodes per move; a game uses half, once or twice this.
    pub nodes: u64,
    /// One position in this many is a training target …
    pub sample_interval: u64,
    /// … and is searched with this many nodes, if given.
    pub sample_nodes: Option<u64>,
    /// Each worker plays one game at a time.
    pub workers: usize,
    pub options: Options,
    /// The name of the evaluation, for the record.
    pub evaluation: String,
    /// The random seed; `None` = random.
    pub seed: Option<u64>,
    /// Start positions instead of random ones.
    pub openings: Vec<Position>,
    /// Games to play; `None` = until stopped.
    pub games: Option<u64>,
    /// Time to play; `None` = until stopped.
    pub time: Option<Duration>,
}

/// Plays until the plan is complete.
pub fn run(plan: &SelfplayPlan, out: &mut dyn Write) -> Result<(), GameArchiveError> {
    let (writer, seed) = open(plan)?;
    // A closed output does not stop the games.
    let _ = writeln!(
        out,
        "{}: {} games in it, {} nodes a move, {}",
        writer.path().display(),
        writer.games_before,
        plan.nodes,
        plan.evaluation
    );
    // The number of the next game.
    let next = AtomicU64::new(writer.next_number);
    let workers = WorkerPool::new(writer, plan.games);
    let player = |searcher: &mut Searcher| {
        while workers.is_open() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if let Some(game) = play_game(plan, searcher, seed, number, || workers.is_open()) {
                workers.add_game(&game);
            }
        }
    };
    let line = |tally: &GameTally, rate: f64| {
        let [black, draws, red] = tally.results();
        let (games, plies) = (tally.games(), tally.plies());
        format!("{games} games, {plies} positions, {rate:.0} a second, red +{red} ={draws} -{black}")
    };
    workers.run(plan.workers, &plan.options, player, plan.time, (out, line));
    workers.finish()
}

/// Opens an unlocked file of the folder with the same conditions, or creates one; returns it with its seed.
fn open(plan: &SelfplayPlan) -> Result<(GameArchiveWriter, u64), GameArchiveError> {
    make_folder(&plan.folder).at(&plan.folder)?;
    let mut highest = 0;
    for number in numbered_files(&plan.folder).at(&plan.folder)? {
        highest = highest.max(number);
        let file = plan.folder.join(file_name(number));
        let seed = GameArchive::open(&file).ok().and_then(|archive| archive.conditions.get("seed")?.parse().ok());
        if let Some(seed) = seed.filter(|seed| plan.seed.is_none_or(|wanted| wanted == *seed))
            && let Some(writer) = GameArchiveWriter::resume(&file, &conditions(plan, seed))?
        {
            return Ok((writer, seed));
        }
    }
    let seed = plan.seed.unwrap_or_else(|| rand::rng().random_range(0..1 << 48));
    loop {
        highest += 1;
        match GameArchiveWriter::create(&plan.folder.join(file_name(highest)), &conditions(plan, seed)) {
            // Another program created the file first.
            Err(GameArchiveError::Io(error)) if error.source.kind() == io::ErrorKind::AlreadyExists => {}
            other => return Ok((other?, seed)),
        }
    }
}

fn file_name(number: u32) -> String {
    format!("{number:04}.games")
}

/// The numbers of the files of games in a folder, in order.
fn numbered_files(folder: &Path) -> io::Result<Vec<u32>> {
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        numbers.extend(name.to_str().and_then(|name| name.strip_suffix(".games")?.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

fn conditions(plan: &SelfplayPlan, seed: u64) -> ArchiveConditions {
    let starts = if plan.openings.is_empty() { "random".to_string() } else { format!("{} given", plan.openings.len()) };
    let SelfplayPlan { evaluation, nodes, sample_interval, options, .. } = plan;
    let mut conditions = selfplay_workers::search_conditions(evaluation, *nodes, *sample_interval, options);
    conditions.insert("openings".to_string(), starts);
    conditions.insert("seed".to_string(), seed.to_string());
    conditions.extend(plan.sample_nodes.map(|nodes| ("deep".to_string(), nodes.to_string())));
    conditions
}

/// Plays one game; `None` if its start position is too unbalanced, or if it was aborted.
fn play_game(
    plan: &SelfplayPlan,
    searcher: &mut Searcher,
    seed: u64,
    number: u64,
    goes_on: impl Fn() -> bool,
) -> Option<SelfplayGame> {
    let mut random = StdRng::seed_from_u64(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    // Given start positions are always played.
    let (start, balance) = match plan.openings.as_slice() {
        [] => {
            let start = random_start(&mut random)?;
            let balance = max_start_score(&start);
            (start, balance)
        }
        starts => (starts[random.random_range(0..starts.len())].clone(), WIN_ADJUDICATION_SCORE),
    };
    let nodes = [plan.nodes / 2, plan.nodes, plan.nodes, plan.nodes * 2][random.random_range(0..4)].max(1);
    let (quick, deep) =
        (selfplay_workers::node_limits(nodes), selfplay_workers::node_limits(plan.sample_nodes.unwrap_or(nodes)));
    searcher.new_game();
    let rules = searcher.options.rules;
    let mut position = start.clone();
    let mut plies: Vec<LabelledMove> = Vec::with_capacity(MAX_PLIES);
    let mut adjudicator = Adjudicator::default();
    let (red_half_points, end) = loop {
        let verdict = rules.judge(&position);
        if let (Some(ending), Some(end)) = (verdict.ending, EndReason::of(verdict.reason)) {
            break (half_points(ending), end);
        }
        if plies.len() >= MAX_PLIES {
            break (1, EndReason::Length);
        }
        if !goes_on() {
            return None;
        }
        // Positions of one game are correlated, so only some get a deep search (playout cap randomization, KataGo).
        let is_target = (number + plies.len() as u64).is_multiple_of(plan.sample_interval);
        let limits = if is_target { &deep } else { &quick };
        let outcome = searcher.search(&position, limits, &Control::new(false), &mut NoReporter);
        let mv = outcome.best_move?;
        let found = outcome.score;
        if plies.is_empty() && found.abs() > balance {
            return None;
        }
        let effort = if is_target { selfplay_workers::search_effort(&outcome) } else { Some(SearchEffort::UNTRUSTED) };
        plies.push(LabelledMove { mv, score: found, effort });
        if let Some(end) = adjudicator.add(found, position.side(), plies.len()) {
            break end;
        }
        position.play_unchecked(mv);
    };
    // A game without moves has no training positions.
    (!plies.is_empty()).then_some(SelfplayGame { number, start, plies, red_half_points, end })
}

/// Ends games that are decided or level before their end.
#[derive(Default)]
struct Adjudicator {
    /// Plies in a row with a score that wins; mates count twice.
    decided: u32,
    /// Plies in a row with a level score.
    flat: u32,
}

impl Adjudicator {
    /// Counts the score of a ply; the half points of red and the reason if the game ends by it.
    fn add(&mut self, found: Score, side: Color, plies: usize) -> Option<(u8, EndReason)> {
        let wins = found.abs() > WIN_ADJUDICATION_SCORE;
        self.decided = if wins { self.decided + 1 + u32::from(score::is_mate_or_rule(found)) } else { 0 };
        self.flat = if found.abs() < DRAW_ADJUDICATION_SCORE { self.flat + 1 } else { 0 };
        if self.decided >= WIN_ADJUDICATION_PLIES {
            let red_wins = (found > 0) == (side == Color::Red);
            return Some((if red_wins { 2 } else { 0 }, EndReason::Score));
        }
        (self.flat >= DRAW_ADJUDICATION_PLIES && plies > DRAW_ADJUDICATION_START).then_some((1, EndReason::Drawish))
    }
}

fn half_points(ending: Ending) -> u8 {
    match ending {
        Ending::Draw => 1,
        Ending::Loss(Color::Red) => 0,
        Ending::Loss(Color::Black) => 2,
    }
}

/// Number of random plies before a game begins.
const RANDOM_PLIES: std::ops::RangeInclusive<u32> = 5..=12;

/// A random start position; `None` if the game is over in it or it is invalid.
pub fn random_start(random: &mut StdRng) -> Option<Position> {
    // Most endgames and half of the positions with removed pieces are too unbalanced and are discarded later.
    let position = match random.random_range(0..20) {
        0..=3 => random_ending(random)?,
        4..=6 => remove_pieces(after_random_moves(random)?, random)?,
        _ => after_random_moves(random)?,
    };
    position.has_legal_move().then_some(position)
}

/// Maximum absolute score of a start position: the score at which three of four games are won with this material. More
/// unbalanced games are decided too often to be instructive.
pub fn max_start_score(position: &Position) -> Score {
    const WON: f64 = 0.75;
    let rate = WIN_RATE.at(material_count(position));
    (rate.half() + rate.spread() * (WON / (1.0 - WON)).ln()) as Score
}

fn after_random_moves(random: &mut StdRng) -> Option<Position> {
    let plies = random.random_range(RANDOM_PLIES);
    let opening = random_opening(plies, random)?;
    // Drops the game history.
    Position::from_fen(&opening.position().fen()).ok()
}

/// Removes up to three pieces.
fn remove_pieces(position: Position, random: &mut StdRng) -> Option<Position> {
    let mut setup = Setup::from(&position);
    for _ in 0..random.random_range(1..=3) {
        let (piece, square) = setup.pieces().choose(random)?;
        if piece.kind() != PieceKind::King {
            setup.remove(square);
        }
    }
    setup.plies_since_capture = 0;
    Position::try_from(setup).ok()
}

/// A random endgame: a few pieces of each side on squares allowed for them.
fn random_ending(random: &mut StdRng) -> Option<Position> {
    let mut setup = Setup::empty();
    for color in Color::ALL {
        let guards = [PieceKind::Advisor, PieceKind::Bishop].map(|kind| (kind, random.random_range(0..=2)));
        let mut kinds = vec![PieceKind::King];
        for (kind, count) in guards {
            kinds.extend((0..count).map(|_| kind));
        }
        for _ in 0..random.random_range(0..=3) {
            kinds.push(*[PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon].get(random.random_range(0..3))?);
        }
        kinds.extend((0..random.random_range(0..=3)).map(|_| PieceKind::Pawn));
        for kind in kinds {
            let mut squares: Vec<Square> =
                Square::all().filter(|square| kind.can_stand(square.file(), square.rank_for(color))).collect();
            squares.shuffle(random);
            let free = squares.into_iter().find(|&square| setup.piece_at(square).is_none())?;
            setup.place(Piece::new(color, kind), free);
        }
    }
    setup.side = if random.random() { Color::Red } else { Color::Black };
    Position::try_from(setup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn random_start_yields_every_kind_of_position() {
        let mut random = StdRng::seed_from_u64(1);
        let beginnings: Vec<Position> = (0..2000).filter_map(|_| random_start(&mut random)).collect();
        assert!(beginnings.iter().all(|position| position.history_len() == 0 && position.has_legal_move()));
        // Twelve plies capture few pieces; the middle range includes positions with removed pieces.
        let of_pieces = |range: std::ops::RangeInclusive<usize>| {
            beginnings
                .iter()
                .filter(|position| range.contains(&Color::ALL.map(|color| position.piece_count(color)).iter().sum()))
                .count()
        };
        let counts = [of_pieces(30..=32), of_pieces(23..=29), of_pieces(2..=22)];
        assert!(counts[0] > 1000 && counts[1] > 100 && counts[2] > 100, "{counts:?}");
    }

    #[test]
    fn max_start_score_wins_at_most_three_games_of_four() {
        let mut random = StdRng::seed_from_u64(2);
        for position in (0..500).filter_map(|_| random_start(&mut random)) {
            let [win, loss] = WIN_RATE.at(material_count(&position)).win_loss(max_start_score(&position).into());
            assert!((0.74..=0.75).contains(&win) && loss < 0.15, "{}: {win} {loss}", position.fen());
        }
    }
}
