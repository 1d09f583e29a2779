//! Reads a game of any format, judges its last position, and draws it: `final_position GAME [PICTURE.svg]`.

use std::error::Error;
use xiangqi::Rules;
use xiangqi_draw::BoardPicture;
use xiangqi_record::{Notation, RecordFile, notation};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file?")?;
    let reading = RecordFile::read(std::fs::read(&path)?).game(1)?;
    reading.errors.iter().for_each(|error| eprintln!("{path}: {error}"));
    let game = reading.game;
    let moves: Vec<_> = game.moves().collect();
    println!("{}", notation::format_line(game.start(), &moves, Notation::Chinese).join(" "));
    let position = game.position_at(game.last());
    println!("{}\n{}", position.fen(), Rules::default().judge(&position));
    let picture = BoardPicture { last: moves.last().copied(), ..BoardPicture::new(&position) };
    std::fs::write(arguments.next().unwrap_or_else(|| String::from("final.svg")), picture.svg())?;
    Ok(())
}
