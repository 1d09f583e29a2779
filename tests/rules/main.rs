//! `chuhe judge`.

mod command_line;
mod guide;
