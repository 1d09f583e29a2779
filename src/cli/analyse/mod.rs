//! `chuhe analyse`: what the engine thinks of a position, of a list of them, or of whatever a script asks.

mod args;
mod conversation;
mod error;
mod items;
mod ledger;
mod list;
mod live;
mod text;
mod told;

pub use args::AnalyseArgs;

use self::error::AnalyseError;
use self::items::Item;
use self::text::Manner;
use super::game::{self, What};
use chuhe_engine::board::Position;
use chuhe_engine::files::{OutputError, is_standard};
use chuhe_engine::language::Language;
use chuhe_toolkit::analyse::Spot;
use chuhe_toolkit::record::Format;
use chuhe_toolkit::review::usual_notation;
use std::io::Write;
use std::process::ExitCode;

/// Where there is something to look at, and whether nothing was left out of it.
enum Matter {
    One(Spot, bool),
    /// A list.
    Many(Vec<Item>, bool),
}

/// Analyses what is asked for. The exit code says whether something could not be read, or was ended before its time.
pub fn run(args: &AnalyseArgs, out: &mut dyn Write, is_terminal: bool) -> Result<ExitCode, AnalyseError> {
    if args.stdin {
        return conversation::hold(args);
    }
    if args.out.as_deref().is_some_and(is_standard) {
        return Err(OutputError::Dash.into());
    }
    let matter = matter(args)?;
    let notation = args.notation.unwrap_or_else(usual_notation);
    let language = Language::of_reader();
    let manner = Manner { language, notation, of_mover: args.mover };
    match matter {
        Matter::One(spot, is_whole) => {
            let code = live::run(args, spot, &manner, out, is_terminal)?;
            Ok(if is_whole { code } else { ExitCode::from(1) })
        }
        Matter::Many(..) if args.every.is_some() => Err(AnalyseError::Every),
        Matter::Many(items, is_whole) => list::run(args, &items, is_whole, &manner, out),
    }
}

fn matter(args: &AnalyseArgs) -> Result<Matter, AnalyseError> {
    if let What::File(file) = args.position.what()? {
        let source = game::open(&file).map_err(game::GameError::from)?;
        let is_list = source.format() == Format::Fen && !args.position.names_a_game();
        if is_list && !args.every_ply {
            let (items, is_whole) = items::of_source(&file, &source, &args.position)?;
            return Ok(Matter::Many(items, is_whole));
        }
        let reading = source.game(&file, args.position.number());
        let reading = reading.map_err(game::GameError::from)?;
        let is_whole = reading.faults.is_empty();
        let position = args.position.position_in(&game::heard(&file, reading))?;
        return Ok(of_position(args, &position, is_whole));
    }
    Ok(of_position(args, &args.position.position()?, true))
}

fn of_position(args: &AnalyseArgs, position: &Position, is_whole: bool) -> Matter {
    let spot = Spot::of(position);
    if args.every_ply {
        let numbered = spot.all().zip(1..);
        Matter::Many(numbered.map(|(spot, number)| Item { number, spot }).collect(), is_whole)
    } else if args.out.is_some() {
        Matter::Many(vec![Item { number: 1, spot }], is_whole)
    } else {
        Matter::One(spot, is_whole)
    }
}
