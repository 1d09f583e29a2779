//! The games of a tournament to play through: a list, a board, and what the engines thought.

use crate::arena::archive::Contents;
use crate::arena::scorebook;
use crate::board::{Position, START_FEN};
use crate::draw::Picture;
use crate::record::Game;
use serde::Serialize;
use std::fmt::Write;

/// Games on one page: more would make it slow to open.
const MOST: usize = 2000;

/// Writes the section of the games. Of very many the last ones are shown, and all that a fault ended.
pub fn section(page: &mut String, contents: &Contents) {
    let skipped = contents.len().saturating_sub(MOST);
    let shown = |(index, (game, _)): &(usize, &(crate::arena::results::Finished, Game))| {
        *index >= skipped || game.fault.is_some()
    };
    let games: Vec<&Game> =
        contents.iter().enumerate().filter(shown).map(|(_, (_, record))| record).collect();
    let _ = writeln!(page, "<h2>Games</h2>");
    if games.len() < contents.len() {
        let _ = writeln!(
            page,
            "<p>{} of {} games: the last ones, and those that faults ended.</p>",
            games.len(),
            contents.len()
        );
    }
    let _ = writeln!(
        page,
        "<div class=\"viewer\"><div><select id=\"game\" size=\"16\"></select></div><div class=\"table\">\
         <p id=\"title\"></p>{}<p class=\"buttons\"><button data-go=\"first\">|◀</button><button data-go=\"back\">◀</button>\
         <button data-go=\"on\">▶</button><button data-go=\"last\">▶|</button></p><p id=\"thought\"></p></div>\
         <ol id=\"moves\"></ol></div>",
        Picture::of(&Position::start()).svg()
    );
    let _ = writeln!(page, "<script>\nconst START = {};\nconst GAMES = [", safe(&START_FEN));
    for record in games {
        let _ = writeln!(page, "{},", safe(&GameOfPage::of(record)));
    }
    let _ = writeln!(page, "];\n{}</script>", include_str!("page.js"));
}

/// A game as the script of the page knows it.
#[derive(Serialize)]
struct GameOfPage<'a> {
    #[serde(rename = "n")]
    round: &'a str,
    #[serde(rename = "r")]
    red: &'a str,
    #[serde(rename = "b")]
    black: &'a str,
    #[serde(rename = "o")]
    opening: &'a str,
    #[serde(rename = "e")]
    end: &'a str,
    #[serde(rename = "w")]
    result: &'a str,
    /// Empty for the start position.
    #[serde(rename = "f")]
    fen: String,
    #[serde(rename = "m")]
    moves: String,
    #[serde(rename = "t")]
    notes: Vec<String>,
}

impl GameOfPage<'_> {
    fn of(record: &Game) -> GameOfPage<'_> {
        let tag = |name: &str| record.tag(name).unwrap_or("?");
        let moves: Vec<String> = record.played().map(|node| node.mv().to_string()).collect();
        let note = |comment: &str| match scorebook::note(comment) {
            Some(note) => note.shown,
            None => comment.to_string(),
        };
        let fen = record.start().fen();
        GameOfPage {
            round: tag("Round"),
            red: tag("Red"),
            black: tag("Black"),
            opening: record.tag("Opening").unwrap_or(""),
            end: tag("Termination"),
            result: record.result.token(),
            fen: if fen == START_FEN { String::new() } else { fen },
            moves: moves.join(" "),
            notes: record.played().map(|node| note(&node.comment)).collect(),
        }
    }
}

/// A value as JSON that cannot end the script that it stands in.
fn safe(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::report::page::escaped;

    #[test]
    fn no_name_can_leave_the_script() {
        assert_eq!(safe(&"</script>\""), "\"\\u003c/script>\\\"\"");
        assert_eq!(escaped("<b> & \"c\""), "&lt;b&gt; &amp; &quot;c&quot;");
    }
}
