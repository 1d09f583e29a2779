//! What is seen in the browser: one page with everything in it, in both languages.
//!
//! Its look and its board are those of all pages (`draw::page`); `page.css` is what it has beside them. Of its scripts `wire`
//! talks to the server, `hand` moves pieces, and `play` plays.

mod panels;
mod words;

use super::digest;
use super::http::Response;
use crate::board::Position;
use crate::draw::Picture;
use crate::draw::page::{FLIP, Page, STEPS, buttons, json, tools};
use crate::language::{Language, tr};
use crate::player::{FULL_LEVEL, Strength};
use maud::{Markup, PreEscaped, html};
use words::text;

/// By this the page is known as one of ours.
const MARK: &str = "<meta name=\"generator\" content=\"Chuhe board\"><link rel=\"icon\" href=\"data:,\">";

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

/// The page as it is sent.
pub struct Face {
    html: String,
    policy: String,
}

impl Face {
    pub fn new() -> Face {
        let script = SCRIPTS.join("\n");
        let page = Page {
            mark: MARK,
            language: Language::of_reader(),
            title: "楚河 Chuhe",
            style: include_str!("page.css"),
            data: &data(),
            script: &script,
            body: body(),
        };
        let [style, script] = page.inline().map(|text| digest::source(&text));
        // Nothing but its own style and script, and nobody to talk to but this server.
        let policy = format!(
            "default-src 'none'; script-src {script}; style-src {style}; connect-src 'self'; img-src data: blob:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        );
        Face { html: page.into_string(), policy }
    }

    pub fn response(&self) -> Response {
        Response {
            status: 200,
            kind: "text/html; charset=utf-8",
            policy: Some(self.policy.clone()),
            body: self.html.clone().into_bytes(),
        }
    }
}

/// What the scripts know from the beginning.
fn data() -> String {
    let classes: Vec<_> = (1..=FULL_LEVEL).map(|level| words::class(Strength::Level(level))).collect();
    format!("const WORDS = {};\nconst CLASSES = {};", json(&words::of_scripts()), json(&classes))
}

fn body() -> Markup {
    html! {
        header.top {
            h1 { span.red { "楚河" } " Chuhe" }
            nav role="tablist" {
                (mode("play", text(|| tr!("Play"))))
                (mode("analyse", text(|| tr!("Analyse"))))
                (mode("games", text(|| tr!("Games"))))
                (mode("setup", text(|| tr!("Set up"))))
            }
            (tools())
        }
        p #notice role="alert" hidden {}
        main.desk {
            section.stage aria-label="楚河 Chuhe" {
                div.player #above data-panel="play" { b {} span.taken {} time {} }
                div.table {
                    div.bar data-panel="analyse games" aria-hidden="true" hidden { i #bar {} }
                    (PreEscaped(Picture::of(&Position::start()).svg()))
                }
                div.player #below data-panel="play" { b {} span.taken {} time {} }
                (buttons(&[STEPS[0], STEPS[1], STEPS[2], STEPS[3], FLIP]))
            }
            section.panel data-panel="play" { (panels::play()) }
            section.panel data-panel="analyse games" hidden { (panels::games()) (panels::analyse()) }
            section.panel data-panel="setup" hidden { (panels::setup()) }
        }
        p.unseen #spoken aria-live="polite" {}
    }
}

fn mode(name: &str, said: Markup) -> Markup {
    html! { button type="button" role="tab" data-mode-of=(name) aria-selected=(if name == "play" { "true" } else { "false" }) { (said) } }
}
