//! The protocol: conversations with the real program, and the parsing of commands.

mod host;

mod books;
mod conversation;
mod endings;
mod inline;
mod logs;
mod multi_pv;
mod options;
mod parser;
mod rubbish;
mod searches;
mod tables;
