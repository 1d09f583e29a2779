//! NNUE training: self-play, labelled games, and fitting a network to the scores of the searches.
//!
//! * `selfplay` plays games from `start_positions`; `relabel` searches their positions again. Both run on the
//!   `selfplay_workers`, which pause when the `cpu_load` of other programs is high. `game_format` is one game in bytes
//!   and in text; `archive` holds the files of games and their readers.
//! * `samples` picks training positions from games, `packed_sample` packs each, `shuffle_buckets` shuffles them on
//!   disk; `trainer` fits a `model` with `settings` and writes `checkpoint`s.
//! * `measure` compares networks by their error on scored games; `win_rate` fits the win rate model.
//! * `training_error` holds the errors of `chuhe learn`.

pub mod archive;
pub mod checkpoint;
pub mod cpu_load;
pub mod game_format;
pub mod measure;
pub mod model;
pub mod packed_sample;
pub mod relabel;
pub mod samples;
pub mod selfplay;
pub mod selfplay_workers;
pub mod settings;
pub mod shuffle_buckets;
pub mod start_positions;
pub mod trainer;
pub mod training_error;
pub mod win_rate;
