//! Bytes that are read from their beginning to their end, however many there are: what is being looked at is in memory,
//! and a piece of what follows.

use std::io::{self, Read};

/// So much is read at a time.
const PIECE: usize = 1 << 20;

/// A view of a source that moves forward.
pub struct Window<R> {
    source: R,
    /// Where in the source the first of the bytes stands.
    begin: u64,
    bytes: Vec<u8>,
}

impl<R: Read> Window<R> {
    pub fn new(source: R) -> Window<R> {
        Window { source, begin: 0, bytes: Vec::new() }
    }

    /// So many bytes from this place on, or as many as there are. What lies before the place of an earlier view is gone.
    pub fn view(&mut self, place: u64, count: usize) -> io::Result<&[u8]> {
        let behind = place.saturating_sub(self.begin) as usize;
        if behind + count > self.bytes.len() {
            self.bytes.drain(..behind.min(self.bytes.len()));
            self.begin = place;
            let missing = count.saturating_sub(self.bytes.len()).max(PIECE);
            (&mut self.source).take(missing as u64).read_to_end(&mut self.bytes)?;
        }
        let rest = &self.bytes[(place.saturating_sub(self.begin) as usize).min(self.bytes.len())..];
        Ok(&rest[..count.min(rest.len())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_shows_what_is_there() {
        let bytes: Vec<u8> = (0..3 * PIECE + 77).map(|index| (index * 31 % 251) as u8).collect();
        let mut window = Window::new(bytes.as_slice());
        let mut place = 0;
        for step in [0, 1, 5, 70_000, 1 << 20, 3, 900_000, 1, 1_100_000, 40, 200_000] {
            place = (place + step).min(bytes.len());
            for count in [4, 12, 100_000, PIECE + 5] {
                let wanted = &bytes[place..bytes.len().min(place + count)];
                assert!(window.view(place as u64, count).unwrap() == wanted, "{count} bytes at {place}");
            }
        }
    }
}
