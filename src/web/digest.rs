//! SHA-256 in base 64: by it a browser knows the one script and the one style that a page may have.

/// The first so many primes.
fn primes(count: usize) -> impl Iterator<Item = u128> {
    (2_u128..).filter(|&number| (2..number).all(|divisor| number % divisor != 0)).take(count)
}

/// The 32 binary digits behind the point of the root of this degree.
fn behind_the_point(number: u128, degree: u32) -> u32 {
    let scaled = number << (32 * degree);
    let (mut low, mut high) = (0u128, 1u128 << 40);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle.pow(degree) <= scaled { low = middle } else { high = middle }
    }
    low as u32
}

/// The digest of some bytes.
fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut state: Vec<u32> = primes(8).map(|prime| behind_the_point(prime, 2)).collect();
    let rounds: Vec<u32> = primes(64).map(|prime| behind_the_point(prime, 3)).collect();
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((8 * bytes.len() as u64).to_be_bytes());
    for block in message.chunks_exact(64) {
        mix(&mut state, &rounds, block);
    }
    let mut digest = [0; 32];
    for (to, from) in digest.iter_mut().zip(state.iter().flat_map(|word| word.to_be_bytes())) {
        *to = from;
    }
    digest
}

/// One block of 64 bytes.
fn mix(state: &mut [u32], rounds: &[u32], block: &[u8]) {
    let mut words: Vec<u32> = block
        .chunks_exact(4)
        .map(|four| four.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)))
        .collect();
    for index in 16..64 {
        let (far, near) = (words[index - 15], words[index - 2]);
        let first = far.rotate_right(7) ^ far.rotate_right(18) ^ far >> 3;
        let second = near.rotate_right(17) ^ near.rotate_right(19) ^ near >> 10;
        let sum = words[index - 16].wrapping_add(words[index - 7]);
        words.push(sum.wrapping_add(first).wrapping_add(second));
    }
    let mut own: Vec<u32> = state.to_vec();
    for (round, word) in rounds.iter().zip(words) {
        let [a, b, c, .., e, f, g, h] = own[..] else { return };
        let choice = e & f ^ !e & g;
        let stir = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let first = [stir, choice, *round, word].into_iter().fold(h, u32::wrapping_add);
        let most = a & b ^ a & c ^ b & c;
        let second = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add(most);
        own.rotate_right(1);
        own[4] = own[4].wrapping_add(first);
        own[0] = first.wrapping_add(second);
    }
    state.iter_mut().zip(own).for_each(|(old, new)| *old = old.wrapping_add(new));
}

/// Bytes in base 64.
pub fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { char::from(sign) } else { '=' });
        }
    }
    text
}

/// The bytes that base 64 stands for; nothing if it is none.
pub fn of_base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0u32, 0);
    for sign in text.bytes() {
        let value = match sign {
            b'A'..=b'Z' => sign - b'A',
            b'a'..=b'z' => sign - b'a' + 26,
            b'0'..=b'9' => sign - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}

/// What a content policy calls a text: `'sha256-…'`.
pub fn source(text: &str) -> String {
    format!("'sha256-{}'", base64(&sha256(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_everybody() {
        let hex = |text: &str| sha256(text.as_bytes()).map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        // Around the end of a block.
        assert_eq!(
            hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        assert_eq!(hex(&"a".repeat(64)), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
        assert_eq!(source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    }

    #[test]
    fn base64_goes_there_and_back() {
        for text in ["", "f", "fo", "foo", "foob", "fooba", "foobar"] {
            assert_eq!(of_base64(&base64(text.as_bytes())).as_deref(), Some(text.as_bytes()));
        }
        assert_eq!(base64(b"foob"), "Zm9vYg==");
        assert_eq!(of_base64("a b"), None);
    }
}
