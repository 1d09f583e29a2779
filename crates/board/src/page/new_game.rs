//! The dialog of a new game.

use super::panels::rule_sets;
use chuhe_study::player::MAX_LEVEL;
use chuhe_support::language::tr;
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

/// The level that is chosen at first.
const USUAL_LEVEL: u8 = 8;

pub fn dialog() -> Markup {
    html! {
        dialog #beginning aria-labelledby="beginningTitle" {
            form #begin {
                h2 #beginningTitle { (tr!("New game")) }
                p.faint #running role="status" hidden {}
                fieldset.seats {
                    legend { (tr!("You play")) }
                    (side_option("red", tr!("Red"), true))
                    (side_option("black", tr!("Black"), false))
                    (side_option("random", tr!("At random"), false))
                    (side_option("both", tr!("Both sides"), false))
                    (side_option("two", tr!("Two people"), false))
                }
                p.faint #bothNote hidden { (tr!("You move for both sides, as on a board of your own: hints and take-backs are there. For a game of two people, with names and without help, choose \"Two people\".")) }
                (two_people())
                div.level #levelRow {
                    span.portrait #levelPicture aria-hidden="true" {
                        (PreEscaped("<svg viewBox=\"-26 -26 52 52\"><use href=\"#piece-P\"/></svg>"))
                    }
                    label for="levelRange" { (tr!("Level")) }
                    output #levelToBegin for="levelRange" {}
                    input #levelRange name="level" type="range" min="1" max=(MAX_LEVEL) step="0.5" value=(USUAL_LEVEL);
                }
                label.option #ownLevelRow hidden { input #ownLevel name="ownLevel" type="checkbox"; span #ownLevelText {} }
                div.pair {
                    label { (tr!("Clock")) select name="clock" aria-label=(tr!("Clock, in minutes and seconds for each move")) {
                        option value="" { (tr!("no clock")) }
                        @for (name, value) in CLOCKS { option value=(value) { (name) } }
                        option value="own" { (tr!("another …")) }
                    }
                    input name="ownClock" autocomplete="off" placeholder="25 + 10" aria-label=(tr!("Minutes + seconds for each move")) hidden; }
                    label { (tr!("Rules of repetition")) select name="rules" { (rule_sets()) } }
                }
                details #fromPosition {
                    summary { (tr!("From a position")) }
                    div.row {
                        input name="position" autocomplete="off" spellcheck="false" placeholder="FEN" aria-label="FEN";
                        button.deed type="button" data-mode-of="setup" { (tr!("Set up")) }
                    }
                }
                p.wrong #beginWrong role="alert" hidden {}
                div.row {
                    button.deed.main { (tr!("Begin")) }
                    button.deed #notBegin type="button" { (tr!("Cancel")) }
                }
            }
        }
    }
}

/// The conditions of a game of two people.
fn two_people() -> Markup {
    html! {
        div.two-conditions #twoConditions hidden {
            p.faint { (tr!("Chuhe is the referee: it judges repetitions and keeps the clocks, and helps nobody before the end.")) }
            div.pair {
                label { (tr!("Red's name")) input name="redName" autocomplete="off" maxlength="40"; }
                label { (tr!("Black's name")) input name="blackName" autocomplete="off" maxlength="40"; }
            }
            label.field #remoteRow { span { (tr!("Where")) } select name="remote" {
                option value="" { (tr!("both at this board")) }
                option value="black" { (tr!("black on an invited device")) }
                option value="red" { (tr!("red on an invited device")) }
            } }
            label.option #turnsRow { input type="checkbox" name="turns"; (tr!("Turn the board after each move")) }
            label.field #stopsRow { span { (tr!("If a connection is lost")) } select name="stops" {
                option value="yes" { (tr!("the clock stops")) }
                option value="no" { (tr!("the clock goes on")) }
            } }
        }
    }
}

fn side_option(name: &str, label: String, is_usual: bool) -> Markup {
    html! { label { input type="radio" name="seat" value=(name) checked[is_usual]; span { (label) } } }
}
