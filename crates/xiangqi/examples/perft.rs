//! Counts the leaf nodes below each legal move: `perft DEPTH [FEN]`.

use std::error::Error;
use std::time::Instant;
use xiangqi::{Position, fen::START_FEN, perft::MAX_PERFT};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let depth: u32 = args.next().map_or(Ok(4), |text| text.parse())?;
    let fen: Vec<String> = args.collect();
    let position = Position::from_fen(if fen.is_empty() { START_FEN.to_string() } else { fen.join(" ") }.as_str())?;

    let threads = std::thread::available_parallelism()?.get();
    let begun = Instant::now();
    let count = position.divide(depth.min(MAX_PERFT), threads);
    let seconds = begun.elapsed().as_secs_f64();
    for (mv, nodes) in &count.below {
        println!("{mv}: {nodes}");
    }
    println!("{} nodes, {seconds:.2} s, {:.0} million per second", count.nodes, count.nodes as f64 / seconds / 1e6);
    Ok(())
}
