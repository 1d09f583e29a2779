//! Character encodings of game records: UTF-8, and GBK for older programs.

use crate::legacy_text::{LegacyEncoding, encode_gb18030};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use xiangqi::{worded_error, words};

/// The encoding of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Encoding {
    /// Read by current programs.
    #[default]
    Utf8,
    /// Read by XQWizard and programs of its time. Characters missing in GBK are encoded as in GB18030.
    Gbk,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 2] = [Encoding::Utf8, Encoding::Gbk];

    /// Encodes the text of a record. GBK goes with the line ends of Windows: the older programs read no others.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            Encoding::Utf8 => Cow::Borrowed(text.as_bytes()),
            Encoding::Gbk => {
                let lines = text.replace("\r\n", "\n").replace('\n', "\r\n");
                Cow::Owned(encode_gb18030(&lines))
            }
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Gbk => "gbk",
        })
    }
}

/// An unknown encoding name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseEncodingError(pub String);

worded_error!(ParseEncodingError, |error| words!("'{text}' is no encoding: expected utf-8 or gbk", text = &error.0));

impl FromStr for Encoding {
    type Err = ParseEncodingError;

    fn from_str(text: &str) -> Result<Encoding, ParseEncodingError> {
        Encoding::ALL
            .into_iter()
            .find(|encoding| encoding.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseEncodingError(text.chars().take(16).collect()))
    }
}

/// Characters typical of xiangqi records, in traditional and simplified script.
const XIANGQI_CHARACTERS: &str =
    "炮砲車车馬马傌俥兵卒士仕象相帥帅將将平進进退前後后中一二三四五六七八九１２３４５６７８９紅红黑先勝胜負负和";

/// So many bytes are decoded to find the encoding.
const ENCODING_SAMPLE: usize = 1 << 20;

/// Decodes text of unknown encoding: by its byte-order mark, else as UTF-8, else as GBK (decoded as GB18030), Big5 or
/// damaged UTF-8, whichever yields the most xiangqi characters.
///
/// ```
/// assert_eq!(xiangqi_record::decode(b"\xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5"), "炮二平五");
/// ```
pub fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xEF, 0xBB, 0xBF, text @ ..] => return String::from_utf8_lossy(text).into_owned(),
        [0xFF, 0xFE, text @ ..] => return decode_utf16(text, u16::from_le_bytes),
        [0xFE, 0xFF, text @ ..] => return decode_utf16(text, u16::from_be_bytes),
        _ => {}
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => {
            let readings: [fn(&[u8]) -> String; 3] = [
                |bytes| LegacyEncoding::Big5.decode(bytes),
                |bytes| String::from_utf8_lossy(bytes).into_owned(),
                |bytes| LegacyEncoding::Gb18030.decode(bytes),
            ];
            let words = |text: &str| {
                text.chars().filter(|letter| !letter.is_ascii() && XIANGQI_CHARACTERS.contains(*letter)).count()
            };
            // The beginning of a large file tells enough.
            let sample = &bytes[..bytes.len().min(ENCODING_SAMPLE)];
            readings.iter().max_by_key(|read| words(&read(sample))).map_or_else(String::new, |read| read(bytes))
        }
    }
}

/// The same of bytes that are no longer needed: most are UTF-8, and become the text in their place.
pub(crate) fn decode_owned(bytes: Vec<u8>) -> String {
    match bytes[..] {
        [0xEF, 0xBB, 0xBF, ..] | [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => decode(&bytes),
        _ => String::from_utf8(bytes).unwrap_or_else(|error| decode(error.as_bytes())),
    }
}

/// Decodes UTF-16 with this order of bytes.
fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (units, rest) = bytes.as_chunks();
    let letters = char::decode_utf16(units.iter().map(|&bytes| unit(bytes)));
    let cut = if rest.is_empty() { None } else { Some(char::REPLACEMENT_CHARACTER) };
    letters.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).chain(cut).collect()
}

/// Decodes a GBK field up to a NUL or its end; an incomplete character at the end is dropped.
pub fn decode_gbk(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let text = LegacyEncoding::Gb18030.decode(&bytes[..end]);
    text.trim_end_matches('\u{FFFD}').trim().to_string()
}

/// Converts full-width letters, digits and signs (`Ｃ２＝５`) to ASCII.
pub fn to_halfwidth(letter: char) -> char {
    match letter {
        '！'..='～' => char::from_u32(letter as u32 - '！' as u32 + '!' as u32).unwrap_or(letter),
        '−' | '–' | '—' => '-',
        '·' => '.',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decode_reads_all_encodings_alike() {
        let text = "炮二平五 马８进７ 胡荣华 \u{1F600}";
        let gbk = b"\xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5 \xC2\xED\xA3\xB8\xBD\xF8\xA3\xB7";
        assert_eq!(decode(gbk), "炮二平五 马８进７");
        for encoding in Encoding::ALL {
            assert_eq!(decode(&encoding.encode(text)), text, "{encoding}");
            assert_eq!(encoding.to_string().parse(), Ok(encoding));
        }
        assert_eq!(&Encoding::Gbk.encode("炮二平五 马８进７")[..], gbk);
        let marked: Vec<u8> = b"\xEF\xBB\xBF".iter().chain(text.as_bytes()).copied().collect();
        assert_eq!(decode(&marked), text);
        let (big5, _, _) = encoding_rs::BIG5.encode("[Red \"許銀川\"] 1. 炮二平五 馬８進７");
        assert_eq!(decode(&big5), "[Red \"許銀川\"] 1. 炮二平五 馬８進７");
        let cut = "1. 炮二平五 马８进７".as_bytes();
        assert_eq!(decode(&cut[..cut.len() - 1]), "1. 炮二平五 马８进\u{FFFD}");
        assert_eq!(decode_gbk(b"\xC5\xDA\xB6\xFE\xC6\0junk"), "炮二");
        let wide: Vec<u8> = "\u{FEFF}马".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&wide), "马");
    }

    #[test]
    fn decode_of_damaged_text_keeps_the_rest() {
        assert_eq!(decode(b"\xFF"), "\u{FFFD}");
        assert_eq!(decode(b"\xFF\xFF1. H2-E2"), "\u{FFFD}\u{FFFD}1. H2-E2");
    }
}
