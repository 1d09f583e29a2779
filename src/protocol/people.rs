//! What people at a terminal ask for: the board, the list of commands.

use crate::board::Position;
use crate::draw::{Ink, terminal};
use crate::rules::Rules;

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
  炮二平五, C2=5, h2e2    at a terminal: play a move, also in short; new, undo, q
moves are four characters, from and to: h2e2; times are milliseconds";

/// The board and what there is to know about it.
pub fn board(position: &Position, rules: &Rules, ink: Ink) -> Vec<String> {
    let last = Some(position.last_move()).filter(|mv| mv.is_some());
    let mut lines = terminal(position, last, false, ink);
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

fn listed<T: ToString>(things: impl Iterator<Item = T>) -> String {
    let list: String = things.map(|thing| format!(" {}", thing.to_string())).collect();
    if list.is_empty() { String::from(" none") } else { list }
}
