//! The keys of XQF: what a header does to the squares and records that follow it.

/// What each byte behind the header is mixed with.
const TEXT: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// The keys of a file. All arithmetic goes round at 256, but for the length of comments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// Added to the squares of pieces.
    pub piece: u8,
    /// Added to the square that a move comes from.
    pub from: u8,
    /// Added to the square that a move goes to.
    pub to: u8,
    /// Added to the length of a comment.
    pub length: u32,
    /// Added to the bytes behind the header, over and over.
    pub stream: [u8; 32],
}

impl Keys {
    /// The keys of a header of this version, which holds at least sixteen bytes.
    pub fn of(header: &[u8; 16], version: u8) -> Keys {
        if version <= 10 {
            return Keys::default();
        }
        let mix = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let piece = mix(header[13]).wrapping_mul(header[13]);
        let from = mix(header[14]).wrapping_mul(piece);
        let to = mix(header[15]).wrapping_mul(from);
        let length = (u32::from(header[12]) * 256 + u32::from(header[13])) % 32000 + 767;
        let mask = |index: usize| (header[12 + index] & header[3]) | header[8 + index];
        let stream = std::array::from_fn(|index| mask(index % 4) & TEXT[index]);
        Keys { piece, from, to, length, stream }
    }

    /// The byte at this place of the file as it was meant.
    pub fn plain(&self, byte: u8, place: usize) -> u8 {
        byte.wrapping_sub(self.stream[place % 32])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> Vec<u8> {
        text.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("a byte")).collect()
    }

    #[test]
    fn known_headers_have_their_keys() {
        for (header, piece, from, to, length) in [
            ("58 51 12 fe 00 00 00 00 66 f9 7d 24 2d 75 66 f8", 63, 203, 191, 12404),
            ("58 51 12 af 00 00 00 00 9d 12 49 08 a9 a2 40 75", 138, 34, 38, 12193),
            ("58 51 12 be 00 00 00 00 e8 d8 bc 84 a5 9c e7 d8", 44, 196, 52, 11163),
        ] {
            let header: [u8; 16] = hex(header).try_into().expect("sixteen bytes");
            let keys = Keys::of(&header, 18);
            assert_eq!((keys.piece, keys.from, keys.to, keys.length), (piece, from, to, length));
            assert_eq!(Keys::of(&header, 10), Keys::default());
        }
        let header =
            hex("58 51 12 fe 00 00 00 00 66 f9 7d 24 2d 75 66 f8").try_into().expect("sixteen bytes");
        let stream =
            "4a 28 43 28 20 41 6f 70 68 70 69 64 68 74 20 4c 62 2c 20 44 6e 6c 67 20 42 68 69 74 64 69 2e 5c";
        let keys = Keys::of(&header, 18);
        assert_eq!(keys.stream.to_vec(), hex(stream));
        let cipher = hex("a2 79 00 05 4c 73 6f 70");
        let plain: Vec<u8> =
            cipher.iter().enumerate().map(|(at, &byte)| keys.plain(byte, 1024 + at)).collect();
        assert_eq!(plain, hex("58 51 bd dd 2c 32 00 00"));
    }
}
