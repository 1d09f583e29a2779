//! The help as its reader wants it: in his language, as wide as his terminal. The commands say what they are for and what
//! their options mean; how that stands on a page is decided here, as clap breaks no line of Chinese.

use super::notes::{Note, notes};
use crate::terminal;
use chuhe_engine::language::{Language, Phrase, phrase, tr};
use chuhe_toolkit::text::{padded, wrapped};
use clap::{Arg, Command};
use std::io::{self, IsTerminal};
use unicode_width::UnicodeWidthStr;

/// The commands by what they are for. Those of the authors stand apart.
const GROUPS: [(Phrase, &[&str]); 7] = [
    (phrase!("Play:"), &["board", "play"]),
    (phrase!("Look at a position:"), &["analyse", "show", "eval", "judge", "perft"]),
    (phrase!("Games:"), &["review", "convert"]),
    (phrase!("Openings and endgames:"), &["book", "tables"]),
    (phrase!("Engines:"), &["arena", "bench"]),
    (phrase!("Workshop:"), &["learn", "mates", "selfplay", "tune"]),
    (phrase!("The program:"), &["completions", "man", "help"]),
];

/// Columns where nobody says how many there are.
const USUAL_WIDTH: usize = 100;

/// A program whose help speaks the language of the reader.
pub fn in_readers_language(mut program: Command) -> Command {
    // With all that clap adds of itself: `--help`, and the subcommand `help`.
    program.build();
    let known = terminal::width(io::stdout().is_terminal());
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    let width = if known < usize::MAX { known } else { told().unwrap_or(USUAL_WIDTH) };
    with_pages(program, width)
}

/// All texts of the help that are looked up.
pub fn texts(command: &Command) -> Vec<String> {
    let mut texts: Vec<String> = about(command).into_iter().collect();
    texts.extend(command.get_arguments().filter_map(Arg::get_help).map(ToString::to_string));
    texts.extend(
        command.get_arguments().filter_map(Arg::get_help_heading).map(|heading| format!("{heading}:")),
    );
    for note in notes(&after(command)) {
        match note {
            Note::Text(text) => texts.push(text),
            Note::Rows(rows) => {
                texts.extend(rows.into_iter().map(|row| row.1).filter(|text| !text.is_empty()))
            }
            Note::Blank => {}
        }
    }
    texts.extend(command.get_subcommands().flat_map(self::texts));
    texts
}

fn about(command: &Command) -> Option<String> {
    command.get_long_about().or(command.get_about()).map(ToString::to_string)
}

fn after(command: &Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
}

fn said(text: &str) -> String {
    Language::of_reader().translation(text).to_string()
}

fn with_pages(command: Command, width: usize) -> Command {
    let page = Page { width, title: *command.get_styles().get_header(), text: String::new() }.of(&command);
    let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_string()).collect();
    names
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |inner| with_pages(inner, width)))
        .override_help(page)
}

/// A page that is being written.
struct Page {
    width: usize,
    title: clap::builder::styling::Style,
    text: String,
}

impl Page {
    fn of(mut self, command: &Command) -> String {
        let is_program = !command.get_bin_name().unwrap_or_default().contains(' ');
        self.paragraph(&said(&about(command).unwrap_or_default()));
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage:").trim();
        let usage = usage.replace("[OPTIONS]", &tr!("[OPTIONS]")).replace("[COMMAND]", &tr!("[COMMAND]"));
        self.text += &format!("\n{0}{1}{0:#} {usage}\n", self.title, tr!("Usage:"));
        for (heading, rows) in sections(command, is_program) {
            self.text += &format!("\n{0}{heading}{0:#}\n", self.title);
            self.rows(rows);
        }
        if !is_program {
            let common: Vec<String> = globals(command).map(ToString::to_string).collect();
            self.text.push('\n');
            let options = common.join(", ");
            self.paragraph(&tr!(
                "Every command also takes {options}; `chuhe --help` tells of them.",
                options
            ));
        }
        let notes = notes(&after(command));
        if !notes.is_empty() {
            self.text.push('\n');
        }
        for note in notes {
            match note {
                Note::Blank => self.text.push('\n'),
                Note::Text(text) => self.paragraph(&said(&text)),
                Note::Rows(rows) => {
                    self.rows(rows.into_iter().map(|(name, text)| (name, said(&text))).collect())
                }
            }
        }
        self.text
    }

    fn paragraph(&mut self, text: &str) {
        self.text += &format!("{}\n", wrapped(text, self.width));
    }

    /// Names with what they are, in two columns. What has a name that is too wide for its column stands on the next line.
    fn rows(&mut self, rows: Vec<(String, String)>) {
        let widths = rows.iter().filter(|(_, text)| !text.is_empty()).map(|(name, _)| name.width());
        let column = widths.filter(|&width| width < self.width / 2 - 4).max().unwrap_or(8);
        for (name, text) in rows {
            let beside = format!("  {}  {text}", padded(&name, column));
            let row = if text.is_empty() {
                // What is to be copied stays in one piece.
                format!("  {name}")
            } else if name.width() <= column {
                wrapped(&beside, self.width)
            } else {
                format!("  {name}\n{}", wrapped(&format!("  {}  {text}", padded("", column)), self.width))
            };
            self.text += &format!("{row}\n");
        }
    }
}

/// The lists of a page, each with its heading.
fn sections(command: &Command, is_program: bool) -> Vec<(String, Vec<(String, String)>)> {
    let row = |inner: &Command| (inner.get_name().to_string(), said(&about(inner).unwrap_or_default()));
    let mut sections: Vec<(String, Vec<(String, String)>)> = Vec::new();
    if is_program {
        for (heading, names) in GROUPS {
            let inside = names.iter().filter_map(|name| command.find_subcommand(name));
            sections.push((heading.to_string(), inside.map(row).collect()));
        }
    } else if command.has_subcommands() {
        sections.push((tr!("Commands:"), command.get_subcommands().map(row).collect()));
    }
    let is_shown = |arg: &&Arg| !arg.is_hide_set() && (is_program || !arg.is_global_set());
    let mut shown: Vec<&Arg> = command.get_arguments().filter(is_shown).collect();
    // What has to be said comes before what may be said.
    shown.sort_by_key(|arg| !arg.is_positional());
    for arg in shown {
        let heading = match arg.get_help_heading() {
            Some(heading) => said(&format!("{heading}:")),
            None if arg.is_positional() => tr!("Arguments:"),
            None => tr!("Options:"),
        };
        let row = (name(arg), explained(arg));
        match sections.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, rows)) => rows.push(row),
            None => sections.push((heading, vec![row])),
        }
    }
    sections
}

/// The options that every command has.
fn globals(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| arg.is_global_set())
}

/// An argument as it is typed.
fn name(arg: &Arg) -> String {
    match arg.get_short().filter(|_| arg.get_long().is_some()) {
        Some(short) => format!("-{short}, {arg}"),
        None => arg.to_string(),
    }
}

/// What an argument means, and which values it has.
fn explained(arg: &Arg) -> String {
    let mut text = said(&arg.get_help().map(ToString::to_string).unwrap_or_default());
    if !arg.get_action().takes_values() {
        return text;
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && !arg.is_hide_default_value_set() {
        text = tr!("{text} [default: {values}]", text, values = defaults.join(" "));
    }
    let possible = arg.get_possible_values();
    let possible: Vec<&str> =
        possible.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()).collect();
    if !possible.is_empty() && !arg.is_hide_possible_values_set() {
        text = tr!("{text} [possible values: {values}]", text, values = possible.join(", "));
    }
    text
}
