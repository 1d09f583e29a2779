//! Tests of training: games and their files, self-play that is killed and resumed, a fit that lowers the loss, and the
//! commands of the README.

mod buckets;
mod commands;
mod fits;
mod games;
mod support;
mod win_rate;
