//! The panels beside the board, one for each mode.
//!
//! What a phone has no space for is in an element of the class `more`: there it is a sheet, opened by the dock.

use super::icons::icon;
use super::texts::{bilingual, rule_set_name};
use chuhe_study::html_page::bilingual_text as label;
use chuhe_study::player::MAX_LEVEL;
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use maud::{Markup, PreEscaped, html};
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

/// The invitation of a device of the local network, if the board is shared.
pub fn lan_dialog() -> Markup {
    html! {
        dialog #lanDialog aria-labelledby="lanTitle" {
            h2 #lanTitle { (bilingual(|| tr!("The board on your phone"))) }
            img #lanCode alt=(label(|| tr!("The address as a QR code")));
            p { code #lanAddress {} }
            p #lanNews role="status" {}
            p {
                (bilingual(|| tr!("Open this on one device of your network. It can then play, analyse and see the games kept here, until this program ends. What is sent is not encrypted.")))
            }
            ul #lanDevices aria-label=(label(|| tr!("Paired devices"))) {}
            form method="dialog" { button.deed { (bilingual(|| tr!("Close"))) } }
        }
    }
}

/// The panel of a game against the engine.
pub fn play() -> Markup {
    html! {
        div.status-box {
            p #status role="status" {}
            div.ending #ending hidden {
                (main_button("rematch", "rematch", bilingual(|| tr!("Rematch"))))
                (tile("swapSides", "swap", bilingual(|| tr!("Swap sides"))))
                (tile("reviewGame", "review", bilingual(|| tr!("Review"))))
            }
        }
        p #opening hidden {}
        dl #about {
            dt { (bilingual(|| tr!("Level"))) } dd #aboutLevel {}
            dt { (bilingual(|| tr!("Clock"))) } dd #aboutClock {}
            dt { (bilingual(|| tr!("Rules"))) } dd #aboutRules {}
            dt { (bilingual(|| tr!("First move"))) } dd { (bilingual(|| tr!("Click a piece, then its square, or drag it."))) }
        }
        div #inviting { (main_button("otherGame", "new", bilingual(|| tr!("New game")))) }
        ol.moves #moves {}
        div.more {
            div.tiles {
                (request_tile("undo", bilingual(|| tr!("Take back"))))
                (request_tile("hint", bilingual(|| tr!("Hint"))))
                (request_tile("offer-draw", bilingual(|| tr!("Offer a draw"))))
                (request_tile("resign", bilingual(|| tr!("Resign"))))
                (request_tile("move-now", bilingual(|| tr!("Move now"))))
                (tile("analyseGame", "analyse", bilingual(|| tr!("Analyse"))))
                button.tile #keepGame type="button" hidden { (icon("save")) span { (bilingual(|| tr!("Keep the game"))) } }
                button.tile #sound type="button" aria-pressed="false" { (icon("sound")) span { (bilingual(|| tr!("Sound"))) } }
            }
            (turning_tiles())
            form #typing {
                label { span { (bilingual(|| tr!("Move"))) } input #typed autocomplete="off" spellcheck="false" placeholder="炮二平五 · C2.5 · h2e2"; }
            }
            label.level {
                span { (bilingual(|| tr!("Level"))) } output #class {}
                input #level type="range" min="1" max=(MAX_LEVEL) value="8";
            }
            (main_button("newGame", "new", bilingual(|| tr!("New game"))))
        }
    }
}

/// The panel of the analysis with the move tree.
pub fn analyse() -> Markup {
    html! {
        div #lesson hidden {
            p #lessonText role="status" {}
            div.row {
                button.deed #showLesson type="button" { (bilingual(|| tr!("Show the answer"))) }
                button.deed.main #nextLesson type="button" { (bilingual(|| tr!("Next"))) }
                button.deed #endLesson type="button" { (bilingual(|| tr!("End"))) }
            }
        }
        div.engine {
            button.switch #engine type="button" data-go="engine" aria-pressed="false" aria-keyshortcuts="L" { (bilingual(|| tr!("Engine"))) }
            p.faint #effort {}
            button.small #threat type="button" data-go="threat" aria-pressed="false" aria-keyshortcuts="X" { (icon("threat")) (bilingual(|| tr!("Threat"))) }
            select #countOfLines aria-label=(label(|| tr!("Lines"))) title=(label(|| tr!("Lines"))) {
                @for count in 1..=MAX_LINES { option selected[count == 3] { (count) } }
            }
        }
        (solution())
        ol #lines {}
        p.faint #legend {}
        p #known role="status" {}
        div #book {}
        div.tree #tree {}
        div.more {
            div.marks {
                @for (Nag(mark), sign) in Nag::SYMBOLS { button.sign type="button" data-mark=(mark) aria-pressed="false" { (sign) } }
                (history_button("undoChange", "undo", "Control+Z", label(|| tr!("Undo"))))
                (history_button("redoChange", "redo", "Control+Y", label(|| tr!("Redo"))))
                button.small #promote type="button" data-branch { (icon("promote")) (bilingual(|| tr!("Main line"))) }
                button.small #prune type="button" data-branch { (icon("delete")) (bilingual(|| tr!("Delete"))) }
            }
            label.comment-of { (bilingual(|| tr!("Comment"))) textarea #comment rows="1" {} }
            (turning_tiles())
            div.row.last {
                (main_button("playHere", "play", bilingual(|| tr!("Play from here"))))
                button.deed #solve type="button" { (icon("solve")) (bilingual(|| tr!("Solve"))) }
                select #lawOf aria-label=(label(|| tr!("Rules of repetition"))) title=(label(|| tr!("Rules of repetition"))) { (rule_sets()) }
            }
            p.faint.keys { (bilingual(|| tr!("Keys: ← → ↑ ↓ moves and variations, space the best move, L engine, X threat, A arrows, F turns the board."))) }
        }
    }
}

/// What a search for a proven win has found.
fn solution() -> Markup {
    html! {
        section.solution #solution hidden aria-label=(label(|| tr!("Solve"))) {
            p role="status" { b #solutionTitle {} " " span #solutionText {} }
            progress #solveProgress {}
            p #defence {}
            div.row {
                button.deed #stopSolve type="button" { (bilingual(|| tr!("Stop"))) }
                button.deed #solveLonger type="button" { (bilingual(|| tr!("Try for ten minutes"))) }
                button.deed #addDefence type="button" { (bilingual(|| tr!("Add the line"))) }
                button.deed #addAll type="button" { (bilingual(|| tr!("Add all defences"))) }
            }
            button.fold #closeSolution type="button" aria-label=(label(|| tr!("Close"))) title=(label(|| tr!("Close"))) { "×" }
        }
    }
}

/// The panel to open and save games, with the review.
pub fn games() -> Markup {
    html! {
        p #tags {}
        select #titles hidden aria-label=(label(|| tr!("Games of the file"))) {}
        div.tiles {
            label.tile.file { (icon("open")) span { (bilingual(|| tr!("Open a file"))) } input.unseen #file type="file"; }
            details.menu #saving {
                summary.tile { (icon("save")) span { (bilingual(|| tr!("Save"))) } }
                div {
                    @for format in ["pgn", "xqf", "ubb", "svg", "png"] { button type="button" data-save=(format) { (format.to_uppercase()) } }
                    button type="button" data-save="apng" { (bilingual(|| tr!("Last moves, animated"))) }
                }
            }
            details.menu #copying {
                summary.tile { (icon("copy")) span { (bilingual(|| tr!("Copy"))) } }
                div {
                    button #copyFen type="button" { "FEN" }
                    button #copyMoves type="button" { (bilingual(|| tr!("Moves"))) }
                    button #copyLink type="button" { (bilingual(|| tr!("Link"))) }
                }
            }
            (tile("keepTree", "keep", bilingual(|| tr!("Keep"))))
            (tile("reviewAgain", "review", bilingual(|| tr!("Review"))))
        }
        details #kept hidden {
            summary { (bilingual(|| tr!("Kept games"))) }
            ul #keptGames {}
        }
        p.faint #openHint { (bilingual(|| tr!("or drop it here, or paste: PGN, XQF, UBB, CBR, WXF, FEN, moves as text"))) }
        div.row #reviewing {
            (main_button("review", "review", bilingual(|| tr!("Review the game"))))
            select #reviewTime aria-label=(label(|| tr!("Time for each position"))) title=(label(|| tr!("Time for each position"))) {
                @for (label, time) in REVIEW_TIMES { option value=(time) selected[time == 500] { (label) } }
            }
        }
        div.row #busy {
            progress #progress hidden {}
            button.deed #endReview type="button" { (bilingual(|| tr!("Stop"))) }
        }
        (review())
    }
}

/// What a review has found.
fn review() -> Markup {
    html! {
        div #found hidden {
            div.cards {
                p.card.red #redPlayed {}
                p.card.black #blackPlayed {}
            }
            div.chart {
                svg.curve #curve viewBox="0 0 1000 240" preserveAspectRatio="none" role="img" aria-label=(label(|| tr!("Red's winning chance"))) {
                    (PreEscaped("<defs><clipPath id=\"over\"><rect width=\"1000\" height=\"120\"/></clipPath>\
                                 <clipPath id=\"under\"><rect y=\"120\" width=\"1000\" height=\"120\"/></clipPath></defs>\
                                 <rect class=\"paper\" width=\"1000\" height=\"240\"/>\
                                 <polygon class=\"red\" clip-path=\"url(#over)\"/><polygon class=\"black\" clip-path=\"url(#under)\"/>\
                                 <path class=\"middle\" d=\"M0 120H1000\"/>\
                                 <polyline class=\"line\" id=\"chances\"/><path class=\"cursor\" id=\"cursor\"/>"))
                }
                div #dots {}
            }
            div #turning {}
            div.row {
                button.deed #learnRed type="button" { (bilingual(|| tr!("Learn from red"))) }
                button.deed #learnBlack type="button" { (bilingual(|| tr!("Learn from black"))) }
                button.deed type="button" data-save="html" { (bilingual(|| tr!("Save the review"))) }
            }
        }
    }
}

/// The panel to set up a position.
pub fn setup() -> Markup {
    html! {
        p.faint {
            (bilingual(|| tr!("Drag pieces, or click a piece and then squares. Drag a piece off the board to remove it.")))
        }
        @for color in Color::ALL {
            div.box {
                @for kind in PIECE_BOX {
                    @let letter = Piece::new(color, kind).letter();
                    @let name = label(|| Piece::new(color, kind).localized());
                    button type="button" data-piece=(letter) aria-pressed="false" aria-label=(name) {
                        svg viewBox="-26 -26 52 52" { (PreEscaped(format!("<use href=\"#piece-{letter}\"/>"))) }
                    }
                }
            }
        }
        div.tiles {
            (tile("empty", "empty", bilingual(|| tr!("Empty board"))))
            (tile("usual", "start", bilingual(|| tr!("Start position"))))
            button.tile type="button" data-go="flip" { (icon("flip")) span { (bilingual(|| tr!("turn the board"))) } }
        }
        label.field { span { (bilingual(|| tr!("To move"))) } select #fenSide {
            option value="w" { (label(|| tr!("Red"))) }
            option value="b" { (label(|| tr!("Black"))) }
        } }
        label.field { span { "FEN" } input #fen autocomplete="off" spellcheck="false"; }
        p #wrong role="status" {}
        div.row {
            (main_button("setupPlay", "play", bilingual(|| tr!("Play from here"))))
            button.deed #setupAnalyse type="button" { (icon("analyse")) (bilingual(|| tr!("Analyse"))) }
        }
    }
}

pub fn rule_sets() -> Markup {
    html! { @for set in RuleSet::ALL { option value=(set.name()) { (rule_set_name(set)) } } }
}

/// An icon with its name below.
fn tile(id: &str, picture: &str, label: Markup) -> Markup {
    html! { button.tile type="button" id=(id) { (icon(picture)) span { (label) } } }
}

/// A tile that sends a request.
fn request_tile(name: &str, label: Markup) -> Markup {
    html! { button.tile type="button" data-request=(name) { (icon(name)) span { (label) } } }
}

/// Back or forth in the changes of the tree.
fn history_button(id: &str, picture: &str, key: &str, name: String) -> Markup {
    html! { button.small type="button" id=(id) aria-label=(name) title=(name) aria-keyshortcuts=(key) { (icon(picture)) } }
}

/// The question about a move that was made on the board.
pub fn confirmation() -> Markup {
    html! {
        div.row #confirming hidden {
            button.deed.main #confirmMove type="button" { (bilingual(|| tr!("Play this move"))) }
            button.deed #refuseMove type="button" { (bilingual(|| tr!("Cancel"))) }
        }
    }
}

/// The most important action of a panel.
fn main_button(id: &str, picture: &str, label: Markup) -> Markup {
    html! { button.deed.main type="button" id=(id) { (icon(picture)) (label) } }
}

/// On a phone: what the row of buttons has elsewhere.
fn turning_tiles() -> Markup {
    html! {
        div.tiles.turning {
            button.tile type="button" data-go="first" { (icon("first")) span { (bilingual(|| tr!("to the beginning"))) } }
            button.tile type="button" data-go="last" { (icon("last")) span { (bilingual(|| tr!("to the end"))) } }
            button.tile type="button" data-go="flip" { (icon("flip")) span { (bilingual(|| tr!("turn the board"))) } }
        }
    }
}
