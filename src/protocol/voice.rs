//! In which language, and in which characters, a host's user is told things.

use chuhe_engine::language::Language;
use encoding_rs::GBK;
use std::borrow::Cow;

/// What the option `language` is set to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Voice {
    /// English in ASCII, which every host can show.
    #[default]
    Plain,
    /// Chinese as older hosts write it.
    Gbk,
    Utf8,
    /// What a person at a terminal reads, who has no host: his own language.
    Person,
}

/// The words of the option, and what they stand for.
pub const VOICE_WORDS: &[&str] = &["auto", "zh-gbk", "zh-utf8"];
pub const VOICES: [Voice; 3] = [Voice::Plain, Voice::Gbk, Voice::Utf8];

impl Voice {
    pub fn language(self) -> Language {
        match self {
            Voice::Plain => Language::ENGLISH,
            Voice::Gbk | Voice::Utf8 => Language::CHINESE,
            Voice::Person => Language::chosen(),
        }
    }

    /// A sentence without letters that its reader may not know. What it quotes may hold anything.
    pub fn cleaned(self, text: &str) -> String {
        let is_known = |letter: char| match self {
            Voice::Plain => letter.is_ascii(),
            Voice::Gbk => !GBK.encode(letter.encode_utf8(&mut [0; 4])).2,
            Voice::Utf8 | Voice::Person => true,
        };
        text.chars().map(|letter| if is_known(letter) { letter } else { '?' }).collect()
    }

    /// Lines as they are sent.
    pub fn bytes(self, text: &str) -> Cow<'_, [u8]> {
        if self == Voice::Gbk { GBK.encode(text).0 } else { Cow::Borrowed(text.as_bytes()) }
    }
}
