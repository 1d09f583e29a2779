//! The training: its screens, of which one is shown, and its dialogs. Each part names its screens in `data-screen`.

use super::icons::{deed, icon, main_button};
use chuhe_support::language::tr;
use maud::{Markup, html};

/// The panel of the training.
pub fn panel() -> Markup {
    html! {
        section.train data-in="train" data-part="train" hidden {
            nav.screens aria-label=(tr!("Train")) {
                (screen_button("today", tr!("Today")))
                (screen_button("cards", tr!("Cards")))
                (screen_button("openings", tr!("Openings")))
                (screen_button("tactics", tr!("Tactics")))
                (screen_button("endings", tr!("Endings")))
                (screen_button("rulings", tr!("Rulings")))
                (screen_button("pattern", tr!("My pattern")))
            }
            (today())
            (games())
            (queue())
            (who())
            (exercise())
            (cards())
            div.pane data-screen="learn" #learn {}
            div.pane data-screen="openings" data-part="openings" #openings {}
            div.pane data-screen="tactics" data-part="tactics" #tactics {}
            (endings())
            (ending())
            (rulings())
            (pattern())
        }
    }
}

fn screen_button(name: &str, label: String) -> Markup {
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
                (main_button("beginTraining", "play", tr!("Begin")))
                (main_button("tenMore", "play", tr!("Ten more")))
                (deed("toGames", "new", tr!("Add games")))
            }
            div.row #dueDecks {}
            div.row { button.deed #toLessons type="button" data-screen-of="learn" { (icon("hint")) (tr!("Learn the game")) } }
            div #withoutGames hidden {
                p.faint { (tr!("No games of yours are needed for these:")) }
                div.row {
                    button.deed type="button" data-screen-of="tactics" { (tr!("Tactics")) }
                    button.deed type="button" data-screen-of="endings" { (tr!("Endings")) }
                    button.deed type="button" data-screen-of="rulings" { (tr!("Rulings")) }
                }
            }
        }
    }
}

/// How games come in.
fn games() -> Markup {
    html! {
        div.pane data-screen="games" {
            h2 { (tr!("Add games")) }
            p.faint { (tr!("Your mistakes in these games become exercises. Files of any format; drop them here, folders too. Games that you finish on the board come by themselves.")) }
            div.row {
                label.deed.main.file { (icon("open")) span { (tr!("Files")) } input.unseen #trainFiles type="file" multiple; }
                label.deed.file { (icon("open")) span { (tr!("A folder")) } input.unseen #trainFolder type="file" webkitdirectory multiple; }
                (deed("listedGames", "menu", tr!("All games of the list")))
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
                progress #queueProgress aria-label=(tr!("Reviewed games")) {}
            }
        }
    }
}

/// Who the person is in the games.
fn who() -> Markup {
    html! {
        div.pane data-screen="today games" {
            div #whoAmI hidden {
                h3 { (tr!("Which of these are you?")) }
                div.row #playerNames {}
                div.row {
                    button.deed.main #thatIsMe type="button" { (tr!("That is me")) }
                    button.deed #bothSides type="button" { (tr!("None: take both sides")) }
                }
            }
            div.row #iAm hidden {
                p.faint #iAmText {}
                button.small #changeMe type="button" { (tr!("Change")) }
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
                    button.deed #easyExercise type="button" { (tr!("That was easy")) }
                    (deed("hintExercise", "hint", tr!("Hint")))
                    (deed("showExercise", "best", tr!("Show the answer")))
                    span.row #cardDeeds {
                        (small("gameOfCard", "review", tr!("Game")))
                        button.small #flagCard type="button" aria-pressed="false" { (icon("resign")) (tr!("Flag")) }
                        (small("noteCard", "keep", tr!("Note")))
                        (small("dropCard", "delete", tr!("Drop")))
                    }
                    button.fold #endExercise type="button" aria-label=(tr!("End")) title=(tr!("End")) { (icon("close")) }
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
                input #cardSearch type="search" autocomplete="off" spellcheck="false" aria-label=(tr!("Search"));
                select #cardDeck aria-label=(tr!("Deck")) {}
                select #cardKind aria-label=(tr!("Kind")) {
                    option value="" { (tr!("all kinds")) }
                    option value="mistake" { (tr!("mistakes")) }
                    option value="ending" { (tr!("endings")) }
                    option value="ruling" { (tr!("rulings")) }
                    option value="tactic" { (tr!("tactics")) }
                    option value="opening" { (tr!("openings")) }
                    option value="flagged" { (tr!("flagged")) }
                }
            }
            div.row.chosen #chosenCards hidden {
                span #chosenCardCount {}
                (small("exerciseChosen", "play", tr!("Exercise")))
                (small("sheetOfChosen", "save", tr!("Sheet")))
                (small("moveChosen", "open", tr!("Deck")))
                (small("dropChosen", "delete", tr!("Drop")))
                (small("chooseNoCards", "close", tr!("Choose none")))
            }
            div.game-list #cardList tabindex="-1" {
                ul #cardRows aria-label=(tr!("Cards")) {}
                button.small #moreCards type="button" hidden { (tr!("More")) }
                p.faint #noCards hidden { (tr!("Mistakes in your games appear here.")) }
            }
            div.row {
                p.faint #cardCount role="status" {}
                (small("chooseFound", "solve", tr!("Choose all")))
                details.menu.up {
                    summary.small { (icon("save")) (tr!("Files")) }
                    div {
                        button.option type="button" data-export-cards="all" { (tr!("Save everything, for another device")) }
                        button.option type="button" data-export-cards="deck" { (tr!("Save this deck with my answers")) }
                        button.option type="button" data-export-cards="pupil" { (tr!("Save this deck for others")) }
                        label.option.file { span { (tr!("Open a file of cards")) } input.unseen #cardFile type="file"; }
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
                select #endingSide aria-label=(tr!("Side")) {
                    option value="attack" { (tr!("attack")) }
                    option value="defend" { (tr!("defend")) }
                }
                select #endingLevel aria-label=(tr!("Difficulty")) {
                    option value="1" { (tr!("easy")) }
                    option value="2" { (tr!("medium")) }
                    option value="3" { (tr!("hard")) }
                }
            }
            p.faint { (tr!("Won or held twice, from different positions, an ending is passed. The defence makes no mistake.")) }
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
                    button.deed.main #endingAgain type="button" { (tr!("Go on from here")) }
                    button.deed #endingNew type="button" { (tr!("Another position")) }
                    button.deed #endingBack type="button" { (tr!("Back to the endings")) }
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
                    button.deed.main #nextRuling type="button" { (tr!("Next")) }
                    (deed("playRuling", "play", tr!("Play the moves")))
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
                select #patternDeck hidden aria-label=(tr!("Deck")) {}
            }
            p #tacticsWeek {}
            div.days #answerDays role="img" {}
            div #patternBars {}
        }
    }
}

fn small(id: &str, picture: &str, label: String) -> Markup {
    html! { button.small type="button" id=(id) { (icon(picture)) (label) } }
}

/// The dialogs: a card, a file of cards, a sheet.
pub fn dialogs() -> Markup {
    html! {
        dialog #cardDialog aria-label=(tr!("Card")) {
            form.fields method="dialog" {
                label data-one { span { (tr!("Note")) } textarea #noteOfCard rows="4" maxlength="2000" {} }
                label { span { (tr!("Deck, empty for your own")) } input #deckOfCard list="deckNames" autocomplete="off" maxlength="60"; }
                datalist #deckNames {}
                label.option data-one { input #flagOfCard type="checkbox"; (tr!("flagged")) }
                (dialog_row(Some(html! { button.deed #linkOfCard type="button" { (tr!("Copy a link")) } })))
            }
        }
        dialog #importDialog aria-label=(tr!("Open a file of cards")) {
            form.fields method="dialog" {
                p { (tr!("Whose cards are these?")) }
                button.deed value="own" { (tr!("Mine, from another device")) }
                label { span { (tr!("Of somebody else, as the deck")) } input #importDeck autocomplete="off" maxlength="60"; }
                div.row {
                    button.deed.main value="deck" { (tr!("Add this deck")) }
                    button.deed type="button" data-close { (tr!("Cancel")) }
                }
            }
        }
        dialog #sheetDialog aria-label=(tr!("Sheet")) {
            form.fields method="dialog" {
                label { span { (tr!("Title")) } input #sheetTitle autocomplete="off" maxlength="80"; }
                label { span { (tr!("Diagrams on a page")) } select #perPage { option { "6" } option { "4" } } }
                p.faint { (tr!("A page to print, with lines to write on; the answers are at the end.")) }
                (dialog_row(None))
            }
        }
    }
}

fn dialog_row(more: Option<Markup>) -> Markup {
    html! {
        div.row {
            button.deed.main value="save" { (tr!("Save")) }
            @if let Some(more) = more { (more) }
            button.deed type="button" data-close { (tr!("Cancel")) }
        }
    }
}
