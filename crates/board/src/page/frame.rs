//! What surrounds the panel: the top of the page, the line of news under it, the dock of a phone.

use super::icons::icon;
use super::panels::confirmation;
use super::settings;
use chuhe_support::language::{Language, tr};
use maud::{Markup, html};

/// The top of the page: the states of the board, the list of games, the settings.
pub fn top() -> Markup {
    html! {
        header.top {
            h1 { span.red lang="zh" { (icon("logo")) span.unseen { "楚河" } } " Chuhe" }
            nav {
                div.states role="tablist" aria-label=(tr!("Board")) {
                    (state_tab("play", tr!("Play")))
                    (state_tab("analyse", tr!("Analyse")))
                    (state_tab("review", tr!("Review")))
                    (state_tab("setup", tr!("Set up")))
                }
                button.place type="button" data-mode-of="games" { (tr!("Games")) }
                button.place #trainEntry type="button" data-mode-of="train" { (tr!("Train")) b #trainDue {} }
            }
            div.tools {
                button.lan #lan type="button" hidden title=(tr!("The board on your phone")) {
                    (tr!("Phone"))
                }
                label.language title=(tr!("Language")) {
                    (icon("language"))
                    select #language aria-label=(tr!("Language")) {
                        @for language in Language::ALL {
                            option value=(language) lang=(language) { (language.own_name()) }
                        }
                    }
                }
                (settings::menu())
            }
        }
    }
}

fn state_tab(name: &str, label: String) -> Markup {
    let is_first = name == "play";
    html! { button type="button" role="tab" data-mode-of=(name) aria-selected=(if is_first { "true" } else { "false" }) { (label) } }
}

/// The line under the top: messages, and else what there is to say of the state. It is there also when it is empty.
pub fn news() -> Markup {
    html! {
        div.news {
            p #notice role="alert" hidden {}
            div data-in="play" { p #status role="status" {} }
            div.asking data-in="play" { (confirmation()) }
            p #tags data-in="analyse review" hidden {}
            @let setup = tr!("Drag pieces, or click a piece and then squares. Drag a piece off the board to remove it.");
            p.faint data-in="setup" title=(setup) hidden { (setup) }
            div data-in="train" hidden { p #trainNews role="status" {} }
            p.faint.by-mouse data-in="games" hidden {
                (tr!("Drop a file here, or paste: PGN, XQF, UBB, CBR, WXF, FEN, moves as text"))
            }
        }
    }
}

/// The buttons at the lower edge of a phone, for each state.
pub fn dock() -> Markup {
    html! {
        div.dock {
            button type="button" data-request="undo" data-in="play" { (icon("undo")) span { (tr!("Take back")) } }
            button type="button" data-request="hint" data-in="play" { (icon("hint")) span { (tr!("Hint")) } }
            button type="button" data-go="engine" data-in="analyse review" { (icon("engine")) span { (tr!("Engine")) } }
            button type="button" data-go="best" data-in="analyse" { (icon("best")) span { (tr!("Best move")) } }
            button type="button" data-go="back" data-in="play analyse review" { (icon("back")) span { (tr!("back")) } }
            button type="button" data-go="on" data-in="play analyse review" { (icon("on")) span { (tr!("forward")) } }
            button #learnFromIt type="button" data-in="review" { (icon("hint")) span { (tr!("Learn")) } }
            button type="button" data-sheet="more" data-in="play analyse review" aria-expanded="false" { (icon("menu")) span { (tr!("More")) } }
        }
    }
}

/// What the page says where its scripts cannot run.
pub fn cannot_run() -> Markup {
    html! {
        noscript { p.cannot-run { (tr!("Chuhe needs JavaScript: allow it for this page, and load the page again.")) } }
        p.cannot-run #tooOld role="alert" hidden {
            (tr!("This browser is too old for Chuhe, which needs Chrome 91, Firefox 114, Safari 16.4 or later."))
        }
        p.cannot-run #notWhole role="alert" hidden {
            (tr!("A part of this page could not be loaded: load the page again."))
        }
    }
}
