//! The settings: the look, chosen by small pictures of it, and what is on or off.

use super::icons::icon;
use super::texts::{bilingual, label};
use crate::bilingual::Bilingual;
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
    let shapes = [("off", Bilingual::of(|| tr!("round"))), ("on", Bilingual::of(|| tr!("octagons")))];
    let themes = [
        ("light", Bilingual::of(|| tr!("light"))),
        ("dark", Bilingual::of(|| tr!("dark"))),
        ("system", Bilingual::of(|| tr!("system"))),
    ];
    html! {
        details.menu #settings {
            summary aria-label=(label(|| tr!("Settings"))) title=(label(|| tr!("Settings"))) { (icon("settings")) }
            div {
                (choice("pieces", Bilingual::of(|| tr!("Pieces")), &pieces, PIECES))
                (choice("board", Bilingual::of(|| tr!("Board")), &boards, CORNER))
                (choice("coordinates", Bilingual::of(|| tr!("Coordinates")), &systems, EDGE))
                (choice("octagons", Bilingual::of(|| tr!("Black's pieces")), &shapes, BLACK))
                (choice("theme", Bilingual::of(|| tr!("Colours")), &themes, ""))
                (listed("notation", bilingual(|| tr!("Moves")), &[
                    ("language", label(|| tr!("as the language has them"))),
                    ("chinese", label(|| tr!("Chinese: 炮二平五"))),
                    ("wxf", label(|| tr!("WXF: C2.5"))),
                    ("vietnamese", label(|| tr!("Vietnamese: P2-5"))),
                    ("coordinates", label(|| tr!("coordinates: H2-E2"))),
                ]))
                div.of-program {
                    (listed("threads", bilingual(|| tr!("Threads")), &thread_choices()))
                    (listed("hash", bilingual(|| tr!("Memory")), &HASHES.map(|size| (size, format!("{size} MB")))))
                }
                label.field { span { (bilingual(|| tr!("My name"))) } input #myName maxlength="20" autocomplete="off"; }
                (listed("review-room", bilingual(|| tr!("Reviews that are kept")), &ROOMS.map(|room| {
                    (room, label(|| tr!("at most {room} MB", room)))
                })))
                p.faint #reviewRoom {}
                (option_box("sound", bilingual(|| tr!("Sound"))))
                (option_box("voice", bilingual(|| tr!("Read the moves aloud"))))
                (option_box("confirm", bilingual(|| tr!("Ask before each move"))))
                (option_box("premove", bilingual(|| tr!("Move in advance while Chuhe thinks"))))
                (option_box("blind", bilingual(|| tr!("Play blindfold: the pieces are hidden"))))
            }
        }
    }
}

fn piece_set_name(set: PieceSet) -> Bilingual {
    Bilingual::of(|| match set {
        PieceSet::Wood => tr!("wood"),
        PieceSet::Simplified => tr!("modern"),
        PieceSet::Flat => tr!("flat"),
        PieceSet::Letters => tr!("letters"),
    })
}

fn board_name(board: BoardColours) -> Bilingual {
    Bilingual::of(|| match board {
        BoardColours::Wood => tr!("wood"),
        BoardColours::Paper => tr!("paper"),
        BoardColours::Green => tr!("green"),
    })
}

fn coordinates_name(system: Coordinates) -> Bilingual {
    Bilingual::of(|| match system {
        Coordinates::Chinese => tr!("Chinese"),
        Coordinates::Letters => tr!("a to i"),
        Coordinates::None => tr!("none"),
    })
}

/// A setting with its values, of which one is pressed. A value is shown by this picture, which the attribute of the
/// setting changes as that of the page does.
fn choice(name: &str, title: Bilingual, values: &[(&str, Bilingual)], picture: &str) -> Markup {
    let both = |text: &Bilingual| html! { span.zh lang="zh" { (text.zh) } span.en lang="en" { (text.en) } };
    html! {
        div.choice role="group" aria-label={ (title.zh) " / " (title.en) } {
            span { (both(&title)) }
            @for (value, text) in values {
                button type="button" data-set=(name) data-value=(value) aria-pressed="false" {
                    @if !picture.is_empty() {
                        span.thumbnail aria-hidden="true"
                            data-pieces=[(name == "pieces").then_some(value)] data-board=[(name == "board").then_some(value)]
                            data-coordinates=[(name == "coordinates").then_some(value)]
                            data-octagons=[(name == "octagons").then_some(value)] { (PreEscaped(picture)) }
                    }
                    (both(text))
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
    let all = ("all", label(|| tr!("all: {count}", count = most)));
    std::iter::once(all).chain(less.map(|count| (*count, (*count).to_string()))).collect()
}

/// The usual value of a list of settings, where it is not the first.
fn is_usual(name: &str, value: &str) -> bool {
    name == "review-room" && value == ROOMS[1] || name == "hash" && value.parse() == Ok(HASH_MB)
}

/// A setting whose values stand in a list.
fn listed(name: &str, title: Markup, values: &[(&str, String)]) -> Markup {
    html! {
        label.field { span { (title) } select data-listed=(name) {
            @for (value, text) in values { option value=(value) selected[is_usual(name, value)] { (text) } }
        } }
    }
}

/// A choice that is on or off.
fn option_box(name: &str, label: Markup) -> Markup {
    html! { label.option { input type="checkbox" data-option=(name); (label) } }
}
