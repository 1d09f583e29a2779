//! Any bytes as a file of state: what is read of them stays what it is when the file is written, and what is not is kept.
#![no_main]

use chuhe_app::preferences::Preferences;
use chuhe_support::files::{Folder, JsonState, MemoryFolder, StateFile};
use libfuzzer_sys::fuzz_target;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
struct Sample {
    name: Option<String>,
    counts: BTreeMap<String, u32>,
    list: Vec<String>,
}

impl JsonState for Sample {
    const FORMAT: u32 = 1;
    const MAX_BYTES: u64 = 1 << 20;
}

fn folder(bytes: &[u8]) -> Folder {
    let names = ["state.json", "board.json", "analysis.json"];
    let files = names.iter().map(|name| (name.to_string(), bytes.to_vec())).collect();
    Folder::Memory(Arc::new(MemoryFolder::new(files)))
}

fuzz_target!(|bytes: &[u8]| {
    let folder = folder(bytes);
    let mut file = StateFile::<Sample>::open(&folder, "state.json");
    let before = file.get().clone();
    let written = file.set(|state| state.list.push("new".to_string()));
    let again = StateFile::<Sample>::open(&folder, "state.json");
    let kept = || folder.names_in("").iter().any(|name| folder.read(name, u64::MAX).is_ok_and(|there| there == bytes));
    match written {
        Ok(()) => {
            assert_eq!((&again.get().name, &again.get().counts), (&before.name, &before.counts));
            assert_eq!(again.get().list.len(), before.list.len() + 1);
            let is_json = serde_json::from_slice::<serde_json::Value>(bytes).is_ok();
            assert!(is_json || kept());
        }
        Err(_) => assert!(kept()),
    }
    let preferences = Preferences::open_at(Some(folder.clone()));
    let settings = preferences.all();
    if preferences.set("theme", "dark").is_ok_and(|is_kept| is_kept) {
        let now = Preferences::open_at(Some(folder)).all();
        assert!(settings.iter().all(|(name, value)| name == "theme" || now.get(name) == Some(value)));
    }
});
