//! `chuhe analyse`.

mod command;
mod conversation;
mod games;
mod list;
