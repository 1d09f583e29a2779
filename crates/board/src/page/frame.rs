//! What surrounds the panels: the top of the page with its settings, the dock of a phone, the dialog of a new game.

use super::icons::icon;
use super::panels::rule_sets;
use super::texts::bilingual;
use crate::bilingual::Bilingual;
use chuhe_study::html_page::bilingual_text as label;
use chuhe_study::player::MAX_LEVEL;
use chuhe_support::language::tr;
use maud::{Markup, html};
use xiangqi_draw::{BoardColours, Coordinates, PieceSet};

/// The time controls offered: the label in minutes and seconds, and the value that is parsed.
const CLOCKS: [(&str, &str); 6] = [
    ("1 + 1", "60+1"),
    ("3 + 2", "180+2"),
    ("5 + 5", "300+5"),
    ("10 + 5", "600+5"),
    ("15 + 10", "900+10"),
    ("30 + 30", "1800+30"),
];

/// The settings of the look that are remembered, with their values; the first is the usual one.
pub const LOOKS: [(&str, &[&str]); 4] = [
    ("pieces", &["wood", "flat", "letters"]),
    ("board", &["wood", "paper", "green"]),
    ("coordinates", &["chinese", "letters", "none"]),
    ("octagons", &["off", "on"]),
];

/// The top of the page: its modes, and the settings.
pub fn top() -> Markup {
    html! {
        header.top {
            h1 { span.red { "楚河" } " Chuhe" }
            nav role="tablist" {
                (mode_tab("play", bilingual(|| tr!("Play"))))
                (mode_tab("analyse", bilingual(|| tr!("Analyse"))))
                (mode_tab("games", bilingual(|| tr!("Games"))))
                (mode_tab("setup", bilingual(|| tr!("Set up"))))
            }
            div.tools {
                button.lan #lan type="button" hidden title=(label(|| tr!("The board on your phone"))) {
                    (bilingual(|| tr!("Phone")))
                }
                button #language type="button" { (bilingual(|| tr!("中文"))) }
                details.menu #settings {
                    summary aria-label=(label(|| tr!("Settings"))) title=(label(|| tr!("Settings"))) { (icon("settings")) }
                    div {
                        (choice("pieces", tr_pair(|| tr!("Pieces")), &PieceSet::ALL.iter().map(|set| (set.name(), piece_set_name(*set))).collect::<Vec<_>>()))
                        (choice("board", tr_pair(|| tr!("Board")), &BoardColours::ALL.iter().map(|board| (board.name(), board_name(*board))).collect::<Vec<_>>()))
                        (choice("coordinates", tr_pair(|| tr!("Coordinates")), &Coordinates::ALL.iter().map(|system| (system.name(), coordinates_name(*system))).collect::<Vec<_>>()))
                        (choice("octagons", tr_pair(|| tr!("Black's pieces")), &[("off", tr_pair(|| tr!("round"))), ("on", tr_pair(|| tr!("octagons")))]))
                        (option_box("voice", bilingual(|| tr!("Read the moves aloud"))))
                        (option_box("confirm", bilingual(|| tr!("Ask before each move"))))
                        (option_box("premove", bilingual(|| tr!("Move in advance while Chuhe thinks"))))
                        (option_box("blind", bilingual(|| tr!("Play blindfold: the pieces are hidden"))))
                        button.deed #theme type="button" { "◐ " (bilingual(|| tr!("light or dark"))) }
                    }
                }
            }
        }
    }
}

fn tr_pair(text: impl Fn() -> String) -> Bilingual {
    Bilingual::of(text)
}

fn piece_set_name(set: PieceSet) -> Bilingual {
    tr_pair(|| match set {
        PieceSet::Wood => tr!("wood"),
        PieceSet::Flat => tr!("flat"),
        PieceSet::Letters => tr!("letters"),
    })
}

fn board_name(board: BoardColours) -> Bilingual {
    tr_pair(|| match board {
        BoardColours::Wood => tr!("wood"),
        BoardColours::Paper => tr!("paper"),
        BoardColours::Green => tr!("green"),
    })
}

fn coordinates_name(system: Coordinates) -> Bilingual {
    tr_pair(|| match system {
        Coordinates::Chinese => tr!("Chinese"),
        Coordinates::Letters => tr!("a to i"),
        Coordinates::None => tr!("none"),
    })
}

/// A setting with its values, of which one is pressed.
fn choice(name: &str, title: Bilingual, values: &[(&str, Bilingual)]) -> Markup {
    let both = |text: &Bilingual| html! { span.zh lang="zh" { (text.zh) } span.en lang="en" { (text.en) } };
    html! {
        div.choice role="group" aria-label={ (title.zh) " / " (title.en) } {
            span { (both(&title)) }
            @for (value, text) in values {
                button type="button" data-set=(name) data-value=(value) aria-pressed="false" { (both(text)) }
            }
        }
    }
}

/// A choice that is on or off.
fn option_box(name: &str, label: Markup) -> Markup {
    html! { label.option { input type="checkbox" data-option=(name); (label) } }
}

fn mode_tab(name: &str, label: Markup) -> Markup {
    html! { button type="button" role="tab" data-mode-of=(name) aria-selected=(if name == "play" { "true" } else { "false" }) { (label) } }
}

/// The buttons at the lower edge of a phone, for each mode.
pub fn dock() -> Markup {
    html! {
        div.dock {
            button type="button" data-request="undo" data-in="play" { (icon("undo")) (bilingual(|| tr!("Take back"))) }
            button type="button" data-request="hint" data-in="play" { (icon("hint")) (bilingual(|| tr!("Hint"))) }
            button type="button" data-sheet="files" data-in="games" { (icon("open")) (bilingual(|| tr!("Games"))) }
            button type="button" data-go="engine" data-in="analyse games" { (icon("engine")) (bilingual(|| tr!("Engine"))) }
            button type="button" data-go="best" data-in="analyse" { (icon("best")) (bilingual(|| tr!("Best move"))) }
            button type="button" data-go="back" data-in="play analyse games" { (icon("back")) (bilingual(|| tr!("back"))) }
            button type="button" data-go="on" data-in="play analyse games" { (icon("on")) (bilingual(|| tr!("on"))) }
            button type="button" data-sheet="more" data-in="play analyse games" { (icon("menu")) (bilingual(|| tr!("More"))) }
        }
    }
}

/// What the page of a static host says where its scripts cannot run.
pub fn cannot_run() -> Markup {
    html! {
        noscript { p.cannot-run { (label(|| tr!("Chuhe needs JavaScript: allow it for this page, and load the page again."))) } }
        p.cannot-run #tooOld role="alert" hidden {
            (label(|| tr!("This browser is too old for Chuhe, which needs Chrome 91, Firefox 114, Safari 16.4 or later.")))
        }
        p.cannot-run #notWhole role="alert" hidden {
            (label(|| tr!("A part of this page could not be loaded: load the page again.")))
        }
    }
}

/// The dialog of a new game.
pub fn new_game() -> Markup {
    html! {
        dialog #beginning aria-labelledby="beginningTitle" {
            form #begin {
                h2 #beginningTitle { (bilingual(|| tr!("New game"))) }
                fieldset.seats {
                    legend { (bilingual(|| tr!("You play"))) }
                    (side_option("red", bilingual(|| tr!("Red")), true))
                    (side_option("black", bilingual(|| tr!("Black")), false))
                    (side_option("both", bilingual(|| tr!("Both sides")), false))
                }
                label.level { span { (bilingual(|| tr!("Level"))) } output #levelToBegin {} input name="level" type="range" min="1" max=(MAX_LEVEL); }
                label { (bilingual(|| tr!("Clock, in minutes and seconds for each move"))) select name="clock" {
                    option value="" { "∞" }
                    @for (label, value) in CLOCKS { option value=(value) { (label) } }
                } }
                label { (bilingual(|| tr!("Rules of repetition"))) select name="rules" { (rule_sets()) } }
                label { (bilingual(|| tr!("Position"))) input name="position" autocomplete="off" spellcheck="false" placeholder="FEN"; }
                div.row {
                    button.deed.main { (bilingual(|| tr!("Begin"))) }
                    button.deed #notBegin type="button" { (bilingual(|| tr!("Cancel"))) }
                }
            }
        }
    }
}

fn side_option(name: &str, label: Markup, is_usual: bool) -> Markup {
    html! { label { input type="radio" name="seat" value=(name) checked[is_usual]; span { (label) } } }
}
