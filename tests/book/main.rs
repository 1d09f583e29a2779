//! Opening books: the formats, the command, and how a book is grown.

mod command;
mod eleeye;
mod embedded;
mod make;
mod support;
