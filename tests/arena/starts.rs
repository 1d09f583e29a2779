//! Before the first game: an engine that cannot be used as specified is refused, and nothing is played or written.

use super::program::{arena, complaint, script};
use crate::common::{CHUHE, Folder};

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
