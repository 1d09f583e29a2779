//! The reviews of many games as one HTML page: the summary, a list of the games, and a board that shows the review of one.

use super::{CostlyMove, GamePlace, GamesSummary, PlayTally, heads, numbers};
use crate::html_page::{
    HtmlPage, MAX_GAMES, VIEWER_SCRIPT, ViewerMoves, json, page_settings, viewer_data, viewer_section,
};
use crate::reader::{line_names, move_name, side_name};
use crate::review::{
    AnalysedPosition, MoveQuality, PAGE_MARK, Review, ReviewedMove, join_sentences, line_moves, percent, player_name,
    quality_class, remarks, result,
};
use crate::train::{Card, MAX_EXERCISES, MistakeCards, MistakeCount, Pattern};
use chuhe_support::language::tr;
use chuhe_support::messages::Localize;
use chuhe_support::with_values;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use xiangqi::{Color, Move, Position};
use xiangqi_draw::{ArrowKind, BoardPicture};

/// The most openings shown.
const MAX_OPENINGS: usize = 20;
/// The most players shown.
const MAX_PLAYERS: usize = 100;
/// The most moves of a better line.
const BETTER_MOVES: usize = 6;

/// The page while games are added to it: a few kilobytes for each.
#[derive(Default)]
pub struct GamesPage {
    rows: Vec<GameRow>,
    games: Vec<String>,
    /// How many games were added; the page shows the first ones.
    count: usize,
}

with_values! {
    /// A row of the list.
    struct GameRow {
        place: GamePlace = place.clone(),
        players: [Option<String>; 2] = Color::ALL.map(|color| review.player(color).map(str::to_string)),
        result: &'static str = result(review),
        accuracies: [Option<f64>; 2] = Color::ALL.map(|color| review.side(color).accuracy),
        blunders: [usize; 2] = Color::ALL.map(|color| review.side(color).marks[3]),
        opening: String = review.opening.map_or(String::new(), |opening| opening.name.localized().to_string()),
    }
    fn of(place: &GamePlace, review: &Review);

    /// A game for the script.
    #[derive(Serialize)]
    struct PageGame<'a> {
        #[serde(rename = "r")]
        red: &'a str = review.player(Color::Red).unwrap_or_default(),
        #[serde(rename = "y")]
        black: &'a str = review.player(Color::Black).unwrap_or_default(),
        #[serde(rename = "w")]
        result: &'static str = result(review),
        #[serde(flatten)]
        moves: ViewerMoves = ViewerMoves::of(&review.game),
        #[serde(rename = "c")]
        chances: Vec<Option<u8>> = review.moves.iter().map(chance).collect(),
        #[serde(rename = "k")]
        marks: Vec<&'static str> =
            review.moves.iter().map(|reviewed| reviewed.mark.map_or("", MoveQuality::sign)).collect(),
        #[serde(rename = "b")]
        best: Vec<Option<String>> = review.positions.iter().map(|studied| studied.as_ref().and_then(best)).collect(),
        #[serde(rename = "t")]
        notes: Vec<Option<String>> = notes,
    }
    fn of(review: &'a Review) {
        let mut position = review.game.start().clone();
        let mut notes = Vec::new();
        for reviewed in &review.moves {
            notes.push(note(reviewed, &position));
            position.play_unchecked(reviewed.mv);
        }
        let chance = |reviewed: &ReviewedMove| {
            let red = reviewed.after?.from_red(reviewed.side);
            Some((100.0 * red.chance).round() as u8)
        };
        let best = |studied: &AnalysedPosition| studied.line.first().map(ToString::to_string);
    }
}

impl GamesPage {
    /// Adds the review of a game.
    pub fn add(&mut self, place: &GamePlace, review: &Review) {
        self.count += 1;
        if self.rows.len() == MAX_GAMES {
            return;
        }
        self.rows.push(GameRow::of(place, review));
        self.games.push(json(&PageGame::of(review)));
    }

    /// The page in the current language, with the mistakes of the person, if one was chosen.
    pub fn into_string(self, summary: &GamesSummary, mistakes: &MistakeCards) -> String {
        let title = if summary.person.is_everybody() {
            tr!("games: {games}", games = summary.all.games)
        } else {
            tr!("{person}, games: {games}", person = summary.person.text(), games = summary.all.games)
        };
        let shown = self.rows.len();
        let sides = Color::ALL.map(|color| side_name(color).to_string());
        let body = html! {
            header { (page_settings()) h1 { (title_text(summary)) } p.facts { (summary.headline()) } }
            (tables(summary))
            @if summary.person.is_everybody() { (costliest(summary, shown)) } @else { (mistake_sections(mistakes)) }
            h2 { (tr!("Games")) }
            @if shown < self.count {
                p { (tr!("The first {shown} of {count} games.", shown, count = self.count)) }
            }
            (self.list(summary.has_several_files))
            div #viewer { (viewer_section(&html! {})) }
            footer {
                (tr!(
                    "Reviewed by Chuhe {version} with {nodes} nodes a position.",
                    version = env!("CARGO_PKG_VERSION"),
                    nodes = summary.mean_nodes()
                ))
                br;
                (tr!(
                    "Accuracy and marks go by the chance lost: ?! from 5%, ? from 10%, ?? from 20%. Keys: ← → move, ↑ ↓ go to \
                     mistakes, F turns the board."
                ))
            }
        };
        HtmlPage {
            mark: PAGE_MARK,
            title: &title,
            style: include_str!("page.css"),
            data: &format!("const SIDES = {};\n{}", json(&sides), viewer_data(&self.games)),
            script: &[VIEWER_SCRIPT, include_str!("page.js")].concat(),
            body,
        }
        .into_string()
    }

    fn list(&self, has_several_files: bool) -> Markup {
        html! {
            div.list { table {
                thead { tr {
                    th { (tr!("game")) }
                    th { (tr!("players")) }
                    th { (tr!("result")) }
                    th.number { (tr!("accuracy")) }
                    th.number { "??" }
                    th.opening { (tr!("opening")) }
                } }
                tbody {
                    @for (index, row) in self.rows.iter().enumerate() { (row.row(index, has_several_files)) }
                }
            } }
        }
    }
}

impl GameRow {
    fn row(&self, index: usize, has_several_files: bool) -> Markup {
        let accuracy = |color: Color| self.accuracies[color].map_or(String::from("–"), |value| format!("{value:.0}"));
        html! {
            tr data-game=(index) {
                td title=(self.place.file) { (self.place.text(has_several_files)) }
                td { button type="button" {
                    span.red { (name(self.players[0].as_deref(), Color::Red)) } " – "
                    span.black { (name(self.players[1].as_deref(), Color::Black)) }
                } }
                td.result { (self.result) }
                td.number { (accuracy(Color::Red)) " : " (accuracy(Color::Black)) }
                td.number { (self.blunders[0]) " : " (self.blunders[1]) }
                td.opening { (self.opening) }
            }
        }
    }
}

/// What there is to say about a move.
fn note(reviewed: &ReviewedMove, position: &Position) -> Option<String> {
    let is_bad = reviewed.mark.is_some_and(MoveQuality::is_bad);
    let mut parts = Vec::new();
    if let (true, Some(loss)) = (is_bad, reviewed.loss()) {
        parts.push(format!("−{}", percent(loss)));
    }
    parts.extend(Some(remarks(reviewed)).filter(|remarks| !remarks.is_empty()));
    if is_bad {
        let line = line_moves(position, &reviewed.better_line, BETTER_MOVES).join(" ");
        parts.push(format!("{} {line}", tr!("better:")));
    }
    join_sentences(parts)
}

fn title_text(summary: &GamesSummary) -> String {
    if summary.person.is_everybody() { tr!("Reviewed games") } else { summary.person.text().to_string() }
}

fn name(player: Option<&str>, color: Color) -> String {
    player.map_or_else(|| side_name(color).to_string(), player_name)
}

/// The play by colour and phase, and by opening.
fn tables(summary: &GamesSummary) -> Markup {
    let openings: Vec<(String, &PlayTally)> = summary
        .openings()
        .into_iter()
        .take(MAX_OPENINGS)
        .map(|(name, tally)| (name.localized().to_string(), tally))
        .collect();
    let names = if summary.person.is_everybody() { summary.names.list(MAX_PLAYERS) } else { Vec::new() };
    let players: Vec<(String, &PlayTally)> = names.into_iter().map(|(name, tally)| (name.to_string(), tally)).collect();
    html! {
        div.list { (tally_table(&summary.rows())) }
        @if !players.is_empty() {
            details { summary { (tr!("by player")) } div.list { (tally_table(&players)) } }
        }
        @if !openings.is_empty() {
            details { summary { (tr!("by opening")) } div.list { (tally_table(&openings)) } }
        }
    }
}

fn tally_table(rows: &[(String, &PlayTally)]) -> Markup {
    let count = heads().len();
    html! {
        table.tally {
            thead { tr { th {} @for column in 0..count { th.number { (heads()[column].clone()) } } } }
            tbody {
                @for (label, tally) in rows {
                    tr { td { (label) } @for number in numbers(tally) { td.number { (number) } } }
                }
            }
        }
    }
}

fn costliest(summary: &GamesSummary, shown: usize) -> Markup {
    html! {
        @if !summary.costliest.is_empty() {
            h2 { (tr!("The costliest mistakes")) }
            ol.costliest {
                @for costly in &summary.costliest { li { (costly_move(costly, summary.has_several_files, shown)) } }
            }
        }
    }
}

fn costly_move(costly: &CostlyMove, has_several_files: bool, shown: usize) -> Markup {
    let text = html! {
        (costly.place.text(has_several_files)) " "
        b.(quality_class(costly.mark)) {
            (costly.number) (if costly.side == Color::Red { ". " } else { "… " })
            (move_name(&costly.position, costly.mv))
            i { (costly.mark.sign()) }
        }
    };
    html! {
        @if costly.index < shown {
            button type="button" data-game=(costly.index) data-ply=(costly.ply - 1) { (text) }
        } @else { (text) }
        " " (name(costly.player.as_deref(), costly.side)) " " (percent(costly.before)) " → " (percent(costly.after)) " "
        span.better {
            (format!("{} {}", tr!("better:"), line_names(&costly.position, &costly.better).join(" ")))
        }
    }
}

// The mistakes of one person: what recurs, and each with its diagram, the better line and the reason. On paper all of it.

/// The most moves of a line.
const LINE_MOVES: usize = 6;

/// The sections of the page; nothing without a mistake.
fn mistake_sections(mistakes: &MistakeCards) -> Markup {
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
    let phases = pattern.phases.iter().map(|(phase, count)| named(phase.phrase().to_string(), count));
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
    let line = |moves: &[Move]| line_moves(position, moves, LINE_MOVES).join(" ");
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
