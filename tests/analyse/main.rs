//! Analyses: the library that answers queries, and `chuhe analyse`.

mod command;
mod conversation;
mod desk;
mod lines;
mod list;
mod support;
