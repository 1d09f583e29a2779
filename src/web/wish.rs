//! What a page may wish for: one JSON object each, whose field `do` says what.

use super::both::Both;
use super::table::{Conditions, Table};
use crate::play::game::{Game, Seat};
use crate::record::Setup;
use crate::rules::Rules;
use serde::Deserialize;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

/// A wish about the game.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Wish {
    /// Plays a move, written in any notation.
    Play {
        #[serde(rename = "move")]
        mv: String,
    },
    Undo,
    Hint,
    Draw,
    Resign,
    /// The engine is to move now.
    Hurry,
    /// A clock has run out.
    Clock,
    Strength {
        strength: String,
    },
    Begin {
        seat: String,
        strength: String,
        rules: String,
        clock: Option<String>,
        /// Where the game begins, with the moves behind it.
        position: String,
    },
}

impl Wish {
    /// Grants it, or says why not.
    pub fn grant(&self, table: &Arc<Table>) -> Result<(), Both> {
        match self {
            Wish::Play { mv } => table.play(mv)?,
            Wish::Undo => table.undo(),
            Wish::Hint => table.hint(),
            Wish::Draw => table.offer_draw(),
            Wish::Resign => table.resign(),
            Wish::Hurry => table.hurry(),
            Wish::Clock => table.look_at_clock(),
            Wish::Strength { strength } => table.set_strength(read(strength)?),
            Wish::Begin { seat, strength, rules, clock, position } => {
                let conditions = Conditions {
                    seat: read::<Seat>(seat)?,
                    strength: read(strength)?,
                    rules: Rules::of(read(rules)?),
                    clock: clock.as_deref().map(read).transpose()?,
                };
                let game = Game::of_setup(&Setup::of(position)).map_err(Both::told)?;
                table.begin(game, conditions);
            }
        }
        Ok(())
    }
}

/// Reads a word.
fn read<T: FromStr<Err: Display>>(text: &str) -> Result<T, Both> {
    text.parse().map_err(Both::told)
}
