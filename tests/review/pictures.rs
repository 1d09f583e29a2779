//! The pictures of `chuhe show`; `transcripts::show` has the rest.

use super::support::{GAME, says};
use crate::common::Folder;
use roxmltree::{Document, Node};

fn uses<'a>(svg: &'a Document<'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let group = svg.descendants().find(|node| node.attribute("class") == Some(class)).expect("the group");
    group.children().filter(Node::is_element).collect()
}

#[test]
fn svg_shows_the_position_the_last_move_arrows_and_rings() {
    let folder = Folder::new();
    let told = says(
        &folder,
        &["show", GAME, "--ply", "2", "--svg", "b.svg", "--arrow", "b0c2", "--arrow", "马八进七", "--mark", "e6"],
    );
    assert_eq!(told, "written: b.svg\n");
    let text = folder.text("b.svg");
    let svg = Document::parse(&text).expect("SVG is XML");
    assert_eq!(uses(&svg, "pieces").len(), 32);
    assert_eq!(uses(&svg, "marks").len(), 3, "two squares of the last move and a ring");
    assert_eq!(uses(&svg, "arrows").len(), 2);
    // Black's horse came to g7: file 6, two lines below the upper edge.
    let horse = |node: &Node| (node.attribute("x"), node.attribute("y")) == (Some("300"), Some("100"));
    let found = uses(&svg, "pieces").into_iter().find(horse).expect("a piece on g7");
    assert_eq!(found.attribute("href"), Some("#piece-n"));
    let turned = says(&folder, &["show", "--flip", "--svg", "-"]);
    assert!(turned.contains("<use href=\"#piece-R\" x=\"400\" y=\"0\"/>"), "a0 is at the upper right: {turned}");
    assert_eq!(svg.descendants().filter(|node| node.has_tag_name("text")).count(), 0, "no font is needed");
    for node in svg.descendants().filter(|node| node.has_tag_name("use")) {
        let name = &node.attribute("href").expect("what it uses")[1..];
        assert!(svg.descendants().any(|other| other.attribute("id") == Some(name)), "{name} is in the file");
    }
}

#[test]
fn png_has_the_requested_size_and_is_not_empty() {
    let folder = Folder::new();
    says(&folder, &["show", "--png", "b.png", "--width", "246"]);
    let bytes = std::fs::read(folder.path("b.png")).expect("a file");
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!((&bytes[16..20], &bytes[20..24]), (&246u32.to_be_bytes()[..], &278u32.to_be_bytes()[..]));
    says(&folder, &["show", "4k4/9/9/9/9/9/9/9/9/3K5 w", "--png", "empty.png", "--width", "246"]);
    let empty = std::fs::read(folder.path("empty.png")).expect("a file");
    assert!(bytes.len() > empty.len() * 3 / 2, "thirty pieces are to be seen: {} {}", bytes.len(), empty.len());
    // The same command gives the same bytes, and may overwrite its own file.
    says(&folder, &["show", "--png", "b.png", "--width", "246"]);
    assert_eq!(std::fs::read(folder.path("b.png")).expect("a file"), bytes);
}
