//! What a page may ask beside its game at the table: about places it looks at, for files, for the engine's thoughts.

use super::both::Both;
use super::place::Place;
use super::records::{Drawn, Handed, Saved};
use super::tab::Tab;
use super::tree::Tree;
use crate::analyse::{Measure, Query, Spot, threat};
use crate::language::tr;
use crate::rules::Rules;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How often thoughts are told.
const OFTEN: Duration = Duration::from_millis(150);
/// The most lines at once.
const MOST_LINES: usize = 8;
/// Times that a review may take for each position, in milliseconds.
const REVIEW_MS: std::ops::RangeInclusive<u64> = 20..=60_000;

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Question {
    /// What there is to know about a place.
    Look(Place),
    /// What the engine thinks of it, without end or until it has searched so many nodes.
    Think {
        #[serde(flatten)]
        place: Place,
        /// By this the page knows the answer; it grows from question to question.
        number: u64,
        lines: usize,
        /// What would the other side play?
        threat: bool,
        nodes: Option<u64>,
    },
    /// Nobody wants to know any more.
    Rest { number: u64 },
    /// The game in some bytes.
    Read(Handed),
    /// A game as bytes.
    Write(Saved),
    /// A place as a picture.
    Picture(Drawn),
    Review {
        tree: Tree,
        rules: String,
        /// Milliseconds for each position.
        time: u64,
    },
    /// The review is given up.
    EndReview,
    /// The review as a page.
    ReviewPage,
}

impl Question {
    /// The answer, as JSON.
    pub fn answer(self, tab: &Tab) -> Result<String, Both> {
        match self {
            Question::Look(place) => json(&place.look(tab.thoughts.equipment())?),
            Question::Think { place, number, lines, threat, nodes } => {
                let query = query(&place, lines, threat, nodes)?;
                tab.thoughts.begin(query, number)?;
                json(&Done {})
            }
            Question::Rest { number } => {
                tab.thoughts.end(number);
                json(&Done {})
            }
            Question::Read(handed) => json(&handed.read()?),
            Question::Write(saved) => json(&saved.write()?),
            Question::Picture(drawn) => json(&drawn.draw()?),
            Question::Review { tree, rules, time } => {
                let time = Duration::from_millis(time.clamp(*REVIEW_MS.start(), *REVIEW_MS.end()));
                tab.reviews.begin(tree.game()?, Rules::of(rules.parse().map_err(Both::told)?), time)?;
                json(&Done {})
            }
            Question::EndReview => {
                tab.reviews.end();
                json(&Done {})
            }
            Question::ReviewPage => json(&tab.reviews.page()?),
        }
    }
}

/// There is nothing to say.
#[derive(Serialize)]
pub struct Done {}

fn json(value: &impl Serialize) -> Result<String, Both> {
    serde_json::to_string(value).map_err(Both::told)
}

fn query(place: &Place, lines: usize, wants_threat: bool, nodes: Option<u64>) -> Result<Query, Both> {
    let position = place.position()?;
    let position = if wants_threat {
        threat(&position).ok_or_else(|| Both::of(|| tr!("Who is in check cannot pass.")))?
    } else {
        position
    };
    Ok(Query {
        rules: place.rules()?,
        measure: Measure { nodes, ..Measure::default() },
        lines: lines.clamp(1, MOST_LINES),
        every: Some(OFTEN),
        ..Query::about(Spot::of(&position))
    })
}
