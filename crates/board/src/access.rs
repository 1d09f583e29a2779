//! What a page may do: the user's own pages everything, those of devices as far as they were invited.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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

impl Access {
    /// Whether the whole board is open.
    pub fn is_whole(self) -> bool {
        matches!(self, Access::Owner | Access::Device)
    }
}
