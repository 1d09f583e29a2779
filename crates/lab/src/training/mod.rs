//! NNUE training: self-play, labelled games, and fitting a network to the scores of the searches.
//!
//! * `selfplay` plays games from random positions; `relabel` searches their positions again. Both run on the
//!   `selfplay_workers`. `game_format` is one game in bytes and in text; `archive` holds the files of games and their
//!   readers.
//! * `samples` picks training positions from games and packs each, `shuffle_buckets` shuffles them on
//!   disk; `trainer` fits a `model` with `settings` and writes checkpoints.
//! * `measure` compares networks by their error on scored games, and fits the win rate model.

pub mod archive;
pub mod game_format;
pub mod measure;
pub mod model;
pub mod relabel;
pub mod samples;
pub mod selfplay;
pub mod selfplay_workers;
pub mod settings;
pub mod shuffle_buckets;
pub mod trainer;
