//! The reviews that are kept, each in a file that the moves of its game name: however a game is opened again, its review is
//! there. They take so much room at most; then the oldest go, and are made again when they are asked for.

use chuhe_engine::search::Options;
use chuhe_study::book::MirrorKey;
use chuhe_study::game::saved_games::WriteAccess;
use chuhe_study::review::{KeptReview, MoveQuality, Review, round_to};
use chuhe_study::train::{CardId, game_hash};
use chuhe_support::files::{Folder, Parsed, State, StateFile};
use chuhe_support::language::{Message, message, reason, tr};
use chuhe_support::lock::Lock;
use chuhe_support::{date, with_values};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard};
use xiangqi::zobrist::Key;
use xiangqi::{Color, Move, RuleSet, Rules};
use xiangqi_record::Game;

/// The folder of the reviews, and how their names end.
const FOLDER: &str = "reviews";
const SUFFIX: &str = ".review";
/// The size limit of a review.
const MAX_BYTES: u64 = 8 << 20;
/// This part of the room is left to reviews that somebody has asked for.
const ROOM_FOR_OTHERS: u64 = 4;
/// Incremented when older versions could not read a file any more.
const FORMAT: u32 = 1;

with_values! {
    /// What the list of games shows of a review. It is the first line of its file; what was found is the second.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize, crate::TS)]
    pub struct ReviewSummary {
        format: u32 = FORMAT,
        rules: String = review.rules.set.name().to_string(),
        /// The network that has judged.
        network: String = network(),
        /// The milliseconds of each position, and its nodes on average.
        time: u64 = time,
        nodes: u64 = review.mean_nodes(),
        /// When it was made, in seconds since 1970.
        at: i64 = date::unix_seconds(),
        red: SideMarks = SideMarks::of(review, Color::Red),
        black: SideMarks = SideMarks::of(review, Color::Black),
        /// Whether this program has another network; never in a file.
        #[serde(default)]
        is_stale: bool = false,
    }
    /// The summary of a review that has just been made with this time for each position.
    fn of(review: &Review, time: u64);
}

impl ReviewSummary {
    /// The accuracies of red and black.
    pub fn accuracies(&self) -> [Option<f64>; 2] {
        [self.red.accuracy, self.black.accuracy]
    }
}

with_values! {
    /// How well a side has played.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize, crate::TS)]
    struct SideMarks {
        accuracy: Option<f64> = side.accuracy.map(|value| round_to(value, 10.0)),
        dubious: usize = count(MoveQuality::Dubious),
        mistakes: usize = count(MoveQuality::Mistake),
        blunders: usize = count(MoveQuality::Blunder),
    }
    fn of(review: &Review, color: Color) {
        let side = review.side(color);
        let count =
            |wanted| MoveQuality::ALL.iter().zip(side.marks).find(|(mark, _)| **mark == wanted).map_or(0, |(_, n)| n);
    }
}

impl ReviewSummary {
    /// The summary in the first line of a file of this format.
    fn of_file(text: &str) -> Option<ReviewSummary> {
        ReviewSummary::read(text.lines().next()?)
    }

    fn read(line: &str) -> Option<ReviewSummary> {
        let mut summary: ReviewSummary = serde_json::from_str(line).ok()?;
        summary.is_stale = summary.network != network();
        (summary.format == FORMAT).then_some(summary)
    }
}

/// A file of a review: the summary, and what was found.
#[derive(Clone, Default)]
struct ReviewFile(String);

#[derive(Deserialize)]
struct FormatLine {
    format: u32,
}

impl State for ReviewFile {
    const MAX_BYTES: u64 = MAX_BYTES;

    fn parse(bytes: &[u8]) -> Parsed<ReviewFile> {
        let Ok(text) = str::from_utf8(bytes) else { return Parsed::Nothing };
        let (summary, found) = text.split_once('\n').unwrap_or((text, ""));
        let file = ReviewFile(text.to_string());
        if serde_json::from_str::<FormatLine>(summary).is_ok_and(|line| line.format > FORMAT) {
            Parsed::Newer(file)
        } else if ReviewSummary::read(summary).is_some() && serde_json::from_str::<KeptReview>(found).is_ok() {
            Parsed::Whole(file)
        } else {
            Parsed::Nothing
        }
    }

    fn to_bytes(&self) -> io::Result<Option<Vec<u8>>> {
        Ok((!self.0.is_empty()).then(|| self.0.clone().into_bytes()))
    }
}

/// How much room the reviews take.
#[derive(Serialize, crate::TS)]
pub struct ReviewRoom {
    count: usize,
    bytes: u64,
}

pub struct KeptReviews {
    folder: Folder,
    access: Arc<WriteAccess>,
    /// By the game, when each was made and its size; nothing is read before it is needed.
    known: Mutex<Option<BTreeMap<CardId, (i64, u64)>>>,
    /// The games that have a file, as long as none comes or goes.
    names: Mutex<Option<Arc<HashSet<CardId>>>>,
    /// What the moves of games have lost, as far as somebody has asked.
    losses: Mutex<HashMap<CardId, Arc<[MoveLoss]>>>,
}

/// What a move has lost, by a review.
pub struct MoveLoss {
    /// The position before it, up to the mirror, and the move on its side.
    pub position: Key,
    pub mv: Move,
    pub lost: f64,
}

impl KeptReviews {
    pub fn new(folder: Folder, access: Arc<WriteAccess>) -> KeptReviews {
        KeptReviews { folder, access, known: Mutex::default(), names: Mutex::default(), losses: Mutex::default() }
    }

    /// The reviews that are there. What another program may have written is read again.
    fn known(&self) -> MutexGuard<'_, Option<BTreeMap<CardId, (i64, u64)>>> {
        let mut known = self.known.locked();
        if known.is_none() || !self.access.is_granted() {
            let games = self.games();
            let sizes = games.iter().filter_map(|&game| {
                let text = self.read(game).ok()?;
                Some((game, (ReviewSummary::of_file(&text)?.at, text.len() as u64)))
            });
            *known = Some(sizes.collect());
        }
        known
    }

    /// The games that have a file. What another program may have written is looked up again.
    fn games(&self) -> Arc<HashSet<CardId>> {
        let mut known = self.names.locked();
        if let Some(known) = known.as_ref().filter(|_| self.access.is_granted()) {
            return Arc::clone(known);
        }
        let names = self.folder.names_in(FOLDER);
        let games = names.iter().filter_map(|name| CardId::parse(name.strip_suffix(SUFFIX)?)).collect();
        Arc::clone(known.insert(Arc::new(games)))
    }

    fn read(&self, game: CardId) -> io::Result<String> {
        let bytes = self.folder.read(&file(game), MAX_BYTES)?;
        String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into())
    }

    /// Keeps a complete review that was made with this time for each position, in the place of an older one of the game;
    /// all of them take at most this many bytes.
    pub fn keep(&self, review: &Review, time: u64, limit: u64) -> Result<(), Message> {
        self.keep_as(review, ReviewSummary::of(review, time), limit)
    }

    /// The same for a review that the user did not ask for: it replaces no better review of the game and evicts no other game's.
    pub fn keep_beside(&self, review: &Review, time: u64, limit: u64) -> Result<(), Message> {
        let summary = ReviewSummary::of(review, time);
        let there = self.read(game_hash(&review.game)).ok().and_then(|text| ReviewSummary::of_file(&text));
        let is_worse = there.is_some_and(|there| !there.is_stale && there.nodes >= summary.nodes);
        if is_worse || self.room().bytes + limit / ROOM_FOR_OTHERS > limit {
            return Ok(());
        }
        self.keep_as(review, summary, limit)
    }

    fn keep_as(&self, review: &Review, summary: ReviewSummary, limit: u64) -> Result<(), Message> {
        let outcome = self.write(review, &summary, limit);
        *self.names.locked() = None;
        outcome
    }

    fn write(&self, review: &Review, summary: &ReviewSummary, limit: u64) -> Result<(), Message> {
        // Whoever may not write keeps none, as it keeps no games; the page was told when it opened.
        if !review.is_complete() || !self.access.is_granted() {
            return Ok(());
        }
        let lines = [serde_json::to_string(summary), serde_json::to_string(&KeptReview::of(review))];
        let text: String = lines.into_iter().flatten().map(|line| line + "\n").collect();
        let game = game_hash(&review.game);
        let failure = |error: io::Error| message!("The review could not be kept: {error}.", error = reason(&error));
        let size = text.len() as u64;
        StateFile::open(&self.folder, &file(game)).set(|kept| *kept = ReviewFile(text))?;
        self.losses.locked().remove(&game);
        let mut known = self.known();
        let known = known.get_or_insert_default();
        known.insert(game, (summary.at, size));
        let mut bytes: u64 = known.values().map(|(_, bytes)| bytes).sum();
        while bytes > limit {
            let others = known.iter().filter(|(other, _)| **other != game);
            let Some((&oldest, &(_, size))) = others.min_by_key(|(_, (at, _))| *at) else { break };
            self.folder.remove(&file(oldest)).map_err(failure)?;
            known.remove(&oldest);
            bytes -= size;
        }
        Ok(())
    }

    /// How much room all of them take.
    pub fn room(&self) -> ReviewRoom {
        let known = self.known();
        let sizes = || known.iter().flat_map(BTreeMap::values).map(|(_, bytes)| bytes);
        ReviewRoom { count: sizes().count(), bytes: sizes().sum() }
    }

    /// Tells of games of the list whether they have a review.
    pub fn summaries(&self) -> impl Fn(&Game) -> Option<ReviewSummary> {
        let games = self.games();
        move |game| {
            let game = Some(game_hash(game)).filter(|game| games.contains(game))?;
            ReviewSummary::of_file(&self.read(game).ok()?)
        }
    }

    /// What the moves of a game of which a review is kept have lost; nothing where none can be read.
    pub fn losses(&self) -> impl Fn(CardId) -> Arc<[MoveLoss]> {
        let games = self.games();
        move |game| {
            if !games.contains(&game) {
                return Arc::default();
            }
            let mut losses = self.losses.locked();
            Arc::clone(losses.entry(game).or_insert_with(|| self.read_losses(game).unwrap_or_default().into()))
        }
    }

    fn read_losses(&self, game: CardId) -> Option<Vec<MoveLoss>> {
        let text = self.read(game).ok()?;
        let found: KeptReview = serde_json::from_str(text.split_once('\n')?.1).ok()?;
        let mut losses = Vec::new();
        found.each_loss(&mut |position, mv, lost| {
            let key = MirrorKey::of(position);
            losses.push(MoveLoss { position: key.key, mv: if key.mirrored { mv.mirror() } else { mv }, lost });
        });
        Some(losses)
    }

    /// Whether any review is kept.
    pub fn is_empty(&self) -> bool {
        self.games().is_empty()
    }

    /// The review of a game, if one is kept.
    pub fn of_game(&self, game: &Game) -> Result<Option<(ReviewSummary, Review)>, Message> {
        let text = match self.read(game_hash(game)) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(message!("The review of this game cannot be read: {error}.", error = reason(&error)));
            }
        };
        let read = || {
            let (summary, found) = text.split_once('\n')?;
            let summary = ReviewSummary::read(summary)?;
            let rules = Rules::new(summary.rules.parse::<RuleSet>().ok()?);
            let found: KeptReview = serde_json::from_str(found).ok()?;
            Some((summary, found.review(game.clone(), rules)?))
        };
        let damaged =
            || tr!("The review that was kept of this game is damaged, or of another version: review the game again.");
        read().map(Some).ok_or_else(|| Message::of(damaged))
    }
}

/// The network of this program, by its checksum.
fn network() -> String {
    format!("{:08x}", Options::default().network.checksum())
}

/// The file of the review of a game.
fn file(game: CardId) -> String {
    format!("{FOLDER}/{game}{SUFFIX}")
}
