//! Search constants of players that share one process.
//!
//! Under the feature `tune` the constants are set for the whole process, so two settings that differ in them take
//! turns: whoever searches holds the constants until he is done. Two games at a time gain little then.

use std::collections::BTreeMap;

/// Held while a search relies on the constants that were set for it.
#[cfg(feature = "tune")]
pub struct Held(#[allow(dead_code)] std::sync::RwLockReadGuard<'static, BTreeMap<String, i32>>);

/// Nothing to hold: the constants of this build are constants.
#[cfg(not(feature = "tune"))]
pub struct Held;

/// The first constant that does not exist, is out of its range, or cannot be set in this build.
pub fn refused(constants: &BTreeMap<String, i32>) -> Option<(&String, i32)> {
    #[cfg(feature = "tune")]
    let fits = |name: &str, value: i32| {
        let known = chuhe_engine::search::params::ALL.iter().find(|param| param.name == name);
        known.is_some_and(|param| (param.min..=param.max).contains(&value))
    };
    #[cfg(not(feature = "tune"))]
    let fits = |_: &str, _: i32| false;
    constants.iter().map(|(name, &value)| (name, value)).find(|(name, value)| !fits(name, *value))
}

/// Sets these constants and puts all others that were ever set back to their defaults. Whoever wants the same
/// constants may search at the same time.
#[cfg(feature = "tune")]
pub fn hold(constants: &BTreeMap<String, i32>) -> Held {
    use std::sync::{PoisonError, RwLock};
    /// What the constants are now, where they are not their defaults.
    static CHANGED: RwLock<BTreeMap<String, i32>> = RwLock::new(BTreeMap::new());
    loop {
        let changed = CHANGED.read().unwrap_or_else(PoisonError::into_inner);
        if *changed == *constants {
            return Held(changed);
        }
        drop(changed);
        change(&mut CHANGED.write().unwrap_or_else(PoisonError::into_inner), constants);
    }
}

#[cfg(feature = "tune")]
fn change(changed: &mut BTreeMap<String, i32>, constants: &BTreeMap<String, i32>) {
    use chuhe_engine::search::params;
    for param in params::ALL.iter().filter(|param| changed.contains_key(param.name)) {
        params::set(param.name, param.default);
    }
    for (name, &value) in constants {
        params::set(name, value);
    }
    changed.clone_from(constants);
}

#[cfg(not(feature = "tune"))]
pub fn hold(_: &BTreeMap<String, i32>) -> Held {
    Held
}
