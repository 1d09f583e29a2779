//! `chuhe analyse`.

mod conversation;
mod games;
mod list;
