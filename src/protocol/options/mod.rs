//! The option table: each row declares an option in both dialects, and parses, bounds, applies and documents it. The
//! options that other engines have under names of their own are in `host_options`, their values in `settings`, and what
//! follows from a change in `session_options`.

mod host_options;
mod session_options;
mod settings;
mod spec;
mod xqwizard_options;

use crate::protocol::dialect::Protocol;
use crate::protocol::host_io::{MESSAGE_ENCODING_WORDS, MESSAGE_ENCODINGS};
use chuhe_engine::search::{Level, Style};
use chuhe_study::book::Variety;
use chuhe_study::player::{MAX_ELO, MIN_ELO};
use host_options::HOST_OPTIONS;
use settings::MAX_THREADS;
use std::fmt::Write;
use std::time::Duration;
use xiangqi::RuleSet;
use xiangqi_record::RankBase;

pub use settings::Settings;
pub use spec::{OptionError, OptionKind, OptionSpec};

/// The largest hash table in megabytes; a browser gives a module four gigabytes for everything.
const MAX_HASH_MB: i64 = if cfg!(target_pointer_width = "32") { 1 << 10 } else { 1 << 25 };

const PRUNING_LEVELS: [Level; 4] = [Level::Large, Level::Medium, Level::Small, Level::None];
const PRUNING_WORDS: &[&str] = &["large", "medium", "small", "none"];
/// The share of the processor that each word of `idle` leaves to others.
const IDLE_SHARES: [f32; 4] = [0.0, 0.25, 0.5, 0.75];
const IDLE_WORDS: &[&str] = &["none", "small", "medium", "large"];
/// The score loss that each word of `randomness` allows.
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

/// All options, in the order of declaration.
pub fn all_options() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().chain(HOST_OPTIONS)
}

/// Chuhe's own options.
static OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        ucci: Some("usemillisec"),
        uci: None,
        kind: OptionKind::Check { default: true, set: |settings, on| settings.use_millisec = on },
        doc: "The times of UCCI's clock in `go` are milliseconds; if off, seconds. `movetime` is always milliseconds.",
    },
    OptionSpec {
        ucci: Some("batch"),
        uci: None,
        kind: OptionKind::Check { default: false, set: |settings, on| settings.batch = on },
        doc: "Read no command while a search under a limit runs, so that a file of commands can be piped in.",
    },
    OptionSpec {
        ucci: Some("debug"),
        uci: None,
        kind: OptionKind::Check { default: false, set: |settings, on| settings.debug = on },
        doc: "More output: fail-highs and fail-lows, selective depth, hash fill and speed (UCI: the command `debug on`).",
    },
    OptionSpec {
        ucci: Some("hashsize"),
        uci: Some("Hash"),
        kind: OptionKind::Spin {
            default: 16,
            min: 0,
            max: MAX_HASH_MB,
            set: |settings, mb| settings.hash_mb = mb as usize,
        },
        doc: "Megabytes of the hash table; 0 lets the engine decide (a sixteenth of the memory, from 64 to 1024). The limit is the memory of the machine: more is refused, and the size stays. In WebAssembly it is 1024.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("Clear Hash"),
        kind: OptionKind::Button { press: |settings| settings.new_game = true },
        doc: "Forget everything, as before a new game.",
    },
    OptionSpec {
        ucci: Some("threads"),
        uci: Some("Threads"),
        kind: OptionKind::Spin {
            default: 1,
            min: 0,
            max: MAX_THREADS as i64,
            set: |settings, count| settings.threads = count as usize,
        },
        doc: "Threads that think; 0 lets the engine decide (as many as the machine runs at once, but one for the host). More than the memory is enough for are refused.",
    },
    OptionSpec {
        ucci: Some("multipv"),
        uci: Some("MultiPV"),
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 128,
            set: |settings, lines| settings.search.multi_pv = lines as usize,
        },
        doc: "How many best lines to work out and show.",
    },
    OptionSpec {
        ucci: Some("ponder"),
        uci: Some("Ponder"),
        kind: OptionKind::Check { default: false, set: |settings, on| settings.search.ponder = on },
        doc: "The host lets the engine think on the opponent's time: more time is then spent on each move.",
    },
    OptionSpec {
        ucci: Some("moveoverhead"),
        uci: Some("Move Overhead"),
        kind: OptionKind::Spin {
            default: 20,
            min: 0,
            max: 5000,
            set: |settings, time| settings.search.overhead = Duration::from_millis(time as u64),
        },
        doc: "Milliseconds that get lost on each move between the engine and the host's clock.",
    },
    OptionSpec {
        ucci: Some("newgame"),
        uci: None,
        kind: OptionKind::Button { press: |settings| settings.new_game = true },
        doc: "A new game or a newly edited position: forget everything (UCI: the command `ucinewgame`).",
    },
    OptionSpec {
        ucci: Some("idle"),
        uci: Some("Idle"),
        kind: OptionKind::Combo {
            choices: IDLE_WORDS,
            set: |settings, choice| settings.search.idle = IDLE_SHARES[choice],
        },
        doc: "Leave processor time to others: nothing, a quarter, a half, three quarters.",
    },
    OptionSpec {
        ucci: Some("promotion"),
        uci: Some("Promotion"),
        kind: OptionKind::Check { default: false, set: |settings, on| settings.promotion = on },
        doc: "The variant in which an advisor or bishop on its own back rank may turn into a pawn there (a move such as `d0d0`), when its side has fewer than five pawns and is not in check.",
    },
    OptionSpec {
        ucci: Some("pruning"),
        uci: Some("Pruning"),
        kind: OptionKind::Combo {
            choices: PRUNING_WORDS,
            set: |settings, choice| settings.search.pruning = PRUNING_LEVELS[choice],
        },
        doc: "How much forward pruning; `none` searches without any.",
    },
    OptionSpec {
        ucci: Some("knowledge"),
        uci: Some("Knowledge"),
        kind: OptionKind::Combo {
            choices: PRUNING_WORDS,
            set: |settings, choice| settings.search.knowledge = PRUNING_LEVELS[choice],
        },
        doc: "How much the evaluation knows: the whole network, a small one, piece squares, or material only.",
    },
    OptionSpec {
        ucci: Some("evalfile"),
        uci: Some("EvalFile"),
        kind: OptionKind::Text { default: "", set: |settings, file| settings.eval_file = file },
        doc: "Evaluate by the network in this file (see `chuhe learn`); empty = by the one inside the program.",
    },
    OptionSpec {
        ucci: Some("randomness"),
        uci: Some("Randomness"),
        kind: OptionKind::Combo {
            choices: &["none", "tiny", "small", "medium", "large", "huge"],
            set: |settings, choice| settings.search.randomness = RANDOMNESS_SCORES[choice],
        },
        doc: "Play moves that are a little worse than the best: by at most 0, 5, 15, 30, 60 or 120 points of score.",
    },
    OptionSpec {
        ucci: Some("style"),
        uci: Some("Style"),
        kind: OptionKind::Combo {
            choices: &["normal", "solid", "risky"],
            set: |settings, choice| settings.search.style = STYLES[choice],
        },
        doc: "`risky` avoids draws and keeps attackers on the board, `solid` is content with a draw and trades.",
    },
    OptionSpec {
        ucci: Some("skill"),
        uci: Some("Skill Level"),
        kind: OptionKind::Spin { default: 20, min: 0, max: 20, set: |settings, skill| settings.skill = skill },
        doc: "Strength, from a beginner's to full.",
    },
    OptionSpec {
        ucci: Some("elo"),
        uci: None,
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: MAX_ELO,
            set: |settings, elo| {
                settings.limit_strength = elo > 0;
                settings.elo = elo;
            },
        },
        doc: "Strength as a rough Elo number, from 1000 (skill 0) to 3500 (full); 0 does not limit it.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_LimitStrength"),
        kind: OptionKind::Check { default: false, set: |settings, on| settings.limit_strength = on },
        doc: "Play at the strength that `UCI_Elo` says.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_Elo"),
        kind: OptionKind::Spin {
            default: MAX_ELO,
            min: MIN_ELO,
            max: MAX_ELO,
            set: |settings, elo| settings.elo = elo,
        },
        doc: "Strength as a rough Elo number, from 1000 (skill 0) to 3500 (full).",
    },
    OptionSpec {
        ucci: Some("ruleset"),
        uci: Some("RuleSet"),
        kind: OptionKind::Combo {
            choices: RULE_WORDS,
            set: |settings, choice| settings.rule_set = RuleSet::OFFERED[choice],
        },
        doc: "Which rules of repetition hold; `none` draws every repetition.",
    },
    OptionSpec {
        ucci: Some("naturallimit"),
        uci: Some("NaturalLimit"),
        kind: OptionKind::Spin {
            default: -1,
            min: -1,
            max: 9999,
            set: |settings, plies| settings.natural_limit.plies = usize::try_from(plies).ok(),
        },
        doc: "Plies without a capture after which the game is drawn; 0 = never, -1 = as the rule set has it.",
    },
    OptionSpec {
        ucci: Some("usebook"),
        uci: None,
        kind: OptionKind::Check { default: true, set: |settings, on| settings.use_book = on },
        doc: "Play the first moves out of books; what the engine is asked to analyse (`go infinite`, `multipv`) is searched all the same.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("OwnBook"),
        kind: OptionKind::Check { default: false, set: |settings, on| settings.own_book = on },
        doc: "The same; UCI's hosts expect to be asked first.",
    },
    OptionSpec {
        ucci: Some("bookfiles"),
        uci: Some("BookFiles"),
        kind: OptionKind::Text { default: "", set: |settings, files| settings.book_files = files },
        doc: "Books, with `;` between them, of which the first that knows a position answers; `own` is the one inside the program; empty = that one alone.",
    },
    OptionSpec {
        ucci: Some("bookdepth"),
        uci: Some("BookDepth"),
        kind: OptionKind::Spin {
            default: 100,
            min: 0,
            max: 1000,
            set: |settings, plies| settings.book_depth = plies as u32,
        },
        doc: "Plies from the beginning of the game in which books are asked.",
    },
    OptionSpec {
        ucci: Some("bookvariety"),
        uci: Some("BookVariety"),
        kind: OptionKind::Combo {
            choices: &["medium", "none", "small", "large"],
            set: |settings, choice| settings.book_variety = VARIETIES[choice],
        },
        doc: "How much openings vary: as a book's weights say, not at all, less, or more; unless it is none, no game out of the book comes twice while another is left.",
    },
    OptionSpec {
        ucci: Some("useegtb"),
        uci: Some("UseTables"),
        kind: OptionKind::Check { default: true, set: |settings, on| settings.use_tables = on },
        doc: "Use endgame tables: wins, draws and losses of one attacker are part of the program, others are built by `chuhe tables build`.",
    },
    OptionSpec {
        ucci: Some("egtbpaths"),
        uci: Some("TablesPath"),
        kind: OptionKind::Text { default: "", set: |settings, path| settings.table_paths = path },
        doc: "Folders of endgame tables, with `;` between them; empty = the folder `tables` beside the program, if there is one.",
    },
    OptionSpec {
        ucci: Some("ranks"),
        uci: Some("Ranks"),
        kind: OptionKind::Combo {
            choices: RANK_BASE_WORDS,
            set: |settings, choice| settings.ranks = RANK_BASES[choice],
        },
        doc: "How ranks are counted in moves: from 0 to 9 (`h2e2`) or from 1 to 10 (`h3e3`); `auto` counts 0 to 9 until the moves of a position are legal in the other count only.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_Variant"),
        kind: OptionKind::Combo { choices: &["xiangqi"], set: |_, _| {} },
        doc: "The game: xiangqi and no other.",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_ShowWDL"),
        kind: OptionKind::Check { default: false, set: |settings, on| settings.show_wdl = on },
        doc: "Show the chances to win, draw and lose, in thousandths, with each score.",
    },
    OptionSpec {
        ucci: Some("logfile"),
        uci: Some("LogFile"),
        kind: OptionKind::Text { default: "", set: |settings, path| settings.log_file = path },
        doc: "Write the conversation down at the end of this file; empty = nowhere.",
    },
    OptionSpec {
        ucci: Some("language"),
        uci: Some("Language"),
        kind: OptionKind::Combo {
            choices: MESSAGE_ENCODING_WORDS,
            set: |settings, choice| settings.message_encoding = MESSAGE_ENCODINGS[choice],
        },
        doc: "What people are told (`info message`, `info string`): English in ASCII, or Chinese in GBK or UTF-8, for hosts that show it.",
    },
];

/// The settings with the defaults of the option table.
pub fn default_settings() -> Settings {
    let mut settings = Settings::default();
    all_options().for_each(|option| option.apply_default(&mut settings));
    settings
}

/// Sets the option of this name, in any case; the names of the other dialect are accepted, too, and UCI's own
/// (`UCI_Variant`) with UCCI's prefix (`UCCI_Variant`), as some hosts send them. False if there is none: hosts send
/// options that were never declared.
pub fn set_option(column: Protocol, name: &str, value: &[u8], settings: &mut Settings) -> Result<bool, OptionError> {
    if name.is_empty() {
        return Err(OptionError::NoName);
    }
    match find_option(column, name).or_else(|| find_option(column.other(), name)) {
        Some(option) => option.set(name, value, settings).map(|()| true),
        None => Ok(false),
    }
}

fn find_option(column: Protocol, name: &str) -> Option<&'static OptionSpec> {
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
            OptionKind::Check { default, .. } => ("check", default.to_string(), "true, false".to_string()),
            OptionKind::Spin { default, min, max, .. } => ("spin", default.to_string(), format!("{min} to {max}")),
            OptionKind::Combo { choices, .. } => ("combo", choices[0].to_string(), choices.join(", ")),
            OptionKind::Text { default: "", .. } => ("string", String::from("(empty)"), String::from("any")),
            OptionKind::Text { default, .. } => ("string", default.to_string(), String::from("any")),
            OptionKind::Button { .. } => ("button", String::from("–"), String::from("–")),
        };
        let (ucci, uci) = (code(option.ucci), code(option.uci));
        writeln!(text, "| {ucci} | {uci} | {kind} | {default} | {values} | {} |", option.doc)
            .expect("a string takes everything");
    }
    text
}
