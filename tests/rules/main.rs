//! `chuhe judge`.

mod command_line;
