//! Every kind of `go` in positions where little or nothing is left to decide: each is answered, and `stop` is heard.

use super::host::Host;

/// Won, lost, drawn by material or tables, mated soon, with one legal move; both sides.
const POSITIONS: [&str; 10] = [
    // Nothing to win with, and a pawn that a table knows.
    "4k4/4a4/9/4P4/9/9/9/9/4A4/4K4 w",
    "4k4/4a4/9/4P4/9/9/9/9/9/4K4 w",
    "4k4/9/9/9/9/9/9/9/9/3K5 w",
    // A mate that the search proves in no time, and the side that suffers it.
    "4k4/9/9/9/9/9/9/9/R8/1R3K3 w",
    "4k4/9/9/9/9/9/9/9/R8/1R3K3 b",
    "2bak2r1/4aP2R/2R1b4/6p1p/1Np6/P1C6/9/9/3pr4/5K2c w",
    // A long way to win, which a table knows.
    "3k5/9/9/9/9/9/9/9/4R4/4K4 w",
    "3k5/9/9/9/9/9/9/9/4R4/4K4 b",
    // One legal move.
    "3k5/9/9/9/9/9/9/9/3r5/3K5 w",
    // A draw that no table knows.
    "3aka3/9/4b4/9/9/9/2n6/4B4/4A4/2B1KA3 w",
];

const LIMITED: [&str; 9] = [
    "go depth 3",
    "go nodes 2000",
    "go movetime 60",
    "go wtime 300 btime 300 winc 10 binc 10",
    "go wtime 200 btime 200 movestogo 1",
    "go mate 3 nodes 3000",
    "go mate 60 movetime 60",
    "go mate 60 nodes 40000",
    "go mate 60 wtime 300 btime 300",
];

/// These end by `stop` alone, unless all is known before.
const UNLIMITED: [&str; 4] = ["go infinite", "go", "go mate 60", "go ponder wtime 300 btime 300"];

#[test]
fn every_go_is_answered_where_all_is_decided() {
    let mut host = Host::uci();
    host.say("setoption name OwnBook value false\nsetoption name Hash value 4");
    for fen in POSITIONS {
        for go in LIMITED {
            let answer = host.best(&format!("position fen {fen}\n{go}"));
            assert!(answer.starts_with("bestmove "), "{fen}: {go}: {answer}");
        }
        for go in UNLIMITED {
            host.say(&format!("position fen {fen}\n{go}"));
            let mut heard = host.pause();
            host.say("stop");
            heard.extend(host.pause());
            let answers = heard.iter().filter(|line| line.starts_with("bestmove ")).count();
            assert_eq!(answers, 1, "{fen}: {go}: {heard:#?}");
        }
    }
    host.say("quit");
    assert!(host.leave().1.success());
}
