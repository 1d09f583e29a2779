//! Analyses: the library that answers queries, and `chuhe analyse`.

mod desk;
mod lines;
mod support;
