//! The program started from the desktop, by a double click: no terminal, no arguments, no host. The board opens in the
//! browser; a second start opens the board that runs.

use super::board::{self, BoardError};
use crate::protocol;
use chuhe_board::server::redirect_file::RedirectFile;
use chuhe_study::game::saved_games;
use chuhe_support::files::{make_folder, open_locked};
use chuhe_support::language::{print_error, reason, tr};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How long the file that leads the browser to the running board stays.
const REDIRECT_TIME: Duration = Duration::from_secs(5);

/// The file with the address of the board that runs, in the folder of the saved games.
const ADDRESS_FILE: &str = "board-address";

/// Whether the program was started from the desktop: its console was made for it alone, and nothing is redirected.
pub fn is_desktop_start(is_person: bool) -> bool {
    is_person && std::env::args_os().len() == 1 && has_console_of_its_own()
}

#[cfg(windows)]
fn has_console_of_its_own() -> bool {
    chuhe_support::windows::is_alone_at_console()
}

#[cfg(not(windows))]
fn has_console_of_its_own() -> bool {
    false
}

/// Opens the board, and serves it until the window is closed. An error stays on the screen until Enter is pressed.
pub fn run(out: &mut dyn Write) -> Result<(), BoardError> {
    if let Err(error) = open_board(out) {
        print_error(|| reason(&error));
        writeln!(out, "{}", tr!("Press Enter to close this window."))?;
        out.flush()?;
        io::stdin().read_line(&mut String::new())?;
    }
    Ok(())
}

fn open_board(out: &mut dyn Write) -> Result<(), BoardError> {
    writeln!(out, "Chuhe 楚河 {}", protocol::VERSION)?;
    let claim = saved_games::state_folder().and_then(|folder| claim(&folder).ok());
    let mut address_file = match claim {
        Some(BoardClaim::Running(address)) => {
            writeln!(out, "{}", tr!("The board runs already: {address}", address))?;
            out.flush()?;
            if let Ok(file) = RedirectFile::create(&address) {
                board::open_browser(file.path());
                thread::sleep(REDIRECT_TIME);
            }
            return Ok(());
        }
        Some(BoardClaim::Ours(file)) => Some(file),
        None => None,
    };
    board::serve_default(out, |address, out| {
        if let Some(file) = &mut address_file {
            // Without it a second start opens a board of its own.
            let _ = file.set_len(0).and_then(|()| writeln!(file, "{address}")).and_then(|()| file.flush());
        }
        let program = std::env::current_exe().unwrap_or_default();
        writeln!(out, "{}", tr!("The board opens in your browser: {address}", address))?;
        writeln!(out, "{}", tr!("Close this window to quit; the game is saved."))?;
        let program = program.display();
        writeln!(out, "{}", tr!("Interfaces such as XQWizard load this same file as an engine: {program}", program))?;
        out.flush()
    })
}

/// Whether a board runs.
enum BoardClaim {
    /// One does, at this address.
    Running(String),
    /// None does. This file takes the address; while it is open no other program gets it.
    Ours(File),
}

fn claim(folder: &Path) -> io::Result<BoardClaim> {
    make_folder(folder)?;
    let path = folder.join(ADDRESS_FILE);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match open_locked(options, &path) {
        Ok(file) => Ok(BoardClaim::Ours(file)),
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            let address = fs::read_to_string(&path)?.trim().to_string();
            // The other program may not have written it yet.
            let is_address = address.starts_with("http://127.0.0.1:");
            if is_address { Ok(BoardClaim::Running(address)) } else { Err(ErrorKind::NotFound.into()) }
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_that_runs_is_found_by_its_address_until_it_ends() {
        let folder = std::env::temp_dir().join(format!("chuhe-desktop-{}", std::process::id()));
        let Ok(BoardClaim::Ours(mut file)) = claim(&folder) else { panic!("no board runs") };
        assert!(claim(&folder).is_err(), "it has no address yet");
        writeln!(file, "http://127.0.0.1:9010/#token").expect("written");
        let running = claim(&folder);
        assert!(matches!(running, Ok(BoardClaim::Running(address)) if address == "http://127.0.0.1:9010/#token"));
        drop(file);
        assert!(matches!(claim(&folder), Ok(BoardClaim::Ours(_))));
        fs::remove_dir_all(folder).expect("removed");
    }
}
