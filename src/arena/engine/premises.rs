//! What all players of a tournament share: where their conversations are written down, and the leash by which all of
//! them are ended at once.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Something that can be ended from outside while its owner waits for it.
pub trait Leashed: Send + Sync {
    /// Ends it at once.
    fn end(&self);
}

/// The place where a tournament is played.
#[derive(Default)]
pub struct Premises {
    /// The folder for whole conversations, if they are to be kept.
    pub traffic: Option<PathBuf>,
    leash: Mutex<Vec<Weak<dyn Leashed>>>,
}

impl Premises {
    /// Premises that keep conversations in this folder.
    pub fn new(traffic: Option<PathBuf>) -> Premises {
        Premises { traffic, ..Premises::default() }
    }

    /// Puts something on the leash, for as long as it lives.
    pub fn leash(&self, leashed: &Arc<impl Leashed + 'static>) {
        let mut all = self.leash.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        let leashed: Weak<dyn Leashed> = Arc::downgrade(leashed) as Weak<dyn Leashed>;
        all.push(leashed);
    }

    /// Ends everything that is still on the leash.
    pub fn end_all(&self) {
        let all = self.leash.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(Weak::upgrade).for_each(|leashed| leashed.end());
    }
}
