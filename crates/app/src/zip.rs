//! A ZIP archive of files that are not compressed: several games in a format that has one game in a file. Each file is
//! written as it comes.

use std::collections::HashSet;
use std::io::{self, Write};

/// An archive that is being written.
#[derive(Default)]
pub struct ZipWriter {
    directory: Vec<u8>,
    size: usize,
    /// The names so far, in small letters: some file systems make no difference.
    names: HashSet<String>,
    count: u16,
}

impl ZipWriter {
    /// Adds a file; a name that has come before gets a number.
    pub fn add(&mut self, to: &mut impl Write, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.count += 1;
        let mut unique = name.to_string();
        for number in usize::from(self.count).. {
            if self.names.insert(unique.to_lowercase()) {
                break;
            }
            unique = format!("{number}-{name}");
        }
        let entry = entry(&unique, bytes);
        let begin = [b"PK\x03\x04", &entry[..], unique.as_bytes()].concat();
        to.write_all(&begin)?;
        to.write_all(bytes)?;
        let offset = (self.size as u32).to_le_bytes();
        // No comment, the first disk, no attributes.
        let line = [b"PK\x01\x02\x14\0", &entry[..], &[0; 10], &offset, unique.as_bytes()].concat();
        self.directory.extend(line);
        self.size += begin.len() + bytes.len();
        Ok(())
    }

    /// Writes the list of the files, which is the end.
    pub fn finish(self, to: &mut impl Write) -> io::Result<()> {
        let [size, offset] = [self.directory.len(), self.size].map(|number| (number as u32).to_le_bytes());
        let count = self.count.to_le_bytes();
        to.write_all(&self.directory)?;
        to.write_all(&[b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &offset, &[0, 0]].concat())
    }
}

/// What stands of a file in both places: version, UTF-8 names, no compression, no time, checksum, sizes, lengths.
fn entry(name: &str, bytes: &[u8]) -> Vec<u8> {
    const FIRST_DAY: [u8; 4] = [0, 0, 0x21, 0];
    let size = (bytes.len() as u32).to_le_bytes();
    let sum = checksum(bytes).to_le_bytes();
    let lengths = [(name.len() as u16).to_le_bytes(), [0, 0]].concat();
    [&[20, 0, 0, 8, 0, 0][..], &FIRST_DAY, &sum, &size, &size, &lengths].concat()
}

/// The CRC-32 of ZIP and PNG.
fn checksum(bytes: &[u8]) -> u32 {
    let add_bit = |sum: u32| if sum & 1 == 1 { 0xEDB8_8320 ^ (sum >> 1) } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum: u32, &byte| (0..8).fold(sum ^ u32::from(byte), |sum, _| add_bit(sum)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_is_that_of_the_standard() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
    }
}
