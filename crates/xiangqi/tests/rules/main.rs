//! Tests of the rules: a table of cases under every rule set, their mirror images, other endings, random cycles, and
//! the examples of the guide.

mod cases;
mod cxa;
mod cxa_properties;
mod endings;
mod game;
mod guide;
mod search_view;
mod shuffles;
mod tiantian;
