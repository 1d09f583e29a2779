//! Endgame tables in a conversation.

use super::host::Host;
use chuhe::tables::{Content, Maker};
use std::fs;

const LONG: &str = "3a5/9/4k4/9/9/9/9/9/9/N2K5 w";

#[test]
fn tables_are_found_used_and_counted() {
    let folder = std::env::temp_dir().join(format!("chuhe-protocol-tables-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let mut maker = Maker::in_folder(&folder, 1, usize::MAX);
    maker.write("KNKA".parse().expect("a name"), Content::Plies).expect("written");

    let mut host = Host::uci();
    host.say(&format!("setoption name TablesPath value {}", folder.display()));
    let lines = host.ask("isready", "readyok");
    assert!(
        lines.iter().any(|line| line == "info string tables: 1 found in 1 folder, missing KNK"),
        "{lines:?}"
    );
    host.say(&format!("position fen {LONG}"));
    let lines = host.ask("go nodes 500", "bestmove");
    let last = lines.iter().rfind(|line| line.starts_with("info depth")).expect("info");
    assert!(last.contains(" score mate 19 ") && last.contains(" tbhits "), "{last}");

    // A file that turns out to be damaged is named; play goes on.
    let file = folder.join("KNKA.ctb");
    fs::write(&file, "nothing of the kind").expect("written");
    let mut host = Host::ucci();
    host.say(&format!("setoption egtbpaths {}", folder.display()));
    host.say(&format!("position fen {LONG}"));
    let lines = host.ask("go nodes 500", "bestmove");
    let named = |line: &String| line.starts_with("info message tables: ") && line.contains("KNKA.ctb");
    assert!(lines.iter().any(named), "{lines:?}");
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_folder_that_is_not_there_is_one_message() {
    let mut host = Host::ucci();
    host.say("setoption egtbpaths /nowhere/at/all");
    let lines = host.ask("isready", "readyok");
    let about: Vec<&String> = lines.iter().filter(|line| line.contains("tables")).collect();
    assert_eq!(about.len(), 1, "{lines:?}");
    assert!(about[0].contains("cannot read '/nowhere/at/all'"), "{about:?}");
}
