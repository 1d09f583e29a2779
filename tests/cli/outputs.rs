//! Output of the program: the rule for overwriting files, symbolic links and permissions, pipes and devices, and no
//! terminal control characters from foreign text.

#[cfg(target_os = "linux")]
use crate::common::stdout;
use crate::common::{Folder, refusal, stderr, success};
use clap::Command;
use std::process::Output;
#[cfg(target_os = "linux")]
use std::process::Stdio;

const MOVES: &str = "startpos moves h2e2 h9g7";
const REVIEW: [&str; 6] = ["review", MOVES, "--nodes", "50", "--threads", "1"];

/// All commands, with their parents.
fn commands(command: &Command, above: &str, found: &mut Vec<(String, Command)>) {
    let name = format!("{above} {}", command.get_name());
    found.push((name.clone(), command.clone()));
    command.get_subcommands().for_each(|inner| commands(inner, &name, found));
}

/// Runs a command in whose words FILE stands for the file to write.
fn run(folder: &Folder, words: &[&str], file: &str) -> Output {
    let words: Vec<&str> = words.iter().map(|&word| if word == "FILE" { file } else { word }).collect();
    folder.chuhe(&words)
}

/// Commands that write a file, and the required file name.
fn writers() -> Vec<(Vec<&'static str>, &'static str)> {
    let review = |option: &'static str| [&REVIEW[..], &[option, "FILE"]].concat();
    vec![
        (vec!["convert", "game.pgn", "--to", "pgn", "--out", "FILE"], "a.pgn"),
        (vec!["convert", "game.pgn", "--out", "FILE"], "a.xqf"),
        (vec!["show", "--svg", "FILE"], "a.svg"),
        (vec!["show", "--png", "FILE"], "a.png"),
        (review("--pgn"), "a.pgn"),
        (review("--html"), "a.html"),
        (review("--json"), "a.json"),
        (vec!["book", "import", "game.pgn", "--out", "FILE"], "a.chb"),
        (vec!["book", "import", "game.pgn", "--out", "FILE"], "a.dat"),
        (vec!["book", "convert", "small.chb", "FILE"], "a.chb"),
        (vec!["book", "merge", "small.chb", "--out", "FILE"], "a.chb"),
        (vec!["learn", "convert", "games.txt", "--out", "FILE"], "a.games"),
    ]
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("game.pgn", "[Red \"a\"]\n\n1. h2e2 h9g7 1-0\n");
    folder.write("games.txt", "");
    success(&folder.chuhe(&["book", "import", "game.pgn", "--out", "small.chb"]));
    folder
}

#[test]
fn commands_that_write_files_have_force() {
    let mut program = chuhe::cli::commands::english_command();
    program.build();
    let mut found = Vec::new();
    commands(&program, "", &mut found);
    let help = |command: &Command| {
        let force = command.get_arguments().find(|arg| arg.get_id() == "force");
        force.map(|arg| arg.get_help().map(ToString::to_string).unwrap_or_default())
    };
    // The arena adds to its record and writes over reports alone.
    let told: Vec<String> =
        found.iter().filter(|(name, _)| !name.ends_with(" arena")).filter_map(|(_, command)| help(command)).collect();
    assert!(told.len() >= 11 && told.iter().all(|text| *text == told[0] && !text.is_empty()), "{told:?}");
    // These commands resume their own output or fill a folder, so they overwrite nothing.
    let others = ["learn play", "learn relabel", "tables build"];
    for (name, command) in &found {
        let writes =
            command.get_arguments().any(|arg| ["out", "svg", "html", "report"].contains(&arg.get_id().as_str()));
        let is_other = others.iter().any(|other| name.ends_with(other)) || name.contains(" help ");
        assert!(!writes || is_other || help(command).is_some(), "{name} writes, and has no --force");
    }
}

#[test]
fn foreign_files_are_overwritten_only_with_force() {
    let folder = folder();
    for (words, file) in writers() {
        // A file of the same kind by another program, and a file of unknown content.
        for there in ["[Annotator \"Chuhe 1\"]\n\n1. h2e2 *\n\n[Red \"b\"]\n\n1. h2e2 *\n", "mine", ""] {
            folder.write(file, there);
            let told = refusal(&run(&folder, &words, file));
            let wanted = format!("chuhe: {file} exists; use --force to overwrite it, or another name\n");
            assert_eq!(told, wanted, "{words:?}");
            assert_eq!(folder.text(file), there, "{words:?}");
        }
        let forced = run(&folder, &[&words[..], &["--force"]].concat(), file);
        assert!(forced.status.success(), "{words:?}: {}", stderr(&forced));
        let whole = std::fs::read(folder.path(file)).expect("a file");
        assert_ne!(whole, b"mine", "{words:?}");
        // A file of the same command may be replaced, if the command can recognize it.
        let again = run(&folder, &words, file);
        let has_marker =
            words[0] != "convert" && words[0] != "learn" && ![".dat", ".pgn"].iter().any(|end| file.ends_with(end));
        assert_eq!(again.status.success(), has_marker, "{words:?}: {}", stderr(&again));
        std::fs::remove_file(folder.path(file)).expect("a file");
    }
}

#[cfg(unix)]
#[test]
fn links_and_permissions_survive_overwriting() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let words = ["show", "--svg", "link.svg"];
    std::fs::create_dir(folder.path("far")).expect("a folder");
    symlink("far/away.svg", folder.path("link.svg")).expect("a link");
    success(&folder.chuhe(&words));
    let far = folder.path("far/away.svg");
    std::fs::set_permissions(&far, std::fs::Permissions::from_mode(0o600)).expect("permissions");
    success(&folder.chuhe(&[&words[..], &["--flip"]].concat()));
    assert!(folder.path("link.svg").is_symlink() && folder.text("far/away.svg").contains("<svg"));
    assert_eq!(std::fs::metadata(&far).expect("a file").permissions().mode() & 0o777, 0o600);
    symlink("b", folder.path("a")).and_then(|()| symlink("a", folder.path("b"))).expect("links");
    assert!(refusal(&folder.chuhe(&["show", "--svg", "a", "--force"])).starts_with("chuhe: a: "));
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_and_devices_are_written_directly() {
    let folder = folder();
    let svg = stdout(&folder.chuhe(&["show", "--svg", "-"]));
    assert!(svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(stdout(&folder.chuhe(&["show", "--svg", "/dev/stdout"])), svg);
    // Standard output redirected to a file is appended to, not replaced.
    let file = std::fs::File::create(folder.path("out.svg")).expect("a file");
    let child = folder.command(&["show", "--svg", "/dev/stdout"]).stdout(file).status().expect("chuhe runs");
    assert!(child.success() && folder.text("out.svg") == svg);
    assert!(std::process::Command::new("mkfifo").arg(folder.path("fifo")).status().expect("mkfifo").success());
    let reader =
        std::process::Command::new("cat").arg(folder.path("fifo")).stdout(Stdio::piped()).spawn().expect("cat");
    success(&folder.chuhe(&["show", "--png", "fifo"]));
    let read = reader.wait_with_output().expect("it ends").stdout;
    assert!(read.starts_with(b"\x89PNG") && folder.path("fifo").exists());
    success(&folder.chuhe(&["convert", "game.pgn", "--to", "pgn", "--out", "/dev/null"]));
}

#[test]
fn control_characters_of_files_do_not_reach_the_terminal() {
    let folder = Folder::new();
    let evil = "\u{1b}]0;owned\u{7}\u{9b}31m\u{7f}";
    let game = format!("[Event \"{evil}\"]\n[Red \"{evil}\"]\n\n{{{evil}}} 1. h2e2 {{{evil}}} h9{evil} *\n");
    folder.write("evil.pgn", &game);
    folder.write("evil.toml", format!("{evil} = 1"));
    // Windows has no such names.
    let name = if cfg!(windows) { String::from("good.pgn") } else { format!("{}.pgn", &evil[..5]) };
    folder.write(&name, &game);
    for words in [
        &["convert", "evil.pgn", "--to", "pgn"][..],
        &["convert", "evil.pgn", "--to", "ubb"],
        &["judge", "evil.pgn"],
        &["judge", &name],
        &["review", "evil.pgn", "--nodes", "50", "--threads", "1", "--lang", "zh"],
        &["show", "evil.pgn"],
        &["show", "evil.pgn", "--svg", &name, "--force"],
        &["play", "--game", "evil.pgn", "--side", "both"],
        &["show", evil],
        &["learn", "show", "evil.pgn"],
        &["arena", "--config", "evil.toml"],
        &[evil],
    ] {
        let output = folder.chuhe(words);
        for text in [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)] {
            let obeyed = text.chars().find(|letter| letter.is_control() && !matches!(letter, '\n' | '\t'));
            assert_eq!(obeyed, None, "{words:?}: {text:?}");
        }
    }
}
