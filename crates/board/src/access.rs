//! What a page may do: the user's own pages everything, those of devices as far as they were invited. It is decided by the
//! name of a request, before the rest of it is parsed.

use super::bilingual::Bilingual;
use super::two_players;
use chuhe_support::language::tr;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The maximum size of a request of a page: a file of games, escaped for JSON. A device that was invited to a game sends an
/// analysis at most.
pub const MAX_BODY_SIZE: usize = 12 << 20;
const MAX_GUEST_BODY_SIZE: usize = 1 << 20;

/// The requests of a game of two people.
const OF_GAME: [&str; 7] = ["play", "undo", "offer-draw", "answer-offer", "resign", "present", "check-clock"];
/// Those that only players ask for.
const OF_PLAYERS: [&str; 6] = ["play", "undo", "offer-draw", "answer-offer", "resign", "share-analysis"];
/// Those of every page, and those that write files.
const OF_PAGE: [&str; 7] =
    ["leave", "set-setting", "save-analysis", "played-game", "write-file", "picture", "share-analysis"];
/// Those of an analysis.
const OF_ANALYSIS: [&str; 10] = [
    "position-facts",
    "analyse",
    "stop-analysis",
    "solve",
    "stop-solve",
    "solution-tree",
    "review",
    "stop-review",
    "kept-review",
    "review-page",
];
/// Those that change or remove what the user keeps: a device asks only if the user has allowed it. What it sets of its look
/// counts for its page alone.
const CHANGES: [&str; 4] = ["delete-games", "restore-games", "rename-game", "folders"];
const TRAIN_CHANGES: [&str; 8] = ["drop", "undrop", "edit", "import", "me", "pause", "resume", "cancel"];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// The part of a request that says what is asked for.
#[derive(Deserialize)]
pub struct RequestName<'a> {
    #[serde(rename = "type", borrow)]
    name: Cow<'a, str>,
    /// What of training.
    #[serde(rename = "do", borrow, default)]
    wish: Cow<'a, str>,
    /// The number of a game that is kept anew.
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
}

impl RequestName<'_> {
    /// Whether it changes or removes what the user keeps.
    fn is_change(&self) -> bool {
        match &*self.name {
            "keep-game" => self.id.is_some(),
            "train" => TRAIN_CHANGES.contains(&&*self.wish),
            name => CHANGES.contains(&name),
        }
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
    pub fn check(self, request: &RequestName, may_change: bool) -> Result<(), Bilingual> {
        let name = &*request.name;
        let is_open = || OF_GAME.contains(&name) || OF_PAGE.contains(&name) || OF_ANALYSIS.contains(&name);
        match self {
            Access::Device if !may_change && request.is_change() => Err(Bilingual::of(|| {
                tr!(
                    "This device changes and deletes nothing that is kept on the computer. Who sits there can allow it, at \
                     \"Phone\"."
                )
            })),
            Access::Player | Access::Watcher if !is_open() => Err(Bilingual::of(|| {
                tr!("This device was invited to one game: the rest of the board is not open to it.")
            })),
            Access::Watcher if OF_PLAYERS.contains(&name) => Err(two_players::watches()),
            _ => Ok(()),
        }
    }
}
