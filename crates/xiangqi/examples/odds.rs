//! Plays a move, gives rook odds, and asks the referee.

use xiangqi::{Color, Move, Position, Rules, Setup};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut position: Position = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1".parse()?;
    assert_eq!(position, Position::default());
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    assert_eq!(moves.len(), 44);
    position.play("h2e2".parse()?)?;
    assert!(position.play("h2e2".parse()?).is_err());
    let mut setup = Setup::from(&position);
    setup.remove("a9".parse()?);
    let odds = Position::try_from(setup)?;
    println!(
        "{position}\n{odds}\n{:?} {:?}",
        position.side() == Color::Black,
        Rules::default().judge(&position).ending
    );
    Ok(())
}
