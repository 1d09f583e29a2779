//! Text of game records, which is UTF-8 or, from older programs, GBK.
//!
//! Of GBK only the characters that moves are written with are known, by their codes; a comment or a name in other
//! characters loses them, a move never does.

/// Reads text of either encoding.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => decode_gbk(bytes),
    }
}

fn decode_gbk(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (0..=0x7F, _) => text.push(*first as char),
            (_, [second, after @ ..]) => {
                rest = after;
                let code = u16::from_be_bytes([*first, *second]);
                let known = CODES.iter().find(|(known, _)| *known == code);
                text.push(known.map_or(char::REPLACEMENT_CHARACTER, |(_, letter)| *letter));
            }
            (_, []) => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
    text
}

/// The characters of moves with their codes.
#[rustfmt::skip]
const CODES: [(u16, char); 46] = [
    (0xA3B0, '０'), (0xA3B1, '１'), (0xA3B2, '２'), (0xA3B3, '３'), (0xA3B4, '４'), (0xA3B5, '５'),
    (0xA3B6, '６'), (0xA3B7, '７'), (0xA3B8, '８'), (0xA3B9, '９'), (0xD2BB, '一'), (0xB6FE, '二'),
    (0xC8FD, '三'), (0xCBC4, '四'), (0xCEE5, '五'), (0xC1F9, '六'), (0xC6DF, '七'), (0xB0CB, '八'),
    (0xBEC5, '九'), (0xCBA7, '帅'), (0x8E9B, '帥'), (0xBDAB, '将'), (0x8CA2, '將'), (0xCACB, '仕'),
    (0xCABF, '士'), (0xCFE0, '相'), (0xCFF3, '象'), (0xC2ED, '马'), (0xF152, '馬'), (0x82D8, '傌'),
    (0xB3B5, '车'), (0xDC87, '車'), (0x8265, '俥'), (0xC5DA, '炮'), (0xB368, '砲'), (0xB0FC, '包'),
    (0xB1F8, '兵'), (0xD7E4, '卒'), (0xBDF8, '进'), (0xDF4D, '進'), (0xCDCB, '退'), (0xC6BD, '平'),
    (0xC7B0, '前'), (0xD6D0, '中'), (0xBAF3, '后'), (0xE1E1, '後'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_read_the_same() {
        let gbk = b"\xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5 \xC2\xED\xA3\xB8\xBD\xF8\xA3\xB7";
        assert_eq!(decode(gbk), "炮二平五 马８进７");
        assert_eq!(decode("炮二平五 马８进７".as_bytes()), "炮二平五 马８进７");
    }

    #[test]
    fn broken_text_loses_what_is_broken_only() {
        assert_eq!(decode(b"\xFF"), "\u{FFFD}");
        assert_eq!(decode(b"\xFF\xFF1. H2-E2"), "\u{FFFD}1. H2-E2");
    }
}
