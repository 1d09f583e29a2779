//! Opening books: the formats, the command, and growing a book.

mod command;
mod eleeye;
mod embedded;
mod make;
mod support;
