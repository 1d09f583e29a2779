//! What is seen in the browser: one page with everything in it, in both languages.
//!
//! Its look and its board are those of all pages (`draw::html_page`); `page.css` is what it has beside them. Of its scripts `wire`
//! talks to the server, `hand` moves pieces, and `play` plays.

mod panels;
mod texts;

use crate::draw::BoardPicture;
use crate::draw::html_page::{FLIP_BUTTON, HtmlPage, NAVIGATION_BUTTONS, button_row, json, page_settings};
use crate::player::{MAX_LEVEL, Strength};
use chuhe_engine::board::Position;
use chuhe_engine::language::{Language, tr};
use maud::{Markup, PreEscaped, html};
use texts::bilingual;

/// By this the page is known as one of ours.
const GENERATOR_META: &str = "<meta name=\"generator\" content=\"Chuhe board\"><link rel=\"icon\" href=\"data:,\">";

const SCRIPTS: [&str; 8] = [
    include_str!("wire.js"),
    include_str!("hand.js"),
    include_str!("modes.js"),
    include_str!("play.js"),
    include_str!("tree.js"),
    include_str!("analyse.js"),
    include_str!("games.js"),
    include_str!("setup.js"),
];

/// The page, its style and its script: a file each, so that a static host can serve them, too.
pub struct BoardPage {
    pub html: String,
    pub style: String,
    pub script: String,
}

impl BoardPage {
    /// What the page may load and run: its own files, and this server.
    pub const POLICY: &'static str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
         img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    pub fn new() -> BoardPage {
        let script = SCRIPTS.join("\n");
        let page = HtmlPage {
            mark: GENERATOR_META,
            language: Language::current(),
            title: "楚河 Chuhe",
            style: include_str!("page.css"),
            data: &data(),
            script: &script,
            body: body(),
        };
        let [style, script] = page.parts();
        BoardPage { html: page.linked("board.css", "board.js"), style, script }
    }
}

impl Default for BoardPage {
    fn default() -> BoardPage {
        BoardPage::new()
    }
}

/// What the scripts know from the beginning.
fn data() -> String {
    let classes: Vec<_> = (1..=MAX_LEVEL).map(|level| texts::strength_class(Strength::Level(level))).collect();
    format!("const WORDS = {};\nconst CLASSES = {};", json(&texts::script_texts()), json(&classes))
}

fn body() -> Markup {
    html! {
        header.top {
            h1 { span.red { "楚河" } " Chuhe" }
            nav role="tablist" {
                (mode_tab("play", bilingual(|| tr!("Play"))))
                (mode_tab("analyse", bilingual(|| tr!("Analyse"))))
                (mode_tab("games", bilingual(|| tr!("Games"))))
                (mode_tab("setup", bilingual(|| tr!("Set up"))))
            }
            (page_settings())
        }
        p #notice role="alert" hidden {}
        main.desk {
            section.stage aria-label="楚河 Chuhe" {
                div.player #above data-panel="play" { b {} span.taken {} time {} }
                div.table {
                    div.bar data-panel="analyse games" aria-hidden="true" hidden { i #bar {} }
                    (PreEscaped(BoardPicture::new(&Position::start()).svg()))
                }
                div.player #below data-panel="play" { b {} span.taken {} time {} }
                (button_row(&[NAVIGATION_BUTTONS[0], NAVIGATION_BUTTONS[1], NAVIGATION_BUTTONS[2], NAVIGATION_BUTTONS[3], FLIP_BUTTON]))
            }
            section.panel data-panel="play" { (panels::play()) }
            section.panel data-panel="analyse games" hidden { (panels::games()) (panels::analyse()) }
            section.panel data-panel="setup" hidden { (panels::setup()) }
        }
        p.unseen #spoken aria-live="polite" {}
    }
}

fn mode_tab(name: &str, said: Markup) -> Markup {
    html! { button type="button" role="tab" data-mode-of=(name) aria-selected=(if name == "play" { "true" } else { "false" }) { (said) } }
}
