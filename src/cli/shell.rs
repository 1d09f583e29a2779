//! What a shell wants of a program: completions, and pages for `man`.

use crate::files::{At, FileError, write_whole};
use crate::protocol;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
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

/// What `chuhe completions` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = COMPLETIONS)]
pub struct CompletionsArgs {
    /// The shell that is to complete commands of chuhe
    shell: Shell,
}

/// What `chuhe man` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = PAGES)]
pub struct ManArgs {
    /// Write a page for the program and one for each subcommand into this folder [default: the first to standard output]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Why there are no pages.
#[derive(Debug, Error)]
pub enum ManError {
    /// Something else has the name of a page.
    #[error("{} is there already and is no page of this program: it is left as it is", .0.display())]
    NotOurs(PathBuf),
    /// The system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// Nobody listens.
    #[error("cannot write the page: {0}")]
    Output(#[from] io::Error),
}

/// Writes what a shell reads to complete commands.
pub fn completions(args: &CompletionsArgs, mut program: Command, out: &mut dyn Write) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "chuhe", &mut script);
    out.write_all(&script)
}

/// Writes pages.
pub fn man(args: &ManArgs, mut program: Command, out: &mut dyn Write) -> Result<(), ManError> {
    program.build();
    let Some(folder) = &args.out else { return Ok(out.write_all(&page(&program)?)?) };
    fs::create_dir_all(folder).at(folder)?;
    let mut pages = Vec::new();
    collect(&program, "chuhe", &mut pages)?;
    // All or none: what stands in the way is noticed before anything is written.
    for (name, _) in &pages {
        check(&folder.join(name))?;
    }
    for (name, bytes) in &pages {
        let path = folder.join(name);
        write_whole(&path, bytes).at(&path)?;
    }
    Ok(writeln!(out, "{} pages in {}", pages.len(), folder.display())?)
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Man::new(command.clone()).source(format!("Chuhe {}", protocol::VERSION)).render(&mut bytes)?;
    Ok(bytes)
}

/// The pages of a command and of all below it, with the names of their files.
fn collect(command: &Command, name: &str, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    pages.push((format!("{name}.1"), page(command)?));
    let below = command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set());
    for below in below {
        collect(below, &format!("{name}-{}", below.get_name()), pages)?;
    }
    Ok(())
}

/// Whether a page may be written there.
fn check(path: &Path) -> Result<(), ManError> {
    match fs::read(path) {
        Ok(bytes) if String::from_utf8_lossy(&bytes).contains(".TH chuhe") => Ok(()),
        Ok(_) => Err(ManError::NotOurs(path.to_path_buf())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Ok(Err(error).at(path)?),
    }
}
