//! Tests of the rules: a table of cases under every rule set, their mirror images, other endings, random cycles, and
//! the examples of the guide.

mod cases;
mod cxa;
mod endings;
mod search_view;
mod shuffles;
