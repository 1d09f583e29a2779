//! The icons of the page and the buttons that bear them. Icons are lines on a square of 20, in the colour of the text. The few Chinese characters that stand in the
//! English page are drawn as well: not every system has a font for them.

use maud::{Markup, html};

/// An icon by its name.
pub fn icon(name: &str) -> Markup {
    let width = if name == "logo" { 42 } else { 20 };
    html! { svg.icon.wide[width > 20] viewBox={ "0 0 " (width) " 20" } aria-hidden="true" { path d=(path(name)) {} } }
}

/// A button of second rank.
pub fn deed(id: &str, picture: &str, label: String) -> Markup {
    html! { button.deed type="button" id=(id) { (icon(picture)) span { (label) } } }
}

/// The most important action of a panel.
pub fn main_button(id: &str, picture: &str, label: String) -> Markup {
    html! { button.deed.main type="button" id=(id) { (icon(picture)) span { (label) } } }
}

fn path(name: &str) -> &'static str {
    match name {
        "undo" => "M7 4L3 8L7 12M3 8H12A4.5 4.5 0 0 1 12 17H8",
        "redo" => "M13 4L17 8L13 12M17 8H8A4.5 4.5 0 0 0 8 17H12",
        "keep" => "M5 3H15V17L10 13L5 17Z",
        "hint" => "M7.5 14.5C7.5 12 5 11 5 7.5A5 5 0 0 1 15 7.5C15 11 12.5 12 12.5 14.5ZM8 17.5H12",
        "offer-draw" => "M4 7.5H16M4 12.5H16",
        "resign" => "M5 18V3M5 4C8 2 11 6 15 4V11C11 13 8 9 5 11",
        "move-now" => "M11 2L4 11H9L8 18L16 8H10.5Z",
        "analyse" => "M3 17H17M3 13L8 8L11 11L17 4",
        "sound" => "M3 8H6L10 4V16L6 12H3ZM13 7A4 4 0 0 1 13 13M15.5 4.5A8 8 0 0 1 15.5 15.5",
        "new" => "M10 4V16M4 10H16",
        "menu" => "M3 5H17M3 10H17M3 15H17",
        "settings" => "M3 6H10M14 6H17M3 14H6M10 14H17M12 4V8M8 12V16",
        "save" => "M10 3V12M6 9L10 13L14 9M4 17H16",
        "open" => "M3 16V4H8L10 6.5H17V16Z",
        "copy" => "M7 7H16V17H7ZM4 13V3H13",
        "review" => "M8.5 3A5.5 5.5 0 1 1 8.5 14A5.5 5.5 0 1 1 8.5 3M12.5 12.5L17 17",
        "play" => "M6 4L16 10L6 16Z",
        "delete" => "M4 6H16M8 6V3.5H12V6M6 6L7 17H13L14 6",
        "rename" => "M4 16V12.5L13 3.5L16.5 7L7.5 16Z",
        "promote" => "M10 16V4M5 9L10 4L15 9",
        "threat" => "M10 4.5A5.5 5.5 0 1 1 10 15.5A5.5 5.5 0 1 1 10 4.5M10 1.5V7M10 13V18.5M1.5 10H7M13 10H18.5",
        "engine" => "M10 3V10M6 5A7 7 0 1 0 14 5",
        "solve" => "M3 10.5L8 15.5L17 4.5",
        "best" => "M10 3L12 8L17.5 8.3L13.2 11.8L14.7 17L10 14L5.3 17L6.8 11.8L2.5 8.3L8 8Z",
        "rematch" => "M16 10A6 6 0 1 1 13 5M13 1.5V5.5H9",
        "swap" | "flip" => "M6 16V5M3 8L6 4L9 8M14 4V15M11 12L14 16L17 12",
        "back" => "M13 4L6 10L13 16Z",
        "on" => "M7 4L14 10L7 16Z",
        "first" => "M5 4V16M15 4L8 10L15 16Z",
        "last" => "M15 4V16M5 4L12 10L5 16Z",
        "picture" => "M3 4H17V16H3ZM3 14L8 9L11 12L14 9L17 12M6.5 7.5H7",
        "empty" => "M4 4H16V16H4ZM7 7L13 13M13 7L7 13",
        "start" => "M4 4H16V16H4ZM4 10H16M10 4V16",
        "more" => "M4 10H4.1M10 10H10.1M16 10H16.1",
        "close" => "M5 5L15 15M15 5L5 15",
        // 楚河
        "logo" => {
            "M2 4.5H9M5.5 1.5V10M5.3 5L2 8.5M5.8 5L9 8.5M11 4.5H18M14.5 1.5V10M14.3 5L11 8.5M14.8 5L18 8.5M3.5 11H16L15 13\
             M9.8 11V17.5M9.8 14H14.5M6 13C6 15.5 4.5 17.5 2.5 18.5M5.5 15.5C8 18 12 18.5 17.5 18.3\
             M25 2.5L27 4.5M24 7.5L26 9.5M24 17L27 12M29 4H40.5M38 4V17.5L35 17M30.5 8H35V13H30.5Z"
        }
        // 中文
        "language" => {
            "M17.5 10A7.5 7.5 0 1 1 2.5 10A7.5 7.5 0 1 1 17.5 10ZM2.5 10H17.5M10 2.5C13.2 5.5 13.2 14.5 10 17.5C6.8 14.5 6.8 5.5 10 2.5Z"
        }
        _ => "",
    }
}
