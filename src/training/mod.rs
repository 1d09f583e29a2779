//! How Chuhe teaches itself: it plays games, keeps them, and fits a network to what its own searches found.
//!
//! * `play` plays and `openings` says from where, `relabel` judges what was played anew; both bring what they have to
//!   `workers`, who give way to others by the `load` of the machine. `game` is what is kept of a game, an `archive` is a
//!   file of them, read through a `window`, a `reader` goes through several, and `text` writes and reads them as lines.
//! * `samples` picks positions from games, each `packed` small, and deals them to `buckets`; `fit` teaches a `model` by them,
//!   under `settings`, with `checkpoint`s.
//! * `measure` says how well networks foretell the scores of games, `win_rate` fits what a score is worth in games.
//! * `error` says why something was not done.

pub mod archive;
pub mod buckets;
pub mod checkpoint;
pub mod error;
pub mod fit;
pub mod game;
pub mod load;
pub mod measure;
pub mod model;
pub mod openings;
pub mod packed;
pub mod play;
pub mod reader;
pub mod relabel;
pub mod samples;
pub mod settings;
pub mod text;
pub mod win_rate;
mod window;
pub mod workers;
