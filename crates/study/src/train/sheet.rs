//! Exercises to print: diagrams with lines to write on, and the answers behind them. A page of HTML without a script,
//! which a browser prints on A4 or Letter.

use super::card::{Card, CardId, CardKind};
use super::rulings::Ruling;
use crate::html_page::document;
use crate::reader::{line_names, side_name};
use crate::review::percent;
use chuhe_support::language::{Language, tr};
use maud::{Markup, PreEscaped, html};
use xiangqi::Position;
use xiangqi_draw::{BoardColours, BoardPicture, BoardStyle, PieceSet};

/// The first bytes of a sheet hold this.
pub const SHEET_MARK: &str = "<meta name=\"generator\" content=\"Chuhe exercises\">";
/// The most exercises of a sheet.
pub const MAX_EXERCISES: usize = 200;
/// The most moves of an answer.
const MAX_MOVES: usize = 6;

/// How many diagrams are on a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PerPage {
    Four,
    Six,
}

/// A sheet in one language.
pub struct ExerciseSheet<'a> {
    pub title: &'a str,
    /// Whose exercises they are: empty leaves a line for the name.
    pub name: &'a str,
    pub per_page: PerPage,
    pub language: Language,
    pub cards: Vec<&'a Card>,
}

impl ExerciseSheet<'_> {
    /// The page. A card whose position is damaged is left out.
    pub fn html(&self) -> String {
        let exercises: Vec<(&Card, Position)> =
            self.cards.iter().filter_map(|card| Some((*card, card.position()?))).take(MAX_EXERCISES).collect();
        let style = html! { style { (PreEscaped(include_str!("sheet.css"))) } };
        self.language.with(|| document(SHEET_MARK, self.title, &style, &self.body(&exercises)))
    }

    fn body(&self, exercises: &[(&Card, Position)]) -> Markup {
        let (count, class) = match self.per_page {
            PerPage::Four => (4, "four"),
            PerPage::Six => (6, "six"),
        };
        html! {
            body.(class) {
                @if exercises.is_empty() { p { (tr!("There is no mistake to practise.")) } }
                @for (page, part) in exercises.chunks(count).enumerate() {
                    section {
                        header { h1 { (self.title) } (blank(tr!("Name"), self.name)) (blank(tr!("Date"), "")) }
                        div.exercises {
                            @for (index, (card, position)) in part.iter().enumerate() {
                                (exercise(page * count + index + 1, card, position, self.name.is_empty()))
                            }
                        }
                    }
                }
                section.answers {
                    h1 { (tr!("Answers")) }
                    ol { @for (card, position) in exercises { (answer(card, position)) } }
                }
            }
        }
    }
}

/// A line to be filled in by hand, unless it is.
fn blank(what: String, text: &str) -> Markup {
    html! { span { (what) " " i { (text) } } }
}

/// The ruling that a card asks for.
fn ruling_of(card: &Card) -> Option<&'static Ruling> {
    let is_asked = |ruling: &&Ruling| card.kind == CardKind::Ruling && CardId::of(&ruling.position) == card.id;
    Ruling::all().iter().find(is_asked)
}

fn exercise(number: usize, card: &Card, position: &Position, names_player: bool) -> Markup {
    // Flat pieces on pale paper; the style fills black's, as books print them.
    let style = BoardStyle { pieces: PieceSet::Flat, board: BoardColours::Paper, ..BoardStyle::default() };
    let picture = BoardPicture { last: position.last_move(), style, ..BoardPicture::new(position) };
    if let Some(ruling) = ruling_of(card) {
        return html! {
            figure {
                figcaption { b { (number) "." } " " (tr!("A ruling")) span.game { " · " (ruling.question()) } }
                (PreEscaped(picture.svg()))
                div.line {}
            }
        };
    }
    html! {
        figure {
            figcaption { b { (number) "." } " " (tr!("{side} to move", side = side_name(position.side())))
                span.game { @if card.kind != CardKind::Tactic { " · " (tr!("move {number}", number = card.move_number())) } @if let (true, Some(name)) = (names_player, card.player()) { " · " (name) } } }
            (PreEscaped(picture.svg()))
            div.line {} div.line {}
        }
    }
}

fn answer(card: &Card, position: &Position) -> Markup {
    let names = |moves: &[_]| line_names(position, &moves[..moves.len().min(MAX_MOVES)]);
    if let Some(ruling) = ruling_of(card) {
        return html! { li { b { (ruling.answer.phrase().to_string()) } br; (ruling.explanation()) } };
    }
    let best = names(&card.line);
    let refuted: Vec<_> = card.played.into_iter().chain(card.refutation.iter().copied()).collect();
    html! {
        li {
            @for (index, name) in best.iter().enumerate() {
                @if index == 0 { b { (name) } } @else { " " (name) }
            }
            @if card.played.is_some() {
                br;
                (tr!("played: {line} (−{lost})", line = names(&refuted).join(" "), lost = percent(card.lost)))
            }
            @if let Some(reason) = card.reason() { br; (reason) }
            br;
            span.game { (card.origin()) }
        }
    }
}
