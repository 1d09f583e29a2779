//! Names of files in GBK and in no encoding at all; `transcripts::logs` has the rest about logs.

use super::host::Host;
use crate::common::{Folder, answered};

/// 学习 in GBK is text in UTF-8 as well; who writes so gets answers in GBK, and a log in one encoding.
#[test]
fn host_that_writes_gbk_is_answered_in_gbk() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("学习")).expect("a folder");
    let root = folder.root().display().to_string();
    let learning = b"\xd1\xa7\xcf\xb0";
    let at_root =
        |option: &str, name: &[u8]| [option.as_bytes(), root.as_bytes(), b"/", learning, name, b"\n"].concat();
    let input = [
        b"ucci\n".to_vec(),
        at_root("setoption logfile ", b"/log.txt"),
        at_root("setoption bookfiles ", b"/none.dat"),
        // A line that is GBK alone is logged as such.
        b"setoption bookfiles \xc3\xbb\xd3\xd0.dat\nquit\n".to_vec(),
    ];
    let said = answered(&mut folder.command(&[]), &input.concat()).stdout;
    assert!(said.windows(4).any(|letters| letters == learning), "{:?}", String::from_utf8_lossy(&said));
    let log = std::fs::read_to_string(folder.path("学习/log.txt")).expect("a log in UTF-8");
    assert!(log.contains("学习/none.dat") && log.contains("没有.dat"), "{log}");
}

#[test]
fn file_of_a_name_in_gbk_is_found_under_its_name_in_unicode() {
    let folder = Folder::new();
    let log = folder.write("日志.txt", "");
    let mut host = Host::ucci();
    let name = [format!("{}/", folder.root().display()).as_bytes(), b"\xc8\xd5\xd6\xbe.txt"].concat();
    host.say_bytes(&[b"setoption logfile ", &name[..], b"\n"].concat());
    assert!(host.pause().is_empty());
    assert!(std::fs::read_to_string(log).expect("the log").contains("> isready"));
}

#[test]
fn file_names_in_gbk_are_shown_as_they_were_meant() {
    let mut host = Host::ucci();
    // "C:\象棋 引擎\没有.dat"
    let name = b"C:\\\xcf\xf3\xc6\xe5 \xd2\xfd\xc7\xe6\\\xc3\xbb\xd3\xd0.dat";
    host.say("setoption language zh-utf8\nsetoption usebook true");
    for option in ["bookfiles", "egtbpaths", "evalfile"] {
        host.say_bytes(&[b"setoption ", option.as_bytes(), b" ", &name[..], b"\n"].concat());
        let lines = host.pause();
        assert!(lines.len() == 1 && lines[0].contains("C:\\象棋 引擎\\没有.dat"), "{option}: {lines:#?}");
    }
    // The book inside the program is asked instead.
    let lines = host.ask("position startpos\ngo time 1000", "bestmove");
    assert!(lines.iter().any(|line| line.contains(" own")), "{lines:#?}");
}

#[cfg(unix)]
#[test]
fn file_of_a_name_that_is_not_utf_8_is_found_by_its_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let mut name = format!("chuhe-{}-", std::process::id()).into_bytes();
    name.extend_from_slice(b"\xbf\xaa\xbe\xd6.txt");
    let path = std::env::temp_dir().join(std::ffi::OsStr::from_bytes(&name));
    std::fs::write(&path, "").expect("a file");
    let mut host = Host::ucci();
    host.say_bytes(&[b"setoption logfile ", path.as_os_str().as_bytes(), b"\n"].concat());
    assert!(host.pause().is_empty());
    assert!(std::fs::read(&path).expect("the log").len() > 10);
    let _ = std::fs::remove_file(path);
}
