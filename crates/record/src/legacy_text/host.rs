//! The encodings of the host, who lends its decoder by `lend_decoder`. Encoding is decoding backwards.

use super::LegacyEncoding;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Decodes a text, with U+FFFD for what is none.
pub type HostDecoder = fn(LegacyEncoding, &[u8]) -> String;

static DECODER: OnceLock<HostDecoder> = OnceLock::new();

/// The first bytes of what GB18030 writes in four bytes: characters of the basic plane, and all others.
const FIRST_OF_FOUR: u8 = 0x81;
const FIRST_BEYOND: u32 = 0x90;
/// How many characters of four bytes the basic plane has.
const OF_FOUR: u32 = 39_420;

/// Lends the decoder of the host. The first one stays; without any only ASCII is text.
pub fn lend_decoder(decoder: HostDecoder) {
    let _ = DECODER.set(decoder);
}

/// Decodes a text by the lent decoder.
pub fn decode(encoding: LegacyEncoding, bytes: &[u8]) -> String {
    let ascii = |_: LegacyEncoding, bytes: &[u8]| {
        bytes.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { char::REPLACEMENT_CHARACTER }).collect()
    };
    DECODER.get().map_or_else(|| ascii(encoding, bytes), |decoder| decoder(encoding, bytes))
}

/// The character of the basic plane with this number among those of four bytes, or the same beyond it.
fn four_bytes(first: u32, number: u32) -> [u8; 4] {
    let digit = |number: u32, base: u32| u8::try_from(base + number).unwrap_or(u8::MAX);
    [
        digit(number / 12_600, first),
        digit(number / 1260 % 10, 0x30),
        digit(number / 10 % 126, 0x81),
        digit(number % 10, 0x30),
    ]
}

/// The characters of the basic plane that are not ASCII, with their bytes.
fn table() -> &'static HashMap<char, Vec<u8>> {
    static TABLE: OnceLock<HashMap<char, Vec<u8>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let second = |byte: &u8| *byte != 0x7F;
        let of_two =
            (0x81..=0xFE).flat_map(|first| (0x40..=0xFE).filter(second).map(move |second| vec![first, second]));
        let of_four = (0..OF_FOUR).map(|number| four_bytes(FIRST_OF_FOUR.into(), number).to_vec());
        let mut table = HashMap::new();
        // Each on a line of its own, so that an invalid one spoils no other; in one call, because calls are slow.
        let all: Vec<Vec<u8>> = of_two.chain(of_four).collect();
        let text = decode(LegacyEncoding::Gb18030, &all.join(&b'\n'));
        for (bytes, line) in all.into_iter().zip(text.split('\n')) {
            let mut letters = line.chars();
            if let (Some(letter), None) = (letters.next(), letters.next())
                && letter != char::REPLACEMENT_CHARACTER
            {
                table.entry(letter).or_insert(bytes);
            }
        }
        table
    })
}

/// Encodes a text in GB18030, which has all characters.
pub fn encode_gb18030(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for letter in text.chars() {
        match u32::from(letter) {
            ..0x80 => bytes.push(letter as u8),
            code @ 0x10000.. => bytes.extend(four_bytes(FIRST_BEYOND, code - 0x10000)),
            _ => bytes.extend(table().get(&letter).map_or(&b"?"[..], Vec::as_slice)),
        }
    }
    bytes
}

/// Whether GBK, the encoding of the oldest programs, has this character.
pub fn is_in_gbk(letter: char) -> bool {
    letter.is_ascii() || table().get(&letter).is_some_and(|bytes| bytes.len() == 2)
}

#[cfg(test)]
mod tests {
    use super::super::tables;
    use super::*;

    #[test]
    fn host_encodes_each_character_as_the_tables_do() {
        lend_decoder(tables::decode);
        // Editions of the standard differ in characters of private use; U+FFFD is what cannot be decoded.
        let is_asked = |letter: &char| {
            let code = *letter as u32;
            !(0xE000..0xF900).contains(&code) && code != 0xFFFD && (code < 0x11000 || code.is_multiple_of(997))
        };
        for letter in ('\0'..=char::MAX).filter(is_asked) {
            let text = letter.to_string();
            let (found, wanted) = (encode_gb18030(&text), tables::encode_gb18030(&text));
            assert_eq!(found, wanted, "{letter:?}");
            assert_eq!(decode(LegacyEncoding::Gb18030, &found), text, "{letter:?}");
            assert_eq!(is_in_gbk(letter), tables::is_in_gbk(letter), "{letter:?}");
        }
    }
}
