//! The list of games, and what its games say about a position.

use super::icons::icon;
use chuhe_support::language::tr;
use maud::{Markup, html};

/// The games: those of the list, and how others are opened.
pub fn games() -> Markup {
    html! {
        section.games data-in="games" data-part="games" hidden {
            div.row {
                label.deed.main.file { (icon("open")) span { (tr!("Open a file")) } input.unseen #file type="file"; }
                input #gameSearch type="search" autocomplete="off" spellcheck="false"
                    aria-label=(tr!("Search"));
            }
            div.row.filters {
                p.faint #gameCount role="status" {}
                button.small #chooseAll type="button" { (tr!("Choose all")) }
                select #gameResult aria-label=(tr!("Result")) {
                    option value="" { (tr!("any result")) }
                    option value="1-0" { (tr!("Red won")) }
                    option value="0-1" { (tr!("Black won")) }
                    option value="1/2-1/2" { (tr!("drawn")) }
                    option value="*" { (tr!("unfinished")) }
                }
                span.folder {
                    select #gameFolder aria-label=(tr!("Folder")) { option value="" {} }
                    button.fold #renameFolder type="button" hidden { (icon("rename")) }
                    button.fold #removeFolder type="button" hidden { (icon("delete")) }
                }
                select #gameSort aria-label=(tr!("Order")) {
                    option value="" { (tr!("latest first")) }
                    option value="oldest" { (tr!("oldest first")) }
                    option value="name" { (tr!("by name")) }
                }
                select #gameSource aria-label=(tr!("Source")) {
                    option value="" { (tr!("any source")) }
                    option value="played" { (tr!("played here")) }
                    option value="opened" { (tr!("opened")) }
                    option value="kept" { (tr!("analysed")) }
                }
            }
            div.row.chosen #gameDeeds hidden {
                span #chosenCount {}
                @for format in ["pgn", "xqf", "ubb"] { button.small type="button" data-export=(format) { (format.to_uppercase()) } }
                select #putInto aria-label=(tr!("Put into a folder")) { option value="" {} }
                button.small #deleteChosen type="button" { (icon("delete")) (tr!("Delete")) }
                button.small #chooseNone type="button" { (tr!("Choose none")) }
            }
            div.game-list #gameList tabindex="-1" { ul #gameRows aria-label=(tr!("Games")) {} }
            p.faint #noGames hidden { (tr!("Games that you play or open are listed here.")) }
        }
    }
}

/// What the games of the list say about the position.
pub fn played_here() -> Markup {
    html! {
        div.played #played data-in="analyse" hidden {
            p #playedCount role="status" {}
            div.row {
                input #playedSearch type="search" autocomplete="off" spellcheck="false" aria-label=(tr!("Search"));
                select #playedResult aria-label=(tr!("Result")) {
                    option value="" { (tr!("any result")) }
                    option value="1-0" { (tr!("Red won")) }
                    option value="0-1" { (tr!("Black won")) }
                    option value="1/2-1/2" { (tr!("drawn")) }
                }
            }
            div.row {
                select #playedColour aria-label=(tr!("Colour of the player")) {
                    option value="" { (tr!("either colour")) }
                    option value="red" { (tr!("plays red")) }
                    option value="black" { (tr!("plays black")) }
                }
                input #playedSince type="date" aria-label=(tr!("From this day on")) title=(tr!("From this day on"));
                input #playedUntil type="date" aria-label=(tr!("Up to this day")) title=(tr!("Up to this day"));
            }
            ol #playedMoves {}
            ul #playedGames {}
        }
    }
}
