//! Shell completions and man pages.

use super::output::OverwriteArgs;
use crate::protocol;
use chuhe_support::files::{At, OutputError, OverwritePolicy, is_stdio, make_folder};
use chuhe_support::language::{reason, tr};
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, Write};
use std::path::PathBuf;
use thiserror::Error;

const COMPLETIONS: &str = "\
Examples:
  chuhe completions bash > ~/.local/share/bash-completion/completions/chuhe
  chuhe completions zsh > \"${fpath[1]}/_chuhe\"
  chuhe completions fish > ~/.config/fish/completions/chuhe.fish";

const PAGES: &str = "\
Examples:
  chuhe man | man -l -              read the page of the program
  chuhe man --out ~/.local/share/man/man1
                                    a page for each subcommand; then: man chuhe-perft";

/// Arguments of `chuhe completions`.
#[derive(Args, Debug, Clone)]
#[command(after_help = COMPLETIONS)]
pub struct CompletionsArgs {
    /// The shell that is to complete commands of chuhe
    shell: Shell,
}

/// Arguments of `chuhe man`.
#[derive(Args, Debug, Clone)]
#[command(after_help = PAGES)]
pub struct ManArgs {
    /// Write a page for the program and one for each subcommand into this folder [default: the first to standard output]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// An error of `chuhe man`.
#[derive(Debug, Error)]
pub enum ManError {
    #[error(transparent)]
    File(#[from] OutputError),
    #[error("{}", tr!("cannot write the page: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}

/// Writes a completion script for a shell.
pub fn completions(args: &CompletionsArgs, mut program: Command, out: &mut dyn Write) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "chuhe", &mut script);
    out.write_all(&script)
}

/// Writes the man pages.
pub fn man(args: &ManArgs, mut program: Command, out: &mut dyn Write) -> Result<(), ManError> {
    program.build();
    let Some(folder) = args.out.as_deref().filter(|folder| !is_stdio(folder)) else {
        return Ok(out.write_all(&page(&program)?)?);
    };
    make_folder(folder).at(folder).map_err(OutputError::from)?;
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
