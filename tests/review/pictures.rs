//! `chuhe show`.

use super::support::{GAME, complains, says};
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
fn terminal_shows_the_board_in_characters() {
    let folder = Folder::new();
    let text = says(&folder, &["show", GAME, "--ply", "1"]);
    assert!(text.contains("[炮]") && !text.contains('\x1b'), "{text}");
    assert!(text.contains("  3  兵──┼───兵──"), "{text}");
    assert!(text.ends_with("b - - 1 1\n"), "{text}");
    let turned = says(&folder, &["show", "--flip"]);
    assert!(turned.lines().nth(1).expect("a rank").starts_with("  0  俥──傌"), "{turned}");
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

#[test]
fn show_errors_are_named() {
    let folder = Folder::new();
    for (words, told) in [
        (vec!["show", "nonsense"], "chuhe: 'nonsense' is neither a file nor a FEN\n"),
        (vec!["show", GAME, "--ply", "15"], "chuhe: there is no position after 15 plies: the game has 13\n"),
        (vec!["show", "--arrow", "x"], "chuhe: --arrow: 'x' is no legal move in this position\n"),
        (
            vec!["show", "--arrow", "车一进五"],
            "chuhe: --arrow: '车一进五' is no legal move in this position: 兵一 stands in between\n",
        ),
        (vec!["show", "--mark", "j1"], "chuhe: --mark j1: expected a square, a0 to i9\n"),
        (vec!["show", "4k4/9/9/9/9/9/9/9/9/9 w"], "chuhe: FEN board: red has no king\n"),
        (vec!["show", "startpos moves h2e2 h2e2"], "chuhe: move 2: h2e2 is not legal: there is no piece on h2\n"),
    ] {
        assert_eq!(complains(&folder, &words), told);
    }
    std::fs::write(folder.path("mine.svg"), "<svg/>").expect("a file");
    let told = complains(&folder, &["show", "--svg", "mine.svg"]);
    assert_eq!(told, "chuhe: mine.svg exists; use --force to overwrite it, or another name\n");
    assert_eq!(folder.text("mine.svg"), "<svg/>");
    assert!(complains(&folder, &["show", "--svg", "no/folder/b.svg"]).starts_with("chuhe: no/folder/b.svg: "));
}
