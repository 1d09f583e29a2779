//! A ZIP archive of files that are not compressed: several games in a format that has one game in a file.

/// An archive of these files; names that come twice get numbers.
pub fn write(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (index, (name, bytes)) in files.iter().enumerate() {
        let is_known = files[..index].iter().any(|(other, _)| other == name);
        let name = if is_known { format!("{}-{name}", index + 1) } else { name.clone() };
        let offset = archive.len() as u32;
        let entry = entry(&name, bytes);
        archive.extend_from_slice(b"PK\x03\x04");
        archive.extend_from_slice(&entry);
        archive.extend_from_slice(name.as_bytes());
        archive.extend_from_slice(bytes);
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&entry);
        // No comment, the first disk, no attributes.
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let [count, size, offset] = [files.len(), directory.len(), archive.len()].map(|number| number as u32);
    archive.extend_from_slice(&directory);
    archive.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    let count = (count as u16).to_le_bytes();
    archive.extend_from_slice(&[count, count].concat());
    archive.extend_from_slice(&size.to_le_bytes());
    archive.extend_from_slice(&offset.to_le_bytes());
    archive.extend_from_slice(&[0, 0]);
    archive
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
