//! Random tokens, and their comparison: what `auth` and `lan` both need.

use rand::Rng;

/// A random token.
pub(super) fn random_token() -> String {
    let mut bytes = [0; 16];
    rand::rng().fill_bytes(&mut bytes);
    bytes.map(|byte| format!("{byte:02x}")).concat()
}

/// Whether two texts are equal, in constant time.
pub(super) fn constant_time_eq(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    one.len() == other.len() && differences == 0
}
