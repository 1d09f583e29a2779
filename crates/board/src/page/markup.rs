//! What the page shows in the current language: its markup, whose parts are files of HTML here, and the texts of the scripts.
//!
//! A part has holes: `{{Take back}}` is a text, which is translated, `{{$icon undo}}` and the like are what `value` gives. The lines
//! are put together without their indentation; those that are comments are left out. All of it are files of this folder: a hole
//! that nothing fills stops every program with a page, and so the tests.

use chuhe_study::html_page::json;
use chuhe_study::player::{HASH_MB, MAX_LEVEL, Strength};
use chuhe_study::reader::move_name;
use chuhe_support::language::{Language, tr};
use maud::{Markup, html};
use std::collections::BTreeMap;
use xiangqi::{Position, RuleSet};
use xiangqi_draw::BoardPicture;

/// The icons by their names, each the path of a picture of lines on a square of 20. The few Chinese characters that stand in the
/// English page are among them: not every system has a font for them.
const ICONS: &str = include_str!("icons.txt");

/// Texts of the scripts by their names, which scripts fill in the names in braces of. On a static host there are more, as it has
/// something around the page.
const TEXTS: &str = include_str!("texts.json");
const STATIC_TEXTS: &str = include_str!("web/texts.json");

/// How many megabytes all reviews may take; the second is the usual number.
const ROOMS: [u64; 3] = [8, 32, 128];
/// How many megabytes the hash table of an analysis may have.
const HASHES: [usize; 5] = [16, 64, 256, 1024, 4096];
/// So many threads are offered, as far as the machine has more.
const THREADS: [usize; 6] = [1, 2, 4, 8, 16, 32];

/// The body of the page.
pub fn body() -> String {
    filled(include_str!("page.html"))
}

/// A part of the page with its holes filled.
fn filled(part: &str) -> String {
    let lines = part.lines().map(str::trim).filter(|line| !line.starts_with("<!--"));
    let fill = |line: &str| {
        let mut holes = line.split("{{");
        let before = holes.next().unwrap_or_default().to_string();
        let fill = |hole: &str| {
            let (name, behind) = hole.split_once("}}").expect("a hole that ends");
            let text = || html! { (Language::current().translate(name)) }.into_string();
            name.strip_prefix('$').map_or_else(text, value) + behind
        };
        before + &holes.map(fill).collect::<String>()
    };
    lines.map(fill).collect()
}

/// What stands in a hole that is no text.
fn value(name: &str) -> String {
    match name {
        "panel" => filled(include_str!("panel.html")),
        "train" => filled(include_str!("train.html")),
        "dialogs" => filled(include_str!("dialogs.html")),
        "board" => BoardPicture::new(&Position::start()).svg_with_choices(),
        "languages" => {
            let option = |language: Language| {
                html! { option value=(language) lang=(language) { (language.own_name()) } }.into_string()
            };
            Language::ALL.map(option).concat()
        }
        "rules" => options(RuleSet::OFFERED.map(|set| (set.name().to_string(), rule_set_name(set))), ""),
        "rooms" => options(ROOMS.map(|room| (room.to_string(), tr!("at most {room} MB", room))), "32"),
        "hashes" => options(HASHES.map(|size| (size.to_string(), format!("{size} MB"))), &HASH_MB.to_string()),
        "threads" => {
            let most = std::thread::available_parallelism().map_or(1, usize::from);
            let all = ("all".to_string(), tr!("all: {count}", count = most));
            let less =
                THREADS.iter().filter(|&&count| count < most).map(|count| (count.to_string(), count.to_string()));
            options(std::iter::once(all).chain(less), "")
        }
        "levels" => MAX_LEVEL.to_string(),
        // A move as it may be typed.
        "typed" => {
            let squares = "h2e2";
            let name = squares.parse().map(|mv| move_name(&Position::start(), mv));
            name.map_or_else(|_| squares.to_string(), |name| format!("{name} · {squares}"))
        }
        icon => self::icon(icon.trim_start_matches("icon ")).into_string(),
    }
}

fn icon(name: &str) -> Markup {
    let path =
        ICONS.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).expect("an icon of this folder");
    let width = if name == "logo" { 42 } else { 20 };
    html! { svg.icon.wide[width > 20] viewBox={ "0 0 " (width) " 20" } aria-hidden="true" { path d=(path) {} } }
}

/// The choices of a list, values with their texts; this one is chosen at first, if it is not the first.
fn options(choices: impl IntoIterator<Item = (String, String)>, usual: &str) -> String {
    let option = |(value, text): (String, String)| {
        html! { option value=(value) selected[value == usual] { (text) } }.into_string()
    };
    choices.into_iter().map(option).collect()
}

fn rule_set_name(set: RuleSet) -> String {
    match set {
        RuleSet::Asian => tr!("Asian rules"),
        RuleSet::League => tr!("league rules"),
        RuleSet::Computer => tr!("computer rules"),
        RuleSet::Cxa => tr!("CXA rules"),
        RuleSet::Tiantian => tr!("Tiantian rules"),
        RuleSet::None => tr!("repetitions are not judged"),
        set => set.name().to_string(),
    }
}

/// What [`texts_module`] exports.
pub const DATA: &str = "TEXTS, LEVELS, USUAL_STRENGTH";

/// The module with the texts of the scripts, the names of the levels (several share a class of players), and the strength of a
/// game where nobody has said another one.
pub fn texts_module(is_static: bool) -> String {
    let more = if is_static { STATIC_TEXTS } else { "{}" };
    let texts =
        [TEXTS, more].map(|texts| serde_json::from_str::<BTreeMap<String, String>>(texts).expect("texts by names"));
    let translated = |(name, text): (String, String)| (name, Language::current().translate(&text).to_string());
    let texts: BTreeMap<String, String> = texts.into_iter().flatten().map(translated).collect();
    let level = |level: u8| {
        let strength = Strength::Level(level);
        let class = strength.class();
        strength.elo().map_or_else(|| class.to_string(), |elo| tr!("{class} · Elo {elo}", class, elo))
    };
    let levels: Vec<String> = (1..=MAX_LEVEL).map(level).collect();
    let usual = Strength::default().to_string();
    let [texts, levels, usual] = [json(&texts), json(&levels), json(&usual)];
    format!("export const TEXTS = {texts};\nexport const LEVELS = {levels};\nexport const USUAL_STRENGTH = {usual};\n")
}
