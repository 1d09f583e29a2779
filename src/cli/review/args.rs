//! The arguments of `chuhe review`.

use crate::cli::games::GameSelection;
use crate::cli::journal::Start;
use crate::cli::output::OverwriteArgs;
use crate::cli::values::{number_in, parse_seconds, thread_count, worded};
use chuhe_engine::search::{HashSizeError, Limits, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_lab::arena::parse::parse_shard;
use chuhe_lab::arena::spec::Shard;
use chuhe_study::motifs::Motif;
use chuhe_study::player::SMALL_HASH_MB;
use chuhe_study::review::{self, Review};
use chuhe_study::tactics;
use chuhe_study::train::{self, ExerciseSheet, MAX_EXERCISES, MistakeCards, MistakeChoice, PerPage};
use chuhe_support::files::OverwritePolicy;
use chuhe_support::language::{Language, tr};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{RuleSet, Rules};
use xiangqi_record::{Encoding, Notation, pgn};

const EXAMPLES: &str = "\
Examples:
  chuhe review game.pgn                           a table and a curve on the terminal
  chuhe review game.pgn --html review.html        a page to play through, in Chinese and English
  chuhe review games.pgn --game 3 --time-per-move 5 --pgn reviewed.pgn --lang zh
  chuhe review games/ --player 王嘉良 --player 'Wang Jialiang' --out reviews.jsonl --html page.html
                                                  all games of a person in a folder: a summary and a page; goes on
                                                  where it was interrupted
  chuhe review games/ --player 'Li Ming' --out reviews.jsonl --sheet exercises.html
                                                  exercises to print from the mistakes, out of the reviews that are
                                                  there; --count, --newest and --theme choose some
  chuhe review games.pgn last.xqf --json reviews.jsonl
                                                  a line for each game; --pgn writes all, too
  chuhe review 'startpos moves h2e2 h9g7 …' --nodes 200000 --json -

Marks by the part of the winning chance that a move lost: ?! from 5 %, ? from 10 %, ?? from 20 %; ! is a move that is
better than all others by 10 %. Scores are red's: +M3 is mate in three, +R a win by the rules of repetition, +T one by
the endgame tables; under the curve X is a ??. `docs/review.md` explains the rest. Ctrl-C ends the search and writes
what is done.";

/// Nodes for each position where several games are reviewed.
const NODES_OF_SEVERAL: u64 = 100_000;
/// The hash table for one game, which is searched longer, in megabytes.
const HASH_OF_ONE: u32 = 128;

/// Arguments of `chuhe review`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct ReviewArgs {
    /// Files of games, and folders of them, `-` for standard input; or a FEN or `startpos` with ` moves m1 m2 …` behind it
    #[arg(value_name = "GAME", required = true)]
    pub words: Vec<String>,
    /// Which games of a file: 1 is the first, -1 the last, 3..8 are six [default: all]
    #[arg(long = "game", value_name = "N|N..M|all")]
    pub number: Option<GameSelection>,
    /// Only part K of N of the games: for N machines that share a file
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// Only the games of this person, summarised from that side; several times for several ways to write the name
    #[arg(long, value_name = "NAME")]
    pub player: Vec<String>,
    /// Seconds for each position [default: 1 for one game]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, group = "measure")]
    pub time_per_move: Option<Duration>,
    /// Nodes for each position [default: 100000 for several games]
    #[arg(long, value_name = "N", group = "measure", value_parser = number_in::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_name = "N", group = "measure", value_parser = number_in::<u32>(1..=200))]
    pub depth: Option<u32>,
    /// How many threads search; of several games each is reviewed by one thread [default: as many as the machine runs at
    /// once]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    threads: Option<u16>,
    /// Size of the hash table in megabytes, of several games for each thread [default: 128 for one game, or else 16]
    #[arg(long, value_name = "MB", value_parser = number_in::<u32>(1..=1_048_576))]
    pub hash: Option<u32>,
    /// A folder of endgame tables, beside those in the program; may be given more than once
    #[arg(long, value_name = "FOLDER")]
    pub tables: Vec<PathBuf>,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none [default: asian]
    #[arg(long, value_name = "SET", value_parser = worded::<RuleSet>)]
    pub rules: Option<RuleSet>,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    pub natural_limit: Option<usize>,
    /// Append the review of each game to this file, and pass over the games that are in it already; limits that are not given
    /// are those of the reviews in it
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a page to play through (`-`: to standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the games with comments, marks and variations (`-`: to standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// How the moves of these games are written: ICCS, UCI, WXF, Chinese or Vietnamese [default: as the language has it]
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
    notation: Option<Notation>,
    /// How the characters of these games are written: utf-8 or gbk
    #[arg(long, default_value = "utf-8", value_parser = worded::<Encoding>)]
    pub encoding: Encoding,
    /// Write exercises to print from the mistakes, the costliest first, with the answers at the end; with --player from the
    /// mistakes of that person alone (`-`: to standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,
    /// So many exercises [default: 200]
    #[arg(long, value_name = "N", requires = "sheet", value_parser = number_in::<usize>(1..=MAX_EXERCISES))]
    count: Option<usize>,
    /// Exercises of the latest games first, instead of the costliest
    #[arg(long, requires = "sheet")]
    newest: bool,
    /// Only exercises whose best line shows this, such as `fork`; may be given more than once
    #[arg(long, value_name = "NAME", requires = "sheet", value_parser = tactics::theme)]
    theme: Vec<Motif>,
    /// Write everything for scripts, a line for each game (`-`: to standard output, instead of the text)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    pub over: OverwriteArgs,
}

impl ReviewArgs {
    /// The game with its comments. In GBK it is for Chinese programs.
    pub fn annotated(&self, review: &Review) -> String {
        let language = if self.encoding == Encoding::Gbk { Language::CHINESE } else { Language::current() };
        language.with(|| pgn::write(&review::annotate(review), self.notation.unwrap_or_else(review::default_notation)))
    }

    /// The exercises of some mistakes; they are those of a person, if one was chosen.
    pub fn exercises(&self, mistakes: &MistakeCards) -> String {
        let themes = self.theme.iter().map(|theme| theme.phrase().to_string());
        let title = [tr!("Find the best move")].into_iter().chain(themes).collect::<Vec<_>>().join(" · ");
        let name = self.player.first().map_or("", |name| name.trim());
        let (per_page, language) = (PerPage::Four, Language::current());
        ExerciseSheet { title: &title, name, per_page, language, cards: mistakes.chosen(&self.choice()) }.html()
    }

    /// Which mistakes become exercises.
    pub fn choice(&self) -> MistakeChoice {
        MistakeChoice { themes: self.theme.clone(), newest: self.newest, count: self.count }
    }

    /// What becomes of the reviews in the journal: even --force, which is also about the other files, takes none away that can
    /// be gone on with.
    pub fn journal_start(&self) -> Start {
        if self.over.force { Start::BehindOrAnew } else { Start::Behind }
    }

    /// Whether a file is summarised, even if it has one game.
    pub fn is_about_several(&self) -> bool {
        self.shard.is_some()
            || self.number.is_some_and(|selection| selection.single().is_err())
            || self.out.is_some()
            || !self.player.is_empty()
    }

    /// The paths of the page, the games, the JSON and the exercises, each with the policy for overwriting.
    pub fn files(&self) -> [(Option<&Path>, OverwritePolicy); 4] {
        let policies = [
            OverwritePolicy::IfMarked(review::PAGE_MARK.as_bytes()),
            // A PGN file may hold games of others.
            OverwritePolicy::Never,
            OverwritePolicy::IfMarked(b"{\"generator\":\"Chuhe "),
            OverwritePolicy::IfMarked(train::SHEET_MARK.as_bytes()),
        ];
        let paths = [&self.html, &self.pgn, &self.json, &self.sheet].map(|path| path.as_deref());
        std::array::from_fn(|index| (paths[index], policies[index].or_force(self.over.force)))
    }

    pub fn rules(&self) -> Rules {
        Rules::with_limit(self.rules.unwrap_or_default(), self.natural_limit)
    }

    /// The limits of the search of a position.
    pub fn limits(&self, is_about_several: bool) -> Limits {
        match (self.nodes, self.depth, self.time_per_move) {
            (Some(nodes), ..) => Limits::nodes(nodes),
            (_, Some(depth), _) => Limits::depth(depth),
            (.., Some(time)) => Limits::move_time(time),
            _ if is_about_several => Limits::nodes(NODES_OF_SEVERAL),
            _ => Limits::move_time(Duration::from_secs(1)),
        }
    }

    pub fn thread_count(&self) -> usize {
        thread_count(self.threads.map(usize::from))
    }

    /// The size of a hash table in megabytes.
    pub fn hash_mb(&self, is_about_several: bool) -> u32 {
        self.hash.unwrap_or(if is_about_several { SMALL_HASH_MB as u32 } else { HASH_OF_ONE })
    }

    pub fn tablebase(&self) -> Arc<Tablebase> {
        Arc::new(Tablebase::open(&self.tables))
    }

    /// A searcher for one game with all threads, or for one of several.
    pub fn searcher(&self, is_about_several: bool, tablebase: Arc<Tablebase>) -> Result<Searcher, HashSizeError> {
        let threads = if is_about_several { 1 } else { self.thread_count() };
        // No host is involved, so no time overhead is needed.
        let options = Options { threads, rules: self.rules(), overhead: Duration::ZERO, ..Options::default() };
        let mut searcher = Searcher::new(options, self.hash_mb(is_about_several) as usize)?;
        searcher.tablebase = Some(tablebase);
        Ok(searcher)
    }
}
