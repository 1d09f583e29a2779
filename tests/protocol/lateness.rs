//! How much later than it should a `go` is answered, in random decided positions. It measures time, so it runs by hand:
//! `cargo test --release --test all lateness -- --ignored --nocapture`, with `LATENESS_POSITIONS` for another number.

use super::host::Host;
use chuhe_engine::search::{AttackerMoves, Control, MateProof, MateProver};
use chuhe_engine::tablebase::Tablebase;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};
use xiangqi::{Position, Rules};

/// A kind of `go`, the milliseconds until its answer is due, and whether it is `stop` that asks for it then.
const KINDS: [(&str, u64, bool); 12] = [
    ("go movetime 20", 20, false),
    ("go mate 60 movetime 20", 20, false),
    ("go movetime 20 depth 90", 20, false),
    ("go wtime 200 btime 200 winc 0 binc 0", 200, false),
    ("go wtime 100 btime 100 movestogo 1", 100, false),
    ("go mate 60 wtime 200 btime 200", 200, false),
    ("go infinite", 10, true),
    ("go", 10, true),
    ("go mate 60", 10, true),
    ("go mate 5 infinite", 10, true),
    ("go ponder wtime 200 btime 200", 10, true),
    ("go nodes 1000000000", 10, true),
];

/// A position with both kings and up to seven pieces on random squares.
fn random_position(rng: &mut StdRng) -> Option<Position> {
    let mut board = [['1'; 9]; 10];
    let mut put = |rng: &mut StdRng, piece: char, ranks: Range<usize>, files: Range<usize>| {
        board[rng.random_range(ranks)][rng.random_range(files)] = piece;
    };
    for _ in 0..rng.random_range(0..8) {
        let piece = ['R', 'N', 'C', 'P', 'r', 'n', 'c', 'p'][rng.random_range(0..8)];
        let ranks = if piece == 'p' {
            5..10
        } else if piece == 'P' {
            0..5
        } else {
            0..10
        };
        put(rng, piece, ranks, 0..9);
    }
    put(rng, 'k', 0..3, 3..6);
    put(rng, 'K', 7..10, 3..6);
    let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
    let side = ["w", "b"][rng.random_range(0..2)];
    Position::from_fen(&format!("{} {side} - - 0 1", ranks.join("/"))).ok().filter(Position::has_legal_move)
}

/// Known to a table, or mate in two moves for one side.
fn is_decided(position: &Position, tables: &Tablebase) -> bool {
    let mates = |side, plies| {
        let mut prover = MateProver::new(position, side, Rules::default(), 1, Arc::new(Control::new(false)));
        matches!(prover.prove(&[], plies, AttackerMoves::All, 20_000), MateProof::Mate(_))
    };
    tables.probe(position).is_some() || mates(position.side(), 3) || mates(!position.side(), 4)
}

/// The milliseconds, ascending, as mean, 99 %, 99.9 % and maximum.
fn summary(times: &mut [f64]) -> String {
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    format!("mean {mean:7.1}  99 % {:7.1}  99.9 % {:7.1}  most {:7.1} ms", at(0.99), at(0.999), at(1.0))
}

#[test]
#[ignore = "measures time"]
fn lateness_of_go_in_random_decided_positions() {
    let count: usize = std::env::var("LATENESS_POSITIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let (mut rng, tables) = (StdRng::seed_from_u64(49), Tablebase::built_in());
    let mut host = Host::uci();
    host.say("setoption name OwnBook value false\nsetoption name Hash value 16");
    let mut late: Vec<Vec<f64>> = vec![Vec::new(); KINDS.len()];
    let mut idle = Vec::new();
    let mut done = 0;
    while done < count {
        let Some(position) = random_position(&mut rng).filter(|position| is_decided(position, &tables)) else {
            continue;
        };
        // What the machine itself costs: a question that needs no thought.
        let begun = Instant::now();
        host.pause();
        idle.push(begun.elapsed().as_secs_f64() * 1000.0);
        let kind = done % KINDS.len();
        let (go, due, by_stop) = KINDS[kind];
        host.say(&format!("position fen {}", position.fen()));
        host.pause();
        let begun = Instant::now();
        host.say(go);
        if by_stop {
            std::thread::sleep(Duration::from_millis(due));
            host.say("stop");
        }
        let asked = if by_stop { begun.elapsed() } else { Duration::from_millis(due) };
        host.listen_for(&["bestmove"]);
        late[kind].push((begun.elapsed().as_secs_f64() - asked.as_secs_f64()).max(0.0) * 1000.0);
        done += 1;
    }
    println!("{count} positions; isready alone: {}", summary(&mut idle));
    for ((go, ..), times) in KINDS.iter().zip(&mut late) {
        println!("{go:40} {:5}  {}", times.len(), summary(times));
    }
    host.say("quit");
    assert!(host.leave().1.success());
}
