//! Opening books: the formats, and growing a book; `transcripts::books` has the command.

mod eleeye;
mod make;
mod support;
