//! The option table: each row declares an option in both dialects, and parses, bounds, applies and documents it. Values
//! are in `settings`, and what follows from a change in `session_options`.

use super::command::{shortened, word_text};
use super::dialect::{Dialect, ScoreType};
use super::host_io::{MESSAGE_ENCODING_WORDS, MESSAGE_ENCODINGS};
#[cfg(not(target_family = "wasm"))]
use super::paths::path_from_bytes;
use super::settings::{MAX_THREADS, Settings};
use OptionKind::{Button, Check, Combo, Spin, Text};
use chuhe_engine::search::{Level, Style};
use chuhe_study::book::Variety;
use chuhe_study::player::{MAX_ELO, MIN_ELO};
use chuhe_support::language::tr;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;
use xiangqi::rules::DEFAULT_MATING_CHECKS;
use xiangqi::{Color, DrawRule, RuleSet};
use xiangqi_record::RankBase;

/// Without files a path is only sent back.
#[cfg(target_family = "wasm")]
fn path_from_bytes(value: &[u8], _: &mut bool) -> PathBuf {
    String::from_utf8_lossy(value).into_owned().into()
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("{}", tr!("setoption: the option's name is missing"))]
    NoName,
    #[error("{}", tr!("option {name}: '{value}' is neither true nor false", name, value))]
    NotACheck { name: String, value: String },
    #[error("{}", tr!("option {name}: '{value}' is not a number from {min} to {max}", name, value, min, max))]
    NotInRange { name: String, value: String, min: i64, max: i64 },
    #[error("{}", tr!("option {name}: '{value}' is none of {choices}", name, value, choices = choices.join(", ")))]
    NoChoice { name: String, value: String, choices: &'static [&'static str] },
}

/// An option. It does not exist in a dialect in which it has no name.
pub struct OptionSpec {
    /// Its name in UCCI: one word in lower case.
    pub ucci: Option<&'static str>,
    /// Its name in UCI.
    pub uci: Option<&'static str>,
    /// Its type, default, bounds and effect.
    pub kind: OptionKind,
    /// The description for users.
    pub doc: &'static str,
}

/// The option types of both protocols, each with what sets it.
#[derive(Clone, Copy)]
pub enum OptionKind {
    /// With its default.
    Check(bool, fn(&mut Settings, bool)),
    /// A number, with its default and its bounds.
    Spin(i64, [i64; 2], fn(&mut Settings, i64)),
    /// One of several words, set by its index. The first is the default: some hosts assume so.
    Combo(&'static [&'static str], fn(&mut Settings, usize)),
    /// Any text, with its default.
    Text(&'static str, fn(&mut Settings, PathBuf)),
    Button(fn(&mut Settings)),
}

impl OptionSpec {
    /// Its name in a dialect.
    pub fn name_in(&self, column: Dialect) -> Option<&'static str> {
        match column {
            Dialect::Ucci => self.ucci,
            Dialect::Uci => self.uci,
        }
    }

    /// Its declaration for hosts.
    pub fn declaration(&self, dialect: Dialect) -> Option<String> {
        let name = self.name_in(dialect)?;
        let kind = match self.kind {
            Check(default, _) => format!("check default {default}"),
            // The default first, as in UCI: one host parses spins word by word, the others accept both orders.
            Spin(default, [min, max], _) => format!("spin default {default} min {min} max {max}"),
            Combo(choices, _) => {
                let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
                match dialect {
                    Dialect::Ucci => format!("combo{vars} default {}", choices[0]),
                    Dialect::Uci => format!("combo default {}{vars}", choices[0]),
                }
            }
            Text(..) if dialect == Dialect::Ucci => String::from("string"),
            Text("", _) => String::from("string default <empty>"),
            Text(default, _) => format!("string default {default}"),
            Button(_) => String::from("button"),
        };
        Some(match dialect {
            Dialect::Ucci => format!("option {name} type {kind}"),
            Dialect::Uci => format!("option name {name} type {kind}"),
        })
    }

    /// Parses a value and applies it. A button takes none.
    pub fn set(&self, name: &str, value: &[u8], settings: &mut Settings) -> Result<(), OptionError> {
        let text = word_text(value.trim_ascii());
        let (name, value_text) = (name.to_string(), shortened(&text));
        match self.kind {
            Check(_, set) => match text.to_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => set(settings, true),
                "false" | "off" | "no" | "0" => set(settings, false),
                _ => return Err(OptionError::NotACheck { name, value: value_text }),
            },
            Spin(_, [min, max], set) => match text.parse().ok().filter(|number| (min..=max).contains(number)) {
                Some(number) => set(settings, number),
                None => return Err(OptionError::NotInRange { name, value: value_text, min, max }),
            },
            Combo(choices, set) => match choices.iter().position(|choice| choice.eq_ignore_ascii_case(&text)) {
                Some(chosen) => set(settings, chosen),
                None => return Err(OptionError::NoChoice { name, value: value_text, choices }),
            },
            Text(_, set) => {
                let path = path_from_bytes(value.trim_ascii(), &mut settings.host_sends_gbk);
                set(settings, path);
            }
            Button(press) => press(settings),
        }
        Ok(())
    }

    /// Sets the default.
    pub fn apply_default(&self, settings: &mut Settings) {
        match self.kind {
            Check(default, set) => set(settings, default),
            Spin(default, _, set) => set(settings, default),
            Combo(_, set) => set(settings, 0),
            Text(default, set) => set(settings, PathBuf::from(default)),
            Button(_) => {}
        }
    }
}

/// The largest hash table in megabytes; a browser gives a module four gigabytes for everything.
const MAX_HASH_MB: i64 = if cfg!(target_pointer_width = "32") { 1 << 10 } else { 1 << 25 };

const PRUNING_LEVELS: [Level; 4] = [Level::Large, Level::Medium, Level::Small, Level::None];
const PRUNING_WORDS: &[&str] = &["large", "medium", "small", "none"];
/// The share of the processor that each word of `idle` leaves to others.
const IDLE_SHARES: [f32; 4] = [0.0, 0.25, 0.5, 0.75];
const IDLE_WORDS: &[&str] = &["none", "small", "medium", "large"];
/// The score loss that each word of `randomness` allows.
const RANDOMNESS_WORDS: &[&str] = &["none", "tiny", "small", "medium", "large", "huge"];
const RANDOMNESS_SCORES: [i32; 6] = [0, 5, 15, 30, 60, 120];
const STYLES: [Style; 3] = [Style::Normal, Style::Solid, Style::Risky];
const VARIETIES: [Variety; 4] = [Variety::Medium, Variety::None, Variety::Small, Variety::Large];
const RULE_WORDS: &[&str] = &{
    let sets = RuleSet::OFFERED;
    [sets[0].name(), sets[1].name(), sets[2].name(), sets[3].name(), sets[4].name(), sets[5].name()]
};

/// The meaning of each word of `ranks`; `None` = detected from the host's moves.
const RANK_BASES: [Option<RankBase>; 3] = [None, Some(RankBase::Zero), Some(RankBase::One)];
const RANK_BASE_WORDS: &[&str] = &["auto", RankBase::Zero.name(), RankBase::One.name()];

/// The rule sets by the names of other engines; the first word leaves the choice to `RuleSet`.
const HOST_RULE_WORDS: &[&str] =
    &["RuleSet", "AsianRule", "ChineseRule", "SkyRule", "ComputerRule", "AllowChase", "NoJudgement"];
const HOST_RULE_SETS: [Option<RuleSet>; 7] = [
    None,
    Some(RuleSet::Asian),
    Some(RuleSet::Cxa),
    Some(RuleSet::Tiantian),
    Some(RuleSet::Computer),
    Some(RuleSet::CheckBan),
    Some(RuleSet::None),
];
/// The largest natural limit.
const MAX_PLIES: i64 = 9999;

const DRAW_WORDS: &[&str] = &["None", "DrawAsBlackWin", "DrawAsRedWin", "DrawRepAsBlackWin", "DrawRepAsRedWin"];
const DRAW_RULES: [DrawRule; 5] = [
    DrawRule::Draw,
    DrawRule::Wins(Color::Black),
    DrawRule::Wins(Color::Red),
    DrawRule::RepetitionWins(Color::Black),
    DrawRule::RepetitionWins(Color::Red),
];

const SCORE_TYPES: [ScoreType; 3] = [ScoreType::Centipawns, ScoreType::Elo, ScoreType::Raw];

macro_rules! name {
    (-) => {
        None
    };
    ($name:literal) => {
        Some($name)
    };
}

/// Rows of a name in UCCI and one in UCI, `-` where there is none, the type with default, bounds and effect, and what it
/// is for.
macro_rules! options {
    ($($ucci:tt, $uci:tt: $kind:expr, $doc:literal;)*) => {
        &[$(OptionSpec { ucci: name!($ucci), uci: name!($uci), kind: $kind, doc: $doc },)*]
    };
}

/// All options, in the order of declaration.
pub fn all_options() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().chain(HOST_OPTIONS)
}

/// Chuhe's own options.
static OPTIONS: &[OptionSpec] = options! {
    "usemillisec", -: Check(true, |settings, on| settings.use_millisec = on),
        "The times of UCCI's clock in `go` are milliseconds; if off, seconds. `movetime` is always milliseconds.";
    "batch", -: Check(false, |settings, on| settings.batch = on),
        "Read no command while a search under a limit runs, so that a file of commands can be piped in.";
    "debug", -: Check(false, |settings, on| settings.debug = on),
        "More output: fail-highs and fail-lows, selective depth, hash fill and speed (UCI: the command `debug on`).";
    "hashsize", "Hash": Spin(16, [0, MAX_HASH_MB], |settings, mb| settings.hash_mb = mb as usize),
        "Megabytes of the hash table; 0 lets the engine decide (a sixteenth of the memory, from 64 to 1024). The limit is the memory of the machine: more is refused, and the size stays. In WebAssembly it is 1024.";
    -, "Clear Hash": Button(|settings| settings.new_game = true),
        "Forget everything, as before a new game.";
    "threads", "Threads": Spin(1, [0, MAX_THREADS as i64], |settings, count| settings.threads = count as usize),
        "Threads that think; 0 lets the engine decide (as many as the machine runs at once, but one for the host). More than the memory is enough for are refused.";
    "multipv", "MultiPV": Spin(1, [1, 128], |settings, lines| settings.search.multi_pv = lines as usize),
        "How many best lines to work out and show.";
    "ponder", "Ponder": Check(false, |settings, on| settings.search.ponder = on),
        "The host lets the engine think on the opponent's time: more time is then spent on each move.";
    "moveoverhead", "Move Overhead": Spin(20, [0, 5000],
        |settings, time| settings.search.overhead = Duration::from_millis(time as u64)),
        "Milliseconds that get lost on each move between the engine and the host's clock.";
    "newgame", -: Button(|settings| settings.new_game = true),
        "A new game or a newly edited position: forget everything (UCI: the command `ucinewgame`).";
    "idle", "Idle": Combo(IDLE_WORDS, |settings, choice| settings.search.idle = IDLE_SHARES[choice]),
        "Leave processor time to others: nothing, a quarter, a half, three quarters.";
    "promotion", "Promotion": Check(false, |settings, on| settings.promotion = on),
        "The variant in which an advisor or bishop on its own back rank may turn into a pawn there (a move such as `d0d0`), when its side has fewer than five pawns and is not in check.";
    "pruning", "Pruning": Combo(PRUNING_WORDS, |settings, choice| settings.search.pruning = PRUNING_LEVELS[choice]),
        "How much forward pruning; `none` searches without any.";
    "knowledge", "Knowledge": Combo(PRUNING_WORDS,
        |settings, choice| settings.search.knowledge = PRUNING_LEVELS[choice]),
        "How much the evaluation knows: the whole network, a small one, piece squares, or material only.";
    "evalfile", "EvalFile": Text("", |settings, file| settings.eval_file = file),
        "Evaluate by the network in this file (see `chuhe learn`); empty = by the one inside the program.";
    "randomness", "Randomness": Combo(RANDOMNESS_WORDS,
        |settings, choice| settings.search.randomness = RANDOMNESS_SCORES[choice]),
        "Play moves that are a little worse than the best: by at most 0, 5, 15, 30, 60 or 120 points of score.";
    "style", "Style": Combo(&["normal", "solid", "risky"], |settings, choice| settings.search.style = STYLES[choice]),
        "`risky` avoids draws and keeps attackers on the board, `solid` is content with a draw and trades.";
    "skill", "Skill Level": Spin(20, [0, 20], |settings, skill| settings.skill = skill),
        "Strength, from a beginner's to full.";
    "elo", -: Spin(0, [0, MAX_ELO], |settings, elo| {
            settings.limit_strength = elo > 0;
            settings.elo = elo;
        }),
        "Strength as a rough Elo number, from 1000 (skill 0) to 3500 (full); 0 does not limit it.";
    -, "UCI_LimitStrength": Check(false, |settings, on| settings.limit_strength = on),
        "Play at the strength that `UCI_Elo` says.";
    -, "UCI_Elo": Spin(MAX_ELO, [MIN_ELO, MAX_ELO], |settings, elo| settings.elo = elo),
        "Strength as a rough Elo number, from 1000 (skill 0) to 3500 (full).";
    "ruleset", "RuleSet": Combo(RULE_WORDS, |settings, choice| settings.rule_set = RuleSet::OFFERED[choice]),
        "Which rules of repetition hold; `none` draws every repetition.";
    "naturallimit", "NaturalLimit": Spin(-1, [-1, 9999],
        |settings, plies| settings.natural_limit.plies = usize::try_from(plies).ok()),
        "Plies without a capture after which the game is drawn; 0 = never, -1 = as the rule set has it.";
    "usebook", -: Check(true, |settings, on| settings.use_book = on),
        "Play the first moves out of books; what the engine is asked to analyse (`go infinite`, `multipv`) is searched all the same.";
    -, "OwnBook": Check(false, |settings, on| settings.own_book = on),
        "The same; UCI's hosts expect to be asked first.";
    "bookfiles", "BookFiles": Text("", |settings, files| settings.book_files = files),
        "Books, with `;` between them, of which the first that knows a position answers; `own` is the one inside the program; empty = that one alone.";
    "bookdepth", "BookDepth": Spin(100, [0, 1000], |settings, plies| settings.book_depth = plies as u32),
        "Plies from the beginning of the game in which books are asked.";
    "bookvariety", "BookVariety": Combo(&["medium", "none", "small", "large"],
        |settings, choice| settings.book_variety = VARIETIES[choice]),
        "How much openings vary: as a book's weights say, not at all, less, or more; unless it is none, no game out of the book comes twice while another is left.";
    "useegtb", "UseTables": Check(true, |settings, on| settings.use_tables = on),
        "Use endgame tables: wins, draws and losses of one attacker are part of the program, others are built by `chuhe tables build`.";
    "egtbpaths", "TablesPath": Text("", |settings, path| settings.table_paths = path),
        "Folders of endgame tables, with `;` between them; empty = the folder `tables` beside the program, if there is one.";
    "ranks", "Ranks": Combo(RANK_BASE_WORDS, |settings, choice| settings.ranks = RANK_BASES[choice]),
        "How ranks are counted in moves: from 0 to 9 (`h2e2`) or from 1 to 10 (`h3e3`); `auto` counts 0 to 9 until the moves of a position are legal in the other count only.";
    -, "UCI_Variant": Combo(&["xiangqi"], |_, _| {}),
        "The game: xiangqi and no other.";
    -, "UCI_ShowWDL": Check(false, |settings, on| settings.show_wdl = on),
        "Show the chances to win, draw and lose, in thousandths, with each score.";
    "logfile", "LogFile": Text("", |settings, path| settings.log_file = path),
        "Write the conversation down at the end of this file; empty = nowhere.";
    "language", "Language": Combo(MESSAGE_ENCODING_WORDS,
        |settings, choice| settings.message_encoding = MESSAGE_ENCODINGS[choice]),
        "What people are told (`info message`, `info string`): English in ASCII, or Chinese in GBK or UTF-8, for hosts that show it.";
};

/// The options that other engines have under names of their own, and that their hosts therefore send. They are declared
/// in UCI.
///
/// Hosts send the defaults of all declared options back, in any order. So the default of each of these changes nothing,
/// and a value that is not the default comes before the option of Chuhe that says the same.
static HOST_OPTIONS: &[OptionSpec] = options! {
    -, "Repetition Rule": Combo(HOST_RULE_WORDS, |settings, choice| {
            settings.host_rule_set = HOST_RULE_SETS[choice];
            settings.host_sets_rules |= choice > 0;
        }),
        "The rules of repetition by other names: `asian`, `cxa`, `tiantian`, `computer`, only perpetual check loses, `none`; `RuleSet` = as that option says.";
    -, "Draw Rule": Combo(DRAW_WORDS, |settings, choice| {
            settings.draws = DRAW_RULES[choice];
            settings.host_sets_rules |= choice > 0;
        }),
        "What a draw counts as: a draw, or a win of one side, either every draw or (`Rep`) one by repetition. Endgame tables are not used then.";
    -, "Sixty Move Rule": Check(true, |settings, on| {
            settings.natural_limit.disabled = !on;
            settings.host_sets_rules |= !on;
        }),
        "Whether there is a limit of plies without a capture at all.";
    -, "Rule60MaxPly": Spin(0, [0, MAX_PLIES], |settings, plies| {
            settings.natural_limit.rule60_plies = usize::try_from(plies).ok().filter(|&plies| plies > 0);
            settings.host_sets_rules |= plies > 0;
        }),
        "Plies without a capture after which the game is drawn; 0 = as `NaturalLimit` says.";
    -, "Mate Threat Depth": Spin(DEFAULT_MATING_CHECKS as i64, [1, 10],
        |settings, checks| settings.mating_checks = checks as u32),
        "Under `cxa`: checks of the longest series that counts as a threat of mate (a kill).";
    -, "ScoreType": Combo(&["PawnValueNormalized", "Elo", "Raw"],
        |settings, choice| settings.score_type = SCORE_TYPES[choice]),
        "The unit of scores: 100 = half of the games are won; the Elo difference that scores as well; the search's own, 400 for a minor piece.";
    -, "LU_Output": Check(true, |settings, on| settings.show_bounds = on),
        "Whether lines are sent whose score is a bound (`lowerbound`, `upperbound`).";
    -, "NumaPolicy": Text("auto", |_, _| {}),
        "Understood and without effect: the system places threads and memory.";
    -, "nodestime": Spin(0, [0, 10_000], |settings, nodes| settings.search.nodes_per_millisecond = nodes as u64),
        "Nodes that count as a millisecond of the clock and of `movetime`, so that a game is the same on any machine; 0 = time is time.";
    -, "Debug Log File": Text("", |settings, path| settings.debug_log_file = path),
        "The same as `LogFile`, which comes first if both are set.";
};

/// The options of XQWizard that have other names here, and are not declared: `drawmoves` are plies without a capture, in
/// spite of its name.
static XQWIZARD_OPTIONS: &[OptionSpec] = options! {
    "repetition", -: Combo(&["alwaysdraw", "checkban", "asianrule", "chineserule"], |settings, choice| {
            settings.rule_set = [RuleSet::None, RuleSet::CheckBan, RuleSet::Asian, RuleSet::Cxa][choice];
            settings.host_sets_rules = true;
        }),
        "See `ruleset`.";
    "drawmoves", -: Spin(0, [0, MAX_PLIES], |settings, plies| {
            settings.natural_limit.plies = usize::try_from(plies).ok();
            settings.host_sets_rules = true;
        }),
        "See `naturallimit`.";
    "selectivity", -: Combo(RANDOMNESS_WORDS, |settings, choice| settings.search.randomness = RANDOMNESS_SCORES[choice]),
        "See `randomness`.";
};

/// The settings with the defaults of the option table.
pub fn default_settings() -> Settings {
    let mut settings = Settings::default();
    all_options().for_each(|option| option.apply_default(&mut settings));
    settings
}

/// Sets the option of this name, in any case; the names of the other dialect are accepted, too, and UCI's own
/// (`UCI_Variant`) with UCCI's prefix (`UCCI_Variant`), as some hosts send them. False if there is none: hosts send
/// options that were never declared.
pub fn set_option(column: Dialect, name: &str, value: &[u8], settings: &mut Settings) -> Result<bool, OptionError> {
    if name.is_empty() {
        return Err(OptionError::NoName);
    }
    let of_xqwizard =
        || XQWIZARD_OPTIONS.iter().find(|option| option.ucci.is_some_and(|ucci| ucci.eq_ignore_ascii_case(name)));
    match find_option(column, name).or_else(|| find_option(column.other(), name)).or_else(of_xqwizard) {
        Some(option) => option.set(name, value, settings).map(|()| true),
        None => Ok(false),
    }
}

fn find_option(column: Dialect, name: &str) -> Option<&'static OptionSpec> {
    let is_it = |known: &str| {
        let renamed = |prefix| known.strip_prefix("UCI_").zip(strip_prefix_ignoring_case(name, prefix));
        known.eq_ignore_ascii_case(name)
            || renamed("ucci_").is_some_and(|(known, name)| known.eq_ignore_ascii_case(name))
    };
    all_options().find(|option| option.name_in(column).is_some_and(is_it))
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, tail) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(tail)
}

/// The table for docs/options.md.
pub fn options_as_markdown() -> String {
    let mut text = String::from(
        "| UCCI | UCI | type | default | values | what it does |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for option in all_options() {
        let code = |name: Option<&str>| name.map_or(String::from("–"), |name| format!("`{name}`"));
        let (kind, default, values) = match option.kind {
            Check(default, _) => ("check", default.to_string(), "true, false".to_string()),
            Spin(default, [min, max], _) => ("spin", default.to_string(), format!("{min} to {max}")),
            Combo(choices, _) => ("combo", choices[0].to_string(), choices.join(", ")),
            Text("", _) => ("string", String::from("(empty)"), String::from("any")),
            Text(default, _) => ("string", default.to_string(), String::from("any")),
            Button(_) => ("button", String::from("–"), String::from("–")),
        };
        let (ucci, uci) = (code(option.ucci), code(option.uci));
        writeln!(text, "| {ucci} | {uci} | {kind} | {default} | {values} | {} |", option.doc)
            .expect("a string takes everything");
    }
    text
}
