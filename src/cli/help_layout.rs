//! The help, in the reader's language and as wide as the terminal. The commands hold the texts; the layout is made
//! here, as clap does not wrap Chinese. The examples and notes below the options are written as plain text beside each
//! command and parsed here, so that each piece can be translated and wrapped separately.

use chuhe_support::language::{Language, Phrase, phrase, tr};
use chuhe_support::small_sort::SmallSort;
use chuhe_support::terminal;
use chuhe_support::text_width::{pad_right, wrap};
use clap::{Arg, Command};
use std::io::{self, IsTerminal};
use unicode_width::UnicodeWidthStr;

/// The commands by purpose. Those for developers come last.
const COMMAND_GROUPS: [(Phrase, &[&str]); 7] = [
    (phrase!("Play:"), &["board", "play"]),
    (phrase!("Look at a position:"), &["analyse", "picture", "show", "judge", "perft"]),
    (phrase!("Games:"), &["review", "convert", "tactics"]),
    (phrase!("Openings and endgames:"), &["book", "explore", "repertoire", "tables"]),
    (phrase!("Engines:"), &["arena", "bench"]),
    (phrase!("Workshop:"), &["learn", "mates", "tune"]),
    (phrase!("The program:"), &["completions", "help"]),
];

/// The words for values.
pub const PLACEHOLDERS: [&str; 39] = [
    "OPTIONS", "COMMAND", "FILE", "FOLDER", "DIR", "SECONDS", "MOVES", "PLIES", "NAME", "LEVEL", "LANGUAGE", "SET",
    "MS", "GAME", "GAMES", "WHAT", "WHEN", "WHICH", "NOTATION", "ENCODING", "POSITION", "SCORE", "RESULT", "FORMAT",
    "CLOCK", "DATE", "TEXT", "BOARD", "MOVE", "SQUARE", "POINTS", "SYSTEM", "KEY", "VALUE", "BASE", "INC", "IN",
    "SIDE", "CORNERS",
];

/// Columns where the width is unknown.
const DEFAULT_WIDTH: usize = 100;

/// A program with its help in the reader's language: the whole of it, or of commands with very many options those that are
/// used first.
pub fn localized(mut program: Command, is_brief: bool) -> Command {
    // Includes what clap adds: `--help`, and the subcommand `help`.
    program.build();
    let known = terminal::terminal_width(io::stdout().is_terminal());
    let from_environment = || std::env::var("COLUMNS").ok()?.parse().ok();
    let width = if known < usize::MAX { known } else { from_environment().unwrap_or(DEFAULT_WIDTH) };
    with_pages(program, width, is_brief)
}

/// All texts of the help that need translation.
pub fn texts(command: &Command) -> Vec<String> {
    let mut texts: Vec<String> = about_text(command).into_iter().collect();
    texts.extend(command.get_arguments().map(help_text).filter(|text| !text.is_empty()));
    texts.extend(command.get_arguments().filter_map(Arg::get_help_heading).map(|heading| format!("{heading}:")));
    for note in parse_notes(&after_help_text(command)) {
        match note {
            HelpNote::Text(text) => texts.push(text),
            HelpNote::Rows(rows) => texts.extend(rows.into_iter().map(|row| row.1).filter(|text| !text.is_empty())),
            HelpNote::Blank => {}
        }
    }
    texts.extend(command.get_subcommands().flat_map(self::texts));
    texts
}

fn about_text(command: &Command) -> Option<String> {
    command.get_long_about().or(command.get_about()).map(ToString::to_string)
}

fn after_help_text(command: &Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
}

fn translated(text: &str) -> String {
    Language::current().translate(text).to_string()
}

fn with_pages(command: Command, width: usize, is_brief: bool) -> Command {
    let title = *command.get_styles().get_header();
    let page = HelpPage { width, is_brief, title, text: String::new() }.of(&command);
    let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_string()).collect();
    names
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |inner| with_pages(inner, width, is_brief)))
        .override_help(page)
}

/// A page under construction.
struct HelpPage {
    width: usize,
    /// Without the options that a brief page leaves out.
    is_brief: bool,
    title: clap::builder::styling::Style,
    text: String,
}

impl HelpPage {
    fn of(mut self, command: &Command) -> String {
        let is_program = !command.get_bin_name().unwrap_or_default().contains(' ');
        self.paragraph(&translated(&about_text(command).unwrap_or_default()));
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage:").trim();
        let usage = with_placeholders(usage);
        let heading = tr!("Usage:");
        // The full-width colon needs no blank behind it.
        let gap = if heading.ends_with('：') { "" } else { " " };
        self.text += &format!("\n{0}{heading}{0:#}{gap}{usage}\n", self.title);
        for (heading, rows) in sections(command, is_program, self.is_brief) {
            self.text += &format!("\n{0}{heading}{0:#}\n", self.title);
            self.rows(rows);
        }
        let left_out = command.get_arguments().filter(|arg| arg.is_hide_short_help_set()).count();
        if self.is_brief && left_out > 0 {
            self.text.push('\n');
            self.paragraph(&tr!("{count} more options: --help-all lists them.", count = left_out));
        }
        if !is_program {
            let common: Vec<String> = globals(command).map(|arg| with_placeholders(&arg.to_string())).collect();
            self.text.push('\n');
            let options = common.join(", ");
            self.paragraph(&tr!("Every command also takes {options}; `chuhe --help` lists them.", options));
        }
        let notes = parse_notes(&after_help_text(command));
        if !notes.is_empty() {
            self.text.push('\n');
        }
        for note in notes {
            match note {
                HelpNote::Blank => self.text.push('\n'),
                HelpNote::Text(text) => self.paragraph(&translated(&text)),
                HelpNote::Rows(rows) => {
                    self.rows(rows.into_iter().map(|(name, text)| (name, translated(&text))).collect())
                }
            }
        }
        self.text
    }

    fn paragraph(&mut self, text: &str) {
        self.text += &format!("{}\n", wrap(text, self.width));
    }

    /// Names and descriptions in two columns. The description of a name that is too wide starts on the next line.
    fn rows(&mut self, rows: Vec<(String, String)>) {
        let widths = rows.iter().filter(|(_, text)| !text.is_empty()).map(|(name, _)| name.width());
        let column = widths.filter(|&width| width < self.width / 2 - 4).max().unwrap_or(8);
        for (name, text) in rows {
            let beside = format!("  {}  {text}", pad_right(&name, column));
            let row = if text.is_empty() {
                // Text to be copied is not wrapped.
                format!("  {name}")
            } else if name.width() <= column {
                wrap(&beside, self.width)
            } else {
                format!("  {name}\n{}", wrap(&format!("  {}  {text}", pad_right("", column)), self.width))
            };
            self.text += &format!("{row}\n");
        }
    }
}

/// The lists of a page, each with its heading.
fn sections(command: &Command, is_program: bool, is_brief: bool) -> Vec<(String, Vec<(String, String)>)> {
    let row = |inner: &Command| (inner.get_name().to_string(), translated(&about_text(inner).unwrap_or_default()));
    let mut sections: Vec<(String, Vec<(String, String)>)> = Vec::new();
    if is_program {
        for (heading, names) in COMMAND_GROUPS {
            let inside = names.iter().filter_map(|name| command.find_subcommand(name));
            sections.push((heading.to_string(), inside.map(row).collect()));
        }
    } else if command.has_subcommands() {
        sections.push((tr!("Commands:"), command.get_subcommands().map(row).collect()));
    }
    let is_shown = |arg: &&Arg| {
        !(arg.is_hide_set() || is_brief && arg.is_hide_short_help_set()) && (is_program || !arg.is_global_set())
    };
    let mut shown: Vec<&Arg> = command.get_arguments().filter(is_shown).collect();
    // Positional arguments come first.
    shown.order_by_key(|arg| !arg.is_positional());
    for arg in shown {
        let heading = match arg.get_help_heading() {
            Some(heading) => translated(&format!("{heading}:")),
            None if arg.is_positional() => tr!("Arguments:"),
            None => tr!("Options:"),
        };
        let row = (name(arg), arg_description(arg));
        match sections.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, rows)) => rows.push(row),
            None => sections.push((heading, vec![row])),
        }
    }
    sections
}

/// The global options.
fn globals(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| arg.is_global_set())
}

/// An argument as it is typed.
fn name(arg: &Arg) -> String {
    with_placeholders(&match arg.get_short().filter(|_| arg.get_long().is_some()) {
        Some(short) => format!("-{short}, {arg}"),
        None => arg.to_string(),
    })
}

/// The same text with the words for values, which stand in angle or square brackets, in the reader's language.
pub fn with_placeholders(text: &str) -> String {
    let mut shown = String::new();
    for part in text.split_inclusive(['>', ']']) {
        let (before, value) = part.split_at(part.find(['<', '[']).unwrap_or(part.len()));
        shown.push_str(before);
        let mut word = String::new();
        for letter in value.chars().chain(['\0']) {
            if letter.is_ascii_uppercase() {
                word.push(letter);
                continue;
            }
            shown.push_str(&if PLACEHOLDERS.contains(&word.as_str()) { translated(&word) } else { word.clone() });
            word.clear();
            if letter != '\0' {
                shown.push(letter);
            }
        }
    }
    shown
}

/// The description of an argument in English. Of `--help` clap says, where some options are brief, that `--help` tells more.
fn help_text(arg: &Arg) -> String {
    if arg.get_id() == "help" {
        "Print help".to_string()
    } else {
        arg.get_help().map(ToString::to_string).unwrap_or_default()
    }
}

/// The description of an argument, with its possible values.
fn arg_description(arg: &Arg) -> String {
    let mut text = translated(&help_text(arg));
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

/// A block of the notes.
#[derive(Debug, PartialEq, Eq)]
pub enum HelpNote {
    /// A paragraph or a heading, joined into one line.
    Text(String),
    /// Commands or settings, each with its explanation.
    Rows(Vec<(String, String)>),
    Blank,
}

/// The space between columns.
const COLUMN_GAP: &str = "  ";

/// Parses notes. A line that begins with two blanks is an example, with its explanation behind two more or on the next
/// line, far to the right; a line of settings has its explanation behind a `#`.
pub fn parse_notes(text: &str) -> Vec<HelpNote> {
    let mut notes: Vec<HelpNote> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        let margin = line.len() - line.trim_start().len();
        let is_continued =
            matches!(notes.last(), Some(HelpNote::Rows(rows)) if rows.last().is_some_and(|row| row.0.ends_with('\\')));
        match notes.last_mut() {
            _ if line.is_empty() => notes.push(HelpNote::Blank),
            Some(HelpNote::Rows(rows)) if margin > 2 => {
                let Some((name, explanation)) = rows.last_mut() else { continue };
                if is_continued {
                    *name += &format!("\n{line}");
                } else {
                    let blank = if explanation.is_empty() { "" } else { " " };
                    *explanation += &format!("{blank}{}", line.trim_start());
                }
            }
            Some(HelpNote::Rows(rows)) if margin == 2 || is_setting(line) => rows.push(row(line)),
            _ if margin == 2 || is_setting(line) => notes.push(HelpNote::Rows(vec![row(line)])),
            Some(HelpNote::Text(paragraph)) if !paragraph.ends_with(':') => *paragraph += &format!(" {line}"),
            _ => notes.push(HelpNote::Text(line.to_string())),
        }
    }
    notes
}

/// A line such as `epochs = 14  # passes over the positions`.
fn is_setting(line: &str) -> bool {
    line.contains(" = ") && line.contains("  # ")
}

fn row(line: &str) -> (String, String) {
    let line = line.trim_start();
    let (name, explanation) = line.split_once(COLUMN_GAP).unwrap_or((line, ""));
    (name.to_string(), explanation.trim_start().to_string())
}

#[cfg(test)]
mod notes_tests {
    use super::*;

    #[test]
    fn notes_are_parsed_into_texts_and_rows() {
        let text = "Examples:\n  chuhe a       what it\n  chuhe b --long-option\n                  does\n\nA note on\ntwo lines.\nx = 1  # one\n";
        let pair = |name: &str, explanation: &str| (name.to_string(), explanation.to_string());
        let expected = [
            HelpNote::Text("Examples:".to_string()),
            HelpNote::Rows(vec![pair("chuhe a", "what it"), pair("chuhe b --long-option", "does")]),
            HelpNote::Blank,
            HelpNote::Text("A note on two lines.".to_string()),
            HelpNote::Rows(vec![pair("x = 1", "# one")]),
        ];
        assert_eq!(parse_notes(text), expected);
        let two = parse_notes("  chuhe c \\\n        --more\n                 all of it\n  chuhe d");
        assert_eq!(two, [HelpNote::Rows(vec![pair("chuhe c \\\n        --more", "all of it"), pair("chuhe d", "")])]);
    }
}
