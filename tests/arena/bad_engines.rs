//! Engines that fail during play: each loses its games and is named, and with `--tolerate-faults` the tournament goes
//! on.

use super::program::{conversation, ends, engine, report, script};
use crate::common::{CHUHE, Folder};

/// A correct in-process engine, which starts at once even on a busy machine.
fn honest(folder: &Folder) -> String {
    folder.write("good.toml", "name = \"good\"\nhash_mb = 1\n").display().to_string()
}

/// Plays four games of an engine against a correct one, with these time limits, and checks that it loses all by this
/// fault.
fn loses_by(limits: &[&str], folder: &Folder, engine: &str, fault: &str) {
    let (bad, good) = (format!("name=bad,cmd={engine}"), honest(folder));
    let words = ["--engine", &bad, "--self", &good, "--games", "4", "--nodes", "50", "--concurrency", "2"];
    let referee = ["--margin", "0", "--max-moves", "6", "--json", "--tolerate-faults"];
    let words = [&words[..], &referee, limits].concat();
    let text = report(folder, &words);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "four games and the end: {text}");
    for line in &lines[..4] {
        let lost = if line.contains("\"red\":\"bad\"") { "\"0-1\"" } else { "\"1-0\"" };
        assert!(line.contains(lost) && line.contains(fault), "{line}");
    }
    let counted = format!("\"faults\":[{{\"engine\":\"bad\",\"fault\":\"{fault}\",\"count\":4}}]");
    assert!(lines[4].contains(&counted), "{}", lines[4]);
    assert!(lines[4].contains("\"name\":\"good\",\"wins\":4,\"draws\":0,\"losses\":0"), "{}", lines[4]);
}

#[test]
fn engine_that_fails_loses_by_its_fault() {
    let folder = Folder::new();
    for (name, deed, more, fault) in [
        ("crash", "exit 1", "proto=ucci", "crashed"),
        // A child process keeps the output open.
        ("hang", "sleep 1000", "proto=ucci", "hung"),
        ("cheat", "echo bestmove a0a9", "proto=ask", "played an illegal move"),
        ("babble", "echo bestmove xyzzy", "proto=ucci", "answered nonsense"),
        ("slow", "sleep 0.1; echo bestmove a0a1", "proto=ucci,movetime=1", "overran its time"),
        ("flood", "yes info string noise", "proto=ucci,tc=60", "flooded its output"),
        ("torrent", "tr '\\\\000' x < /dev/zero", "proto=ucci,tc=60", "flooded its output"),
        ("chant", "yes readyok", "proto=ucci,tc=60", "flooded its output"),
    ] {
        // A busy machine may need long for a flood.
        let patience = if name == "hang" { "1" } else { "600" };
        loses_by(&["--patience", patience], &folder, &format!("{},{more}", engine(&folder, name, deed)), fault);
    }
}

#[test]
fn name_of_a_megabyte_is_cut_in_the_records() {
    let folder = Folder::new();
    let body = "while read -r word rest; do case \"$word\" in \
                ucci) printf 'id name Long'; head -c 1000000 /dev/zero | tr '\\000' x; echo; echo ucciok;; \
                isready) echo readyok;; go) exit;; quit) exit;; esac; done";
    let bad = format!("name=bad,cmd={},proto=ucci", script(&folder, "long", body));
    let good = honest(&folder);
    report(
        &folder,
        &[
            "--engine",
            &bad,
            "--self",
            &good,
            "--games",
            "1",
            "--nodes",
            "50",
            "--pgn",
            "games.pgn",
            "--tolerate-faults",
        ],
    );
    let record = folder.text("games.pgn");
    assert!(record.contains("Engine \"Longxxx") && record.len() < 5_000, "{} bytes", record.len());
}

#[test]
fn engine_that_closes_its_output_loses_and_its_children_are_killed() {
    let folder = Folder::new();
    // Its output ends but the process and its child keep running; the arena kills both.
    let child = folder.path("child");
    let deed = format!("sleep 1000 > /dev/null & echo $! >> '{}'; exec > /dev/null; sleep 1000", child.display());
    loses_by(&[], &folder, &format!("{},proto=ucci", engine(&folder, "silent", &deed)), "crashed");
    let children = std::fs::read_to_string(child).expect("the numbers of the children");
    assert_eq!(children.lines().count(), 4);
    children.lines().for_each(ends);
}

#[test]
fn engine_not_ready_for_the_second_game_loses() {
    let folder = Folder::new();
    // Answers `isready` only after the options, then not until it is restarted.
    let body = "n=0; while read -r word rest; do case \"$word\" in ucci) echo ucciok;; quit) exit;; \
                isready) n=$((n+1)); [ $n -lt 2 ] && echo readyok;; esac; done";
    let mute = format!("{},proto=ucci", script(&folder, "mute", body));
    loses_by(&["--start-limit", "5"], &folder, &mute, "did not get ready");
}

#[test]
fn engine_that_answers_before_the_request_loses() {
    let folder = Folder::new();
    let deed = "echo bestmove a0a1; echo bestmove a0a1";
    let loop_ = format!(
        "while read -r word rest; do case \"$word\" in ucci) echo ucciok;; isready) echo readyok; {deed};; \
         quit) exit;; esac; done"
    );
    // The early answer is refused, whether it is read before or after the request is sent.
    let bad = format!("name=bad,cmd={},proto=ucci", script(&folder, "hasty", &loop_));
    let good = honest(&folder);
    let words = ["--engine", &bad, "--self", &good, "--games", "2", "--nodes", "50", "--json"];
    assert!(report(&folder, &words).contains("\"name\":\"good\",\"wins\":2"));
}

#[test]
fn failed_engine_is_restarted() {
    let folder = Folder::new();
    let starts = folder.path("starts");
    let count = format!("echo start >> '{}'", starts.display());
    for (name, deed) in
        [("cheat", "echo bestmove a0a9"), ("hang", "sleep 1000"), ("slow", "sleep 0.1; echo bestmove a0a1")]
    {
        let _ = std::fs::remove_file(&starts);
        let body = format!("{count}; {}", conversation(deed));
        let bad = format!("name=bad,cmd={},proto=ucci,movetime=1", script(&folder, name, &body));
        let good = format!("name=good,cmd={CHUHE},proto=ucci");
        let words = ["--engine", &bad, "--engine", &good, "--games", "4", "--nodes", "50", "--margin", "0"];
        report(&folder, &[&words[..], &["--tolerate-faults"]].concat());
        let starts = std::fs::read_to_string(&starts).expect("starts").lines().count();
        assert_eq!(starts, 4, "{name}");
    }
}

#[test]
fn sweep_is_reported_by_its_elo_bound() {
    let folder = Folder::new();
    let meek = format!("name=meek,cmd={},proto=ucci", engine(&folder, "meek", "echo nobestmove"));
    let good = honest(&folder);
    let words = ["--self", &good, "--engine", &meek, "--games", "10", "--nodes", "50", "--pgn", "games.pgn"];
    let table = report(&folder, &[&words[..], &["--report", "page.html"]].concat());
    assert!(table.contains("  > +34.4\n") && table.contains("  < -34.4\n"), "{table}");
    assert!(table.contains("+10 =0 -0, pairs [0, 0, 0, 0, 5], Elo > +34.4, LOS "), "{table}");
    let page = folder.text("page.html");
    assert!(page.contains("<td>&gt; +34.4</td>") && page.contains("<td>&lt; -34.4</td>"), "{page}");
    let json = report(&folder, &["--merge", "games.pgn", "--json"]);
    assert!(json.contains("\"elo\":null,\"elo_error\":null,\"elo_at_least\":34.35"), "{json}");
    assert!(json.contains("\"elo_at_most\":-34.35"), "{json}");
}

#[test]
fn resignations_and_agreed_draws_end_games() {
    let folder = Folder::new();
    let meek = engine(&folder, "meek", "echo nobestmove");
    let words = ["--engine", &format!("name=meek,cmd={meek}"), "--engine", &format!("name=b,cmd={meek}")];
    let text = report(&folder, &[&words[..], &["--games", "2", "--depth", "1"]].concat());
    assert!(text.contains("0-1  (red resigns") && !text.contains("times"), "{text}");

    // Two engines that move a rook back and forth and offer a draw each time: the second offer accepts the first.
    let red = "echo bestmove a0a1 draw";
    let black = "echo bestmove a9a8 draw";
    let start = folder.write("start.txt", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n");
    let peaceful = engine(&folder, "peaceful", &format!("case \"$rest\" in draw*) {black};; *) {red};; esac"));
    let (one, other) = (format!("name=a,cmd={peaceful}"), format!("name=b,cmd={peaceful}"));
    let openings = start.display().to_string();
    let words = ["--engine", &one, "--engine", &other, "--games", "2", "--depth", "1", "--openings", &openings];
    let text = report(&folder, &words);
    assert_eq!(text.matches("1/2-1/2  (draw agreed, 1 moves)").count(), 2, "{text}");
}

/// Black has been checked three times; the fourth check completes the third occurrence.
const CHECKS: &str = "9/R3k4/9/9/9/9/9/9/9/3K5 b moves e8e9 a8a9 e9e8 a9a8 e8e9 a8a9 e9e8\n";

/// Plays two games of an engine that gives perpetual check, in each protocol; returns the banned moves it received.
fn forbidden(more: &[&str]) -> String {
    let folder = Folder::new();
    folder.write("checks.txt", CHECKS);
    let heard = folder.path("heard");
    let note = |what: &str| format!("echo {what} >> '{}'", heard.display());
    let body = format!(
        "while read -r word rest; do case \"$word\" in $1) echo $1ok;; isready) echo readyok;; quit) exit;; \
         banmoves) {};; go) case \"$rest\" in *searchmoves*) {};; esac; echo bestmove a9a8;; esac; done",
        note("\"ban $rest\""),
        note("\"search ${rest#*searchmoves }\"")
    );
    let stubborn = script(&folder, "stubborn", &body);
    let one = format!("name=a,cmd={stubborn},arg=ucci,proto=ucci");
    let other = format!("name=b,cmd={stubborn},arg=uci,proto=uci");
    let words = ["--engine", &one, "--engine", &other, "--games", "2", "--depth", "1", "--openings", "checks.txt"];
    let text = report(&folder, &[&words[..], more].concat());
    assert_eq!(text.matches("0-1  (perpetual check, 4 moves)").count(), 2, "{text}");
    std::fs::read_to_string(heard).unwrap_or_default()
}

#[test]
fn moves_that_lose_by_rule_are_banned_in_both_protocols_and_lose_if_played() {
    let heard = forbidden(&[]);
    let lines: Vec<&str> = heard.lines().collect();
    let [ban, search] = lines[..] else { panic!("two lines: {heard}") };
    assert_eq!(ban, "ban a9a8");
    // All the other moves of the rook and the king.
    let mut allowed: Vec<&str> = search.split_whitespace().collect();
    assert_eq!(allowed.remove(0), "search");
    // One king move is illegal: the kings would face each other.
    assert_eq!(allowed.len(), 8 + 8 + 1, "{search}");
    assert!(!allowed.contains(&"a9a8") && allowed.contains(&"a9a7") && allowed.contains(&"d0d1"), "{search}");
}

#[test]
fn moves_that_lose_by_rule_are_not_banned_with_losing_moves_allow() {
    assert_eq!(forbidden(&["--losing-moves", "allow"]), "");
}
