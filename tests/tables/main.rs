//! `chuhe tables`.

mod command;
