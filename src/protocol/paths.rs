//! File names in the bytes of a host: UTF-8, or what an older Chinese host writes.

use encoding_rs::{Encoding, GB18030, UTF_8};
use std::path::{Path, PathBuf};

/// The paths of an option's value, with `;` between them. A name is the file of exactly these bytes where the system has
/// such names and there is one; else it is read as UTF-8, in the code page of the system or as GBK, whichever names a
/// file. `sends_gbk` says whether the host has sent GBK so far, and becomes true if one of these names is in GBK.
pub fn path_from_bytes(value: &[u8], sends_gbk: &mut bool) -> PathBuf {
    if value.is_ascii() {
        return PathBuf::from(String::from_utf8_lossy(value).into_owned());
    }
    // No byte of a character of GBK is a semicolon.
    let mut list = std::ffi::OsString::new();
    for (index, name) in value.split(|byte| *byte == b';').enumerate() {
        if index > 0 {
            list.push(";");
        }
        let name = name.trim_ascii();
        list.push(exact_name(name).unwrap_or_else(|| {
            let decoded = decode_name(name, system_encoding(), *sends_gbk);
            *sends_gbk |= decoded.encoding == Some(GB18030) && !name.is_ascii();
            decoded.path.into_os_string()
        }));
    }
    PathBuf::from(list)
}

/// The name in these bytes, if there is such a file.
#[cfg(unix)]
fn exact_name(name: &[u8]) -> Option<std::ffi::OsString> {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(name);
    std::path::Path::new(name).exists().then(|| name.to_os_string())
}

#[cfg(not(unix))]
fn exact_name(_: &[u8]) -> Option<std::ffi::OsString> {
    None
}

/// A file name, and how it was written.
struct DecodedName {
    path: PathBuf,
    encoding: Option<&'static Encoding>,
}

/// Decodes a file name: as UTF-8, in the encoding of the system or as GBK, whichever names a file, or a file that may be
/// made in a folder; if none does, as the host wrote before, or whichever is more plausible. Some names in GBK are UTF-8
/// as well. Bytes that are no text in any are replaced.
fn decode_name(name: &[u8], system: Option<&'static Encoding>, sends_gbk: bool) -> DecodedName {
    let mut encodings: Vec<&'static Encoding> = system.into_iter().chain([GB18030]).collect();
    // An alphabet of single bytes reads anything.
    if system.is_some_and(Encoding::is_single_byte) && is_plain_chinese(name) {
        encodings.reverse();
    }
    encodings.insert(if sends_gbk { encodings.len() } else { 0 }, UTF_8);
    let read = |encoding: &'static Encoding| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(name)?;
        Some(DecodedName { path: PathBuf::from(text.into_owned()), encoding: Some(encoding) })
    };
    let mut names: Vec<DecodedName> = encodings.into_iter().filter_map(read).collect();
    let has_folder = |name: &DecodedName| name.path.parent().is_some_and(Path::is_dir);
    let chosen = names.iter().position(|name| name.path.exists()).or(names.iter().position(has_folder)).unwrap_or(0);
    if chosen < names.len() {
        return names.swap_remove(chosen);
    }
    DecodedName { path: PathBuf::from(String::from_utf8_lossy(name).into_owned()), encoding: None }
}

/// Whether all that is not ASCII is common Chinese characters in GBK.
fn is_plain_chinese(name: &[u8]) -> bool {
    let mut words = name.split(u8::is_ascii).filter(|word| !word.is_empty());
    let is_common = |pair: &[u8; 2]| (0xB0..=0xF7).contains(&pair[0]) && pair[1] >= 0xA1;
    words.all(|word| {
        let (pairs, rest) = word.as_chunks();
        rest.is_empty() && pairs.iter().all(is_common)
    })
}

/// The encoding of the ANSI code page, in which programs of Windows without Unicode write file names.
#[cfg(windows)]
fn system_encoding() -> Option<&'static Encoding> {
    encoding_of_code_page(chuhe_support::windows::ansi_code_page())
}

#[cfg(not(windows))]
fn system_encoding() -> Option<&'static Encoding> {
    None
}

/// The encoding of a code page of Windows, if it is one of its ANSI code pages.
#[cfg(any(windows, test))]
fn encoding_of_code_page(page: u32) -> Option<&'static Encoding> {
    let label = match page {
        874 => "windows-874",
        932 => "shift_jis",
        936 | 54936 => "gb18030",
        949 => "euc-kr",
        950 => "big5",
        1250..=1258 => return Encoding::for_label(format!("windows-{page}").as_bytes()),
        _ => return None,
    };
    Encoding::for_label(label.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::BIG5;

    const GBK_NAME: &[u8] = b"C:\\\xcf\xf3\xc6\xe5 \xd2\xfd\xc7\xe6\\BOOK.DAT";

    #[test]
    fn names_are_decoded_in_the_code_page_of_the_system_or_as_gbk() {
        let path = |name: &[u8], page| decode_name(name, encoding_of_code_page(page), false).path.display().to_string();
        for page in [936, 54936, 65001, 437, 1252] {
            assert_eq!(path(GBK_NAME, page), "C:\\象棋 引擎\\BOOK.DAT", "{page}");
        }
        assert_eq!(path(&BIG5.encode("D:\\許銀川.obk").0, 950), "D:\\許銀川.obk");
        assert_eq!(path(b"\xc9checs\\livre.dat", 1252), "Échecs\\livre.dat");
        assert_eq!(path("D:\\许银川.obk".as_bytes(), 950), "D:\\许银川.obk");
        // Neither a text in the code page nor in GBK.
        assert_eq!(path(b"a\xff", 936), "a\u{FFFD}");
    }

    /// 学习, 学校, 实战 and 图片 are texts of other letters in UTF-8.
    #[test]
    fn a_name_in_gbk_that_is_utf8_as_well_is_found() {
        let folder = std::env::temp_dir().join(format!("chuhe-both-{}", std::process::id()));
        let cases: [(&[u8], &str); 4] = [
            (b"\xd1\xa7\xcf\xb0", "学习"),
            (b"\xd1\xa7\xd0\xa3", "学校"),
            (b"\xca\xb5\xd5\xbd", "实战"),
            (b"\xcd\xbc\xc6\xac", "图片"),
        ];
        for (bytes, name) in cases {
            std::fs::create_dir_all(folder.join(name)).expect("a folder");
            let value = [folder.display().to_string().as_bytes(), b"/", bytes, b"/new.log"].concat();
            assert!(std::str::from_utf8(&value).is_ok());
            let mut sends_gbk = false;
            assert_eq!(path_from_bytes(&value, &mut sends_gbk), folder.join(name).join("new.log"));
            assert!(sends_gbk);
            // Where nothing is there the host's habit decides.
            let nowhere = [b"nowhere/", bytes].concat();
            assert_eq!(path_from_bytes(&nowhere, &mut true), PathBuf::from(format!("nowhere/{name}")));
            let as_utf8 = String::from_utf8(nowhere.clone()).expect("UTF-8");
            assert_eq!(path_from_bytes(&nowhere, &mut false), PathBuf::from(as_utf8));
        }
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn a_file_that_exists_decides_how_its_name_is_decoded() {
        let folder = std::env::temp_dir().join(format!("chuhe-names-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let book = folder.join("开局库.dat");
        std::fs::write(&book, "").expect("a file");
        let mut bytes = folder.display().to_string().into_bytes();
        bytes.extend_from_slice(b"/\xbf\xaa\xbe\xd6\xbf\xe2.dat");
        assert_eq!(decode_name(&bytes, encoding_of_code_page(1252), false).path, book);
        let list = [&bytes[..], b"; own ;", GBK_NAME].concat();
        let expected = format!("{};own;C:\\象棋 引擎\\BOOK.DAT", book.display());
        #[cfg(unix)]
        assert_eq!(path_from_bytes(&list, &mut false), PathBuf::from(expected));
        #[cfg(not(unix))]
        assert!(path_from_bytes(&list, &mut false).display().to_string().contains("own"), "{expected}");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
