//! What people at a terminal ask for: the board, the list of commands.

use crate::board::Position;
use crate::rules::Rules;
use crate::types::{Color, Piece, Square};

/// The commands, a line each.
pub const HELP: &str = "\
commands of both protocols
  ucci | uci              talk UCCI (the default) or UCI
  position fen FEN [moves m1 m2 ...] | position startpos [moves ...]
  go [depth N] [nodes N] [movetime T] [mate N] [infinite] [searchmoves m1 ...]
  go time T [increment I | movestogo N] [opptime T] [draw] [ponder]
  go wtime T btime T [winc I] [binc I] [movestogo N] [ponder]
  stop, ponderhit [draw], banmoves m1 m2 ..., probe fen FEN | startpos [moves ...]
  setoption NAME VALUE    in UCI: setoption name NAME value VALUE
  isready, ucinewgame, debug on|off, quit
for people
  d                       the board, its FEN, key, checkers and legal moves
  eval                    the static evaluation
  perft N                 count move paths
  go                      think until 'stop'
moves are four characters, from and to: h2e2; times are milliseconds";

/// The board and what there is to know about it.
pub fn board(position: &Position, rules: &Rules, colour: bool) -> Vec<String> {
    let mut lines: Vec<String> = (0..10).rev().map(|rank| rank_line(position, rank, colour)).collect();
    lines.insert(5, String::from("    ～ 楚河 ～～ 汉界 ～"));
    lines.push(String::from("    ａｂｃｄｅｆｇｈｉ    a b c d e f g h i"));
    let legal = position.legal_moves();
    lines.extend([
        format!("side: {} to move, ply {}", position.side(), position.game_ply()),
        format!("fen: {}", position.fen()),
        format!("key: {:016x}", position.key()),
        format!("checkers:{}", listed(position.checkers().iter())),
        format!("state: {}", rules.judge(position)),
        format!("moves ({}):{}", legal.len(), listed(legal.moves())),
    ]);
    lines
}

/// Chinese characters, and letters beside them: without colour, 马 may be red's or black's.
fn rank_line(position: &Position, rank: u8, colour: bool) -> String {
    let pieces: Vec<Piece> = (0..9).map(|file| position.piece_at(Square::new(file, rank))).collect();
    let characters: String = pieces.iter().map(|&piece| painted(piece, colour)).collect();
    let letters: String = pieces.iter().map(|piece| format!(" {}", piece.letter())).collect();
    format!("  {rank} {characters}   {letters}")
}

/// Bold red and bold green, as on wooden sets.
fn painted(piece: Piece, colour: bool) -> String {
    let letter = piece.chinese();
    match piece.color() {
        Some(Color::Red) if colour => format!("\x1b[1;31m{letter}\x1b[0m"),
        Some(Color::Black) if colour => format!("\x1b[1;32m{letter}\x1b[0m"),
        _ => letter.to_string(),
    }
}

fn listed<T: ToString>(things: impl Iterator<Item = T>) -> String {
    let list: String = things.map(|thing| format!(" {}", thing.to_string())).collect();
    if list.is_empty() { String::from(" none") } else { list }
}
