//! What a page may do: the user's own pages everything, those of devices as far as they were invited. Each kind of request
//! says where it is declared what it needs.

use super::two_players;
use chuhe_support::language::{Message, message};
use serde::{Deserialize, Serialize};

/// The maximum size of a request of a page: a file of games, escaped for JSON. A device that was invited to a game sends an
/// analysis at most.
pub const MAX_BODY_SIZE: usize = 12 << 20;
const MAX_GUEST_BODY_SIZE: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, crate::TS)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// A page on this machine.
    Owner,
    /// A paired device, which the whole board is open to.
    Device,
    /// A device that was invited to a game of two people.
    Player,
    /// A device that watches it.
    Watcher,
}

/// Who may send a request: these pages, and all that stand before them here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sender {
    Owner,
    /// A paired device that the owner lets change and remove what is kept.
    TrustedDevice,
    Device,
    Player,
    Watcher,
}

/// Whether a request brings the engine's word on a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Help {
    None,
    /// The engine moves as the opponent: on a page of its own that is help for a game of two people on another one.
    Opponent,
    Word,
}

/// What a kind of request needs and does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rights {
    pub sender: Sender,
    pub help: Help,
    /// Whether it changes what is kept beyond the end of the program.
    pub changes: bool,
}

/// For the page on this machine alone: what it lets others do.
pub const OWNER: Rights = Rights::of(Sender::Owner);
/// Replaces, changes or removes what the owner keeps, or what other pages see.
pub const TRUSTED: Rights = Rights::of(Sender::TrustedDevice);
/// Plays, trains, looks and adds: nothing that is there is lost.
pub const DEVICE: Rights = Rights::of(Sender::Device);
/// A move of the player.
pub const PLAYER: Rights = Rights::of(Sender::Player);
/// Follows a game, and looks at it afterwards.
pub const WATCHER: Rights = Rights::of(Sender::Watcher);

impl Rights {
    const fn of(sender: Sender) -> Rights {
        Rights { sender, changes: false, help: Help::None }
    }

    pub const fn changes(self) -> Rights {
        Rights { changes: true, ..self }
    }

    pub const fn helps(self) -> Rights {
        Rights { help: Help::Word, ..self }
    }

    pub const fn plays_on(self) -> Rights {
        Rights { help: Help::Opponent, ..self }
    }
}

impl Access {
    /// Whether the whole board is open.
    pub fn is_whole(self) -> bool {
        matches!(self, Access::Owner | Access::Device)
    }

    /// How large a request may be.
    pub fn max_body_size(self) -> usize {
        if self.is_whole() { MAX_BODY_SIZE } else { MAX_GUEST_BODY_SIZE }
    }

    /// Refuses a request that is not open to a page. `may_change` says that the user lets devices change what is kept.
    pub fn check(self, sender: Sender, may_change: bool) -> Result<(), Message> {
        let own = match self {
            Access::Owner => Sender::Owner,
            Access::Device if may_change => Sender::TrustedDevice,
            Access::Device => Sender::Device,
            Access::Player => Sender::Player,
            Access::Watcher => Sender::Watcher,
        };
        match sender {
            sender if own <= sender => Ok(()),
            Sender::Player => Err(two_players::watches()),
            _ if !self.is_whole() => {
                Err(message!("This device was invited to one game: the rest of the board is not open to it."))
            }
            Sender::TrustedDevice => Err(message!(
                "This device changes and deletes nothing that is kept on the computer. Who sits there can allow it, at \
                     \"Phone\"."
            )),
            _ => Err(message!("Only the computer itself decides this.")),
        }
    }
}
