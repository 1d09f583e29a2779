//! `chuhe board`: serves the board to the browser. It prints the address, opens it, and serves until Ctrl-C.
//!
//! Started from the desktop, by a double click, the program has no terminal, no arguments and no host: then it opens the
//! board, too. A second start opens the board that runs.

use super::error::{CliError, cli_error};
use super::output::print_tablebase_warnings;
use super::position_args;
use super::tables::DEFAULT_FOLDER;
use super::values::number_in;
use crate::protocol;
use crate::protocol::terminal::colour_mode;
use chuhe_app::access::Access;
use chuhe_app::context::AppContext;
use chuhe_app::preferences::Preferences;
use chuhe_app::save_store::SaveStore;
use chuhe_board::server::lan::{LAN_PORT, Lan, LanNotice, MAX_DEVICES, local_addresses};
use chuhe_board::server::redirect_file::RedirectFile;
use chuhe_board::server::{Auth, Router, Server, qr_code};
use chuhe_board::sessions::Sessions;
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::game::saved_games;
use chuhe_study::player::beside_program;
use chuhe_support::POLL_INTERVAL;
use chuhe_support::files::{make_folder, open_locked};
use chuhe_support::interrupts::InterruptHandler;
use chuhe_support::language::{Language, NoThread, print_error, reason, tr};
use clap::Args;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use std::{env, thread};

const EXAMPLES: &str = "\
Examples:
  chuhe board                         opens the board in your browser; Ctrl-C ends it
  chuhe board game.xqf                opens this game
  chuhe board --no-open --port 8000   only prints the address, at this port
  chuhe board --lan                   also for the phone on the same network, by a QR code";

/// Arguments of `chuhe board`.
#[derive(Args, Debug, Clone, Default)]
#[command(after_help = EXAMPLES)]
pub struct BoardArgs {
    /// A file of games, or a FEN or `startpos` with ` moves m1 m2 …` behind it [default: startpos]
    #[arg(value_name = "FILE|POSITION")]
    words: Vec<String>,
    /// Which game of the file: 1 is the first, -1 the last
    #[arg(long = "game", value_name = "N", value_parser = position_args::parse_game_number)]
    number: Option<i64>,
    /// Listen at this port [default: another free one each time]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=u16::MAX))]
    port: Option<u16>,
    /// Share the board with devices on the local network, such as a phone: a QR code pairs each of them [port: 8642]
    #[arg(long)]
    lan: bool,
    /// A folder of endgame tables, for analyses and the endings of Train; may be given more than once [default: tables, here
    /// and beside the program]
    #[arg(long, value_name = "FOLDER")]
    tables: Vec<PathBuf>,
    /// Open no browser: the address is only printed
    #[arg(long)]
    no_open: bool,
    /// End when the last page is closed
    #[arg(long)]
    quit_with_page: bool,
}

/// Serves the board until it is interrupted. In the language that the user has asked for, or else that of the browser.
pub fn run(args: &BoardArgs, lang: Option<Language>, out: &mut dyn Write) -> Result<(), CliError> {
    serve(args, lang, out, |address, out| {
        writeln!(out, "{address}")?;
        writeln!(out, "{}", tr!("Ctrl-C ends it."))?;
        out.flush()
    })
}

/// The same; `announce` shows the address to the user.
fn serve(
    args: &BoardArgs,
    lang: Option<Language>,
    out: &mut dyn Write,
    announce: impl FnOnce(&str, &mut dyn Write) -> io::Result<()>,
) -> Result<(), CliError> {
    let game = match &args.words[..] {
        [] => None,
        words => Some(position_args::parse_input(&words.join(" "))?.game(args.number)?.game),
    };
    let interrupts = InterruptHandler::install()?;
    let listener = listen(args)?;
    let mut guard = Auth::new(listener.local_addr()?.port());
    if args.lan {
        let addresses = local_addresses();
        if addresses.is_empty() {
            return Err(cli_error!(
                "this machine has no address on a local network: connect it to one, or leave --lan out"
            ));
        }
        guard = guard.with_lan(Lan::new(addresses));
    }
    let (store, trouble) = SaveStore::open();
    announce(&guard.address(), out)?;
    let mut redirect = None;
    if !args.no_open {
        redirect = RedirectFile::create(&guard.one_time_address()).ok();
        if !redirect.as_ref().is_some_and(|file| open_browser(file.path())) {
            writeln!(out, "{}", tr!("No browser could be opened: open this address in yours."))?;
            out.flush()?;
        }
    }
    let mut app = AppContext::new(protocol::VERSION, store);
    app.preferences = Arc::new(Preferences::open());
    app.resources.tablebases = args.tables();
    let mut sessions = Sessions::new(app);
    (sessions.storage_error, sessions.opening, sessions.language) = (trouble, game, lang);
    sessions.notes().into_iter().for_each(|note| print_error(|| note.to_string()));
    let server = &Server::new(listener, Router { guard, sessions });
    let guard = &server.router().guard;
    invite(guard, out)?;
    thread::scope(|scope| {
        thread::Builder::new().spawn_scoped(scope, || server.serve()).map_err(NoThread)?;
        while interrupts.poll().is_none() && !(server.router().sessions.remove_gone_clients() && args.quit_with_page) {
            // The key in the file is used up.
            redirect = redirect.take().filter(|_| !guard.is_redeemed());
            // A board continues without the terminal that it was started from.
            let _ = guard.lan().map_or(Ok(()), |lan| tell_notices(lan, guard, out));
            thread::sleep(POLL_INTERVAL);
        }
        server.stop();
        Ok(())
    })
}

impl BoardArgs {
    /// The tables of the named folders, or of those that `chuhe tables build` and the engine use.
    fn tables(&self) -> Arc<Tablebase> {
        let mut folders = self.tables.clone();
        if folders.is_empty() {
            let name = Path::new(DEFAULT_FOLDER);
            folders = std::iter::once(name.to_path_buf()).chain(beside_program(name)).collect();
            folders.retain(|folder| folder.is_dir());
        }
        let tables = Arc::new(Tablebase::open(&folders));
        print_tablebase_warnings(&tables);
        tables
    }
}

/// Listens on this machine, or on the local network at a port that stays.
fn listen(args: &BoardArgs) -> Result<TcpListener, CliError> {
    let refused = |port| {
        move |error| cli_error!("cannot listen at port {port}: {reason}", port, reason = CliError::of_system(error))
    };
    match (args.port, args.lan) {
        (Some(port), false) => Server::listen(port).map_err(refused(port)),
        // An address that was never used before: no page of another server has left anything there.
        (None, false) => Ok(Server::listen(0)?),
        (port, true) => {
            let port = port.unwrap_or(LAN_PORT);
            Server::listen_on_lan(port).map_err(refused(port))
        }
    }
}

/// Prints what has happened on the local network.
fn tell_notices(lan: &Lan, guard: &Auth, out: &mut dyn Write) -> io::Result<()> {
    for notice in lan.take_notices() {
        match notice {
            LanNotice::Paired(device) => {
                writeln!(out, "{}", tr!("{device} is paired. The next device:", device))?;
                invite(guard, out)?;
            }
            LanNotice::Slowed(device) => {
                let sentence = tr!("{device} has sent wrong codes: its next ones are refused for a minute.", device);
                writeln!(out, "{sentence}")?;
            }
            LanNotice::Full(device) => {
                let sentence = tr!(
                    "{device} is not paired: there are {count} devices already. \"Phone\" on the page lists them and sends \
                     them away.",
                    device,
                    count = MAX_DEVICES
                );
                writeln!(out, "{sentence}")?;
            }
        }
    }
    out.flush()
}

/// Prints how the next device is paired, if the board is shared: the address, and a QR code on a terminal.
fn invite(guard: &Auth, out: &mut dyn Write) -> io::Result<()> {
    let Some(address) = guard.lan().and_then(|lan| lan.invitation(guard.port(), Access::Device)) else { return Ok(()) };
    writeln!(out, "{address}")?;
    if io::stdout().is_terminal() {
        let lines = qr_code::terminal_lines(&address, colour_mode(true)).unwrap_or_default();
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    let sentence = tr!(
        "Open this on one device of your network. It can then play, analyse, train and see the games kept here, until this \
         program ends; what is kept it can only add to. What is sent is not encrypted."
    );
    writeln!(out, "{sentence}")?;
    out.flush()
}

/// Opens a file in the system's browser; false if no command to do so was found.
fn open_browser(file: &Path) -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let start = |program: &str, words: &[&str]| spawn_opener(Command::new(program).args(words).arg(file));
    if cfg!(windows) {
        let url = ["url.dll,FileProtocolHandler"];
        start("rundll32.exe", &url) || start_powershell(&file.display().to_string())
    } else if cfg!(target_os = "macos") {
        start("open", &[])
    } else if is_set("WSL_DISTRO_NAME") {
        // Under WSL, `xdg-open` is often missing, PowerShell never.
        start("wslview", &[]) || windows_path(file).is_some_and(|path| start_powershell(&path))
    } else if is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") {
        start("xdg-open", &[]) || start("gio", &["open"])
    } else {
        // A text browser would take over the terminal.
        false
    }
}

fn start_powershell(path: &str) -> bool {
    let start = format!("Start-Process '{}'", path.replace('\'', "''"));
    spawn_opener(Command::new("powershell.exe").args(["-NoProfile", "-Command", &start]))
}

/// What Windows calls a file of WSL.
fn windows_path(file: &Path) -> Option<String> {
    let output = Command::new("wslpath").arg("-w").arg(file).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    Some(path.trim().to_string()).filter(|path| output.status.success() && !path.is_empty())
}

fn spawn_opener(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = quiet.spawn() else { return false };
    // The exit status is unreliable, so it is ignored.
    let _ = thread::Builder::new().spawn(move || child.wait());
    true
}

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
pub fn run_from_desktop(out: &mut dyn Write) -> Result<(), CliError> {
    if let Err(error) = open_board(out) {
        print_error(|| reason(&error));
        writeln!(out, "{}", tr!("Press Enter to close this window."))?;
        out.flush()?;
        io::stdin().read_line(&mut String::new())?;
    }
    Ok(())
}

fn open_board(out: &mut dyn Write) -> Result<(), CliError> {
    writeln!(out, "Chuhe 楚河 {}", protocol::VERSION)?;
    let claim = saved_games::state_folder().and_then(|folder| claim(&folder).ok());
    let mut address_file = match claim {
        Some(BoardClaim::Running(address)) => {
            writeln!(out, "{}", tr!("The board runs already: {address}", address))?;
            out.flush()?;
            if let Ok(file) = RedirectFile::create(&address) {
                open_browser(file.path());
                thread::sleep(REDIRECT_TIME);
            }
            return Ok(());
        }
        Some(BoardClaim::Ours(file)) => Some(file),
        None => None,
    };
    serve(&BoardArgs::default(), None, out, |address, out| {
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
