//! The judge, tried: a table of cases under every rule system, their mirror images, endings of every other kind,
//! random cycles, and the command line.

mod cases;
mod cxa;
mod endings;
mod game;
mod guide;
mod search_view;
mod shuffles;
mod tiantian;
