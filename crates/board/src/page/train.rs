//! The training: its screens, of which one is shown, and its dialogs. Each part names its screens in `data-screen`.

use super::icons::{deed, icon, main_button};
use super::texts::{bilingual, label};
use chuhe_support::language::tr;
use maud::{Markup, html};

/// The panel of the training.
pub fn panel() -> Markup {
    html! {
        section.train data-in="train" data-part="train" hidden {
            nav.screens aria-label=(label(|| tr!("Train"))) {
                (screen_button("today", bilingual(|| tr!("Today"))))
                (screen_button("cards", bilingual(|| tr!("Cards"))))
                (screen_button("openings", bilingual(|| tr!("Openings"))))
                (screen_button("tactics", bilingual(|| tr!("Tactics"))))
                (screen_button("endings", bilingual(|| tr!("Endings"))))
                (screen_button("rulings", bilingual(|| tr!("Rulings"))))
                (screen_button("pattern", bilingual(|| tr!("My pattern"))))
            }
            (today())
            (games())
            (queue())
            (who())
            (exercise())
            (cards())
            div.pane data-screen="openings" data-part="openings" #openings {}
            div.pane data-screen="tactics" data-part="tactics" #tactics {}
            (endings())
            (ending())
            (rulings())
            (pattern())
        }
    }
}

fn screen_button(name: &str, label: Markup) -> Markup {
    html! { button type="button" data-screen-of=(name) { (label) } }
}

/// What is due.
fn today() -> Markup {
    html! {
        div.pane data-screen="today" {
            h2 #todayText data-part="due" aria-live="polite" {}
            p #wentWell {}
            p.wrong #todayError {}
            div.row {
                (main_button("beginTraining", "play", bilingual(|| tr!("Begin"))))
                (main_button("tenMore", "play", bilingual(|| tr!("Ten more"))))
                (deed("toGames", "new", bilingual(|| tr!("Add games"))))
            }
            div.row #dueDecks {}
            div #withoutGames hidden {
                p.faint { (bilingual(|| tr!("No games of yours are needed for these:"))) }
                div.row {
                    button.deed type="button" data-screen-of="tactics" { (bilingual(|| tr!("Tactics"))) }
                    button.deed type="button" data-screen-of="endings" { (bilingual(|| tr!("Endings"))) }
                    button.deed type="button" data-screen-of="rulings" { (bilingual(|| tr!("Rulings"))) }
                }
            }
        }
    }
}

/// How games come in.
fn games() -> Markup {
    html! {
        div.pane data-screen="games" {
            h2 { (bilingual(|| tr!("Add games"))) }
            p.faint { (bilingual(|| tr!("Your mistakes in these games become exercises. Files of any format; drop them here, folders too. Games that you finish on the board come by themselves."))) }
            div.row {
                label.deed.main.file { (icon("open")) span { (bilingual(|| tr!("Files"))) } input.unseen #trainFiles type="file" multiple; }
                label.deed.file { (icon("open")) span { (bilingual(|| tr!("A folder"))) } input.unseen #trainFolder type="file" webkitdirectory multiple; }
                (deed("listedGames", "menu", bilingual(|| tr!("All games of the list"))))
            }
            p #readingText role="status" {}
            details #faults hidden { summary #faultCount {} ul #faultList {} }
        }
    }
}

/// The reviews that run behind.
fn queue() -> Markup {
    html! {
        div.pane.queue data-screen="today games" {
            div.row #queue data-part="queue" hidden {
                p #queueText {}
                button.small #pauseQueue type="button" {}
                progress #queueProgress aria-label=(label(|| tr!("Reviewed games"))) {}
            }
        }
    }
}

/// Who the person is in the games.
fn who() -> Markup {
    html! {
        div.pane data-screen="today games" {
            div #whoAmI hidden {
                h3 { (bilingual(|| tr!("Which of these are you?"))) }
                div.row #playerNames {}
                div.row {
                    button.deed.main #thatIsMe type="button" { (bilingual(|| tr!("That is me"))) }
                    button.deed #bothSides type="button" { (bilingual(|| tr!("None: take both sides"))) }
                }
            }
            div.row #iAm hidden {
                p.faint #iAmText {}
                button.small #changeMe type="button" { (bilingual(|| tr!("Change"))) }
            }
        }
    }
}

/// A question, what was answered, and why.
fn exercise() -> Markup {
    html! {
        div.pane.exercise data-screen="exercise" data-part="exercise" {
            div #exerciseParts hidden {
                p #exerciseText data-part="question" {}
                p #exerciseSaid data-part="verdict" {}
                p #exerciseWhy data-part="reason" {}
                div #exerciseLines {}
                p.faint #exerciseNote {}
                div.row {
                    button.deed.main #goOnExercise type="button" {}
                    button.deed #easyExercise type="button" { (bilingual(|| tr!("That was easy"))) }
                    (deed("hintExercise", "hint", bilingual(|| tr!("Hint"))))
                    (deed("showExercise", "best", bilingual(|| tr!("Show the answer"))))
                    span.row #cardDeeds {
                        (small("gameOfCard", "review", bilingual(|| tr!("Game"))))
                        button.small #flagCard type="button" aria-pressed="false" { (icon("resign")) (bilingual(|| tr!("Flag"))) }
                        (small("noteCard", "keep", bilingual(|| tr!("Note"))))
                        (small("dropCard", "delete", bilingual(|| tr!("Drop"))))
                    }
                    button.fold #endExercise type="button" aria-label=(label(|| tr!("End"))) title=(label(|| tr!("End"))) { (icon("close")) }
                }
                div #around {}
            }
        }
    }
}

/// The list of cards.
fn cards() -> Markup {
    html! {
        div.pane.games data-screen="cards" data-part="cards" {
            div.row {
                input #cardSearch type="search" autocomplete="off" spellcheck="false" aria-label=(label(|| tr!("Search")));
                select #cardDeck aria-label=(label(|| tr!("Deck"))) {}
                select #cardKind aria-label=(label(|| tr!("Kind"))) {
                    option value="" { (label(|| tr!("all kinds"))) }
                    option value="mistake" { (label(|| tr!("mistakes"))) }
                    option value="ending" { (label(|| tr!("endings"))) }
                    option value="ruling" { (label(|| tr!("rulings"))) }
                    option value="tactic" { (label(|| tr!("tactics"))) }
                    option value="opening" { (label(|| tr!("openings"))) }
                    option value="flagged" { (label(|| tr!("flagged"))) }
                }
            }
            div.row.chosen #chosenCards hidden {
                span #chosenCardCount {}
                (small("exerciseChosen", "play", bilingual(|| tr!("Exercise"))))
                (small("sheetOfChosen", "save", bilingual(|| tr!("Sheet"))))
                (small("moveChosen", "open", bilingual(|| tr!("Deck"))))
                (small("dropChosen", "delete", bilingual(|| tr!("Drop"))))
                (small("chooseNoCards", "close", bilingual(|| tr!("Choose none"))))
            }
            div.game-list #cardList tabindex="-1" {
                ul #cardRows aria-label=(label(|| tr!("Cards"))) {}
                button.small #moreCards type="button" hidden { (bilingual(|| tr!("More"))) }
                p.faint #noCards hidden { (bilingual(|| tr!("Mistakes in your games appear here."))) }
            }
            div.row {
                p.faint #cardCount role="status" {}
                (small("chooseFound", "solve", bilingual(|| tr!("Choose all"))))
                details.menu.up {
                    summary.small { (icon("save")) (bilingual(|| tr!("Files"))) }
                    div {
                        button.option type="button" data-export-cards="all" { (bilingual(|| tr!("Save everything, for another device"))) }
                        button.option type="button" data-export-cards="deck" { (bilingual(|| tr!("Save this deck with my answers"))) }
                        button.option type="button" data-export-cards="pupil" { (bilingual(|| tr!("Save this deck for others"))) }
                        label.option.file { span { (bilingual(|| tr!("Open a file of cards"))) } input.unseen #cardFile type="file"; }
                    }
                }
            }
        }
    }
}

/// The shelves of endings.
fn endings() -> Markup {
    html! {
        div.pane data-screen="endings" data-part="endings" {
            div.row {
                select #endingSide aria-label=(label(|| tr!("Side"))) {
                    option value="attack" { (label(|| tr!("attack"))) }
                    option value="defend" { (label(|| tr!("defend"))) }
                }
                select #endingLevel aria-label=(label(|| tr!("Difficulty"))) {
                    option value="1" { (label(|| tr!("easy"))) }
                    option value="2" { (label(|| tr!("medium"))) }
                    option value="3" { (label(|| tr!("hard"))) }
                }
            }
            p.faint { (bilingual(|| tr!("Won or held twice, from different positions, an ending is passed. The defence makes no mistake."))) }
            div.shelves #shelves {}
        }
    }
}

/// An ending that is played.
fn ending() -> Markup {
    html! {
        div.pane.exercise data-screen="ending" data-part="ending" {
            div #endingParts hidden {
                p #endingGoal data-part="question" {}
                p #endingSaid data-part="verdict" {}
                div.row {
                    button.deed.main #endingAgain type="button" { (bilingual(|| tr!("Go on from here"))) }
                    button.deed #endingNew type="button" { (bilingual(|| tr!("Another position"))) }
                    button.deed #endingBack type="button" { (bilingual(|| tr!("Back to the endings"))) }
                }
            }
        }
    }
}

/// A question about a repetition.
fn rulings() -> Markup {
    html! {
        div.pane.exercise data-screen="rulings" data-part="ruling" {
            div #rulingParts hidden {
                p #rulingText data-part="question" {}
                div.row #rulingChoices {}
                p #rulingSaid data-part="verdict" role="status" {}
                p #rulingWhy data-part="reason" {}
                ol #rulingDeeds {}
                div.row {
                    button.deed.main #nextRuling type="button" { (bilingual(|| tr!("Next"))) }
                    (deed("playRuling", "play", bilingual(|| tr!("Play the moves"))))
                }
            }
        }
    }
}

/// The pattern of the mistakes.
fn pattern() -> Markup {
    html! {
        div.pane.pattern data-screen="pattern" data-part="pattern" {
            div.row {
                h2 #patternText aria-live="polite" {}
                select #patternDeck hidden aria-label=(label(|| tr!("Deck"))) {}
            }
            p #tacticsWeek {}
            div.days #answerDays role="img" {}
            div #patternBars {}
        }
    }
}

fn small(id: &str, picture: &str, label: Markup) -> Markup {
    html! { button.small type="button" id=(id) { (icon(picture)) (label) } }
}

/// The dialogs: a card, a file of cards, a sheet.
pub fn dialogs() -> Markup {
    html! {
        dialog #cardDialog aria-label=(label(|| tr!("Card"))) {
            form.fields method="dialog" {
                label data-one { span { (bilingual(|| tr!("Note"))) } textarea #noteOfCard rows="4" maxlength="2000" {} }
                label { span { (bilingual(|| tr!("Deck, empty for your own"))) } input #deckOfCard list="deckNames" autocomplete="off" maxlength="60"; }
                datalist #deckNames {}
                label.option data-one { input #flagOfCard type="checkbox"; (bilingual(|| tr!("flagged"))) }
                (dialog_row(Some(html! { button.deed #linkOfCard type="button" { (bilingual(|| tr!("Copy a link"))) } })))
            }
        }
        dialog #importDialog aria-label=(label(|| tr!("Open a file of cards"))) {
            form.fields method="dialog" {
                p { (bilingual(|| tr!("Whose cards are these?"))) }
                button.deed value="own" { (bilingual(|| tr!("Mine, from another device"))) }
                label { span { (bilingual(|| tr!("Of somebody else, as the deck"))) } input #importDeck autocomplete="off" maxlength="60"; }
                div.row {
                    button.deed.main value="deck" { (bilingual(|| tr!("Add this deck"))) }
                    button.deed type="button" data-close { (bilingual(|| tr!("Cancel"))) }
                }
            }
        }
        dialog #sheetDialog aria-label=(label(|| tr!("Sheet"))) {
            form.fields method="dialog" {
                label { span { (bilingual(|| tr!("Title"))) } input #sheetTitle autocomplete="off" maxlength="80"; }
                label { span { (bilingual(|| tr!("Diagrams on a page"))) } select #perPage { option { "6" } option { "4" } } }
                p.faint { (bilingual(|| tr!("A page to print, with lines to write on; the answers are on the last one."))) }
                (dialog_row(None))
            }
        }
    }
}

fn dialog_row(more: Option<Markup>) -> Markup {
    html! {
        div.row {
            button.deed.main value="save" { (bilingual(|| tr!("Save"))) }
            @if let Some(more) = more { (more) }
            button.deed type="button" data-close { (bilingual(|| tr!("Cancel"))) }
        }
    }
}
