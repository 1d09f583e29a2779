//! A lock that is taken whatever has become of its last holder: a thread that panicked has left no half of a change that others
//! could not go on from.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub trait Lock<T> {
    fn locked(&self) -> MutexGuard<'_, T>;
}

impl<T> Lock<T> for Mutex<T> {
    fn locked(&self) -> MutexGuard<'_, T> {
        self.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
