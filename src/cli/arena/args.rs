//! The options of `chuhe arena`.

use crate::cli::clap_errors;
use crate::cli::error::{CliError, cli_error};
use crate::cli::values::{number_in, worded};
use chuhe_lab::arena::parse::{
    self, EngineSettingsError, EngineSpecBuilder, SpecError, bad_value, read_toml, toml_scalar,
};
use chuhe_lab::arena::spec::{Budget, DrawRule, EngineSpec, RefereeSpec, ResignRule, Shard, TimeControl};
use chuhe_lab::arena::stats::Sprt;
use chuhe_support::files::{At, read_text};
use chuhe_support::language::phrase;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches, Id};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::de::{DeTable, DeValue};
use xiangqi::{RuleSet, Rules};
use xiangqi_record::{Encoding, Notation};

const EXAMPLES: &str = "\
Examples:
  chuhe arena --engine name=new,cmd=./new --engine name=old,cmd=./old --nodes 20000 --games 40000 \\
        --concurrency 2 --sprt elo0=0,elo1=5
                              is the new build better than the old one?
  chuhe arena --engine name=A,cmd=./a,proto=ucci,option.hashsize=64 \\
        --engine name=B,cmd=fairy-stockfish,proto=uci,ranks=1-10,option.UCI_Variant=xiangqi \\
        --tc 10+0.1 --games 200 --pgn match.pgn
                              a match on the clock, with a record
  chuhe arena --config league.toml --pgn league.pgn --resume
                              a league, or the rest of it after an interruption
  chuhe arena --config league.toml --shard 2/8 --pgn 2.pgn
                              the second of eight parts of it, for another machine
  chuhe arena --merge 1.pgn 2.pgn --sprt elo0=0,elo1=5
                              what the parts say together
  chuhe arena --self old.toml new.toml --nodes 5000 --games 2000 --concurrency 2
                              two settings of this engine, without pipes

With --sprt the exit code is 0 if H1 is accepted, 1 if H0 is, 4 if neither is, and 3 if faults decide. Command lines of
cutechess-cli and fastchess (-engine cmd=./a name=a -each tc=10+0.1) are understood.";

/// Options that have no meaning for commands that play nothing.
const PLAY_OPTIONS: [&str; 6] =
    ["TournamentArgs", "BudgetArgs", "SourceArgs", "OpeningArgs", "RefereeArgs", "RecordArgs"];

/// The options that `--help` shows: those that are used first.
pub const USUAL_OPTIONS: [&str; 10] =
    ["engine", "games", "concurrency", "sprt", "tc", "nodes", "openings", "rules", "pgn", "resume"];

/// Arguments of `chuhe arena`.
#[derive(Args, Debug, Clone, Default)]
#[command(after_help = EXAMPLES)]
pub struct ArenaArgs {
    #[command(flatten)]
    pub tournament: TournamentArgs,
    /// Stop as soon as this test has decided: elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic; the model normalized takes
    /// the bounds as normalized Elo
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = parse::parse_sprt)]
    pub sprt: Option<Sprt>,
    /// Play only this part of the pairs of games, such as 2/8; other machines play the others, --merge counts them
    /// together
    #[arg(long, value_name = "K/N", value_parser = parse::parse_shard, conflicts_with = "merge")]
    pub shard: Option<Shard>,
    /// Play nothing: give the statistics, and the verdict of --sprt, of these records taken together
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = PLAY_OPTIONS)]
    pub merge: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) budget: BudgetArgs,
    #[command(flatten)]
    pub(super) source: SourceArgs,
    #[command(flatten)]
    pub(super) openings: OpeningArgs,
    #[command(flatten)]
    pub(super) referee: RefereeArgs,
    #[command(flatten)]
    pub(super) record: RecordArgs,
    /// JSON lines instead of text: one for each game, one at the end
    #[arg(long)]
    pub(super) json: bool,
    /// At the end, write a page with tables, charts and all games to play through
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Write the report over a file of another program. Games in --pgn are never written over: see --resume
    #[arg(long)]
    pub(super) force: bool,
    /// Print help with all options
    #[arg(long, action = ArgAction::HelpLong)]
    help_all: Option<bool>,
}

fn parse_self(path: &str) -> Result<EngineSpec, EngineSettingsError> {
    parse::read_engine_settings(Path::new(path))
}

/// Who plays whom, and how often.
#[derive(Args, Debug, Clone, Default)]
pub struct TournamentArgs {
    /// A participant: name=…,cmd=…,proto=ucci|uci,ranks=0-9|1-10,option.NAME=VALUE, and tc, movetime, nodes or
    /// depth for a handicap; also arg=… and dir=…; a comma in a value is written \,
    #[arg(long = "engine", value_name = "KEY=VALUE,…", value_parser = parse::parse_engine)]
    pub engines: Vec<EngineSpec>,
    /// Participants that run this engine without pipes, each with the settings of a TOML file
    #[arg(long = "self", value_name = "FILE", num_args = 1.., value_parser = parse_self)]
    pub own_engines: Vec<EngineSpec>,
    /// All of these options in a TOML file: keys are the long names, engines are `[[engine]]` tables
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The first engine plays each of the others, instead of a round robin
    #[arg(long)]
    pub gauntlet: bool,
    /// Games of each pairing; every opening is played twice with colours swapped [default: 100]
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..))]
    pub games: Option<u32>,
    /// The first engine of each pairing always plays red, instead of swapping colours
    #[arg(long)]
    pub no_swap: bool,
    /// Games at a time [default: 1]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=1024))]
    pub concurrency: Option<u16>,
    /// Continue however often an engine fails; otherwise three failures in a row, or ten in a hundred games, stop the
    /// tournament
    #[arg(long)]
    pub tolerate_faults: bool,
}

/// What each engine may spend.
#[derive(Args, Debug, Clone, Default)]
#[group(multiple = false)]
pub(super) struct BudgetArgs {
    /// A game clock in seconds: 10+0.1, or with moves per base time 40/60+0.5 [default: 10+0.1]
    #[arg(long, value_name = "[MOVES/]BASE[+INC]")]
    tc: Option<TimeControl>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = number_in::<u64>(1..))]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..))]
    nodes: Option<u64>,
    /// Depth for each move
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=200))]
    depth: Option<u32>,
}

impl BudgetArgs {
    fn explicit_budget(&self) -> Option<Budget> {
        let time = self.movetime.map(|time| Budget::MoveTime(Duration::from_millis(time)));
        let count = self.nodes.map(Budget::Nodes).or(self.depth.map(Budget::Depth));
        self.tc.map(Budget::Clock).or(time).or(count)
    }

    pub(super) fn budget(&self) -> Budget {
        let base = Duration::from_secs(10);
        let increment = Duration::from_millis(100);
        self.explicit_budget().unwrap_or(Budget::Clock(TimeControl { base, increment, moves: None }))
    }
}

/// What openings are taken from.
#[derive(Args, Debug, Clone, Default)]
#[group(multiple = false)]
pub(super) struct SourceArgs {
    /// Openings from a file: FEN, EPD or moves on each line, or games in PGN
    #[arg(long, value_name = "FILE")]
    pub(super) openings: Option<PathBuf>,
    /// Openings from an opening book: its positions after N plies (--plies), in an order that the seed decides; own
    /// is the book inside the program
    #[arg(long, value_name = "FILE")]
    pub(super) book: Option<PathBuf>,
    /// How many random openings, used in turn [default: a new one for each pair of games]
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..))]
    pub(super) random_openings: Option<u32>,
}

/// Which openings are taken.
#[derive(Args, Debug, Clone, Default)]
pub(super) struct OpeningArgs {
    /// Moves in each random opening, or taken from a book or from each game in PGN [default: 8]
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(0..=40))]
    pub(super) plies: Option<u32>,
    /// The largest score, for either side, of a random opening that is kept [default: 20]
    #[arg(long, value_name = "SCORE", value_parser = number_in::<i32>(0..))]
    pub(super) balance: Option<i32>,
    /// The same seed makes the same openings [default: 1]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Take the openings of a file in an order that the seed decides
    #[arg(long)]
    pub(super) shuffle: bool,
    /// Begin with this opening of a file, from 1
    #[arg(long, value_name = "N", requires = "openings", value_parser = number_in::<u32>(1..))]
    pub(super) first_opening: Option<u32>,
}

/// How games end.
#[derive(Args, Debug, Clone, Default)]
pub(super) struct RefereeArgs {
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none [default: asian]
    #[arg(long, value_name = "SET", value_parser = worded::<RuleSet>)]
    rules: Option<RuleSet>,
    /// Moves that lose at once by the rules of repetition: forbid tells every engine not to play them (banmoves,
    /// searchmoves), allow tells none [default: forbid]
    #[arg(long, value_name = "WHAT", value_parser = ["forbid", "allow"])]
    losing_moves: Option<String>,
    /// Engines think on their opponents' time; every game then takes two processors
    #[arg(long)]
    ponder: bool,
    /// Milliseconds that a clock may be overdrawn [default: 50]
    #[arg(long, value_name = "MS")]
    margin: Option<u32>,
    /// Seconds that an engine without a clock may think [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = number_in::<u32>(1..))]
    patience: Option<u32>,
    /// Seconds that an engine may take to start, and to be ready between games [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = number_in::<u32>(1..))]
    start_limit: Option<u32>,
    /// Call a game drawn after scores near zero: from=40,moves=8,score=10
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = parse::parse_draw_rule)]
    draw: Option<DrawRule>,
    /// Call a game lost when both sides' scores say so: moves=4,score=800
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = parse::parse_resign_rule)]
    resign: Option<ResignRule>,
    /// Full moves after which a game is a draw; 0 = never [default: 0]
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
}

impl RefereeArgs {
    pub(super) fn spec(&self) -> RefereeSpec {
        let default = RefereeSpec::default();
        let seconds = |given: Option<u32>| given.map(|seconds| Duration::from_secs(seconds.into()));
        RefereeSpec {
            rules: Rules::new(self.rules.unwrap_or_default()),
            forbid_losing_moves: self.losing_moves.as_deref() != Some("allow"),
            ponder: self.ponder,
            time_margin: self.margin.map_or(default.time_margin, |margin| Duration::from_millis(margin.into())),
            move_timeout: seconds(self.patience).unwrap_or(default.move_timeout),
            start_timeout: seconds(self.start_limit).unwrap_or(default.start_timeout),
            draw: self.draw,
            resign: self.resign,
            max_moves: self.max_moves.unwrap_or(0),
        }
    }
}

/// How games are kept.
#[derive(Args, Debug, Clone, Default)]
pub(super) struct RecordArgs {
    /// Record the games in this PGN file
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Moves in the record: ICCS, UCI (for xboard), WXF or Chinese [default: ICCS]
    #[arg(long, value_name = "NAME", value_parser = worded::<Notation>)]
    pub(super) notation: Option<Notation>,
    /// Characters of the record: utf-8, or gbk for XQWizard and its relatives [default: utf-8]
    #[arg(long, value_name = "NAME", value_parser = worded::<Encoding>)]
    pub(super) encoding: Option<Encoding>,
    /// Continue the recorded tournament
    #[arg(long)]
    pub(super) resume: bool,
    /// The Event of the record [default: Chuhe arena]
    #[arg(long, value_name = "NAME")]
    pub(super) event: Option<String>,
    /// Log the conversation with each engine, with times, to files in this folder
    #[arg(long, value_name = "DIR")]
    pub(super) traffic: Option<PathBuf>,
}

/// An option of the file: its long name, and the equivalent word of the command line.
type ConfigOption = (String, String);

/// The options of the command line, merged with those of their configuration file if they name one. `program` parses
/// them.
pub fn merge_config(args: ArenaArgs, program: Command, mut words: Vec<OsString>) -> Result<ArenaArgs, CliError> {
    let Some(path) = &args.tournament.config else { return Ok(args) };
    let (options, engines) = read(path)?;
    let refusal = |error: clap::Error| {
        let file = path.display().to_string();
        cli_error!("{file}: {message}", file, message = clap_errors::problem(&error))
    };
    let of_arena = |words: Vec<OsString>| -> Result<ArgMatches, CliError> {
        let mut matches = program.clone().try_get_matches_from(words).map_err(refusal)?;
        Ok(matches.remove_subcommand().map(|(_, matches)| matches).unwrap_or_default())
    };
    let given = of_arena(words.clone())?;
    let own = ArenaArgs::augment_args(Command::new("configuration").no_binary_name(true));
    // Parsed alone first, so that errors in the file are not reported as errors of the command line.
    own.clone().try_get_matches_from(options.iter().map(|(_, word)| word)).map_err(refusal)?;
    let left_open = |(key, _): &ConfigOption| is_unset(&own, &given, key);
    words.extend(options.into_iter().filter(left_open).map(|(_, word)| word.into()));
    let mut all = ArenaArgs::from_arg_matches(&of_arena(words)?).map_err(refusal)?;
    all.tournament.engines.extend(engines);
    Ok(all)
}

/// Whether the command line sets neither this option nor one that replaces it.
fn is_unset(own: &Command, given: &ArgMatches, key: &str) -> bool {
    let is_given = |id: &Id| given.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    let Some(arg) = own.get_arguments().find(|arg| arg.get_long() == Some(key)) else { return true };
    let adds = matches!(arg.get_action(), ArgAction::Append);
    let groups = own.get_groups().filter(|group| !ArgGroup::clone(group).is_multiple());
    let mut instead = groups.filter(|group| group.get_args().any(|id| id == arg.get_id()));
    (adds || !is_given(arg.get_id())) && !instead.any(|group| group.get_args().any(is_given))
}

fn read(path: &Path) -> Result<(Vec<ConfigOption>, Vec<EngineSpec>), CliError> {
    let text = read_text(path).at(path).map_err(EngineSettingsError::from)?;
    let table = read_toml(&text).at(path).map_err(EngineSettingsError::from)?;
    Ok(translate(table.get_ref()).at(path).map_err(EngineSettingsError::from)?)
}

fn translate(table: &DeTable) -> Result<(Vec<ConfigOption>, Vec<EngineSpec>), SpecError> {
    let mut options = Vec::new();
    let mut engines = Vec::new();
    for (key, value) in table {
        let key: &str = key.get_ref();
        let mut add = |value: &str| options.push((key.to_string(), format!("--{key}={value}")));
        match (key, value.get_ref()) {
            ("engine", DeValue::Array(tables)) => {
                for value in tables.iter() {
                    let DeValue::Table(table) = value.get_ref() else {
                        return Err(bad_value(key, value.get_ref().type_str(), phrase!("a table")));
                    };
                    engines.push(engine(table)?);
                }
            }
            ("engine" | "config", other) => {
                return Err(bad_value(key, other.type_str(), phrase!("[[engine]] tables")));
            }
            (_, DeValue::Boolean(false)) => {}
            (_, DeValue::Boolean(true)) => options.push((key.to_string(), format!("--{key}"))),
            (_, DeValue::Array(values)) => {
                for value in values.iter() {
                    add(&toml_scalar(key, value.get_ref())?);
                }
            }
            (_, DeValue::Table(table)) => {
                let pair = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue>)| {
                    let key: &std::borrow::Cow<str> = key.get_ref();
                    Ok(format!("{key}={}", toml_scalar(key, value.get_ref())?))
                };
                let pairs: Vec<String> = table.iter().map(pair).collect::<Result<_, SpecError>>()?;
                add(&pairs.join(","));
            }
            (_, value) => add(&toml_scalar(key, value)?),
        }
    }
    Ok((options, engines))
}

fn engine(table: &DeTable) -> Result<EngineSpec, SpecError> {
    let mut builder = EngineSpecBuilder::default();
    for (key, value) in table {
        let key: &str = key.get_ref();
        match value.get_ref() {
            DeValue::Array(words) if key == "cmd" => {
                let words = words.iter().map(|word| toml_scalar(key, word.get_ref()));
                builder.set_words(words.collect::<Result<_, _>>()?);
            }
            DeValue::Array(values) => {
                for value in values.iter() {
                    builder.set(key, &toml_scalar(key, value.get_ref())?)?;
                }
            }
            DeValue::Table(options) if key == "option" => {
                for (name, value) in options {
                    let name: &str = name.get_ref();
                    builder.set(&format!("option.{name}"), &toml_scalar(name, value.get_ref())?)?;
                }
            }
            value => builder.set(key, &toml_scalar(key, value)?)?,
        }
    }
    builder.build()
}
