//! The command line of `chuhe`: parses it and dispatches each subcommand.

use super::clap_errors::{self, subcommand_words};
use super::error::{CliError, cli_error};
use super::output::{self, StandardOutput};
use super::{
    analyse, arena, bench, board, book, convert, explore, help_layout, judge, learn, mates, perft, picture, play,
    repertoire, review, shell, show, tables, tactics,
};
use crate::protocol;
use chuhe_support::language::{Language, SanitizingWriter, print_error, reason, sanitize, tr};
use chuhe_support::terminal;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use log::LevelFilter;
use std::error::Error;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

const EXAMPLES: &str = "\
Examples:
  chuhe                       play: waits for a protocol, as a graphical interface starts it
  chuhe play                  a game against the engine, here at the terminal
  chuhe help perft            what a subcommand does, with examples
  chuhe perft 5               count move paths
  chuhe judge game.xqf --explain
                              how the game ended, and why
  chuhe analyse game.xqf --ply 30 --lines 3
                              the best lines there
  chuhe convert game.xqf --to pgn
                              a game in another format
  chuhe --log chuhe.log       play, and keep a log
  CHUHE_LOG=trace chuhe       play, and log everything to standard error";

/// Chuhe (楚河), a xiangqi engine. Without a subcommand it waits for a protocol on standard input.
#[derive(Parser)]
#[command(version = protocol::VERSION, after_help = EXAMPLES)]
struct CliArgs {
    /// Keep a log in this file (the variable CHUHE_LOG says how much: error, warn, info, debug, trace)
    #[arg(long, global = true, display_order = 100, value_name = "FILE")]
    log: Option<PathBuf>,
    /// How much is logged: off, error, warn, info, debug or trace [default: as the variable CHUHE_LOG says]
    #[arg(long, value_name = "LEVEL", global = true)]
    log_level: Option<LevelFilter>,
    /// Colours: always, never, or on terminals that have them (the variable NO_COLOR says never)
    #[arg(long, global = true, display_order = 101, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    /// The language of help and messages: en, zh, zh-Hant or vi [default: the one of LC_ALL, LC_MESSAGES or LANG, else of the system]
    #[arg(long, global = true, display_order = 102, value_name = "LANGUAGE")]
    lang: Option<Language>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play against the engine, here at the terminal
    Play(play::PlayArgs),
    /// Open a board in the browser: play, analyse, view games
    Board(board::BoardArgs),
    /// Count the move paths of a position: is the move generator right, and how fast is it?
    Perft(perft::PerftArgs),
    /// Show the verdict of the rules of repetition on a game, and why.
    Judge(judge::JudgeArgs),
    /// Bring games of any format into PGN, XQF, UBB or FEN
    Convert(convert::ConvertArgs),
    /// Draw a position: on the terminal, as SVG or as PNG
    Show(show::ShowArgs),
    /// Read the position of a screenshot or a diagram
    Picture(picture::PictureArgs),
    /// Look through a game: where it turned, and what was better
    Review(Box<review::ReviewArgs>),
    /// Analyse a position, a list of positions, or queries of a script; or explain the evaluation
    Analyse(Box<analyse::AnalyseArgs>),
    /// Play engines against each other, and say how sure the result is
    Arena(Box<arena::ArenaArgs>),
    /// Search a fixed set of positions: the signature of the search, and its speed; or play games to check the rules
    Bench(bench::BenchArgs),
    /// Opening books: make them, look at them, turn one kind into another
    #[command(subcommand, after_help = book::EXAMPLES)]
    Book(book::BookCommand),
    /// What games say about a position: its moves, how often they were played, and with which results
    Explore(Box<explore::ExploreArgs>),
    /// Opening repertoires: make them of games, find what is missing, see where games leave them
    #[command(subcommand, after_help = repertoire::EXAMPLES)]
    Repertoire(repertoire::RepertoireCommand),
    /// Endgame tables: perfect play where few pieces are left
    #[command(subcommand, after_help = tables::EXAMPLES)]
    Tables(tables::TablesCommand),
    /// Problems of mate: check compositions, find problems in games, see how many are solved
    #[command(subcommand, after_help = mates::EXAMPLES)]
    Mates(mates::MatesCommand),
    /// Tactics: find them in games, list them, print them, check them
    #[command(subcommand, after_help = tactics::EXAMPLES)]
    Tactics(tactics::TacticsCommand),
    /// Train the evaluation: play games, store them, fit a network
    #[command(subcommand, after_help = learn::EXAMPLES)]
    Learn(learn::LearnCommand),
    /// Completions of these commands for a shell, or the manual as pages for `man`
    Completions(shell::CompletionsArgs),
    /// Tune constants of the search by games
    #[cfg(feature = "tune")]
    Tune(super::tune::TuneArgs),
}

/// Runs the command line of the process.
pub fn run() -> ExitCode {
    run_with(std::env::args_os().collect())
}

/// Runs a command line, whose first word is the program's name: where the program is a part of another, as of the Python
/// package, the process has other arguments. Errors are printed in one line on standard error, with exit code 2.
pub fn run_with(words: Vec<OsString>) -> ExitCode {
    crate::install_languages();
    #[cfg(unix)]
    // Where that is not possible, such a write ends the program, as it does others.
    let _ = chuhe_support::interrupts::survive_file_size_limit();
    if let Some(language) = early_option(&words, "--lang").or_else(system_language) {
        Language::set_program_language(language);
    }
    let typed = words.clone();
    let words = match arena::with_peer_spelling(words) {
        Ok(words) => {
            let program = english_command();
            with_listed_names(&program, clap_errors::reorder_help(&program, words))
        }
        Err(error) => {
            print_error(|| error.to_string());
            return ExitCode::from(2);
        }
    };
    let matches = match english_command().color(color_choice(&words)).try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(error) => return report_error(&error, &words),
    };
    let arguments = CliArgs::from_arg_matches(&matches);
    match arguments.map_err(Box::<dyn Error>::from).and_then(|arguments| run_command(arguments, &words, &typed)) {
        Ok(code) => code,
        // The reader of the output closed it; not an error.
        Err(error) if output::is_output_closed(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(|| reason(error.as_ref()));
            ExitCode::from(2)
        }
    }
}

/// The language that the system is set to, where no variable names one and the system has a setting of its own.
#[cfg(any(windows, target_os = "macos"))]
fn system_language() -> Option<Language> {
    let locale = if Language::is_in_environment() { None } else { sys_locale::get_locale() };
    locale.map(|locale| Language::of_locale(&locale))
}

#[cfg(not(any(windows, target_os = "macos")))]
fn system_language() -> Option<Language> {
    None
}

fn color_choice(words: &[OsString]) -> ColorChoice {
    early_option(words, "--color").unwrap_or(ColorChoice::Auto)
}

/// The command line in English, with all its subcommands.
pub fn english_command() -> clap::Command {
    let is_usual = |arg: &clap::Arg| {
        arg.get_long().is_none_or(|long| arena::USUAL_OPTIONS.contains(&long) || ["help", "help-all"].contains(&long))
    };
    let brief = |arg: clap::Arg| if is_usual(&arg) { arg } else { arg.hide_short_help(true) };
    taking_negative_numbers(CliArgs::command()).mut_subcommand("arena", |arena| arena.mut_args(brief))
}

/// Lets options with a value accept `-1`, so that their own parsers can explain the error: no option here is a number.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    let takes_value = |arg: &clap::Arg| arg.get_action().takes_values();
    let taking = |arg: clap::Arg| if takes_value(&arg) { arg.allow_negative_numbers(true) } else { arg };
    command.mut_args(taking).mut_subcommands(taking_negative_numbers)
}

/// The value of an option, read before full parsing; applies to the help as well.
fn early_option<T: FromStr>(words: &[OsString], option: &str) -> Option<T> {
    let words: Vec<_> = words.iter().skip(1).map(|word| word.to_string_lossy()).collect();
    let pairs = words.iter().zip(words.iter().skip(1));
    let apart = pairs.filter(|(word, _)| *word == option).map(|(_, value)| &**value);
    let joined = words.iter().filter_map(|word| word.strip_prefix(option)?.strip_prefix('='));
    apart.chain(joined).find_map(|value| value.parse().ok())
}

/// Prints the requested help, or one line about invalid arguments.
fn report_error(error: &clap::Error, words: &[OsString]) -> ExitCode {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    let is_help = matches!(error.kind(), DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand);
    if is_help {
        // Help pages are built on demand, so that the engine starts without that cost.
        // `help COMMAND` and `--help-all` give the whole page.
        let is_brief = words.iter().any(|word| word == "--help" || word == "-h");
        let program = help_layout::localized(english_command().color(color_choice(words)), is_brief);
        let page = program.try_get_matches_from(words).err();
        // A failed print cannot be reported anywhere.
        let _ = page.as_ref().unwrap_or(error).print();
        return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
    }
    print_error(|| clap_errors::error_message(error, &clap_errors::subcommand_of(&english_command(), words)));
    ExitCode::from(2)
}

/// Runs a command; the log says it as it was typed.
fn run_command(arguments: CliArgs, words: &[OsString], typed: &[OsString]) -> Result<ExitCode, Box<dyn Error>> {
    start_log(arguments.log.as_deref(), arguments.log_level, typed)?;
    match arguments.color {
        ColorChoice::Auto => {}
        ColorChoice::Always => terminal::choose_colours(true),
        ColorChoice::Never => terminal::choose_colours(false),
    }
    #[cfg(feature = "tune")]
    chuhe_engine::search::params::set_from_environment()?;
    // What people read is in their language, through a pipe as well; JSON is not translated. A host of the protocols gets
    // English unless it asks for something else.
    let is_json = words.iter().any(|word| word == "--json");
    let is_host = arguments.command.is_none() && arguments.lang.is_none() && !io::stdout().is_terminal();
    let language = if is_json || is_host { Language::ENGLISH } else { Language::program_language() };
    let told = output_words(arguments.command.as_ref());
    let outcome = language.with(|| run_subcommand(arguments.command, arguments.lang, words));
    outcome.map_err(|error| match error.downcast::<CliError>() {
        Ok(error) => error.of_output(told).into(),
        Err(error) => error,
    })
}

/// How a command says that it cannot write.
fn output_words(command: Option<&Command>) -> fn(String) -> String {
    match command {
        None | Some(Command::Arena(_) | Command::Board(_) | Command::Bench(_) | Command::Learn(_)) => |cause| cause,
        Some(Command::Analyse(args)) if args.eval => |cause| cause,
        Some(Command::Analyse(_)) => |reason| tr!("cannot write the analysis: {reason}", reason),
        Some(Command::Convert(_)) => |cause| tr!("cannot write the games: {cause}", cause),
        Some(Command::Completions(_)) => |cause| tr!("cannot write the page: {cause}", cause),
        Some(Command::Review(_)) => |cause| tr!("cannot write the review: {cause}", cause),
        Some(Command::Show(_)) => |cause| tr!("cannot write the picture: {cause}", cause),
        Some(_) => |cause| tr!("cannot write the answer: {cause}", cause),
    }
}

/// Runs a subcommand; messages are in the current language, `lang` is the one that the user has asked for.
fn run_subcommand(
    command: Option<Command>,
    lang: Option<Language>,
    words: &[OsString],
) -> Result<ExitCode, Box<dyn Error>> {
    let (mut out, is_terminal) = (StandardOutput::new(), io::stdout().is_terminal());
    // Output in lines may quote foreign text.
    let mut sanitized = SanitizingWriter::new(StandardOutput::new());
    match command {
        None => {
            let is_person = io::stdin().is_terminal() && is_terminal;
            if board::is_desktop_start(is_person) {
                board::run_from_desktop(&mut sanitized)?;
                return Ok(ExitCode::SUCCESS);
            }
            if is_person {
                writeln!(sanitized, "{}", protocol::terminal_greeting())?;
            }
            protocol::run(io::stdin(), out, is_person)?;
        }
        Some(Command::Play(args)) => play::run(&args, &mut out, is_terminal)?,
        Some(Command::Board(args)) => board::run(&args, lang, &mut sanitized)?,
        Some(Command::Arena(args)) => {
            let args = arena::merge_config(*args, english_command(), words.to_vec())?;
            return Ok(arena::run(&args, &mut out, is_terminal)?);
        }
        Some(Command::Judge(args)) => return Ok(judge::judge_table(&args, &mut sanitized)?),
        Some(Command::Convert(args)) => return Ok(convert::run(&args, &mut out)?),
        Some(Command::Show(args)) => return Ok(show::run(&args, &mut out, is_terminal)?),
        Some(Command::Picture(args)) => return Ok(picture::run(&args, &mut out)?),
        Some(Command::Review(args)) => return Ok(review::run(&args, &mut out, is_terminal)?),
        Some(Command::Analyse(args)) if args.eval => analyse::explain(&args.position, args.json, &mut sanitized)?,
        Some(Command::Analyse(args)) => return Ok(analyse::run(&args, &mut out, is_terminal)?),
        Some(Command::Perft(args)) => perft::run(&args, &mut sanitized)?,
        Some(Command::Bench(args)) => return bench::run(&args, &mut sanitized),
        Some(Command::Explore(args)) => return Ok(explore::run(&args, &mut sanitized)?),
        Some(Command::Repertoire(args)) => return Ok(repertoire::run(&args, &mut sanitized)?),
        Some(Command::Book(args)) => return Ok(book::run(&args, &mut sanitized)?),
        Some(Command::Tables(args)) => return Ok(tables::run(&args, &mut sanitized)?),
        Some(Command::Mates(args)) => return Ok(mates::run(&args, &mut out, &mut sanitized)?),
        Some(Command::Tactics(args)) => return Ok(tactics::run(&args, &mut sanitized)?),
        Some(Command::Learn(args)) => learn::run(&args, &mut sanitized)?,
        Some(Command::Completions(args)) => shell::run(&args, english_command(), &mut out)?,
        #[cfg(feature = "tune")]
        Some(Command::Tune(args)) => super::tune::run(&args, &mut out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The command line with the names that are listed: commands that are modes of others now go on working under those that
/// they had.
fn with_listed_names(program: &clap::Command, words: Vec<OsString>) -> Vec<OsString> {
    let typed: Vec<usize> = subcommand_words(program, &words).map(|(place, _)| place).take(2).collect();
    let Some(&first) = typed.first() else { return words };
    let is_help = words[first] == "help";
    let place = if is_help { typed.get(1).copied() } else { Some(first) };
    let Some((place, new)) = place.and_then(|place| Some((place, new_words(words[place].to_str()?)?))) else {
        return words;
    };
    let (before, behind) = (&words[..place], &words[place + 1..]);
    if is_help {
        return [before, &[new[0].into()], behind].concat();
    }
    let mut behind = behind.to_vec();
    let mut new: Vec<OsString> = new.iter().map(OsString::from).collect();
    if new[1] == "--selfplay" {
        // The number of games is the value of the option.
        for word in &mut behind {
            if let Some(rest) = word.to_str().and_then(|word| word.strip_prefix("--games")) {
                *word = format!("--selfplay{rest}").into();
                new.truncate(1);
            }
        }
    }
    [before, &new, &behind].concat()
}

fn new_words(old: &str) -> Option<[&'static str; 2]> {
    match old {
        "selfplay" => Some(["bench", "--selfplay"]),
        "eval" => Some(["analyse", "--eval"]),
        "man" => Some(["completions", "man"]),
        _ => None,
    }
}

/// The environment variable with the log level: `error`, `warn`, `info`, `debug` or `trace`.
pub const LOG_LEVEL_VARIABLE: &str = "CHUHE_LOG";

/// Starts logging: appends to `file` if there is one (from `debug` up unless the level or the
/// environment says otherwise), else to standard error if one of them asks for it. The file begins with a line about the program, its arguments and the
/// time.
pub fn start_log(file: Option<&Path>, level: Option<LevelFilter>, words: &[OsString]) -> Result<(), CliError> {
    let default = if file.is_some() { LevelFilter::Debug } else { LevelFilter::Off };
    let level = match std::env::var_os(LOG_LEVEL_VARIABLE) {
        _ if level.is_some() => level.unwrap_or(default),
        Some(text) if !text.is_empty() => {
            let text = text.to_string_lossy();
            let unknown = |_| {
                cli_error!(
                    "{variable}: '{text}' is none of off, error, warn, info, debug, trace",
                    variable = LOG_LEVEL_VARIABLE,
                    text = text.chars().take(16).collect::<String>()
                )
            };
            text.parse().map_err(unknown)?
        }
        _ => default,
    };
    let mut builder = env_logger::Builder::new();
    builder.filter_level(level);
    // The default format, with terminal control sequences in foreign text removed.
    builder.format(|out, record| {
        let time = chuhe_support::date::now();
        let message = Language::ENGLISH.with(|| record.args().to_string());
        writeln!(out, "[{time} {:<5} {}] {}", record.level(), record.target(), sanitize(&message))
    });
    if let Some(path) = file {
        // Appends, so that several engines of one match may share a file.
        let open = || {
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            let what = words.iter().skip(1).map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
            writeln!(file, "{}", protocol::log_heading(&format!("chuhe {what}"))).map(|()| file)
        };
        let file = open().map_err(|error| {
            let (path, cause) = (path.display().to_string(), CliError::of_system(error));
            cli_error!("cannot write the log file {path}: {cause}", path, cause)
        })?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    // If a library user has installed a logger, that one stays.
    let _ = builder.try_init();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_names_are_replaced_and_other_words_stay() {
        let program = english_command();
        let cases = [
            ("chuhe eval h2e2 --json", "chuhe analyse --eval h2e2 --json"),
            ("chuhe --lang zh eval", "chuhe --lang zh analyse --eval"),
            ("chuhe selfplay --seed 2", "chuhe bench --selfplay --seed 2"),
            ("chuhe selfplay --nodes 5 --games=6", "chuhe bench --nodes 5 --selfplay=6"),
            ("chuhe man --out x", "chuhe completions man --out x"),
            ("chuhe help eval", "chuhe help analyse"),
            ("chuhe judge eval", "chuhe judge eval"),
            ("chuhe", "chuhe"),
        ];
        for (old, new) in cases {
            let words = old.split(' ').map(OsString::from).collect();
            let replaced: Vec<String> =
                with_listed_names(&program, words).iter().map(|word| word.to_string_lossy().into_owned()).collect();
            assert_eq!(replaced.join(" "), new);
        }
    }
}
