//! The panels beside the board, one for each thing that it is used for.

use super::words::{rules, text};
use crate::draw::page::both_at_once as label;
use crate::player::FULL_LEVEL;
use crate::record::Nag;
use chuhe_engine::language::tr;
use chuhe_engine::rules::RuleSet;
use chuhe_engine::types::{Color, Piece, PieceKind};
use maud::{Markup, PreEscaped, html};

/// The time controls that the page offers, in minutes and in what is read: the time for the game and for each move.
const CLOCKS: [(&str, &str); 6] = [
    ("1 + 1", "60+1"),
    ("3 + 2", "180+2"),
    ("5 + 5", "300+5"),
    ("10 + 5", "600+5"),
    ("15 + 10", "900+10"),
    ("30 + 30", "1800+30"),
];
/// How long a review looks at a position: in seconds, and in milliseconds.
const REVIEWS: [(&str, u32); 4] = [("0.2 s", 200), ("0.5 s", 500), ("1 s", 1000), ("5 s", 5000)];
/// The pieces in the box, in this order.
const BOX: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Bishop,
    PieceKind::Advisor,
    PieceKind::King,
    PieceKind::Cannon,
    PieceKind::Pawn,
];
/// How many lines may be shown.
const LINES: usize = 5;

/// A game against the engine.
pub fn play() -> Markup {
    html! {
        p #status role="status" {}
        ol.moves #moves {}
        form #typing {
            label { (text(|| tr!("Move"))) input #typed autocomplete="off" spellcheck="false" placeholder="炮二平五 · C2=5 · h2e2"; }
        }
        div.deeds {
            (wish("undo", text(|| tr!("Take back"))))
            (wish("hint", text(|| tr!("Hint"))))
            (wish("draw", text(|| tr!("Offer a draw"))))
            (wish("resign", text(|| tr!("Resign"))))
            (wish("hurry", text(|| tr!("Move now"))))
            (button("analyseGame", text(|| tr!("Analyse"))))
            button.deed #sound type="button" aria-pressed="false" aria-label=(label(|| tr!("Sound"))) { "♪" }
        }
        label.level {
            (text(|| tr!("Level"))) " " output #class {}
            input #level type="range" min="1" max=(FULL_LEVEL) value="8";
        }
        details #beginning {
            summary { (text(|| tr!("New game"))) }
            form #begin {
                fieldset {
                    legend { (text(|| tr!("You play"))) }
                    (side("red", text(|| tr!("Red")), true))
                    (side("black", text(|| tr!("Black")), false))
                    (side("both", text(|| tr!("Both sides")), false))
                }
                label { (text(|| tr!("Clock, in minutes and seconds for each move"))) select name="clock" {
                    option value="" { "∞" }
                    @for (said, value) in CLOCKS { option value=(value) { (said) } }
                } }
                label { (text(|| tr!("Rules of repetition"))) select name="rules" { (rule_sets()) } }
                label { (text(|| tr!("Position"))) input name="position" autocomplete="off" spellcheck="false" placeholder="FEN"; }
                button.deed.main { (text(|| tr!("Begin"))) }
            }
        }
    }
}

/// What the engine thinks, and the tree of moves.
pub fn analyse() -> Markup {
    html! {
        div.deeds {
            (key("engine", "L", text(|| tr!("Engine"))))
            (key("threat", "X", text(|| tr!("Threat"))))
            label { (text(|| tr!("Lines"))) select #countOfLines {
                @for count in 1..=LINES { option selected[count == 3] { (count) } }
            } }
            select #lawOf aria-label=(label(|| tr!("Rules of repetition"))) { (rule_sets()) }
        }
        p.faint #effort {}
        ol #lines {}
        p #known role="status" {}
        div #book {}
        div.tree #tree {}
        div.deeds {
            @for (Nag(mark), sign) in Nag::SIGNS { button.deed.sign type="button" data-mark=(mark) aria-pressed="false" { (sign) } }
            (branch("promote", text(|| tr!("Main line"))))
            (branch("prune", text(|| tr!("Delete"))))
            (button("playHere", text(|| tr!("Play from here"))))
        }
        label.comment-of { (text(|| tr!("Comment"))) textarea #comment rows="2" {} }
        p.faint.keys { (text(|| tr!("Keys: ← → ↑ ↓ moves and variations, space the best move, L engine, X threat, A arrows, F turns the board."))) }
    }
}

/// Games in and out, and the review.
pub fn games() -> Markup {
    html! {
        div.games data-panel="games" hidden {
            div.deeds {
                label.deed.main.file { (text(|| tr!("Open a file"))) input.unseen #file type="file"; }
                span.faint { (text(|| tr!("or drop it here, or paste: PGN, XQF, UBB, CBR, WXF, FEN, moves as text"))) }
            }
            select #titles hidden aria-label=(label(|| tr!("Games of the file"))) {}
            p.faint #tags {}
            div.deeds {
                span { (text(|| tr!("Save"))) }
                @for format in ["pgn", "xqf", "ubb", "svg", "png"] {
                    button.deed type="button" data-save=(format) { (format.to_uppercase()) }
                }
                (button("copyFen", html! { (text(|| tr!("Copy"))) " FEN" }))
                (button("copyMoves", text(|| tr!("Copy moves"))))
            }
            div.deeds {
                (button("review", text(|| tr!("Review the game"))))
                select #reviewTime aria-label=(label(|| tr!("Time for each position"))) {
                    @for (said, time) in REVIEWS { option value=(time) selected[time == 500] { (said) } }
                }
                progress #progress hidden {}
                (button("endReview", text(|| tr!("Stop"))))
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
                    (button("learnRed", text(|| tr!("Learn from red's mistakes"))))
                    (button("learnBlack", text(|| tr!("Learn from black's mistakes"))))
                    button.deed type="button" data-save="html" { (text(|| tr!("Save the review"))) }
                }
            }
            div #lesson hidden {
                p #lessonText role="status" {}
                div.deeds {
                    (button("showLesson", text(|| tr!("Show the answer"))))
                    (button("nextLesson", text(|| tr!("Next"))))
                    (button("endLesson", text(|| tr!("End"))))
                }
            }
        }
    }
}

/// A position, set up by hand.
pub fn setup() -> Markup {
    html! {
        p.faint { (text(|| tr!("Choose a piece, then squares; a piece on the board is taken up by a click."))) }
        @for color in Color::ALL {
            div.box {
                @for kind in BOX {
                    @let letter = Piece::new(color, kind).letter();
                    @let name = label(|| Piece::name_of(color, kind).to_string());
                    button type="button" data-piece=(letter) aria-pressed="false" aria-label=(name) {
                        svg viewBox="-25 -25 50 50" { (PreEscaped(format!("<use href=\"#piece-{letter}\"/>"))) }
                    }
                }
            }
        }
        label { (text(|| tr!("To move"))) " " select #fenSide {
            option value="w" { (label(|| tr!("Red"))) }
            option value="b" { (label(|| tr!("Black"))) }
        } }
        label.fen { "FEN" input #fen autocomplete="off" spellcheck="false"; }
        p #wrong role="status" {}
        div.deeds {
            (button("empty", text(|| tr!("Empty board"))))
            (button("usual", text(|| tr!("Start position"))))
            (button("setupAnalyse", text(|| tr!("Analyse"))))
            (button("setupPlay", text(|| tr!("Play from here"))))
        }
    }
}

fn rule_sets() -> Markup {
    html! { @for set in RuleSet::ALL { option value=(set.name()) { (rules(set)) } } }
}

/// A button that makes a wish about the game.
fn wish(name: &str, said: Markup) -> Markup {
    html! { button.deed type="button" data-wish=(name) { (said) } }
}

fn button(id: &str, said: Markup) -> Markup {
    html! { button.deed type="button" id=(id) { (said) } }
}

/// A switch that has a key.
fn key(deed: &str, key: &str, said: Markup) -> Markup {
    html! { button.deed type="button" id=(deed) data-go=(deed) aria-pressed="false" aria-keyshortcuts=(key) { (said) } }
}

/// A button about the move that is shown.
fn branch(id: &str, said: Markup) -> Markup {
    html! { button.deed type="button" id=(id) data-branch { (said) } }
}

fn side(name: &str, said: Markup, is_usual: bool) -> Markup {
    html! { label { input type="radio" name="seat" value=(name) checked[is_usual]; " " (said) } }
}
