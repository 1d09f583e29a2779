//! A review as a page: one file with everything in it, for any browser, in Chinese and English.
//!
//! `page.js` and `page.css` are what it has beside the common board and look (`draw::html_page`).

mod curve;
mod lines;
mod positions;

use super::judging::MoveQuality;
use super::phrases::{self, percent};
use super::{Review, SideSummary};
use crate::draw::html_page::{
    FLIP_BUTTON, HtmlPage, NAVIGATION_BUTTONS, PageButton, bilingual, button_row, page_settings,
};
use crate::draw::{ArrowKind, BoardPicture};
use crate::record::GameResult;
use chuhe_engine::board::Position;
use chuhe_engine::language::{Language, phrase, tr};
use chuhe_engine::types::Color;
use curve::quality_class;
use maud::{Markup, PreEscaped, html};
use positions::move_text;

/// By this a page is known as one of ours.
pub const GENERATOR_META: &str = "<meta name=\"generator\" content=\"Chuhe review\">";

/// The buttons below the board.
const BUTTONS: [PageButton; 7] = {
    let [first, back, on, last] = NAVIGATION_BUTTONS;
    let bad = ("bad", "M10 3V12M10 16V17", phrase!("to the next mistake"));
    let arrows = ("arrows", "M4 16L15 5M8 5H15V12", phrase!("arrows"));
    [first, back, on, last, bad, arrows, FLIP_BUTTON]
};

/// The page, which opens in the reader's language.
pub fn page(review: &Review) -> String {
    let beside = lines::side_lines(review);
    let body = html! {
        (header(review))
        main {
            (board_section(review, &beside))
            section.side {
                div.chart { (PreEscaped(curve::curve(review))) }
                (moves(review))
            }
        }
        (decisive_section(review))
        (footer(review))
    };
    HtmlPage {
        mark: GENERATOR_META,
        language: Language::current(),
        title: &title(review),
        style: include_str!("page.css"),
        data: &format!("const GAME = {};", lines::script(review, &beside)),
        script: include_str!("page.js"),
        body,
    }
    .into_string()
}

fn player(review: &Review, color: Color) -> Markup {
    match review.player(color) {
        Some(name) => html! { (name) },
        None => bilingual(|| phrases::side_name(color).to_string()),
    }
}

fn title(review: &Review) -> String {
    let name = |color| review.player(color).map_or_else(|| phrases::side_name(color).to_string(), str::to_string);
    format!("{} {} {}", name(Color::Red), result(review), name(Color::Black))
}

/// What stands between the players.
fn result(review: &Review) -> &'static str {
    match review.game.result {
        GameResult::Unknown => "–",
        GameResult::RedWins => "1 : 0",
        GameResult::BlackWins => "0 : 1",
        GameResult::Draw => "½ : ½",
    }
}

fn header(review: &Review) -> Markup {
    let tag = |name: &str| review.game.tag(name).map(str::trim).filter(|value| !matches!(*value, "" | "?"));
    let facts: Vec<&str> = ["Event", "Site", "Date"].into_iter().filter_map(tag).collect();
    html! {
        header {
            (page_settings())
            h1 {
                span.red { (player(review, Color::Red)) }
                span.result { (result(review)) }
                span.black { (player(review, Color::Black)) }
            }
            p.facts {
                (facts.join(" · "))
                @if let Some(opening) = review.opening {
                    @if !facts.is_empty() { " · " }
                    (bilingual(|| opening.name().to_string()))
                }
            }
            @if !review.is_complete() {
                p.facts { (bilingual(|| tr!("Interrupted: the first moves were not looked at"))) }
            }
            div.cards { (side_card(review, Color::Red)) (side_card(review, Color::Black)) }
        }
    }
}

/// How a side played.
fn side_card(review: &Review, color: Color) -> Markup {
    let side: &SideSummary = review.side(color);
    let accuracy = side.accuracy.map_or(String::from("–"), |value| format!("{value:.0}"));
    let loss = side.loss.map_or(String::from("–"), |loss| format!("{:.1}%", 100.0 * loss));
    html! {
        section.card.(color.to_string()) {
            h2 { (player(review, color)) }
            p.accuracy { b { (accuracy) } span { (bilingual(|| tr!("accuracy"))) } }
            p.loss { b { (loss) } span { (bilingual(|| tr!("average loss"))) } }
            ul {
                @for (mark, count) in MoveQuality::ALL.into_iter().zip(side.marks) {
                    li.(quality_class(mark)).none[count == 0] {
                        b { (count) } " "
                        span { (bilingual(|| phrases::quality_name(mark).to_string())) }
                    }
                }
            }
        }
    }
}

/// The board, its buttons, and what is to be said about the move on it.
fn board_section(review: &Review, beside: &[lines::SideLine]) -> Markup {
    html! {
        section.stage {
            div.table {
                div.bar aria-hidden="true" { i #bar {} }
                (PreEscaped(BoardPicture::new(review.game.start()).svg()))
            }
            (button_row(&BUTTONS))
            (positions::position_sections(review, beside))
        }
    }
}

/// The moves, a row for each pair.
fn moves(review: &Review) -> Markup {
    let mut position = review.game.start().clone();
    let mut cells: Vec<(u32, Color, Markup)> = Vec::new();
    for (index, reviewed) in review.moves.iter().enumerate() {
        let text = move_text(&position, reviewed.mv);
        position.make_unchecked(reviewed.mv);
        let mark = reviewed.mark.map(quality_class).unwrap_or_default();
        let cell = html! {
            button.move.(mark) type="button" data-ply=(index + 1) {
                (text) @if let Some(mark) = reviewed.mark { i { (mark.sign()) } }
            }
        };
        cells.push((reviewed.number, reviewed.side, cell));
    }
    let rows = cells.chunk_by(|one, other| one.0 == other.0);
    html! {
        ol.moves #moves {
            @for row in rows {
                li {
                    span.number { (row[0].0) }
                    @if row[0].1 == Color::Black { span.gap { "…" } }
                    @for (_, _, cell) in row { (cell) }
                }
            }
        }
    }
}

/// The moves that decided the game, with a picture of each.
fn decisive_section(review: &Review) -> Markup {
    let mut position = review.game.start().clone();
    let mut figures = Vec::new();
    for (index, reviewed) in review.moves.iter().enumerate() {
        if review.decisive.contains(&index) {
            figures.push(decisive_card(review, index, &position));
        }
        position.make_unchecked(reviewed.mv);
    }
    html! {
        @if !figures.is_empty() {
            section.moments {
                h2 { (bilingual(|| tr!("Where the game turned"))) }
                div { @for figure in &figures { (figure) } }
            }
        }
    }
}

fn decisive_card(review: &Review, index: usize, position: &Position) -> Markup {
    let reviewed = &review.moves[index];
    let mut picture = BoardPicture::new(position);
    picture.last = Some(position.last_move()).filter(|mv| mv.is_some());
    picture.arrows.push((reviewed.mv, ArrowKind::Bad));
    picture.arrows.extend(reviewed.better_line.first().map(|mv| (*mv, ArrowKind::Best)));
    let chance =
        |standing: Option<super::Assessment>| standing.map(|standing| percent(standing.chance)).unwrap_or_default();
    html! {
        figure data-ply=(index + 1) {
            (PreEscaped(picture.svg_sharing_defs()))
            figcaption {
                b {
                    (reviewed.number) (if reviewed.side == Color::Red { ". " } else { "… " })
                    (move_text(position, reviewed.mv)) (reviewed.mark.map_or("", MoveQuality::sign))
                }
                " "
                (bilingual(|| phrases::side_name(reviewed.side).to_string()))
                " " (chance(reviewed.before)) " → " (chance(reviewed.after))
                @if let Some(best) = reviewed.better_line.first() {
                    br; (bilingual(|| tr!("better:"))) " " b.best { (move_text(position, *best)) }
                }
            }
        }
    }
}

fn footer(review: &Review) -> Markup {
    let searched: Vec<_> = review.positions.iter().flatten().filter(|studied| studied.nodes > 0).collect();
    let nodes: u64 = searched.iter().map(|studied| studied.nodes).sum();
    let depth = searched.iter().map(|studied| u64::from(studied.depth)).sum::<u64>() / searched.len().max(1) as u64;
    let version = env!("CARGO_PKG_VERSION");
    html! {
        footer {
            (bilingual(|| tr!(
                "Reviewed by Chuhe {version}: {count} positions, {nodes} nodes, to depth {depth} on average.",
                version,
                count = searched.len(),
                nodes,
                depth
            )))
            br;
            (bilingual(|| tr!(
                "Marks by the chance lost: ?! from 5%, ? from 10%, ?? from 20%; ! is the only good move. Keys: ← → move, ↑ ↓ go to \
                 mistakes, Esc goes back to the game, F turns the board."
            )))
        }
    }
}
