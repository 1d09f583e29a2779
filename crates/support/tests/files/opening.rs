//! What strangers may have put under a name: pipes and devices are refused, and large files before they are read.

use chuhe_support::files::{read_input, read_regular};
use chuhe_testing::Folder;
use std::fs;

#[test]
fn file_larger_than_the_limit_is_not_read() {
    let folder = Folder::new();
    let path = folder.path("large");
    let file = fs::File::create(&path).expect("a file");
    // Windows has no holes in files unless asked for.
    file.set_len(if cfg!(windows) { 6 << 20 } else { 1 << 40 }).expect("a file full of holes");
    let refused = |error: std::io::Error| error.to_string();
    assert_eq!(read_regular(&path, 5 << 20).map_err(refused), Err("is larger than 5 MB".to_string()));
    assert_eq!(read_input(&path, 5 << 20, |_| true).map_err(refused), Err("is larger than 5 MB".to_string()));
    assert!(read_regular(folder.root(), 100).is_err(), "a folder");
    fs::write(&path, b"12345").expect("written");
    assert_eq!(read_regular(&path, 5).expect("as large as allowed"), b"12345");
    assert!(read_regular(&path, 4).is_err());
}

#[cfg(unix)]
#[test]
fn pipe_and_device_are_refused_and_do_not_block() {
    use chuhe_support::files::{open_regular, replace_regular};
    use std::path::PathBuf;

    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for path in [pipe, PathBuf::from("/dev/zero"), PathBuf::from("/dev/tty")] {
        let refused = |error: std::io::Error| error.to_string();
        // Without a terminal `/dev/tty` may be refused by the system.
        let told = open_regular(&path).map_err(refused).expect_err("refused");
        assert!(told == "is not a file" || path.ends_with("tty"), "{}: {told}", path.display());
        assert!(read_regular(&path, 100).is_err());
        assert!(replace_regular(&path, b"text").is_err());
    }
    assert!(read_input(&PathBuf::from("/dev/zero"), 1 << 20, |_| true).is_err());
    let head = read_input(&PathBuf::from("/dev/zero"), 1 << 40, |head| head[0] != 0).expect("the head alone");
    assert_eq!(head.len(), 1 << 20);
}

#[cfg(unix)]
#[test]
fn pipe_that_the_user_names_is_waited_for() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let writer = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::write(pipe, b"text"))
    };
    assert_eq!(read_input(&pipe, 100, |_| true).expect("read"), b"text");
    writer.join().expect("no panic").expect("written");
}
