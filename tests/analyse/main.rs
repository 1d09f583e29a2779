//! `chuhe analyse`.

mod conversation;
mod list;
