//! `chuhe picture`: drawn boards are read back, marks and arrows are no pieces, and what is no board says so.

use crate::common::{Folder, refusal, stderr, stdout, success};
use std::fs;

const MIDDLE: &str = "r1bakabr1/9/1cn3n1c/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKABR1 w - - 0 1";

/// A folder with a drawing of this position.
fn drawn(fen: &str, options: &[&str]) -> Folder {
    let folder = Folder::new();
    success(&folder.chuhe(&[&["show", fen, "--png", "shot.png"], options].concat()));
    folder
}

/// What `chuhe picture --json` says of the drawing.
fn reading(folder: &Folder) -> serde_json::Value {
    serde_json::from_str(&success(&folder.chuhe(&["picture", "shot.png", "--json"]))).expect("a JSON object")
}

#[test]
fn corners_by_hand_find_the_board_again() {
    let folder = drawn(MIDDLE, &[]);
    let found = reading(&folder);
    let corners =
        found["corners"].as_array().expect("four corners").iter().flat_map(|c| c.as_array().expect("x and y"));
    let corners = corners.map(ToString::to_string).collect::<Vec<_>>().join(",");
    let line = success(&folder.chuhe(&["picture", "shot.png", "--corners", &corners]));
    assert!(line.starts_with(MIDDLE), "{line}");
}

/// A chunk of PNG.
fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [kind, data].concat();
    [&(data.len() as u32).to_be_bytes()[..], &body, &crc32fast::hash(&body).to_be_bytes()].concat()
}

/// The beginning of a PNG of this size.
fn header(width: u32, height: u32) -> Vec<u8> {
    let size = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &size), &chunk(b"IDAT", &[0x78, 0x9c])].concat()
}

#[test]
fn hostile_pictures_are_refused() {
    let folder = drawn(MIDDLE, &[]);
    let shot = fs::read(folder.path("shot.png")).expect("the drawing");
    let refused = |bytes: &[u8], reason: &str| {
        fs::write(folder.path("bad"), bytes).expect("a file");
        let output = folder.chuhe(&["picture", "bad", "shot.png"]);
        // The others are read all the same.
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
        assert!(stdout(&output).starts_with(&format!("shot.png:{MIDDLE}")));
    };
    refused(b"", "neither PNG, JPEG nor WebP");
    refused(b"1. h2e2 h9g7", "neither PNG, JPEG nor WebP");
    refused(&header(65_535, 65_535), "65535 × 65535 pixels");
    refused(&header(0, 9), "damaged");
    refused(&header(900, 900), "damaged");
    refused(&shot[..shot.len() / 2], "damaged");
    for length in [3, 12, 40] {
        refused(&[&[0xff, 0xd8, 0xff], &vec![0xe0; length][..]].concat(), "damaged");
        refused(&[b"RIFF\x40\0\0\0WEBPVP8 ", &vec![7; length][..]].concat(), "damaged");
    }
}

#[test]
fn a_picture_without_a_board_gives_none() {
    let folder = Folder::new();
    // One pixel, and a sheet of squares.
    let raw = |side: u32, dark: fn(u32, u32) -> bool| {
        let rows = (0..side)
            .flat_map(|y| std::iter::once(0).chain((0..side * 3).map(move |i| if dark(i / 3, y) { 40 } else { 220 })));
        let data: Vec<u8> = rows.collect();
        let size = [&side.to_be_bytes()[..], &side.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
        let mut blocks = vec![0x78, 0x01];
        for part in data.chunks(60_000) {
            let length = part.len() as u16;
            blocks.push(u8::from(part.as_ptr_range().end == data.as_ptr_range().end));
            blocks.extend([length.to_le_bytes(), (!length).to_le_bytes()].concat());
            blocks.extend(part);
        }
        let (a, b) =
            data.iter().fold((1u32, 0u32), |(a, b), &v| ((a + u32::from(v)) % 65_521, (b + a + u32::from(v)) % 65_521));
        blocks.extend((b << 16 | a).to_be_bytes());
        [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &size), &chunk(b"IDAT", &blocks), &chunk(b"IEND", b"")].concat()
    };
    for picture in
        [raw(1, |_, _| true), raw(400, |x, y| (x / 50 + y / 50) % 2 == 0), raw(300, |x, y| x % 30 == 0 || y % 30 == 0)]
    {
        fs::write(folder.path("none.png"), picture).expect("a file");
        let said = refusal(&folder.chuhe(&["picture", "none.png"]));
        assert!(said.contains("no xiangqi board found"), "{said}");
        assert!(refusal(&folder.chuhe(&["analyse", "none.png"])).contains("no xiangqi board found"));
    }
}
