//! The help in the reader's language: what the commands say of themselves, put into other words.

use crate::language::Language;
use clap::builder::StyledStr;
use clap::{Arg, Command};

/// A page of help in Chinese: what clap adds of itself is English.
const PAGE: &str = "{before-help}{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}";

/// A program whose help speaks this language.
pub fn in_language(language: Language, mut program: Command) -> Command {
    if language == Language::English {
        return program;
    }
    // With all that clap adds of itself: `--help`, and the subcommand `help`.
    program.build();
    translated(language, program)
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
