//! Engines that fail during play: each loses its games and is named, and with `--tolerate-faults` the tournament goes
//! on.

use super::program::{arena, complaint, conversation, ends, engine, report, script, twins_in};
use crate::common::{CHUHE, Folder, stderr, stdout, success};
use xiangqi_record::pgn;

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
    let words = ["--engine", &bad, "--self", &good, "--games", "1", "--nodes", "50", "--pgn", "games.pgn"];
    report(&folder, &[&words[..], &["--tolerate-faults"]].concat());
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

/// Plays a match of an engine that does this on `go` against a correct one: exit code, output and errors.
fn played(folder: &Folder, deed: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let bad = format!("name=bad,cmd={},proto=ucci", engine(folder, "bad", deed));
    let good = format!("name=good,cmd={CHUHE},proto=ucci");
    let words = ["--engine", &bad, "--engine", &good, "--nodes", "50", "--patience", "1"];
    let output = arena(folder, &[&words[..], more].concat());
    (output.status.code(), stdout(&output), stderr(&output))
}

/// Crashes in every so manieth game and resigns the others.
fn crashes_in_every(folder: &Folder, number: usize) -> String {
    let count = folder.path("count");
    format!("echo x >> '{0}'; [ $(($(wc -l < '{0}') % {number})) = 0 ] && exit 1; echo nobestmove", count.display())
}

#[test]
fn three_faults_in_a_row_stop_the_tournament_with_diagnostics() {
    let folder = Folder::new();
    let (code, text, told) = played(&folder, "echo broken weights >&2; exit 3", &["--games", "400", "--pgn", "m.pgn"]);
    assert_eq!(code, Some(2));
    let expected = "chuhe: stopped: engine 'bad' failed in three games in a row, the last time because it crashed \
                    (exit code 3); repair the engine, or continue with --tolerate-faults\n";
    assert_eq!(told, expected);
    assert_eq!(text.matches("crashed (exit code 3)").count(), 3, "{text}");
    assert!(text.contains("      broken weights\n"), "{text}");
    assert!(text.contains("      > position fen ") && text.contains("      > go nodes 50\n"), "{text}");
    assert!(text.contains("without 3 games lost by a fault: +0 =0 -0"), "{text}");
    assert!(text.contains("bad crashed: 3 times\n"), "{text}");
    let record = folder.text("m.pgn");
    assert_eq!(pgn::read(&record).len(), 3);
    assert!(record.contains("[Termination \"red crashed (exit code 3)\"]"), "{record}");
}

#[test]
fn signals_are_named_in_the_report() {
    let (_, text, _) = played(&Folder::new(), "kill -SEGV $$; sleep 10", &["--games", "2"]);
    assert!(text.contains("crashed (signal 11, SIGSEGV)"), "{text}");
}

#[test]
fn ten_faults_in_a_hundred_games_stop_the_tournament() {
    let folder = Folder::new();
    let (code, text, told) = played(&folder, &crashes_in_every(&folder, 2), &["--games", "400"]);
    assert_eq!((code, text.matches("crashed (exit code 1)").count()), (Some(2), 10), "{text}");
    assert!(told.contains("engine 'bad' failed in ten games of a hundred"), "{told}");
}

#[test]
fn verdict_that_depends_on_faults_is_doubtful() {
    let folder = Folder::new();
    let test = ["--games", "400", "--tolerate-faults", "--sprt", "elo0=0,elo1=200"];
    let (code, text, _) = played(&folder, "exit 1", &test);
    assert!(code == Some(3) && text.contains("H0 accepted"), "{text}");
    assert!(text.contains("DOUBTFUL: without the games that were lost by a fault, undecided\n"), "{text}");
    let (code, text, _) = played(&folder, "exit 1", &[&test[..], &["--json"]].concat());
    assert_eq!(code, Some(3));
    let last = text.lines().last().unwrap_or_default();
    let expected = "\"decision\":\"H0\",\"decision_without_faults\":null,\"doubtful\":true}";
    assert!(last.contains(expected), "{last}");
}

#[test]
fn verdict_that_does_not_depend_on_faults_stands() {
    let folder = Folder::new();
    let test = ["--games", "400", "--tolerate-faults", "--sprt", "elo0=0,elo1=400,alpha=0.4,beta=0.4"];
    let (code, text, _) = played(&folder, &crashes_in_every(&folder, 8), &test);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("H0 accepted") && !text.contains("DOUBTFUL"), "{text}");
}

#[test]
fn wrapper_script_and_its_engine_are_both_killed() {
    let folder = Folder::new();
    // The wrapper exits on `quit`, its child does not.
    let child = folder.path("child");
    let (starts, resigns) =
        (format!("sleep 1000 > /dev/null 2>&1 & echo $! >> '{}'", child.display()), "echo nobestmove");
    let path = script(&folder, "wrapper", &format!("{starts}; {}", conversation(resigns)));
    success(&twins_in(&folder, &path, &["--games", "2"]).output().expect("chuhe runs"));
    let children = folder.text("child");
    assert_eq!(children.lines().count(), 2);
    children.lines().for_each(super::program::ends);
}

/// The error message about an engine; checks that nothing was played or written.
fn refused(folder: &Folder, engine: &str) -> String {
    let good = format!("name=good,cmd={CHUHE},proto=ucci");
    let words = ["--engine", engine, "--engine", &good, "--games", "400", "--nodes", "50", "--start-limit", "1"];
    let test = ["--sprt", "elo0=0,elo1=5", "--pgn", "m.pgn"];
    let text = complaint(folder, &[&words[..], &test].concat());
    assert_eq!(text.lines().count(), 1, "one line: {text}");
    assert!(!folder.path("m.pgn").exists(), "a record was begun");
    text
}

#[test]
fn programs_that_are_not_engines_are_refused() {
    let folder = Folder::new();
    let stillborn = script(&folder, "stillborn", "echo no licence >&2; exit 7");
    let mute = script(&folder, "mute", "cat > /dev/null");
    for (cmd, expected) in [
        ("./nowhere", "cannot start './nowhere': "),
        ("/bin/true", "'/bin/true' left before it was ready (exit code 0)"),
        ("/bin/cat", "'/bin/cat' did not greet in UCCI or UCI"),
        (&mute, "did not greet in UCCI or UCI"),
        (&stillborn, "left before it was ready (exit code 7); its standard error ends with: no licence"),
    ] {
        for more in ["", ",proto=ucci", ",proto=uci"] {
            let text = refused(&folder, &format!("name=bad,cmd={cmd}{more}"));
            assert!(text.starts_with("chuhe: engine 'bad' cannot take part: "), "{text}");
            assert!(text.contains(expected), "{cmd}{more}: {text}");
        }
    }
}

#[test]
fn options_not_announced_or_out_of_range_are_refused() {
    let folder = Folder::new();
    for (option, expected) in [
        ("foo=1", "it has no option 'foo', but usemillisec, "),
        ("skill=0,option.skill=20,option.skill=21", "its option skill cannot be '21'"),
        ("skill=abc", "its option skill cannot be 'abc': expected a whole number from 0 to 20"),
        ("hashsize=99999999", "its option hashsize cannot be '99999999': expected a whole number from 0 to"),
        ("style=wild", "its option style cannot be 'wild': expected one of normal, solid, risky"),
        ("ponder=2", "its option ponder cannot be '2': expected true or false"),
    ] {
        let text = refused(&folder, &format!("name=bad,cmd={CHUHE},proto=ucci,option.{option}"));
        assert!(text.contains(expected), "{option}: {text}");
    }
    let body = "while read -r word rest; do case \"$word\" in uci) echo option name Clear Hash type button; \
                echo option name Style type combo default very solid var very solid var wild; \
                echo option name Book File type string default '<empty>'; echo option name label; echo uciok;; \
                ucci) echo ucciok;; quit) exit;; esac; done";
    let path = script(&folder, "chooser", body);
    for (options, expected) in [
        ("uci,option.Clear Hash=1", "it is a button"),
        ("uci,option.Style=solid", "expected one of very solid, wild"),
        // Those before the last one are accepted.
        (
            "uci,option.clear hash=,option.Style=Very Solid,option.Book File=a b/c,option.label=x,option.foo=1",
            "it has no option 'foo', but Clear Hash, Style, Book File, label",
        ),
        ("ucci,option.foo=1", "announces none"),
    ] {
        let text = refused(&folder, &format!("name=bad,cmd={path},proto={options}"));
        assert!(text.contains(expected), "{options}: {text}");
    }
}

#[test]
fn engine_not_ready_after_its_options_is_refused() {
    let folder = Folder::new();
    let body = "while read -r word rest; do case \"$word\" in ucci) echo ucciok;; quit) exit;; esac; done";
    let text = refused(&folder, &format!("name=bad,cmd={},proto=ucci", script(&folder, "slow", body)));
    assert!(text.contains("did not get ready, in time"), "{text}");
}

#[test]
fn engine_messages_about_options_are_shown() {
    let folder = Folder::new();
    let body = "while read -r word rest; do case \"$word\" in ucci) echo option file type string; echo ucciok;; \
                setoption) echo info message cannot read $rest;; isready) echo readyok;; quit) exit;; \
                go) echo nobestmove;; esac; done";
    let path = script(&folder, "moody", body);
    let one = format!("name=a,cmd={path},proto=ucci,option.file=x.nnue");
    let other = format!("name=b,cmd={path},proto=ucci");
    let output = arena(&folder, &["--engine", &one, "--engine", &other, "--games", "2", "--nodes", "50"]);
    assert!(output.status.success());
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(told, "chuhe: engine 'a' says: cannot read file x.nnue\n");
}
