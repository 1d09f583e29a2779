//! The games of a tournament to play through: a list, a board, and what the engines thought.

use crate::arena::archive::Contents;
use crate::arena::report::json::quoted;
use crate::arena::scorebook;
use crate::board::{Position, START_FEN};
use crate::draw::Picture;
use crate::record::Game;
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
    page.push_str("<script>\nconst START = ");
    page.push_str(&quoted(START_FEN));
    page.push_str(";\nconst GAMES = [\n");
    for record in games {
        let _ = writeln!(page, "{},", game(record));
    }
    let _ = writeln!(page, "];\n{}</script>", include_str!("page.js"));
}

/// A game as an object of JavaScript, which no text in it can leave.
fn game(record: &Game) -> String {
    let tag = |name: &str| safe(&quoted(record.tag(name).unwrap_or("?")));
    let moves: Vec<String> = record.played().map(|node| node.mv().to_string()).collect();
    let note = |comment: &str| match scorebook::note(comment) {
        Some(note) => note.shown,
        None => comment.to_string(),
    };
    let notes: Vec<String> = record.played().map(|node| safe(&quoted(&note(&node.comment)))).collect();
    let fen = record.start().fen();
    let fen = if fen == START_FEN { String::new() } else { fen };
    format!(
        "{{n:{},r:{},b:{},o:{},e:{},w:{},f:{},m:{},t:[{}]}}",
        tag("Round"),
        tag("Red"),
        tag("Black"),
        safe(&quoted(record.tag("Opening").unwrap_or(""))),
        tag("Termination"),
        safe(&quoted(record.result.token())),
        quoted(&fen),
        quoted(&moves.join(" ")),
        notes.join(",")
    )
}

/// A quoted text that cannot end the script that it stands in.
fn safe(quoted: &str) -> String {
    quoted.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::report::page::escaped;

    #[test]
    fn no_name_can_leave_the_script() {
        assert_eq!(safe(&quoted("</script>\"")), "\"\\u003c/script>\\\"\"");
        assert_eq!(escaped("<b> & \"c\""), "&lt;b&gt; &amp; &quot;c&quot;");
    }
}
