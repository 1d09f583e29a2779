//! Memory by the largest game, not by the number or the length of games: commands under a limit of address space.

use crate::common::{CHUHE, Folder, stderr};
use std::process::{Command, Output};

/// Runs the program in this folder with so many megabytes of address space.
fn limited(folder: &Folder, megabytes: usize, words: &[&str]) -> Output {
    let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes * 1024);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, CHUHE]).args(words).current_dir(folder.root()).env("LC_ALL", "C");
    shell.output().expect("sh runs")
}

/// Two rooks that walk to and fro, and repeat a position only after more than a thousand plies.
fn long_repetition() -> String {
    let walk = |ranks: [char; 4]| {
        let up_and_down = |(index, file)| (0..4).map(move |at| (file, ranks[if index % 2 == 0 { at } else { 3 - at }]));
        "abcghi".chars().enumerate().flat_map(up_and_down).map(|(file, rank)| format!("{file}{rank}")).collect()
    };
    let (red, mut black): (Vec<String>, Vec<String>) = (walk(['1', '2', '3', '4']), walk(['8', '7', '6', '5']));
    black.remove(1);
    let step =
        |walk: &[String], at: usize| [walk[at % walk.len()].clone(), walk[(at + 1) % walk.len()].clone()].concat();
    let moves: Vec<String> = (0..1104).flat_map(|at| [step(&red, at), step(&black, at)]).collect();
    format!("[FEN \"3k5/r8/9/9/9/9/9/9/R8/4K4 w\"]\n\n{}\n", moves.join(" "))
}

#[test]
fn judge_takes_memory_by_the_length_of_a_game() {
    let folder = Folder::new();
    folder.write("short.pgn", format!("[Event \"x\"]\n\n{}\n", "h2e2 h9g7 e2h2 g7h9 ".repeat(2500)));
    folder.write("long.pgn", long_repetition());
    let outputs = ["", "--json", "--explain", "--html page.html", "--rules none --json", "--rules all"];
    for words in outputs.map(|words| words.split_whitespace().collect::<Vec<_>>()) {
        for file in ["short.pgn", "long.pgn"] {
            // Thousands of pictures are a large page.
            if file == "long.pgn" && words.contains(&"--html") {
                continue;
            }
            let output = limited(&folder, 300, &[&["judge", file, "--natural-limit", "0"][..], &words].concat());
            assert!(output.status.success(), "{file} {words:?}: {}", stderr(&output));
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.contains("repetition") || text.contains("written"), "{file} {words:?}: {text}");
        }
    }
}
