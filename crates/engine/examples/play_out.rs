//! Plays one game of the engine against itself and prints why it ended: `play_out [NODES] [RULES]`.

use chuhe_engine::search::{Control, Limits, NoReporter, Options, Searcher};
use std::error::Error;
use xiangqi::{Position, RuleSet, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let nodes: u64 = args.next().map_or(Ok(2_000), |text| text.parse())?;
    let set: RuleSet = args.next().map_or(Ok(RuleSet::default()), |text| text.parse())?;

    // Moves up to half a minor piece below the best are chosen at random, so that no two games are the same.
    let rules = Rules::new(set);
    let mut searcher = Searcher::new(Options { rules, randomness: 50, ..Options::default() }, 16)?;
    let mut position = Position::start();
    loop {
        let verdict = rules.judge(&position);
        if verdict.ending.is_some() {
            println!("\n{verdict}\n{position}");
            return Ok(());
        }
        let result = searcher.search(&position, &Limits::nodes(nodes), &Control::default(), &mut NoReporter);
        let mv = result.best_move.ok_or("a game that is not over has a legal move")?;
        position.play(mv)?;
        print!("{mv} ");
    }
}
