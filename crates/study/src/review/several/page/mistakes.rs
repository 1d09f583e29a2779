//! The mistakes of one person: what recurs, and each with its diagram, the better line and the reason. On paper all of it.

use crate::review::phrases::{self, percent};
use crate::train::{Card, MAX_EXERCISES, MistakeCards, MistakeCount, Pattern};
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use maud::{Markup, PreEscaped, html};
use xiangqi::{Move, Position};
use xiangqi_draw::{ArrowKind, BoardPicture};

/// The most moves of a line.
const LINE_MOVES: usize = 6;

/// The sections of the page; nothing without a mistake.
pub fn sections(mistakes: &MistakeCards) -> Markup {
    let cards = mistakes.costliest();
    let shown = cards.iter().take(MAX_EXERCISES);
    html! {
        @if !cards.is_empty() {
            (recurring(&Pattern::of_mistakes(mistakes.all())))
            h2 { (tr!("The mistakes, the costliest first")) }
            @if cards.len() > MAX_EXERCISES {
                p.faint { (tr!("{shown} of {count}.", shown = MAX_EXERCISES, count = cards.len())) }
            }
            div.mistakes {
                @for (card, position) in shown.filter_map(|card| Some((card, card.position()?))) { (mistake(card, &position)) }
            }
        }
    }
}

/// How often each cause, piece and phase.
fn recurring(pattern: &Pattern) -> Markup {
    let named = |name: String, count: &MistakeCount| (name, *count);
    let causes = pattern.causes.iter().map(|(cause, count)| named(cause.to_string(), count)).collect();
    let pieces = pattern.pieces.iter().map(|(kind, count)| named(kind.localized(), count));
    let phases = pattern.phases.iter().map(|(phase, count)| named(phase.name().to_string(), count));
    let tables: [(String, Vec<(String, MistakeCount)>); 3] = [
        (tr!("reason, where it is proven"), causes),
        (tr!("piece that moved"), pieces.collect()),
        (tr!("phase"), phases.collect()),
    ];
    html! {
        h2 { (tr!("What recurs")) }
        p { (tr!(
            "Moves that lost 10% or more, with something at stake: {count}; on average they lost {lost}.",
            count = pattern.all.count,
            lost = percent(pattern.all.lost / pattern.all.count as f64)
        )) }
        div.recurring {
            @for (head, rows) in tables.iter().filter(|(_, rows)| !rows.is_empty()) {
                div.list { table {
                    thead { tr { th { (head) } th.number { (tr!("mistakes")) } th.number { (tr!("share of the loss")) } } }
                    tbody {
                        @for (name, count) in rows {
                            tr { td { (name) } td.number { (count.count) } td.number { (percent(count.lost / pattern.all.lost)) } }
                        }
                    }
                } }
            }
        }
    }
}

fn mistake(card: &Card, position: &Position) -> Markup {
    // One arrow: two could not be told apart on grey paper.
    let arrows = card.played.map(|mv| (mv, ArrowKind::Bad)).into_iter().collect();
    let picture = BoardPicture { arrows, ..BoardPicture::new(position) };
    let line = |moves: &[Move]| phrases::line_moves(position, moves, LINE_MOVES).join(" ");
    let refuted: Vec<Move> = card.played.into_iter().chain(card.refutation.iter().copied()).collect();
    html! {
        article {
            (PreEscaped(picture.svg()))
            div {
                b { (card.origin()) }
                p.bad { (tr!("played: {line} (−{lost})", line = line(&refuted), lost = percent(card.lost))) }
                p.better { (format!("{} {}", tr!("better:"), line(&card.line))) }
                @if card.reason().is_some() { p { (card.reason().unwrap_or_default()) } }
            }
        }
    }
}
