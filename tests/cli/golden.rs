//! What scripts and people get from the commands, byte for byte: a transcript in `tests/data/golden.txt`, which
//! `UPDATE_GOLDEN=1 cargo test golden` writes anew. A change there is a change for whoever reads these outputs.

use std::fmt::Write;
use std::fs;

use crate::common::Folder;

/// The commands, one after another in one folder, which begins with some games.
const COMMANDS: &str = "
convert games.pgn --game 1 --to fen
convert games.pgn --game 1 --to ubb
show startpos
analyse 'startpos moves h2e2 h9g7' --nodes 2000 --threads 1 --lines 2 --json
analyse games.pgn --game 1 --ply 12 --nodes 2000 --threads 1 --json
analyse games.pgn --game 1 --ply 12 --nodes 2000 --threads 1
analyse games.pgn --game 1 --every-ply --nodes 500 --threads 1 --out list.jsonl
analyse startpos --eval-only --json
analyse startpos --eval
review games.pgn --game 1 --nodes 3000 --threads 1
review games.pgn --game 1 --nodes 3000 --threads 1 --lang zh
review games.pgn --game 1 --nodes 3000 --threads 1 --json -
review games.pgn --game 1 --nodes 3000 --threads 1 --pgn -
review games.pgn --nodes 300 --threads 1 --out reviews.jsonl
review games.pgn --nodes 300 --threads 1 --json -
review games.pgn --nodes 300 --threads 1 --player Li --out reviews.jsonl --sheet sheet.html
explore games.pgn --json
explore games.pgn --csv
explore games.pgn --games 2
explore games.pgn --index club.index --since 2020
repertoire make games.pgn --player Nobody --colour red --out red.pgn
repertoire make own.pgn --player Li --colour red --out red.pgn
repertoire show red.pgn
repertoire show red.pgn --json
repertoire gaps red.pgn --games games.pgn --json
repertoire check own.pgn --with red.pgn --player Li --json
repertoire check own.pgn --with red.pgn --player Li
judge '4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4' --explain
judge '4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4' --rules all
judge '4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4' --explain --json
judge '4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4' --explain --lang zh
judge '4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4' --html ruling.html --rules cxa
judge games.pgn --json
judge games.pgn own.pgn
mates check '3ak4/4a4/9/9/9/9/9/4R4/9/3K4R w' --json
mates check '3ak4/4a4/9/9/9/9/9/4R4/9/3K4R w'
tactics list --count 2
tactics list --count 1 --json
tactics mine games.pgn --nodes 5000 --out tactics.jsonl
tables probe '3ak4/4a4/4b4/9/9/9/9/9/4R4/4K4 w'
tables probe '3ak4/4a4/4b4/9/9/9/9/9/4R4/4K4 w' --json
book show startpos
book show startpos --json
";

/// A game of a club player, with what a record says of it.
const OWN_GAMES: &str = r#"[Event "Club"]
[Date "2026.11.01"]
[Red "Li"]
[Black "Wang"]
[Result "1-0"]

1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 h7i7 1-0

[Event "Club"]
[Date "2026.11.08"]
[Red "Li"]
[Black "Zhao"]
[Result "1/2-1/2"]

1. h2e2 h7e7 2. h0g2 h9g7 3. i0h0 i9h9 1/2-1/2
"#;

/// The words of a line, as a shell splits them.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// The text without what is measured, which are numbers behind these words and before others, and without drawings.
fn without_measurements(text: &str) -> String {
    let mut drawings = text.split("<svg");
    let mut scrubbed = drawings.next().unwrap_or_default().to_owned();
    for part in drawings {
        scrubbed += part.split_once("</svg>").map_or(part, |(_, behind)| behind);
    }
    for before in ["\"time_ms\":", "\"nps\":", "\"time\":"] {
        let mut parts = scrubbed.split(before).map(str::to_owned).collect::<Vec<_>>();
        for part in parts.iter_mut().skip(1) {
            *part = format!("0{}", part.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.'));
        }
        scrubbed = parts.join(before);
    }
    let lines = scrubbed.lines().map(|line| match line.find(" n/s") {
        Some(end) => {
            format!("{}…", line[..end].trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ','))
        }
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn outputs_are_those_that_scripts_know() {
    let folder = Folder::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    fs::copy(format!("{data}/first_version.games"), folder.root().join("archive.games")).unwrap();
    fs::copy(format!("{data}/golden.pgn"), folder.root().join("games.pgn")).unwrap();
    fs::write(folder.root().join("own.pgn"), OWN_GAMES).unwrap();
    let mut transcript = String::new();
    for line in COMMANDS.trim().lines() {
        let words = words(line);
        let output =
            folder.command(&words.iter().map(String::as_str).collect::<Vec<_>>()).output().expect("chuhe runs");
        writeln!(transcript, "$ chuhe {line}").unwrap();
        transcript += &String::from_utf8_lossy(&output.stdout);
        for error in String::from_utf8_lossy(&output.stderr).lines() {
            writeln!(transcript, "! {error}").unwrap();
        }
        writeln!(transcript, "= {}\n", output.status.code().expect("an exit code")).unwrap();
    }
    for file in ["list.jsonl", "reviews.jsonl", "reviews.json", "red.pgn", "tactics.jsonl", "ruling.html"] {
        let content = fs::read_to_string(folder.root().join(file)).unwrap_or_default();
        writeln!(transcript, "< {file}\n{content}").unwrap();
    }
    let transcript = without_measurements(&transcript);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/golden.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, &transcript).unwrap();
    }
    let golden = fs::read_to_string(path).unwrap().replace('\r', "");
    let differences = golden.lines().zip(transcript.lines()).filter(|(left, right)| left != right);
    let first = differences.map(|(left, right)| format!("was {left}\nis  {right}")).next();
    assert_eq!((first, golden.len()), (None, transcript.len()), "see the head of this file");
}
