//! The panel beside the board. Each part names its states in `data-in`; the list of moves is in the middle of all of them.
//!
//! What is chosen rarely is in the element `sheet`: beside the board its rows stand in the panel and its menu opens over
//! them, on a phone all of it comes up from the dock.

use super::games_panel;
use super::icons::{deed, icon, main_button};
use super::texts::rule_set_name;
use chuhe_app::client::DEVICE_CHANGES;
use chuhe_study::reader::move_name;
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use maud::{Markup, PreEscaped, html};
use xiangqi::Position;
use xiangqi::{Color, Piece, PieceKind, RuleSet};
use xiangqi_record::Nag;

/// Review time per position: label and milliseconds.
const REVIEW_TIMES: [(&str, u32); 4] = [("0.2 s", 200), ("0.5 s", 500), ("1 s", 1000), ("5 s", 5000)];
/// The pieces offered in the setup panel, in order.
const PIECE_BOX: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Bishop,
    PieceKind::Advisor,
    PieceKind::King,
    PieceKind::Cannon,
    PieceKind::Pawn,
];
/// The maximum number of lines.
const MAX_LINES: usize = 5;

/// The panel of all states.
pub fn panel() -> Markup {
    html! {
        section.panel data-part="panel" {
            (play_head())
            (review_head())
            (analysis())
            (moves())
            (sheet())
            (super::train::panel())
            (navigation())
            (setup())
            (games_panel::games())
        }
    }
}

/// What is above the moves of a game.
fn play_head() -> Markup {
    html! {
        section.end #ending hidden aria-labelledby="endTitle" {
            h2 #endTitle {}
            p.faint #endPlayers {}
            p #endSentence {}
            p #endReview role="status" {}
            p.faint #endOpenings {}
            details #endReasons { summary { (tr!("Move by move")) } p {} }
            div.row {
                (main_button("reviewGame", "review", tr!("Review")))
                (deed("swapSides", "swap", tr!("Swap sides")))
                (deed("rematch", "rematch", tr!("Rematch")))
                (deed("keepGame", "keep", tr!("Keep")))
            }
            (close_button("closeEnding"))
        }
        p #opening data-in="play" {}
        div data-in="play" { (two_people()) }
        div.row data-in="analyse" hidden {
            button.small #together type="button" aria-pressed="false" hidden { (icon("swap")) (tr!("Analyse together")) }
        }
    }
}

/// A game of two people: what one asks the other, and who else may see it.
fn two_people() -> Markup {
    html! {
        section.two #two hidden {
            div.row #twoOffer hidden {
                p #twoText role="status" {}
                span.row #twoAnswer {
                    button.deed.main #acceptOffer type="button" { (tr!("Agree")) }
                    button.deed #declineOffer type="button" { (tr!("Decline")) }
                }
            }
            div.row #inviting hidden {
                (deed("inviteOther", "play", tr!("Invite the other player")))
                (deed("inviteWatcher", "review", tr!("Let somebody watch")))
                span.faint #watchers {}
            }
        }
    }
}

/// The engine with its lines, and what is known of the position.
fn analysis() -> Markup {
    html! {
        div.analysis data-in="analyse review" hidden {
            div.engine {
                button.switch #engine type="button" data-go="engine" aria-pressed="false" aria-keyshortcuts="L" { (tr!("Engine")) }
                p.faint #effort {}
                button.small #threat type="button" data-go="threat" aria-pressed="false" aria-keyshortcuts="X" { (icon("threat")) (tr!("Threat")) }
            }
            ol #lines data-part="lines" {}
            (solution())
            div.facts data-in="analyse" {
                p #known role="status" {}
                button.step #playedHere type="button" data-sheet="played" aria-expanded="false" aria-controls="played" hidden {}
                button.step #mineHere type="button" aria-pressed="false" hidden { (tr!("In my openings")) }
                div #book {}
            }
            p.faint #legend {}
        }
        (games_panel::played_here())
    }
}

/// The moves: of the game that is played, or of the tree that is analysed.
fn moves() -> Markup {
    html! {
        div.listing data-in="play analyse review" {
            div.list data-in="play" {
                dl #about {
                    dt { (tr!("Clock")) } dd #aboutClock {}
                    dt { (tr!("Rules")) } dd #aboutRules {}
                    dt { (tr!("First move")) } dd { (tr!("Click a piece, then its square, or drag it.")) }
                }
                (welcome())
                ol.moves #moves data-part="moves" {}
            }
            div.tree #tree data-in="analyse review" data-part="moves" hidden {}
        }
    }
}

/// The first question: where one who sits down for the first time begins. Each answer has the Elo of its first game.
fn welcome() -> Markup {
    html! {
        section.welcome #welcome data-part="welcome" aria-labelledby="welcomeTitle" hidden {
            p #welcomeTitle { (tr!("How well do you know xiangqi?")) }
            div.row {
                button.deed.main type="button" data-first="1000" { (tr!("I am new to it")) }
                button.deed type="button" data-first="1450" { (tr!("I know the rules")) }
                button.deed type="button" data-first="1900" { (tr!("I play in a club")) }
            }
        }
    }
}

/// What is done with a game or with the move that is chosen, and the menu of the rest.
fn sheet() -> Markup {
    html! {
        div.sheet #sheet data-in="play analyse review" {
            div.deeds data-in="play" {
                (request_tile("undo", tr!("Take back")))
                (request_tile("hint", tr!("Hint")))
                (request_tile("move-now", tr!("Move now")))
                (request_tile("offer-draw", tr!("Offer a draw")))
                (request_tile("resign", tr!("Resign")))
                (tile("newGame", "new", tr!("New game")))
            }
            div.edit #edit data-in="analyse" {
                div.marks {
                    @for (Nag(mark), sign) in Nag::SYMBOLS { button.sign type="button" data-mark=(mark) aria-pressed="false" { (sign) } }
                    (edit_button("undoChange", "undo", "Control+Z", tr!("Undo")))
                    (edit_button("redoChange", "redo", "Control+Y", tr!("Redo")))
                    (edit_button("promote", "promote", "", tr!("Main line")))
                    (edit_button("prune", "delete", "", tr!("Delete")))
                }
                div.comment { textarea #comment rows="1" aria-label=(tr!("Comment")) placeholder=(tr!("Comment")) {} }
            }
            div.more #more { (rare_actions()) (choices()) (files_of_game()) (keys()) }
        }
    }
}

/// What is done rarely.
fn rare_actions() -> Markup {
    html! {
        div.tiles {
            (tile_in("play", "analyseGame", "analyse", tr!("Analyse")))
            (tile_in("analyse review", "playHere", "play", tr!("Play from here")))
            (tile_in("analyse", "solve", "solve", tr!("Solve")))
            button.tile #playedMore type="button" data-sheet="played" data-in="analyse" aria-expanded="false" aria-controls="played" {
                (icon("open")) span { (tr!("My games")) }
            }
            (tile_in("analyse", "mineMore", "best", tr!("In my openings")))
            (tile_in("review", "reviewAgain", "review", tr!("Review again")))
            (tile_in("analyse review", "keepTree", "keep", tr!("Keep")))
            button.tile type="button" data-go="autoplay" data-in="analyse review" { (icon("last")) span { (tr!("Play through")) } }
            button.tile type="button" data-go="flip" { (icon("flip")) span { (tr!("turn the board")) } }
            button.tile type="button" data-mode-of="setup" { (icon("start")) span { (tr!("Set up")) } }
        }
    }
}

/// What is chosen rarely.
fn choices() -> Markup {
    html! {
        label.field data-in="analyse review" { span { (tr!("Lines")) } select #countOfLines {
            @for count in 1..=MAX_LINES { option selected[count == 3] { (count) } }
        } }
        label.field data-in="analyse review" { span { (tr!("Rules of repetition")) } select #lawOf { (rule_sets()) } }
        label.field data-in="review" { span { (tr!("Time for each position")) } select #reviewTime {
            @for (label, time) in REVIEW_TIMES { option value=(time) selected[time == 500] { (label) } }
        } }
    }
}

/// The game as a file, and what of it is copied.
fn files_of_game() -> Markup {
    html! {
        div.group #saving data-in="analyse review" { span { (tr!("Save")) } div {
            @for format in ["pgn", "xqf", "ubb", "svg", "png"] { button type="button" data-save=(format) { (format.to_uppercase()) } }
            button type="button" data-save="apng" { (tr!("Last moves, animated")) }
            button #saveReview type="button" data-save="html" hidden { (tr!("The review")) }
        } }
        div.group #copying data-in="analyse review" { span { (tr!("Copy")) } div {
            button #copyFen type="button" { "FEN" }
            button #copyMoves type="button" { (tr!("Moves")) }
            button #copyLink type="button" { (tr!("Link")) }
        } }
    }
}

fn keys() -> Markup {
    html! {
        p.faint.keys data-in="analyse review" {
            (tr!("Keys: ← → ↑ ↓ moves and variations, space the best move, L engine, X threat, A arrows, F turns the board."))
        }
    }
}

/// Through the moves, moves that are typed, and the button of the menu.
fn navigation() -> Markup {
    let steps = [
        ("first", tr!("to the beginning")),
        ("back", tr!("back")),
        ("on", tr!("forward")),
        ("last", tr!("to the end")),
        ("flip", tr!("turn the board")),
    ];
    html! {
        div.buttons data-in="play analyse review train" {
            @for (name, text) in steps { button type="button" data-go=(name) aria-label=(text) title=(text) { (icon(name)) } }
            form #typing data-in="play" {
                input #typed autocomplete="off" spellcheck="false" aria-label=(tr!("Move")) placeholder=(typed_example());
            }
            button.small.menu-button type="button" data-in="play analyse review" data-sheet="more" aria-expanded="false" aria-controls="more" { (icon("menu")) (tr!("More")) }
        }
    }
}

/// What a search for a proven win has found.
fn solution() -> Markup {
    html! {
        section.solution #solution hidden aria-label=(tr!("Solve")) {
            p role="status" { b #solutionTitle {} " " span #solutionText {} }
            progress #solveProgress {}
            p #defence {}
            div.row {
                button.deed #stopSolve type="button" { (tr!("Stop")) }
                button.deed #solveLonger type="button" { (tr!("Try for ten minutes")) }
                button.deed #addDefence type="button" { (tr!("Add the line")) }
                button.deed #addAll type="button" { (tr!("Add all defences")) }
            }
            (close_button("closeSolution"))
        }
    }
}

/// The review: how to begin one, how far it is, what it has found.
fn review_head() -> Markup {
    html! {
        div.review data-in="review" hidden {
            div #reviewing {
                p.faint #noGame { (tr!("There is no game here yet: play one, or open one under \"Games\". Its moves are reviewed here.")) }
                (main_button("review", "review", tr!("Review the game")))
            }
            div.row #busy hidden {
                progress #progress {}
                button.deed #endReview type="button" { (tr!("Stop")) }
            }
            (found())
        }
    }
}

/// What a review has found.
fn found() -> Markup {
    html! {
        div #found hidden {
            p #story {}
            p.faint #openingsLeft {}
            p.row #old hidden {
                span.faint #oldText {}
                button.small #renewReview type="button" { (icon("review")) (tr!("Review again")) }
            }
            div.chart {
                svg.curve #curve viewBox="0 0 1000 240" preserveAspectRatio="none" role="img" aria-label=(tr!("Red's winning chance")) {
                    (PreEscaped("<defs><clipPath id=\"over\"><rect width=\"1000\" height=\"120\"/></clipPath>\
                                 <clipPath id=\"under\"><rect y=\"120\" width=\"1000\" height=\"120\"/></clipPath></defs>\
                                 <rect class=\"paper\" width=\"1000\" height=\"240\"/>\
                                 <polygon class=\"red\" clip-path=\"url(#over)\"/><polygon class=\"black\" clip-path=\"url(#under)\"/>\
                                 <path class=\"middle\" d=\"M0 120H1000\"/>\
                                 <polyline class=\"line\" id=\"chances\"/><path class=\"cursor\" id=\"cursor\"/>"))
                }
                div #dots {}
            }
            div.cards {
                @for (id, learn) in [("redPlayed", "learnRed"), ("blackPlayed", "learnBlack")] {
                    div.card {
                        p id=(id) {}
                        button.small id=(learn) type="button" title=(tr!("Learn from the mistakes")) { (tr!("Learn")) }
                    }
                }
            }
            p.faint #phases {}
            div #turning {}
            p #mistake hidden {}
        }
    }
}

/// The panel to set up a position.
fn setup() -> Markup {
    html! {
        section.setup data-in="setup" hidden {
            @for color in Color::ALL {
                div.box {
                    @for kind in PIECE_BOX {
                        @let letter = Piece::new(color, kind).letter();
                        @let name = Piece::new(color, kind).localized();
                        button type="button" data-piece=(letter) aria-pressed="false" aria-label=(name) {
                            svg viewBox="-26 -26 52 52" { (PreEscaped(format!("<use href=\"#piece-{letter}\"/>"))) }
                        }
                    }
                }
            }
            div.tiles {
                (tile("empty", "empty", tr!("Empty board")))
                (tile("usual", "start", tr!("Start position")))
                button.tile type="button" data-go="flip" { (icon("flip")) span { (tr!("turn the board")) } }
                label.tile { (icon("picture")) span { (tr!("From a picture")) }
                    input.unseen #pictureFile type="file" accept="image/*";
                }
            }
            (shot())
            label.field { span { (tr!("To move")) } select #fenSide {
                option value="w" { (tr!("Red")) }
                option value="b" { (tr!("Black")) }
            } }
            label.field { span { "FEN" } input #fen autocomplete="off" spellcheck="false"; }
            p.wrong #wrong role="status" {}
            div.row {
                (main_button("setupPlay", "play", tr!("Play from here")))
                (deed("setupAnalyse", "analyse", tr!("Analyse")))
            }
        }
    }
}

/// A picture that is set up, beside what is to be said of it.
fn shot() -> Markup {
    html! {
        div.shot #shot hidden {
            div.view {
                canvas #shotView role="img" aria-label=(tr!("The picture")) {}
                div #shotCorners {
                    @for _ in 0..4 { button type="button" aria-label=(tr!("A corner of the board")) {} }
                }
            }
            div {
                p #shotText role="status" {}
                div.row {
                    button.deed.main.reading #shotRead type="button" { (tr!("Read")) }
                    button.deed #shotTurn type="button" { (tr!("Other side below")) }
                    button.deed #shotCornersOn type="button" { (tr!("Set corners")) }
                    button.deed #shotClose type="button" { (tr!("Close")) }
                    button.deed #shotSave type="button" { (tr!("Save this correction")) }
                }
            }
        }
    }
}

/// The question about a move that was made on the board, on the line of news.
pub fn confirmation() -> Markup {
    html! {
        span #confirming hidden {
            button.deed.main #confirmMove type="button" { (tr!("Play this move")) }
            button.deed #refuseMove type="button" { (tr!("Cancel")) }
        }
    }
}

/// The invitation of a device of the local network, if the board is shared.
pub fn lan_dialog() -> Markup {
    html! {
        dialog #lanDialog aria-labelledby="lanTitle" {
            h2 #lanTitle {
                span data-access="device" { (tr!("The board on your phone")) }
                span data-access="player" hidden { (tr!("Invite the other player")) }
                span data-access="watcher" hidden { (tr!("Let somebody watch")) }
            }
            img #lanCode alt=(tr!("The address as a QR code"));
            p { code #lanAddress {} }
            p #lanNews role="status" {}
            p data-access="player" hidden {
                (tr!("Open this on the device of the other player, in your network. It sees this game and nothing else, and comes back to it when its connection was lost. What is sent is not encrypted."))
            }
            p data-access="watcher" hidden {
                (tr!("Open this on the device of one who watches. It sees this game and nothing else, and cannot move."))
            }
            p data-access="device" {
                (tr!("Open this on one device of your network. It can then play, analyse, train and see the games kept here, until this program ends; what is kept it can only add to. What is sent is not encrypted."))
            }
            label.option data-access="device" {
                input type="checkbox" data-option=(DEVICE_CHANGES);
                (tr!("Paired devices may also delete and rename games, change and drop exercises, and change settings"))
            }
            ul #lanDevices aria-label=(tr!("Paired devices")) {}
            form method="dialog" { button.deed { (tr!("Close")) } }
        }
    }
}

pub fn rule_sets() -> Markup {
    html! { @for set in RuleSet::OFFERED { option value=(set.name()) { (rule_set_name(set)) } } }
}

/// An icon with its name below.
fn tile(id: &str, picture: &str, label: String) -> Markup {
    html! { button.tile type="button" id=(id) { (icon(picture)) span { (label) } } }
}

/// The same, in these states alone.
fn tile_in(states: &str, id: &str, picture: &str, label: String) -> Markup {
    html! { button.tile type="button" id=(id) data-in=(states) { (icon(picture)) span { (label) } } }
}

/// A tile that sends a request.
fn request_tile(name: &str, label: String) -> Markup {
    html! { button.tile type="button" data-request=(name) { (icon(name)) span { (label) } } }
}

/// An icon that changes the tree; its name is told by those who point at it, or hear it.
fn edit_button(id: &str, picture: &str, key: &str, name: String) -> Markup {
    let key = (!key.is_empty()).then_some(key);
    html! { button.small type="button" id=(id) aria-label=(name) title=(name) aria-keyshortcuts=[key] { (icon(picture)) } }
}

/// Closes a card.
fn close_button(id: &str) -> Markup {
    html! { button.fold type="button" id=(id) aria-label=(tr!("Close")) title=(tr!("Close")) { (icon("close")) } }
}

/// A move as it may be typed.
fn typed_example() -> String {
    let squares = "h2e2";
    let name = squares.parse().map(|mv| move_name(&Position::start(), mv));
    name.map_or_else(|_| squares.to_string(), |name| format!("{name} · {squares}"))
}
