//! Learning through its public seams: games and their files, self-play that is killed and goes on, a fit that lowers
//! the loss, and the four commands of the README in small.

mod buckets;
mod commands;
mod fits;
mod games;
mod measures;
mod support;
mod win_rate;
