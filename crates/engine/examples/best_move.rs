//! Searches a position for a number of seconds and prints each line: `best_move SECONDS [FEN]`.

use chuhe_engine::search::{Control, Info, Limits, Options, Reporter, Searcher};
use chuhe_engine::{Bound, Score, Tablebase, score};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{Position, fen::START_FEN};

struct Print;

impl Reporter for Print {
    fn info(&mut self, info: &Info) {
        if info.bound == Bound::Exact {
            let line: Vec<String> = info.pv.iter().map(|mv| mv.to_string()).collect();
            println!("{:>3} {:>10} {:>8} {}", info.depth, info.nodes, shown(info.score), line.join(" "));
        }
    }
}

/// Moves to mate, or the value of a minor piece as 1.00.
fn shown(value: Score) -> String {
    match score::mate_plies(value) {
        Some(plies) => format!("mate {}", score::plies_to_moves(plies)),
        None => format!("{:+.2}", f64::from(score::hundredths(value)) / 100.0),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let seconds: f64 = args.next().map_or(Ok(3.0), |text| text.parse())?;
    let fen: Vec<String> = args.collect();
    let position = Position::from_fen(if fen.is_empty() { START_FEN.to_string() } else { fen.join(" ") }.as_str())?;

    let threads = std::thread::available_parallelism()?.get();
    let mut searcher = Searcher::new(Options { threads, ..Options::default() }, 64)?;
    searcher.tablebase = Some(Arc::new(Tablebase::built_in()));
    let limits = Limits::move_time(Duration::try_from_secs_f64(seconds)?);
    let result = searcher.search(&position, &limits, &Control::default(), &mut Print);
    match result.best_move {
        Some(mv) => println!("best move {mv}, score {}, {} nodes", shown(result.score), result.nodes),
        None => println!("no legal move"),
    }
    Ok(())
}
