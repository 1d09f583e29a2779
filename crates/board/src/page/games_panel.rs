//! The list of games, and what its games say about a position.

use super::icons::icon;
use super::texts::{bilingual, label};
use chuhe_support::language::tr;
use maud::{Markup, html};

/// The games: those of the list, and how others are opened.
pub fn games() -> Markup {
    html! {
        section.games data-in="games" data-part="games" hidden {
            div.row {
                label.deed.main.file { (icon("open")) span { (bilingual(|| tr!("Open a file"))) } input.unseen #file type="file"; }
                input #gameSearch type="search" autocomplete="off" spellcheck="false"
                    aria-label=(label(|| tr!("Search")));
            }
            div.row.filters {
                p.faint #gameCount role="status" {}
                button.small #chooseAll type="button" { (bilingual(|| tr!("Choose all"))) }
                select #gameResult aria-label=(label(|| tr!("Result"))) {
                    option value="" { (label(|| tr!("any result"))) }
                    option value="1-0" { (label(|| tr!("Red won"))) }
                    option value="0-1" { (label(|| tr!("Black won"))) }
                    option value="1/2-1/2" { (label(|| tr!("drawn"))) }
                    option value="*" { (label(|| tr!("unfinished"))) }
                }
                span.folder {
                    select #gameFolder aria-label=(label(|| tr!("Folder"))) { option value="" {} }
                    button.fold #renameFolder type="button" hidden { (icon("rename")) }
                    button.fold #removeFolder type="button" hidden { (icon("delete")) }
                }
                select #gameSort aria-label=(label(|| tr!("Order"))) {
                    option value="" { (label(|| tr!("latest first"))) }
                    option value="oldest" { (label(|| tr!("oldest first"))) }
                    option value="name" { (label(|| tr!("by name"))) }
                }
                select #gameSource aria-label=(label(|| tr!("Source"))) {
                    option value="" { (label(|| tr!("any source"))) }
                    option value="played" { (label(|| tr!("played here"))) }
                    option value="opened" { (label(|| tr!("opened"))) }
                    option value="kept" { (label(|| tr!("analysed"))) }
                }
            }
            div.row.chosen #gameDeeds hidden {
                span #chosenCount {}
                @for format in ["pgn", "xqf", "ubb"] { button.small type="button" data-export=(format) { (format.to_uppercase()) } }
                select #putInto aria-label=(label(|| tr!("Put into a folder"))) { option value="" {} }
                button.small #deleteChosen type="button" { (icon("delete")) (bilingual(|| tr!("Delete"))) }
                button.small #chooseNone type="button" { (bilingual(|| tr!("Choose none"))) }
            }
            div.game-list #gameList tabindex="-1" { ul #gameRows aria-label=(label(|| tr!("Games"))) {} }
            p.faint #noGames hidden { (bilingual(|| tr!("Games that you play or open are listed here."))) }
        }
    }
}

/// What the games of the list say about the position.
pub fn played_here() -> Markup {
    html! {
        div.played #played data-in="analyse" hidden {
            p #playedCount role="status" {}
            div.row {
                input #playedSearch type="search" autocomplete="off" spellcheck="false" aria-label=(label(|| tr!("Search")));
                select #playedResult aria-label=(label(|| tr!("Result"))) {
                    option value="" { (label(|| tr!("any result"))) }
                    option value="1-0" { (label(|| tr!("Red won"))) }
                    option value="0-1" { (label(|| tr!("Black won"))) }
                    option value="1/2-1/2" { (label(|| tr!("drawn"))) }
                }
            }
            div.row {
                select #playedColour aria-label=(label(|| tr!("Colour of the player"))) {
                    option value="" { (label(|| tr!("either colour"))) }
                    option value="red" { (label(|| tr!("plays red"))) }
                    option value="black" { (label(|| tr!("plays black"))) }
                }
                input #playedSince type="date" aria-label=(label(|| tr!("From this day on"))) title=(label(|| tr!("From this day on")));
                input #playedUntil type="date" aria-label=(label(|| tr!("Up to this day"))) title=(label(|| tr!("Up to this day")));
            }
            ol #playedMoves {}
            ul #playedGames {}
        }
    }
}
