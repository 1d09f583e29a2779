//! Shell completions and man pages.

use super::error::{CliError, cli_error};
use super::output::OverwriteArgs;
use crate::protocol;
use chuhe_support::files::{At, OverwritePolicy, is_stdio, make_folder};
use chuhe_support::language::tr;
use clap::builder::PossibleValue;
use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  chuhe completions bash > ~/.local/share/bash-completion/completions/chuhe
  chuhe completions zsh > \"${fpath[1]}/_chuhe\"
  chuhe completions fish > ~/.config/fish/completions/chuhe.fish
  chuhe completions man | man -l -  read the page of the program
  chuhe completions man --out ~/.local/share/man/man1
                                    a page for each subcommand; then: man chuhe-perft";

/// Arguments of `chuhe completions`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell that is to complete commands of chuhe; or man, for pages of the manual
    #[arg(value_name = "SHELL")]
    target: Target,
    /// With man: write a page for the program and one for each subcommand into this folder [default: the first to standard
    /// output]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// What learns the commands.
#[derive(Debug, Clone, Copy)]
enum Target {
    Shell(Shell),
    Man,
}

impl ValueEnum for Target {
    fn value_variants<'a>() -> &'a [Target] {
        use Shell::{Bash, Elvish, Fish, PowerShell, Zsh};
        const ALL: [Target; 6] = [
            Target::Shell(Bash),
            Target::Shell(Elvish),
            Target::Shell(Fish),
            Target::Shell(PowerShell),
            Target::Shell(Zsh),
            Target::Man,
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Target::Shell(shell) => shell.to_possible_value(),
            Target::Man => Some(PossibleValue::new("man")),
        }
    }
}

/// Writes a completion script for a shell, or the man pages.
pub fn run(args: &CompletionsArgs, mut program: Command, out: &mut dyn Write) -> Result<(), CliError> {
    match args.target {
        Target::Shell(_) if args.out.is_some() => {
            Err(cli_error!("--out is for man: a script for a shell goes to standard output"))
        }
        Target::Shell(shell) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut program, "chuhe", &mut script);
            Ok(out.write_all(&script)?)
        }
        Target::Man => man(args, program, out),
    }
}

fn man(args: &CompletionsArgs, mut program: Command, out: &mut dyn Write) -> Result<(), CliError> {
    program.build();
    let Some(folder) = args.out.as_deref().filter(|folder| !is_stdio(folder)) else {
        return Ok(out.write_all(&page(&program)?)?);
    };
    make_folder(folder).at(folder)?;
    let over = OverwritePolicy::IfMarked(b".TH chuhe").or_force(args.over.force);
    let mut pages = Vec::new();
    collect(&program, "chuhe", &mut pages)?;
    // All or none: checks every file before anything is written.
    for (name, _) in &pages {
        over.check(&folder.join(name))?;
    }
    for (name, bytes) in &pages {
        over.write(&folder.join(name), bytes)?;
    }
    Ok(writeln!(out, "{}", tr!("{count} pages in {folder}", count = pages.len(), folder = folder.display()))?)
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Man::new(command.clone()).source(format!("Chuhe {}", protocol::VERSION)).render(&mut bytes)?;
    Ok(bytes)
}

/// The pages of a command and its subcommands, with their file names.
fn collect(command: &Command, name: &str, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    pages.push((format!("{name}.1"), page(command)?));
    let below = command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set());
    for below in below {
        collect(below, &format!("{name}-{}", below.get_name()), pages)?;
    }
    Ok(())
}
