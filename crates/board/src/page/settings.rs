//! The settings: the look, chosen by small pictures of it, and what is on or off.

use super::icons::icon;
use chuhe_study::player::HASH_MB;
use chuhe_support::language::tr;
use maud::{Markup, PreEscaped, html};
use xiangqi_draw::{BoardColours, Coordinates, PieceSet};

/// The settings of the look that are remembered, with their values; the first is the usual one.
pub const LOOKS: [(&str, &[&str]); 4] = [
    ("pieces", &["wood", "flat", "letters"]),
    ("board", &["wood", "paper", "green"]),
    ("coordinates", &["chinese", "letters", "none"]),
    ("octagons", &["off", "on"]),
];

/// The pictures of the choices: two pieces, a corner of the board, its edge, a piece of black.
const PIECES: &str = "<svg viewBox=\"-26 -26 102 52\"><use href=\"#piece-R\"/><use href=\"#piece-n\" x=\"50\"/></svg>";
const CORNER: &str = "<svg viewBox=\"-36 320 204 104\"><use href=\"#board-red\"/></svg>";
const EDGE: &str = "<svg viewBox=\"-20 425 140 72\"><use href=\"#board-red\"/></svg>";
const BLACK: &str = "<svg viewBox=\"-51 -26 102 52\"><use href=\"#piece-r\"/></svg>";

pub fn menu() -> Markup {
    let pieces: Vec<_> = PieceSet::ALL.iter().map(|set| (set.name(), piece_set_name(*set))).collect();
    let boards: Vec<_> = BoardColours::ALL.iter().map(|board| (board.name(), board_name(*board))).collect();
    let systems: Vec<_> = Coordinates::ALL.iter().map(|system| (system.name(), coordinates_name(*system))).collect();
    let shapes = [("off", tr!("round")), ("on", tr!("octagons"))];
    let themes = [("light", tr!("light")), ("dark", tr!("dark")), ("system", tr!("system"))];
    html! {
        details.menu #settings {
            summary aria-label=(tr!("Settings")) title=(tr!("Settings")) { (icon("settings")) }
            div {
                (choice("pieces", tr!("Pieces"), &pieces, PIECES))
                (choice("board", tr!("Board"), &boards, CORNER))
                (choice("coordinates", tr!("Coordinates"), &systems, EDGE))
                (choice("octagons", tr!("Black's pieces"), &shapes, BLACK))
                (choice("theme", tr!("Colours"), &themes, ""))
                (listed("notation", tr!("Moves"), &[
                    ("language", tr!("as the language has them")),
                    ("chinese", tr!("Chinese: 炮二平五")),
                    ("wxf", tr!("WXF: C2.5")),
                    ("vietnamese", tr!("Vietnamese: P2-5")),
                    ("coordinates", tr!("coordinates: H2-E2")),
                ]))
                div.of-program {
                    (listed("threads", tr!("Threads"), &thread_choices()))
                    (listed("hash", tr!("Memory"), &HASHES.map(|size| (size, format!("{size} MB")))))
                }
                label.field { span { (tr!("My name")) } input #myName maxlength="20" autocomplete="off"; }
                (listed("review-room", tr!("Reviews that are kept"), &ROOMS.map(|room| {
                    (room, tr!("at most {room} MB", room))
                })))
                p.faint #reviewRoom {}
                (option_box("sound", tr!("Sound")))
                (option_box("voice", tr!("Read the moves aloud")))
                (option_box("confirm", tr!("Ask before each move")))
                (option_box("premove", tr!("Move in advance while Chuhe thinks")))
                (option_box("blind", tr!("Play blindfold: the pieces are hidden")))
            }
        }
    }
}

fn piece_set_name(set: PieceSet) -> String {
    match set {
        PieceSet::Wood => tr!("wood"),
        PieceSet::Simplified => tr!("modern"),
        PieceSet::Flat => tr!("flat"),
        PieceSet::Letters => tr!("letters"),
    }
}

fn board_name(board: BoardColours) -> String {
    match board {
        BoardColours::Wood => tr!("wood"),
        BoardColours::Paper => tr!("paper"),
        BoardColours::Green => tr!("green"),
    }
}

fn coordinates_name(system: Coordinates) -> String {
    match system {
        Coordinates::Chinese => tr!("Chinese"),
        Coordinates::Letters => tr!("a to i"),
        Coordinates::None => tr!("none"),
    }
}

/// A setting with its values, of which one is pressed. A value is shown by this picture, which the attribute of the
/// setting changes as that of the page does.
fn choice(name: &str, title: String, values: &[(&str, String)], picture: &str) -> Markup {
    html! {
        div.choice role="group" aria-label=(title) {
            span { (title) }
            @for (value, text) in values {
                button type="button" data-set=(name) data-value=(value) aria-pressed="false" {
                    @if !picture.is_empty() {
                        span.thumbnail aria-hidden="true"
                            data-pieces=[(name == "pieces").then_some(value)] data-board=[(name == "board").then_some(value)]
                            data-coordinates=[(name == "coordinates").then_some(value)]
                            data-octagons=[(name == "octagons").then_some(value)] { (PreEscaped(picture)) }
                    }
                    span { (text) }
                }
            }
        }
    }
}

/// How many megabytes all reviews may take; the second is the usual number.
const ROOMS: [&str; 3] = ["8", "32", "128"];

/// How many megabytes the hash table of an analysis may have.
const HASHES: [&str; 5] = ["16", "64", "256", "1024", "4096"];
/// So many threads are offered, as far as the machine has more.
const THREADS: [&str; 6] = ["1", "2", "4", "8", "16", "32"];

/// The threads of an analysis: all, or a power of two that is less.
fn thread_choices() -> Vec<(&'static str, String)> {
    let most = std::thread::available_parallelism().map_or(1, usize::from);
    let less = THREADS.iter().filter(|count| count.parse().is_ok_and(|count: usize| count < most));
    let all = ("all", tr!("all: {count}", count = most));
    std::iter::once(all).chain(less.map(|count| (*count, (*count).to_string()))).collect()
}

/// The usual value of a list of settings, where it is not the first.
fn is_usual(name: &str, value: &str) -> bool {
    name == "review-room" && value == ROOMS[1] || name == "hash" && value.parse() == Ok(HASH_MB)
}

/// A setting whose values stand in a list.
fn listed(name: &str, title: String, values: &[(&str, String)]) -> Markup {
    html! {
        label.field { span { (title) } select data-listed=(name) {
            @for (value, text) in values { option value=(value) selected[is_usual(name, value)] { (text) } }
        } }
    }
}

/// A choice that is on or off.
fn option_box(name: &str, label: String) -> Markup {
    html! { label.option { input type="checkbox" data-option=(name); (label) } }
}
