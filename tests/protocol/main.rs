//! The protocol: conversations with the real program, and the parsing of commands.

mod host;
mod hosts;

mod books;
mod decided;
mod endings;
mod games;
mod host_options;
mod inline;
mod lateness;
mod mates;
mod multi_pv;
mod options;
mod parser;
mod ranks;
mod rubbish;
mod tables;
mod thinking;
mod ucci;
mod uci;
mod xqwizard;
