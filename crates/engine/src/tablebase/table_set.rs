//! Sets of tables that are built together.

use super::material::Material;
use std::str::FromStr;
use xiangqi::{worded_error, words};

/// The named sets of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableSet {
    /// One attacker with up to two advisors against all guards.
    Core,
    /// `Core`, and two attackers against all guards: the practical endings of endgame books.
    Study,
    /// One attacker with any guards against any guards.
    OneAttacker,
    /// One attacker against one, each side with up to two advisors.
    OneAgainstOne,
}

/// This text is not the name of a table set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseTableSetError(pub String);

worded_error!(ParseTableSetError, |error| words!(
    "'{text}' is no set of tables: expected core, study, one or duel",
    text = &error.0
));

impl FromStr for TableSet {
    type Err = ParseTableSetError;

    fn from_str(text: &str) -> Result<TableSet, ParseTableSetError> {
        let named = TableSet::ALL.into_iter().find(|set| set.name().eq_ignore_ascii_case(text));
        named.ok_or_else(|| ParseTableSetError(text.chars().take(16).collect()))
    }
}

const ADVISORS: [&str; 3] = ["", "A", "AA"];
const GUARDS: [&str; 9] = ["", "A", "B", "AA", "AB", "BB", "AAB", "ABB", "AABB"];

impl TableSet {
    /// All table sets.
    pub const ALL: [TableSet; 4] = [TableSet::Core, TableSet::Study, TableSet::OneAttacker, TableSet::OneAgainstOne];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            TableSet::Core => "core",
            TableSet::Study => "study",
            TableSet::OneAttacker => "one",
            TableSet::OneAgainstOne => "duel",
        }
    }

    /// The materials of the set, without those that captures lead to.
    pub fn materials(self) -> Vec<Material> {
        let mut names: Vec<String> = Vec::new();
        let mut add = |strong: &[&str], own: &[&str], others: &[&str]| {
            for (attackers, own) in strong.iter().flat_map(|a| own.iter().map(move |o| (a, o))) {
                names.extend(others.iter().map(|other| format!("K{attackers}{own}K{other}")));
            }
        };
        match self {
            TableSet::Core => add(&["R", "N", "C", "P"], &ADVISORS, &GUARDS),
            TableSet::Study => {
                add(&["R", "N", "C", "P"], &ADVISORS, &GUARDS);
                add(&["PP", "NP", "NN", "NC", "CP", "CC"], &[""], &GUARDS);
                add(&["CP"], &["A"], &GUARDS);
            }
            TableSet::OneAttacker => add(&["R", "N", "C", "P"], &GUARDS, &GUARDS),
            TableSet::OneAgainstOne => {
                for (strong, weak) in [("R", "RNCP"), ("N", "NCP"), ("C", "CP"), ("P", "P")] {
                    for other in weak.chars() {
                        add(
                            &[strong],
                            &ADVISORS,
                            &ADVISORS.map(|own| format!("{other}{own}")).each_ref().map(String::as_str),
                        );
                    }
                }
            }
        }
        let mut materials: Vec<Material> = names.iter().filter_map(|name| name.parse().ok()).collect();
        materials.sort_unstable();
        materials.dedup();
        materials
    }
}
