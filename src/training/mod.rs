//! How Chuhe teaches itself: it plays games, keeps them, and fits a network to what its own searches found.
//!
//! * `selfplay` plays and `start_positions` says from where, `relabel` judges what was played anew; both bring what they have to
//!   `workers`, who give way to others by the `cpu_load` of the machine. `game` is what is kept of a game, an `archive` is a
//!   file of them, read through a `archive`, a `archive` goes through several, and `game` writes and reads them as lines.
//! * `samples` picks positions from games, each `samples` small, and deals them to `shuffle_buckets`; `trainer` teaches a `model` by them,
//!   under `settings`, with `checkpoint`s.
//! * `measure` says how well networks foretell the scores of games, `win_rate` fits what a score is worth in games.
//! * `error` says why something was not done.

pub mod archive;
pub mod checkpoint;
pub mod cpu_load;
pub mod error;
pub mod game;
pub mod measure;
pub mod model;
pub mod relabel;
pub mod samples;
pub mod selfplay;
pub mod settings;
pub mod shuffle_buckets;
pub mod start_positions;
pub mod trainer;
pub mod win_rate;
pub mod workers;
