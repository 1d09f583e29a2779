//! A user at a terminal without a host: the greeting, the commands, the board, and messages about unknown options. A
//! game is played with `chuhe play`.

use super::command;
use super::dialect::{Dialect, VERSION};
use super::options::all_options;
use chuhe_support::language::{Phrase, phrase, tr};
#[cfg(not(target_family = "wasm"))]
use chuhe_support::terminal::{has_colours, terminal_width};
use chuhe_support::text_width;
use xiangqi::Position;
use xiangqi::Rules;
use xiangqi_draw::{ColourMode, TerminalBoard};
use xiangqi_record::RankBase;

/// The greeting for a user who starts the engine without a host.
pub fn terminal_greeting() -> String {
    tr!(
        "Chuhe 楚河 {version}, waiting for UCCI or UCI. `help` lists the commands, `chuhe play` plays a game, q leaves.",
        version = VERSION
    )
}

/// A host is no terminal.
#[cfg(target_family = "wasm")]
fn terminal_width(_: bool) -> usize {
    usize::MAX
}

#[cfg(target_family = "wasm")]
fn has_colours(_: bool) -> bool {
    false
}

/// Whether what is drawn on standard output is coloured.
pub fn colour_mode(is_terminal: bool) -> ColourMode {
    if has_colours(is_terminal) { ColourMode::Colour } else { ColourMode::Plain }
}

/// The least similarity, from 0 to 1, at which an option name is suggested for a mistyped one.
const MIN_SIMILARITY: f64 = 0.85;

/// A line of the help: what is typed, and its explanation.
type HelpLine = (&'static str, Option<Phrase>);

/// The commands of both protocols, and those for users.
const PROTOCOL_COMMANDS: [HelpLine; 8] = [
    ("ucci | uci", Some(phrase!("use UCCI (the default) or UCI"))),
    ("position fen FEN [moves m1 m2 ...] | position startpos [moves ...]", None),
    ("go [depth N] [nodes N] [movetime T] [mate N] [infinite] [searchmoves m1 ...]", None),
    ("go time T [increment I | movestogo N] [opptime T] [draw] [ponder]", None),
    ("go wtime T btime T [winc I] [binc I] [movestogo N] [ponder]", None),
    ("stop, ponderhit [draw], banmoves m1 m2 ..., probe fen FEN | startpos [moves ...]", None),
    ("setoption NAME VALUE", Some(phrase!("in UCI: setoption name NAME value VALUE"))),
    ("isready, ucinewgame, debug on|off, quit", None),
];
const USER_COMMANDS: [HelpLine; 5] = [
    ("d", Some(phrase!("the board, its FEN, key, checkers and legal moves"))),
    ("eval", Some(phrase!("the static evaluation"))),
    ("perft N", Some(phrase!("count move paths"))),
    ("go", Some(phrase!("think until 'stop'"))),
    ("q", Some(phrase!("quit; `chuhe play` plays a game, with moves such as 炮二平五"))),
];

/// The help, a line for each command.
pub fn help(is_terminal: bool) -> Vec<String> {
    let line = |(typed, explanation): &HelpLine| match explanation {
        Some(explanation) => format!("  {typed:<24}{explanation}"),
        None => format!("  {typed}"),
    };
    let mut lines = vec![tr!("commands of both protocols")];
    lines.extend(PROTOCOL_COMMANDS.iter().map(line));
    lines.push(tr!("for people"));
    lines.extend(USER_COMMANDS.iter().map(line));
    lines.push(tr!("moves are four characters, from and to: h2e2; times are milliseconds"));
    let width = terminal_width(is_terminal);
    lines.iter().map(|line| text_width::wrap(line, width)).collect()
}

/// The board, and the state of the position; squares and moves in this count of ranks.
pub fn board(position: &Position, rules: &Rules, ranks: RankBase, is_terminal: bool) -> Vec<String> {
    let (colours, width) = (colour_mode(is_terminal), terminal_width(is_terminal));
    let mut lines =
        TerminalBoard { last: position.last_move(), colours, width, ..TerminalBoard::new(position) }.lines();
    let legal = position.legal_moves();
    lines.extend([
        format!("side: {} to move, ply {}", position.side(), position.game_ply()),
        format!("fen: {}", position.fen()),
        format!("key: {:016x}", position.key()),
        format!("checkers:{}", join_or_dash(position.checkers().iter().map(|square| ranks.format_square(square)))),
        format!("state: {}", rules.judge(position)),
        format!("moves ({}):{}", legal.len(), join_or_dash(legal.iter().copied().map(|mv| ranks.format_move(mv)))),
    ]);
    lines
}

fn join_or_dash(values: impl Iterator<Item = String>) -> String {
    let list: String = values.map(|value| format!(" {value}")).collect();
    if list.is_empty() { String::from(" none") } else { list }
}

/// The message about an unknown option.
pub fn unknown_option(column: Dialect, name: &str) -> String {
    let names = all_options().filter_map(|option| option.name_in(column));
    let similarity = |known: &&str| strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase());
    let nearest = names.max_by(|one, other| similarity(one).total_cmp(&similarity(other)));
    let name = command::shortened(name);
    match nearest.filter(|known| similarity(known) >= MIN_SIMILARITY) {
        Some(known) => tr!("there is no option '{name}'; did you mean {known}?", name, known),
        None => tr!("there is no option '{name}'", name),
    }
}
