//! The dialog of a new game.

use super::panels::rule_sets;
use super::texts::{bilingual, label};
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
                h2 #beginningTitle { (bilingual(|| tr!("New game"))) }
                p.faint #running role="status" hidden {}
                fieldset.seats {
                    legend { (bilingual(|| tr!("You play"))) }
                    (side_option("red", bilingual(|| tr!("Red")), true))
                    (side_option("black", bilingual(|| tr!("Black")), false))
                    (side_option("random", bilingual(|| tr!("At random")), false))
                    (side_option("both", bilingual(|| tr!("Both sides")), false))
                    (side_option("two", bilingual(|| tr!("Two people")), false))
                }
                p.faint #bothNote hidden { (bilingual(|| tr!("You move for both sides, as on a board of your own: hints and take-backs are there. For a game of two people, with names and without help, choose \"Two people\"."))) }
                (two_people())
                div.level #levelRow {
                    span.portrait #levelPicture aria-hidden="true" {
                        (PreEscaped("<svg viewBox=\"-26 -26 52 52\"><use href=\"#piece-P\"/></svg>"))
                    }
                    label for="levelRange" { (bilingual(|| tr!("Level"))) }
                    output #levelToBegin for="levelRange" {}
                    input #levelRange name="level" type="range" min="1" max=(MAX_LEVEL) value=(USUAL_LEVEL);
                }
                div.pair {
                    label { (bilingual(|| tr!("Clock"))) select name="clock" aria-label=(label(|| tr!("Clock, in minutes and seconds for each move"))) {
                        option value="" { (label(|| tr!("no clock"))) }
                        @for (name, value) in CLOCKS { option value=(value) { (name) } }
                        option value="own" { (label(|| tr!("another …"))) }
                    }
                    input name="ownClock" autocomplete="off" placeholder="25 + 10" aria-label=(label(|| tr!("Minutes + seconds for each move"))) hidden; }
                    label { (bilingual(|| tr!("Rules of repetition"))) select name="rules" { (rule_sets()) } }
                }
                details #fromPosition {
                    summary { (bilingual(|| tr!("From a position"))) }
                    div.row {
                        input name="position" autocomplete="off" spellcheck="false" placeholder="FEN" aria-label="FEN";
                        button.deed type="button" data-mode-of="setup" { (bilingual(|| tr!("Set up"))) }
                    }
                }
                p.wrong #beginWrong role="alert" hidden {}
                div.row {
                    button.deed.main { (bilingual(|| tr!("Begin"))) }
                    button.deed #notBegin type="button" { (bilingual(|| tr!("Cancel"))) }
                }
            }
        }
    }
}

/// The conditions of a game of two people.
fn two_people() -> Markup {
    html! {
        div.two-conditions #twoConditions hidden {
            p.faint { (bilingual(|| tr!("Chuhe is the referee: it judges repetitions and keeps the clocks, and helps nobody before the end."))) }
            div.pair {
                label { (bilingual(|| tr!("Red's name"))) input name="redName" autocomplete="off" maxlength="40"; }
                label { (bilingual(|| tr!("Black's name"))) input name="blackName" autocomplete="off" maxlength="40"; }
            }
            label.field #remoteRow { span { (bilingual(|| tr!("Where"))) } select name="remote" {
                option value="" { (label(|| tr!("both at this board"))) }
                option value="black" { (label(|| tr!("black on an invited device"))) }
                option value="red" { (label(|| tr!("red on an invited device"))) }
            } }
            label.option #turnsRow { input type="checkbox" name="turns"; (bilingual(|| tr!("Turn the board after each move"))) }
            label.field #stopsRow { span { (bilingual(|| tr!("If a connection is lost"))) } select name="stops" {
                option value="yes" { (label(|| tr!("the clock stops"))) }
                option value="no" { (label(|| tr!("the clock goes on"))) }
            } }
        }
    }
}

fn side_option(name: &str, label: Markup, is_usual: bool) -> Markup {
    html! { label { input type="radio" name="seat" value=(name) checked[is_usual]; span { (label) } } }
}
