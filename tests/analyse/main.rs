//! `chuhe analyse`.

mod command;
mod conversation;
mod list;
