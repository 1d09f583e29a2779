//! The encodings by tables of this program.

use super::LegacyEncoding;
use encoding_rs::{BIG5, GB18030, GBK};

pub fn decode(encoding: LegacyEncoding, bytes: &[u8]) -> String {
    let table = match encoding {
        LegacyEncoding::Gb18030 => GB18030,
        LegacyEncoding::Big5 => BIG5,
    };
    table.decode_without_bom_handling(bytes).0.into_owned()
}

/// Encodes a text in GB18030, which has all characters.
pub fn encode_gb18030(text: &str) -> Vec<u8> {
    GB18030.encode(text).0.into_owned()
}

/// Whether GBK, the encoding of the oldest programs, has this character.
pub fn is_in_gbk(letter: char) -> bool {
    !GBK.encode(letter.encode_utf8(&mut [0; 4])).2
}
