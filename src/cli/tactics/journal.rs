//! The file that `chuhe tactics mine` writes: a tactic a line, with the number of its game. It goes on behind the last game
//! of which there is a line.

use crate::cli::journal::{Journal, JournalError, LineFault, conditions_of};
use chuhe_study::tactics::Tactic;
use chuhe_support::language::phrase;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The first bytes of every line.
const LINE_PREFIX: &[u8] = b"{\"fen\":";

/// What tactics depend on besides the games.
#[derive(Serialize, Deserialize)]
pub struct MineConditions {
    pub nodes: u64,
}

/// A line: a tactic, the game that it is from, and its conditions.
#[derive(Serialize, Deserialize)]
struct JournalLine {
    #[serde(flatten)]
    tactic: Tactic,
    game: u64,
    conditions: MineConditions,
}

/// A line with its end.
pub fn line(tactic: &Tactic, game: u64, nodes: u64) -> String {
    let line = JournalLine { tactic: tactic.clone(), game, conditions: MineConditions { nodes } };
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

/// Opens or creates the file, and returns the tactics in it and the last game.
pub fn open(path: &Path, force: bool, nodes: u64) -> Result<(Journal, Vec<Tactic>, Option<u64>), JournalError> {
    let (mut tactics, mut last) = (Vec::new(), None);
    let conditions = conditions_of(&MineConditions { nodes });
    let journal = Journal::open(path, (LINE_PREFIX, phrase!("tactics that were mined")), force, |_, line| {
        let JournalLine { tactic, game, conditions: there } =
            serde_json::from_slice(line).map_err(|_| LineFault::Foreign)?;
        LineFault::check_conditions(&conditions_of(&there), &conditions)?;
        tactics.push(tactic);
        last = Some(game);
        Ok(())
    })?;
    Ok((journal, tactics, last))
}
