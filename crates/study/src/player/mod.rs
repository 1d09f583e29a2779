//! The engine as a player.
//!
//! [`Player`] is a searcher with tablebases, books and a policy for draws and resignation. `strength` sets its
//! level, `clock` its time.

mod clock;
mod strength;

pub use clock::{ClockState, GameClock, TimeControl, TimeControlError};
pub use strength::{MAX_ELO, MAX_LEVEL, MIN_ELO, Strength, StrengthError, skill_of_elo};

use crate::book::{self, Book, BookMove, EMBEDDED_BOOK_NAME, OpeningHistory, Variety};
use chuhe_engine::score::{Score, from_hundredths, mate_plies};
use chuhe_engine::search::{HashSizeError, Limits, Options, Searcher};
use chuhe_engine::tablebase::{Material, Tablebase};
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use chuhe_support::with_values;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xiangqi::rules::can_anyone_win;
use xiangqi::{Color, Move, Position};

/// The hash table size in megabytes of an opponent, an analysis or a review, unless one is asked for. Phones have little
/// memory.
pub const HASH_MB: usize = if cfg!(target_family = "wasm") { SMALL_HASH_MB } else { 64 };
/// That of searches of some ten or hundred thousand nodes, of which several run at a time.
pub const SMALL_HASH_MB: usize = 16;

with_values! {
    /// A searcher with everything needed to play a game.
    pub struct Player {
        /// `None` while a search thread has it.
        searcher: Option<Box<Searcher>> = Some(Box::new(Searcher::new(options, hash_mb)?)),
        hash_mb: usize = hash_mb,
        /// The tablebases in use, and the setting that they were opened by.
        tablebase: Option<Arc<Tablebase>> = None,
        tables_opened_by: Option<(bool, PathBuf)> = None,
        draw_resign: DrawResignPolicy = DrawResignPolicy::default(),
        /// Moves to the time control at the last search with a clock.
        moves_to_go: Option<u32> = None,
        pub books: PlayerBooks = PlayerBooks::default(),
    }
    fn without_tablebases(options: Options, hash_mb: usize) -> Result<Self, HashSizeError> as Ok;
}

impl Player {
    /// A player with empty history and the built-in tablebases; books are opened by [`PlayerBooks::configure`].
    pub fn new(options: Options, hash_mb: usize) -> Result<Player, HashSizeError> {
        let mut player = Player::without_tablebases(options, hash_mb)?;
        player.configure_tablebases(true, Path::new(""));
        Ok(player)
    }

    /// The searcher, unless a search thread has it.
    pub fn searcher(&mut self) -> Option<&mut Searcher> {
        self.searcher.as_deref_mut()
    }

    /// Takes the searcher for a search thread.
    pub fn take_searcher(&mut self) -> Option<Box<Searcher>> {
        self.searcher.take()
    }

    pub fn return_searcher(&mut self, searcher: Box<Searcher>) {
        self.searcher = Some(searcher);
    }

    /// Resets the state of the last game.
    pub fn new_game(&mut self) {
        self.draw_resign = DrawResignPolicy::default();
        self.moves_to_go = None;
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
    }

    /// The hash table size in megabytes.
    pub fn hash_mb(&self) -> usize {
        self.hash_mb
    }

    /// Resizes the hash table, as [`Searcher::resize_hash`] does; on failure the old one is kept.
    pub fn resize_hash(&mut self, hash_mb: usize) -> Result<(), HashSizeError> {
        if let Some(searcher) = self.searcher.as_mut().filter(|_| hash_mb != self.hash_mb) {
            searcher.resize_hash(hash_mb)?;
            self.hash_mb = hash_mb;
        }
        Ok(())
    }

    /// Waits for the memory of a new hash table.
    pub fn wait_for_hash(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.wait_for_hash();
        }
    }

    /// Uses the tablebases of these folders (separated by `;`; empty = beside the program), or none. Returns messages
    /// about them.
    pub fn configure_tablebases(&mut self, on: bool, paths: &Path) -> Vec<String> {
        let wanted = (on, paths.to_path_buf());
        if self.tables_opened_by.as_ref() == Some(&wanted) {
            return Vec::new();
        }
        self.tables_opened_by = Some(wanted);
        let folders = folders(paths);
        self.tablebase = on.then(|| Arc::new(Tablebase::open(&folders)));
        if let Some(searcher) = &mut self.searcher {
            searcher.tablebase = self.tablebase.clone();
        }
        if paths.as_os_str().is_empty() {
            return Vec::new();
        }
        let mut remarks = self.tablebase_warnings();
        let is_told = |tablebase: &&Arc<Tablebase>| tablebase.file_count() > 0 || remarks.is_empty();
        let told = self.tablebase.as_ref().filter(is_told).map(|tablebase| summary(tablebase, folders.len()));
        remarks.extend(told);
        remarks
    }

    /// Errors found while probing, each reported once.
    pub fn tablebase_warnings(&self) -> Vec<String> {
        let warnings = self.tablebase.iter().flat_map(|tablebase| tablebase.take_warnings());
        warnings.map(|warning| warning.localized()).collect()
    }

    /// In UCCI a fixed move time is sent as a clock with one move to go; if the previous search had one move to go as
    /// well, all of the time may be used. After more moves to go it is the last move before the time control, and the
    /// remaining time carries over.
    pub fn adjust_moves_to_go(&mut self, limits: &mut Limits) {
        let Some(clock) = limits.clock else { return };
        let last = std::mem::replace(&mut self.moves_to_go, clock.moves_to_go);
        let is_fixed = clock.moves_to_go == Some(1) && clock.increment.is_zero();
        if is_fixed && last.is_none_or(|moves| moves == 1) {
            limits.clock = None;
            limits.move_time = Some(limits.move_time.map_or(clock.time, |time| time.min(clock.time)));
        }
    }

    /// Decides on a draw offer or resignation with a move.
    pub fn decide_draw_or_resign(&mut self, now: &SearchSummary) -> DrawOrResign {
        self.draw_resign.decide(now)
    }
}

/// Splits a list of paths.
pub fn split_path_list(list: &Path) -> Vec<PathBuf> {
    match list.to_str() {
        Some(text) => text.split(';').map(str::trim).filter(|name| !name.is_empty()).map(PathBuf::from).collect(),
        // Not UTF-8: a single path.
        None => vec![list.to_path_buf()],
    }
}

/// A path beside the program.
pub fn beside_program(name: &Path) -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(name))
}

/// The maximum number of moves named in a message.
const MAX_MOVES_NAMED: usize = 8;

/// Book options of the host, and the root moves.
pub struct BookOptions<'a> {
    /// The root moves to choose from; empty = all.
    pub allowed: &'a [Move],
    /// The books are probed up to this ply.
    pub depth: u32,
    /// How much openings vary.
    pub variety: Variety,
}

/// The chosen book move.
pub struct BookAnswer {
    pub chosen: BookMove,
    /// The expected reply.
    pub reply: Option<Move>,
    /// All candidates, as text.
    pub description: String,
}

/// An open book and its name.
struct OpenBook {
    name: String,
    book: Arc<dyn Book>,
}

/// The open books, the setting they were opened by, and the history of openings.
#[derive(Default)]
pub struct PlayerBooks {
    books: Vec<OpenBook>,
    opened_by: Option<PathBuf>,
    history: OpeningHistory,
    remarks: Vec<String>,
}

impl PlayerBooks {
    /// Opens these books if the setting has changed. Errors are kept for `take_warnings`.
    pub fn configure(&mut self, files: &Path) {
        if self.opened_by.as_deref() == Some(files) {
            return;
        }
        self.opened_by = Some(files.to_path_buf());
        self.books.clear();
        for file in split_book_list(files) {
            match book::open_book(&locate(&file)) {
                Ok(book) => self.books.push(OpenBook { name: file.display().to_string(), book }),
                Err(error) => self.remarks.push(tr!("book: {error}; continuing without it", error)),
            }
        }
        self.use_embedded_if_empty();
    }

    /// A book that cannot be read does not cost the one inside the program.
    fn use_embedded_if_empty(&mut self) {
        if self.books.is_empty() {
            let own = Path::new(EMBEDDED_BOOK_NAME);
            let open = |book| OpenBook { name: String::from(EMBEDDED_BOOK_NAME), book };
            self.books.extend(book::open_book(own).ok().map(open));
        }
    }

    /// The errors since the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// The moves of the first book that knows the position. A book that fails is closed.
    fn moves(&mut self, position: &Position) -> (String, Vec<BookMove>) {
        let mut index = 0;
        while let Some(OpenBook { name, book }) = self.books.get(index) {
            match book.moves(position) {
                Ok(moves) if moves.is_empty() => index += 1,
                Ok(moves) => return (name.clone(), moves),
                Err(error) => {
                    self.remarks.push(tr!("book: '{name}': {error}; it is not used", name, error));
                    self.books.remove(index);
                    self.use_embedded_if_empty();
                }
            }
        }
        (String::new(), Vec::new())
    }

    /// Describes the book moves of a position; `None` if no book knows it.
    pub fn describe(&mut self, position: &Position, depth: u32) -> Option<String> {
        if !is_in_book_range(position, depth) {
            return None;
        }
        let (name, moves) = self.moves(position);
        (!moves.is_empty()).then(|| describe_moves(&name, &moves))
    }

    /// The book move to play, if any.
    pub fn choose_move(&mut self, position: &Position, options: &BookOptions) -> Option<BookAnswer> {
        let (name, moves) =
            if is_in_book_range(position, options.depth) { self.moves(position) } else { Default::default() };
        let playable = book::playable_moves(position, &moves, options.allowed);
        if playable.is_empty() {
            self.history.leave_book(position);
            return None;
        }
        let chosen = book::choose_move(position, &playable, options.variety, &mut self.history, &mut rand::rng())?;
        let next = position.after(&[chosen.mv]);
        let (_, replies) = self.moves(&next);
        let reply = book::playable_moves(&next, &replies, &[]).first().map(|entry| entry.mv);
        Some(BookAnswer { chosen, reply, description: describe_moves(&name, &playable) })
    }
}

/// Books cover the standard game, and only its first plies.
fn is_in_book_range(position: &Position, depth: u32) -> bool {
    !position.promotion() && position.game_ply() < depth
}

/// `book own: h2e2 41 %, g3g4 30 %, ...`
fn describe_moves(name: &str, moves: &[BookMove]) -> String {
    let one = |entry: &BookMove| {
        let score = entry.score.map_or(String::new(), |score| format!(" ({score:+})"));
        format!("{} {:.0} %{score}", entry.mv, book::weight_percent(entry, moves))
    };
    let listed: Vec<String> = moves.iter().take(MAX_MOVES_NAMED).map(one).collect();
    let more = if moves.len() > MAX_MOVES_NAMED { ", ..." } else { "" };
    tr!("book {name}: {moves}{more}", name, moves = listed.join(", "), more)
}

/// The books of a list; an empty list means the embedded book.
fn split_book_list(list: &Path) -> Vec<PathBuf> {
    let names = split_path_list(list);
    if names.is_empty() { vec![PathBuf::from(EMBEDDED_BOOK_NAME)] } else { names }
}

/// The path of a book: as given, or else beside the program.
fn locate(file: &Path) -> PathBuf {
    if file.is_absolute() || file.as_os_str() == EMBEDDED_BOOK_NAME || file.exists() {
        return file.to_path_buf();
    }
    beside_program(file).filter(|path| path.exists()).unwrap_or_else(|| file.to_path_buf())
}

/// The maximum number of missing tables named.
const MAX_MISSING_NAMED: usize = 5;

/// `tables: 171 summary in 1 folder`, and the missing tables that they depend on.
fn summary(tablebase: &Tablebase, folders: usize) -> String {
    let there = tablebase.materials_on_disk();
    let count = there.len();
    let told = match folders {
        1 => tr!("tables: {count} found in 1 folder", count),
        _ => tr!("tables: {count} found in {folders} folders", count, folders),
    };
    let missing: Vec<String> = Material::with_successors(&there)
        .iter()
        .filter(|material| there.binary_search(material).is_err())
        .map(Material::to_string)
        .collect();
    if missing.is_empty() {
        return told;
    }
    let more = if missing.len() > MAX_MISSING_NAMED { " ..." } else { "" };
    let names = missing[..missing.len().min(MAX_MISSING_NAMED)].join(" ");
    tr!("{told}, missing {names}{more}", told, names, more)
}

/// The folders of a list, or the one beside the program.
fn folders(list: &Path) -> Vec<PathBuf> {
    if list.as_os_str().is_empty() {
        return beside_program(Path::new("tables")).into_iter().filter(|folder| folder.is_dir()).collect();
    }
    split_path_list(list)
}

// When a player offers or accepts a draw, and when it resigns.

/// A draw offer is accepted at this score or below: three hundredths of a minor piece are not worth playing on.
const DRAW_ACCEPT_SCORE: Score = from_hundredths(3);
/// At this score or below an offer is accepted at any time but in the opening, not only late in the game.
const DRAW_ACCEPT_ALWAYS_SCORE: Score = from_hundredths(-30);
/// A draw is offered if neither side leads by more than this.
const DRAW_OFFER_SCORE: Score = from_hundredths(10);
/// The opening ends after this ply: nobody takes a draw before, however bad a position a weak level finds itself in.
const OPENING_PLIES: u32 = 20;
/// The minimum number of plies without a capture before a draw is offered.
const DRAW_OFFER_MIN_QUIET_PLIES: usize = 40;
/// The minimum number of own moves between two draw offers.
const DRAW_OFFER_INTERVAL: u32 = 20;
/// The game is late from this ply on.
const LATE_GAME_PLY: u32 = 80;
/// The game is also late with at most this many rooks, horses and cannons on the board.
const LATE_GAME_PIECES: usize = 5;
/// At this score or below the position is hopeless: three rooks behind.
const RESIGN_SCORE: Score = from_hundredths(-600);
/// Being mated within this many plies is also hopeless.
const RESIGN_MATE_PLIES: i32 = 24;
/// The minimum depth at which a hopeless score is trusted.
const RESIGN_MIN_DEPTH: u32 = 6;
/// The number of consecutive hopeless moves before resigning.
const RESIGN_MOVES: u32 = 3;

/// The decision that goes with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DrawOrResign {
    #[default]
    None,
    /// Offers or accepts a draw.
    Draw,
    Resign,
}

/// The result of a search, as input to the decision.
pub struct SearchSummary<'a> {
    pub position: &'a Position,
    /// From the side to move.
    pub score: Score,
    pub depth: u32,
    /// The opponent has offered a draw.
    pub draw_offered: bool,
    /// A game with a clock is played; otherwise the engine neither resigns nor offers draws, because an analysis needs
    /// moves.
    pub in_game: bool,
}

/// The state of the decision between moves.
#[derive(Default)]
pub struct DrawResignPolicy {
    hopeless_moves: u32,
    hopeless_side: Option<Color>,
    moves_since_offer: Option<u32>,
}

impl DrawResignPolicy {
    /// Decides what goes with the move.
    pub fn decide(&mut self, now: &SearchSummary) -> DrawOrResign {
        let dead = !can_anyone_win(now.position);
        if now.draw_offered && (dead || accepts_draw(now)) {
            return DrawOrResign::Draw;
        }
        if !now.in_game {
            return DrawOrResign::None;
        }
        if self.should_resign(now) {
            return DrawOrResign::Resign;
        }
        if self.offer_is_due() && (dead || is_drawish(now)) {
            self.moves_since_offer = Some(0);
            return DrawOrResign::Draw;
        }
        DrawOrResign::None
    }

    fn should_resign(&mut self, now: &SearchSummary) -> bool {
        let side = Some(now.position.side());
        if !is_hopeless(now) || self.hopeless_side != side {
            self.hopeless_moves = 0;
        }
        if is_hopeless(now) {
            self.hopeless_moves += 1;
            self.hopeless_side = side;
        }
        self.hopeless_moves >= RESIGN_MOVES
    }

    /// Counts own moves between offers.
    fn offer_is_due(&mut self) -> bool {
        self.moves_since_offer = self.moves_since_offer.map(|moves| moves + 1);
        self.moves_since_offer.is_none_or(|moves| moves > DRAW_OFFER_INTERVAL)
    }
}

fn accepts_draw(now: &SearchSummary) -> bool {
    let is_late = is_late_game(now.position);
    now.score <= DRAW_ACCEPT_ALWAYS_SCORE && (is_late || now.position.game_ply() >= OPENING_PLIES)
        || now.score <= DRAW_ACCEPT_SCORE && is_late
}

fn is_drawish(now: &SearchSummary) -> bool {
    now.score.abs() <= DRAW_OFFER_SCORE
        && is_late_game(now.position)
        && now.position.plies_since_capture() >= DRAW_OFFER_MIN_QUIET_PLIES
}

fn is_hopeless(now: &SearchSummary) -> bool {
    let mated_soon = mate_plies(now.score).is_some_and(|plies| (-RESIGN_MATE_PLIES..=0).contains(&plies));
    let far_behind = mate_plies(now.score).is_none() && now.score <= RESIGN_SCORE && now.depth >= RESIGN_MIN_DEPTH;
    mated_soon || far_behind
}

fn is_late_game(position: &Position) -> bool {
    let pieces = position.major_count(Color::Red) + position.major_count(Color::Black);
    position.game_ply() >= LATE_GAME_PLY || pieces <= LATE_GAME_PIECES
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engine::score::mated_in;

    /// A late position: one rook each.
    const LATE: &str = "3ak4/9/9/9/9/9/9/9/4A4/r2AK3R w - - 50 60";

    fn now(position: &Position, score: Score, draw_offered: bool, in_game: bool) -> SearchSummary<'_> {
        SearchSummary { position, score, depth: 12, draw_offered, in_game }
    }

    #[test]
    fn policy_accepts_draws_when_nothing_is_left_to_win() {
        let mut policy = DrawResignPolicy::default();
        let (start, late) = (Position::start(), Position::from_fen(LATE).unwrap());
        let dead = Position::from_fen("3ak4/9/9/9/9/9/9/9/4A4/3AK4 w - - 0 1").unwrap();
        assert_eq!(policy.decide(&now(&start, 0, true, false)), DrawOrResign::None, "too early");
        let worse = DRAW_ACCEPT_ALWAYS_SCORE - 1;
        assert_eq!(policy.decide(&now(&start, worse, true, false)), DrawOrResign::None, "worse, but it has just begun");
        let later =
            Position::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 20 11").unwrap();
        assert_eq!(policy.decide(&now(&later, worse, true, false)), DrawOrResign::Draw, "worse");
        assert_eq!(policy.decide(&now(&late, 0, true, false)), DrawOrResign::Draw, "late and level");
        assert_eq!(policy.decide(&now(&late, DRAW_ACCEPT_SCORE + 1, true, false)), DrawOrResign::None, "ahead");
        assert_eq!(
            policy.decide(&now(&dead, DRAW_ACCEPT_SCORE + 1, true, false)),
            DrawOrResign::Draw,
            "nobody can win"
        );
    }

    #[test]
    fn policy_offers_draws_late_and_seldom() {
        let mut policy = DrawResignPolicy::default();
        let late = Position::from_fen(LATE).unwrap();
        assert_eq!(policy.decide(&now(&Position::start(), 0, false, true)), DrawOrResign::None);
        assert_eq!(policy.decide(&now(&late, 0, false, false)), DrawOrResign::None, "no game");
        assert_eq!(policy.decide(&now(&late, 0, false, true)), DrawOrResign::Draw);
        for _ in 0..DRAW_OFFER_INTERVAL {
            assert_eq!(policy.decide(&now(&late, 0, false, true)), DrawOrResign::None);
        }
        assert_eq!(policy.decide(&now(&late, 0, false, true)), DrawOrResign::Draw);
    }

    #[test]
    fn policy_resigns_only_after_several_hopeless_moves() {
        let red = Position::start();
        let black = Position::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b").unwrap();
        let lost = mated_in(6);
        let mut policy = DrawResignPolicy::default();
        let mut say = |position, score, in_game| policy.decide(&now(position, score, false, in_game));
        assert_eq!(say(&red, lost, true), DrawOrResign::None);
        assert_eq!(say(&red, lost, true), DrawOrResign::None);
        assert_eq!(say(&red, RESIGN_SCORE + 1, true), DrawOrResign::None, "hope");
        assert_eq!(say(&red, RESIGN_SCORE, true), DrawOrResign::None);
        assert_eq!(say(&black, RESIGN_SCORE, true), DrawOrResign::None, "the other side");
        assert_eq!(say(&red, RESIGN_SCORE, true), DrawOrResign::None);
        assert_eq!(say(&red, lost, true), DrawOrResign::None);
        assert_eq!(say(&red, lost, false), DrawOrResign::None, "analysis");
        assert_eq!(say(&red, lost, true), DrawOrResign::Resign);
    }
}
