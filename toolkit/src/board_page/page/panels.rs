//! The panels beside the board, one for each mode.

use super::texts::{bilingual, rule_set_name};
use crate::draw::html_page::bilingual_text as label;
use crate::player::MAX_LEVEL;
use crate::record::Nag;
use chuhe_engine::language::tr;
use chuhe_engine::rules::RuleSet;
use chuhe_engine::types::{Color, Piece, PieceKind};
use maud::{Markup, PreEscaped, html};

/// The time controls offered: the label in minutes and seconds, and the value that is parsed.
const CLOCKS: [(&str, &str); 6] = [
    ("1 + 1", "60+1"),
    ("3 + 2", "180+2"),
    ("5 + 5", "300+5"),
    ("10 + 5", "600+5"),
    ("15 + 10", "900+10"),
    ("30 + 30", "1800+30"),
];
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
            p {
                (bilingual(|| tr!("Open this on one device of your network. It can then play, analyse and see the games kept here, until this program ends. What is sent is not encrypted.")))
            }
            form method="dialog" { button.deed { (bilingual(|| tr!("Close"))) } }
        }
    }
}

/// The panel of a game against the engine.
pub fn play() -> Markup {
    html! {
        p #status role="status" {}
        ol.moves #moves {}
        form #typing {
            label { (bilingual(|| tr!("Move"))) input #typed autocomplete="off" spellcheck="false" placeholder="炮二平五 · C2=5 · h2e2"; }
        }
        div.deeds {
            (action_button("undo", bilingual(|| tr!("Take back"))))
            (action_button("hint", bilingual(|| tr!("Hint"))))
            (action_button("draw", bilingual(|| tr!("Offer a draw"))))
            (action_button("resign", bilingual(|| tr!("Resign"))))
            (action_button("hurry", bilingual(|| tr!("Move now"))))
            (button("analyseGame", bilingual(|| tr!("Analyse"))))
            button.deed #sound type="button" aria-pressed="false" aria-label=(label(|| tr!("Sound"))) { "♪" }
        }
        label.level {
            (bilingual(|| tr!("Level"))) " " output #class {}
            input #level type="range" min="1" max=(MAX_LEVEL) value="8";
        }
        details #beginning {
            summary { (bilingual(|| tr!("New game"))) }
            form #begin {
                fieldset {
                    legend { (bilingual(|| tr!("You play"))) }
                    (side_option("red", bilingual(|| tr!("Red")), true))
                    (side_option("black", bilingual(|| tr!("Black")), false))
                    (side_option("both", bilingual(|| tr!("Both sides")), false))
                }
                label { (bilingual(|| tr!("Clock, in minutes and seconds for each move"))) select name="clock" {
                    option value="" { "∞" }
                    @for (label, value) in CLOCKS { option value=(value) { (label) } }
                } }
                label { (bilingual(|| tr!("Rules of repetition"))) select name="rules" { (rule_sets()) } }
                label { (bilingual(|| tr!("Position"))) input name="position" autocomplete="off" spellcheck="false" placeholder="FEN"; }
                button.deed.main { (bilingual(|| tr!("Begin"))) }
            }
        }
    }
}

/// The panel of the analysis with the move tree.
pub fn analyse() -> Markup {
    html! {
        div.deeds {
            (shortcut_button("engine", "L", bilingual(|| tr!("Engine"))))
            (shortcut_button("threat", "X", bilingual(|| tr!("Threat"))))
            label { (bilingual(|| tr!("Lines"))) select #countOfLines {
                @for count in 1..=MAX_LINES { option selected[count == 3] { (count) } }
            } }
            select #lawOf aria-label=(label(|| tr!("Rules of repetition"))) { (rule_sets()) }
        }
        p.faint #effort {}
        ol #lines {}
        p #known role="status" {}
        div #book {}
        div.tree #tree {}
        div.deeds {
            @for (Nag(mark), sign) in Nag::SYMBOLS { button.deed.sign type="button" data-mark=(mark) aria-pressed="false" { (sign) } }
            (move_button("promote", bilingual(|| tr!("Main line"))))
            (move_button("prune", bilingual(|| tr!("Delete"))))
            (button("playHere", bilingual(|| tr!("Play from here"))))
        }
        label.comment-of { (bilingual(|| tr!("Comment"))) textarea #comment rows="2" {} }
        p.faint.keys { (bilingual(|| tr!("Keys: ← → ↑ ↓ moves and variations, space the best move, L engine, X threat, A arrows, F turns the board."))) }
    }
}

/// The panel to open and save games, with the review.
pub fn games() -> Markup {
    html! {
        div.games data-panel="games" hidden {
            div.deeds {
                label.deed.main.file { (bilingual(|| tr!("Open a file"))) input.unseen #file type="file"; }
                span.faint { (bilingual(|| tr!("or drop it here, or paste: PGN, XQF, UBB, CBR, WXF, FEN, moves as text"))) }
            }
            select #titles hidden aria-label=(label(|| tr!("Games of the file"))) {}
            p.faint #tags {}
            div.deeds {
                span { (bilingual(|| tr!("Save"))) }
                @for format in ["pgn", "xqf", "ubb", "svg", "png"] {
                    button.deed type="button" data-save=(format) { (format.to_uppercase()) }
                }
                (button("copyFen", html! { (bilingual(|| tr!("Copy"))) " FEN" }))
                (button("copyMoves", bilingual(|| tr!("Copy moves"))))
            }
            div.deeds {
                (button("review", bilingual(|| tr!("Review the game"))))
                select #reviewTime aria-label=(label(|| tr!("Time for each position"))) {
                    @for (label, time) in REVIEW_TIMES { option value=(time) selected[time == 500] { (label) } }
                }
                progress #progress hidden {}
                (button("endReview", bilingual(|| tr!("Stop"))))
            }
            div #found hidden {
                p #redPlayed {}
                p #blackPlayed {}
                svg.curve #curve viewBox="0 0 1000 240" preserveAspectRatio="none" role="img" aria-label=(label(|| tr!("Red's winning chance"))) {
                    (PreEscaped("<rect class=\"paper\" width=\"1000\" height=\"240\"/><path class=\"middle\" d=\"M0 120H1000\"/>\
                                 <polyline class=\"line\" id=\"chances\"/><path class=\"cursor\" id=\"cursor\"/>"))
                }
                div.deeds #turning {}
                div.deeds {
                    (button("learnRed", bilingual(|| tr!("Learn from red's mistakes"))))
                    (button("learnBlack", bilingual(|| tr!("Learn from black's mistakes"))))
                    button.deed type="button" data-save="html" { (bilingual(|| tr!("Save the review"))) }
                }
            }
            div #lesson hidden {
                p #lessonText role="status" {}
                div.deeds {
                    (button("showLesson", bilingual(|| tr!("Show the answer"))))
                    (button("nextLesson", bilingual(|| tr!("Next"))))
                    (button("endLesson", bilingual(|| tr!("End"))))
                }
            }
        }
    }
}

/// The panel to set up a position.
pub fn setup() -> Markup {
    html! {
        p.faint { (bilingual(|| tr!("Choose a piece, then squares; a piece on the board is taken up by a click."))) }
        @for color in Color::ALL {
            div.box {
                @for kind in PIECE_BOX {
                    @let letter = Piece::new(color, kind).letter();
                    @let name = label(|| Piece::name_of(color, kind).to_string());
                    button type="button" data-piece=(letter) aria-pressed="false" aria-label=(name) {
                        svg viewBox="-25 -25 50 50" { (PreEscaped(format!("<use href=\"#piece-{letter}\"/>"))) }
                    }
                }
            }
        }
        label { (bilingual(|| tr!("To move"))) " " select #fenSide {
            option value="w" { (label(|| tr!("Red"))) }
            option value="b" { (label(|| tr!("Black"))) }
        } }
        label.fen { "FEN" input #fen autocomplete="off" spellcheck="false"; }
        p #wrong role="status" {}
        div.deeds {
            (button("empty", bilingual(|| tr!("Empty board"))))
            (button("usual", bilingual(|| tr!("Start position"))))
            (button("setupAnalyse", bilingual(|| tr!("Analyse"))))
            (button("setupPlay", bilingual(|| tr!("Play from here"))))
        }
    }
}

fn rule_sets() -> Markup {
    html! { @for set in RuleSet::ALL { option value=(set.name()) { (rule_set_name(set)) } } }
}

/// A button for a game action.
fn action_button(name: &str, label: Markup) -> Markup {
    html! { button.deed type="button" data-wish=(name) { (label) } }
}

fn button(id: &str, label: Markup) -> Markup {
    html! { button.deed type="button" id=(id) { (label) } }
}

/// A toggle button with a keyboard shortcut.
fn shortcut_button(deed: &str, key: &str, label: Markup) -> Markup {
    html! { button.deed type="button" id=(deed) data-go=(deed) aria-pressed="false" aria-keyshortcuts=(key) { (label) } }
}

/// A button for the selected move.
fn move_button(id: &str, label: Markup) -> Markup {
    html! { button.deed type="button" id=(id) data-branch { (label) } }
}

fn side_option(name: &str, label: Markup, is_usual: bool) -> Markup {
    html! { label { input type="radio" name="seat" value=(name) checked[is_usual]; " " (label) } }
}
