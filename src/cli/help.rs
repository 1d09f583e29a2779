//! The help in the reader's language: what the commands say of themselves, put into other words.

use crate::language::Language;
use clap::builder::StyledStr;
use clap::{Arg, Command};

/// A page of help in Chinese: what clap adds of itself is English.
const PAGE: &str = "{before-help}{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}";

/// The commands by what they are for. Those of the authors stand apart.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Play", &["board", "play"]),
    ("Look at a position", &["show", "eval", "judge", "perft"]),
    ("Games", &["review", "convert"]),
    ("Openings and endgames", &["book", "tables"]),
    ("Engines", &["arena", "bench"]),
    ("Workshop", &["learn", "mates", "selfplay", "tune"]),
    ("The program", &["completions", "man", "help"]),
];

/// A program whose help speaks this language, and lists its commands in groups.
pub fn in_language(language: Language, mut program: Command) -> Command {
    // With all that clap adds of itself: `--help`, and the subcommand `help`.
    program.build();
    if language != Language::ENGLISH {
        program = translated(language, program);
    }
    grouped(language, program)
}

/// Clap knows one list of commands: each group is a program of its own, and what it would list is put into one page.
fn grouped(language: Language, program: Command) -> Command {
    let header = *program.get_styles().get_header();
    let mut listed = String::new();
    for (heading, names) in GROUPS {
        let inside = names.iter().filter_map(|name| program.find_subcommand(name)).cloned();
        let group = Command::new("group").disable_help_subcommand(true).disable_help_flag(true);
        let list = group.help_template("{subcommands}").subcommands(inside).render_help();
        listed += &format!("{header}{}{header:#}\n{}\n", language.say(&format!("{heading}:")), list.ansi());
    }
    let (usage, options) = (language.pick("用法：", "Usage: "), language.pick("选项：", "Options:"));
    let page = format!(
        "{{before-help}}{{about-with-newline}}\n{header}{usage}{header:#}{{usage}}\n\n{listed}\
         {header}{options}{header:#}\n{{options}}{{after-help}}"
    );
    program.help_template(page)
}

fn translated(language: Language, command: Command) -> Command {
    let names: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_string()).collect();
    let said = |text: Option<&StyledStr>| text.map(|text| language.say(&text.to_string()).into_owned());
    let (about, long) = (said(command.get_about()), said(command.get_long_about()));
    let after = said(command.get_after_help());
    let mut command = command
        .mut_args(|arg| described(language, arg))
        .help_template(PAGE)
        .subcommand_help_heading(language.pick("命令", "Commands"));
    if let Some(about) = about {
        command = command.about(about);
    }
    if let Some(long) = long {
        command = command.long_about(long);
    }
    if let Some(after) = after {
        command = command.after_help(after);
    }
    names
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |inner| translated(language, inner)))
}

/// An argument with its help, and what clap would say of its values behind it.
fn described(language: Language, arg: Arg) -> Arg {
    let heading = if arg.is_positional() {
        language.pick("参数", "Arguments")
    } else {
        language.pick("选项", "Options")
    };
    let mut help =
        arg.get_help().map(|help| language.say(&help.to_string()).into_owned()).unwrap_or_default();
    if arg.get_action().takes_values() {
        let defaults: Vec<String> =
            arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
        if !defaults.is_empty() && !arg.is_hide_default_value_set() {
            help.push_str(&format!("［默认：{}］", defaults.join(" ")));
        }
        let possible: Vec<String> = arg
            .get_possible_values()
            .iter()
            .filter(|value| !value.is_hide_set())
            .map(|value| value.get_name().to_string())
            .collect();
        if !possible.is_empty() && !arg.is_hide_possible_values_set() {
            help.push_str(&format!("［可选：{}］", possible.join("、")));
        }
    }
    let arg = arg.help(help).hide_default_value(true).hide_possible_values(true);
    if arg.get_help_heading().is_none() { arg.help_heading(heading) } else { arg }
}
