//! The judge, tried: a table of cases under every rule system, their mirror images, endings of every other kind,
//! random cycles.

mod cases;
mod endings;
mod game;
mod search_view;
mod shuffles;
