//! A person at a terminal without an interface: moves as he types them, a new game, the last move taken back, and a word
//! about options that do not exist. Hosts are not meant: what they send has a meaning or is named as unknown.

use super::dialect::VERSION;
use super::options::TABLE;
use super::session::Session;
use super::words;
use crate::draw::{Ink, terminal};
use crate::record::Setup;
use crate::record::short::{self, ShortError};

/// What a person reads who starts the engine without an interface.
pub fn greeting_of_people() -> String {
    format!(
        "Chuhe 楚河 {VERSION}, waiting for UCCI or UCI. `help` lists the commands, `chuhe play` plays a game, q leaves."
    )
}

/// How alike two names must be for one to be taken for the other, from 0 to 1.
const ALIKE: f64 = 0.75;

impl Session {
    /// Obeys what only a person says; false if it is nothing of that kind.
    pub(super) fn hears_person(&mut self, line: &[u8]) -> bool {
        if !self.output.is_terminal {
            return false;
        }
        let text = words::join(&words::split(line));
        let (mut setup, ranks) = self.setup.clone();
        match text.to_lowercase().as_str() {
            "new" => {
                self.new_game();
                setup = Setup::default();
            }
            "undo" if setup.moves.pop().is_none() => {
                self.remark("undo: no move has been made here");
                return true;
            }
            "undo" => {}
            _ => match short::read(&self.position, &text) {
                Ok(mv) => setup.moves.push(ranks.write(mv)),
                Err(error @ ShortError::Several { .. }) => {
                    self.remark(&error.to_string());
                    return true;
                }
                Err(ShortError::None(_)) => return false,
            },
        }
        self.set_position(setup);
        let last = Some(self.position.last_move()).filter(|mv| mv.is_some());
        let mut lines = terminal(&self.position, last, false, Ink::of(true));
        lines.push(format!(
            "{} to move; {}",
            self.position.side(),
            self.settings.rules().judge(&self.position)
        ));
        self.say(lines);
        true
    }

    /// An option that does not exist is passed over in silence where hosts talk; a person hears of it.
    pub(super) fn misses_option(&self, name: &str) {
        if !self.output.is_terminal {
            return;
        }
        let column = self.dialect.column();
        let names = TABLE.iter().filter_map(|option| option.name(column));
        let likeness = |known: &&str| strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase());
        let nearest = names.max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
        let guess = match nearest.filter(|known| likeness(known) >= ALIKE) {
            Some(known) => format!("; did you mean {known}?"),
            None => String::new(),
        };
        self.remark(&format!("there is no option '{}'{guess}", words::clip(name)));
    }
}
