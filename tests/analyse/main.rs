//! Analyses: the library that answers queries, and `chuhe analyse`.

mod command;
mod conversation;
mod lines;
mod list;
mod pool;
mod support;
