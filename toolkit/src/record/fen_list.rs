//! Lists of positions: a FEN or `startpos` on each line, with the moves that were played from there.

use super::Ranks;
use super::fault::{Fault, Flaw, Place, Reading};
use super::game::{Game, Walker};
use super::notation;
use super::setup::Setup;
use chuhe_engine::board::{Position, START_FEN};

/// Reads the games of a text, one on each line. Empty lines and those that begin with `#`, `;` or `%` are passed over.
pub fn read(text: &str) -> Vec<Result<Reading, Fault>> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_matches(is_blank)));
    let games = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';', '%']));
    games.enumerate().map(|(index, (line, text))| read_line(text, line, index + 1)).collect()
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{FEFF}'
}

/// Whether a line begins with a position: nine strokes between ten ranks.
pub fn is_position(line: &str) -> bool {
    let setup = Setup::of_line(line.trim_matches(is_blank));
    let board = setup.fen.as_deref().and_then(|fen| fen.split_whitespace().next()).unwrap_or_default();
    let says_so = ["startpos", "position "].iter().any(|word| line.trim_matches(is_blank).starts_with(word));
    says_so || board.matches('/').count() == 9
}

fn read_line(text: &str, line: usize, number: usize) -> Result<Reading, Fault> {
    let setup = Setup::of_line(text);
    let fault = |flaw| Fault { game: number, place: Place::Line(line), flaw, breaks_off: true };
    let fen = setup.fen.as_deref().unwrap_or(START_FEN);
    let start = Position::from_fen(fen).map_err(|flaw| fault(flaw.into()))?;
    let read = |ranks| {
        let mut game = Game::new(&start);
        let mut walker = Walker::new(&game);
        for word in &setup.moves {
            let number = walker.position().game_ply() as usize / 2 + 1;
            let played = notation::read_in(walker.position(), word, ranks)
                .map_err(|source| Flaw::Word { number, source })
                .and_then(|mv| walker.play(&mut game, mv).map_err(|source| Flaw::Move { number, source }));
            if let Err(flaw) = played {
                return Reading { game, faults: vec![fault(flaw)] };
            }
        }
        Reading { game, faults: Vec::new() }
    };
    let [likely, other] = Ranks::ALL.map(read);
    let plies = |reading: &Reading| reading.game.played().count();
    Ok(if plies(&other) > plies(&likely) { other } else { likely })
}

/// The game as a line: where it begins, and its moves without variations.
pub fn write(game: &Game) -> String {
    let mut line = game.start().fen();
    if game.played().next().is_some() {
        line.push_str(" moves");
    }
    for node in game.played() {
        line.push(' ');
        line.push_str(&node.mv().to_string());
    }
    line.push('\n');
    line
}
