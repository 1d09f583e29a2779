//! `chuhe repertoire`: an opening repertoire of games, what is missing in it, and where games leave it.

use super::error::{CliError, cli_error, file_name};
use super::games::{self, GameReading};
use super::output::OverwriteArgs;
use super::position_args::{self, FaultPrinter};
use super::values::{number_in, parse_side, worded};
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_study::book::{self, EMBEDDED_BOOK_NAME, opening_names};
use chuhe_study::explorer::GameFacts;
use chuhe_study::reader::{line_names, move_name};
use chuhe_study::repertoire::{
    Departure, Followed, Gap, GapOptions, MAX_LINE, OpeningCounts, Repertoire, colour_of, judge_choices,
};
use chuhe_study::review::{PlayerNames, percent, player_name, side_name};
use chuhe_support::files::{OverwritePolicy, is_stdio, shown};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::{Language, tr};
use chuhe_support::text_width::pad_left;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Encoding, Game, Notation, OutputFormat, notation};

pub const EXAMPLES: &str = "\
Examples:
  chuhe repertoire make games/ --player 王嘉良 --colour red --out red.pgn
                                              what this player plays most and loses least with
  chuhe repertoire show red.pgn               its lines
  chuhe repertoire gaps red.pgn --games games/
                                              answers that come often and have no move
  chuhe repertoire check club.pgn --with red.pgn --with black.pgn --player 王嘉良
                                              where games leave it, and whether that was good

A repertoire is a game with variations, as PGN or XQF; files of other programs are read as well. Other orders of moves
and mirrored positions are joined. The board trains it: Train, Openings.";

#[derive(Subcommand)]
pub enum RepertoireCommand {
    /// Make a repertoire of the games of a player
    Make(MakeArgs),
    /// Print the lines of a repertoire
    Show(ShowArgs),
    /// Find answers that come often, against which a repertoire has no move
    Gaps(GapsArgs),
    /// Say where games leave a repertoire, who left it, and whether that was good
    Check(CheckArgs),
}

/// Runs a subcommand; the exit code says whether something could not be read.
pub fn run(command: &RepertoireCommand, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    match command {
        RepertoireCommand::Make(args) => make(args, out),
        RepertoireCommand::Show(args) => show(args, out),
        RepertoireCommand::Gaps(args) => gaps(args, out),
        RepertoireCommand::Check(args) => check(args, out),
    }
}

/// The file of a repertoire.
#[derive(Args)]
pub struct RepertoireFile {
    /// The repertoire: a game with variations
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Its colour, if the file does not tell it
    #[arg(long, value_name = "SIDE", value_parser = parse_side)]
    colour: Option<Color>,
}

impl RepertoireFile {
    /// The repertoire; also whether all of it could be read.
    pub fn read(&self) -> Result<(Repertoire, bool), CliError> {
        read(&self.file, self.colour)
    }
}

/// The repertoire of a file, of this colour, or of the one that the file tells; also whether all of it could be read.
pub fn read(file: &Path, colour: Option<Color>) -> Result<(Repertoire, bool), CliError> {
    let source = position_args::open(file)?;
    let mut faults = FaultPrinter::of(file);
    let games: Vec<Game> = source.games().filter_map(|game| faults.game(game)).collect();
    let mut repertoire = Repertoire::new(colour.or_else(|| colour_of(&games)).unwrap_or(Color::Red));
    repertoire.add_games(&games).map_err(|fault| cli_error!("{file}: {fault}", file = file_name(file), fault))?;
    if colour.is_none() && colour_of(&games).is_none() {
        return Err(cli_error!("{file}: red's repertoire, or black's? --colour says it", file = file_name(file)));
    }
    Ok((repertoire, !faults.has_printed()))
}

/// Whether the player had this colour in a game; without a player every game counts.
pub fn is_of(player: Option<&PlayerNames>, game: &Game, colour: Color) -> bool {
    player.is_none_or(|player| player.sides(game).contains(&colour))
}

/// Counts the games of these files in which the player had a colour; also whether all could be read. Nothing if it was
/// interrupted.
fn count(
    paths: &[PathBuf],
    player: Option<&PlayerNames>,
    colour: Color,
    plies: usize,
) -> Result<Option<(OpeningCounts, bool)>, CliError> {
    let files = games::files(paths)?;
    let (mut reading, mut counts) = (GameReading::new(files.len())?, OpeningCounts::new(plies));
    let all = reading.each(&files, &mut |game, _, _| {
        if is_of(player, game, colour) {
            counts.add(game);
        }
    })?;
    if all == 0 {
        return Err(games::no_games());
    }
    let is_whole = !reading.is_incomplete;
    Ok((!reading.finish()).then_some((counts, is_whole)))
}

/// How the files that this command has written begin.
const MARK: &[u8] = b"Repertoire: ";

/// Arguments of `chuhe repertoire make`.
#[derive(Args)]
pub struct MakeArgs {
    /// Files of games, or folders of them
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// The player; again for other names of the same person
    #[arg(long, required = true, value_name = "NAME")]
    player: Vec<String>,
    /// The colour: red or black
    #[arg(long, value_name = "SIDE", value_parser = parse_side)]
    colour: Color,
    /// Take moves and answers that were played in so many games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number_in::<u64>(1..))]
    least: u64,
    /// End lines after so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 24, value_parser = number_in::<usize>(1..=80))]
    plies: usize,
    /// Write it to this file, as PGN or XQF; - is PGN on standard output [default: print its lines]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How moves of PGN are written: ICCS, UCI, WXF, Chinese or Vietnamese
    #[arg(long, value_name = "NOTATION", default_value = "Chinese", value_parser = worded::<Notation>)]
    notation: Notation,
    /// Answer with a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    over: OverwriteArgs,
}

fn make(args: &MakeArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let format = args.out.as_deref().map(format_of).transpose()?;
    let player = games::player(&args.player)?;
    let Some((counts, is_whole)) = count(&args.files, player.as_ref(), args.colour, args.plies)? else {
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    };
    if counts.games() == 0 {
        return Err(no_own_games());
    }
    let made = Repertoire::of_games(args.colour, &counts, args.least)?;
    if made.is_empty() {
        let count = args.least;
        return Err(cli_error!(
            "no move was played in {count} games of this player: --least 1 takes single games",
            count
        ));
    }
    if let (Some(path), Some(format)) = (&args.out, format) {
        let bytes = format.write(&made.to_game(), args.notation, Encoding::Utf8)?;
        if is_stdio(path) {
            out.write_all(&bytes)?;
            return Ok(ExitCode::from(u8::from(!is_whole)));
        }
        OverwritePolicy::IfMarked(MARK).or_force(args.over.force).write(path, &bytes)?;
    }
    let (games, positions, moves) = (counts.games(), made.own_positions(), made.len());
    if args.json {
        let object = json!({"colour": args.colour.to_string(), "games": games, "positions": positions, "moves": moves});
        writeln!(out, "{object}")?;
        return Ok(ExitCode::from(u8::from(!is_whole)));
    }
    let side = side_name(args.colour);
    let text = tr!(
        "{side}: {games} games, {positions} positions with a move of yours, {moves} moves",
        side,
        games,
        positions,
        moves
    );
    writeln!(out, "{text}")?;
    match &args.out {
        Some(path) => writeln!(out, "{}", tr!("written: {path}", path = shown(path)))?,
        None => write_lines(&made, Some(&counts), out)?,
    }
    Ok(ExitCode::from(u8::from(!is_whole)))
}

fn format_of(path: &Path) -> Result<OutputFormat, CliError> {
    let format = if is_stdio(path) { Some(OutputFormat::Pgn) } else { OutputFormat::from_path(path)? };
    let has_variations = |format: &OutputFormat| [OutputFormat::Pgn, OutputFormat::Xqf].contains(format);
    format.filter(has_variations).ok_or_else(|| cli_error!("a repertoire is written as PGN or XQF: name such a file"))
}

/// Arguments of `chuhe repertoire show`.
#[derive(Args)]
pub struct ShowArgs {
    #[command(flatten)]
    repertoire: RepertoireFile,
    /// Also say in how many of these games each answer came: files or folders
    #[arg(long, value_name = "GAMES", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Answer with a JSON object
    #[arg(long)]
    json: bool,
}

fn show(args: &ShowArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let (repertoire, is_complete) = args.repertoire.read()?;
    let (mut counts, mut is_whole) = (None, is_complete);
    if !args.games.is_empty() {
        let Some((counted, all)) = count(&args.games, None, repertoire.colour(), MAX_LINE)? else {
            return Ok(ExitCode::from(EXIT_INTERRUPTED));
        };
        (counts, is_whole) = (Some(counted), is_whole && all);
    }
    if args.json {
        writeln!(out, "{}", repertoire_json(&repertoire, counts.as_ref()))?;
    } else {
        let side = side_name(repertoire.colour());
        let (positions, moves) = (repertoire.own_positions(), repertoire.len());
        let text = tr!("{side}: {positions} positions with a move of yours, {moves} moves", side, positions, moves);
        writeln!(out, "{text}")?;
        write_lines(&repertoire, counts.as_ref(), out)?;
    }
    Ok(ExitCode::from(u8::from(!is_whole)))
}

/// Arguments of `chuhe repertoire gaps`.
#[derive(Args)]
pub struct GapsArgs {
    #[command(flatten)]
    repertoire: RepertoireFile,
    /// The games that say what comes often: files or folders
    #[arg(long, value_name = "GAMES", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Only games in which this player had the colour; again for other names of the same person
    #[arg(long, value_name = "NAME", requires = "games")]
    player: Vec<String>,
    /// Also the answers that this book gives so much weight [default: the book of the program if there are no games]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Answers that came in so many of a hundred games in their position
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number_in::<u8>(1..=100))]
    share: u8,
    /// Answers that came in so many games
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number_in::<u64>(1..))]
    least: u64,
    /// Answers of the first so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 24, value_parser = number_in::<usize>(1..=80))]
    plies: usize,
    /// Answer with a JSON object on a line for each
    #[arg(long)]
    json: bool,
}

fn gaps(args: &GapsArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let (repertoire, is_complete) = args.repertoire.read()?;
    let player = games::player(&args.player)?;
    let (mut counts, mut is_whole) = (OpeningCounts::new(args.plies), is_complete);
    if !args.games.is_empty() {
        let Some((counted, all)) = count(&args.games, player.as_ref(), repertoire.colour(), args.plies)? else {
            return Ok(ExitCode::from(EXIT_INTERRUPTED));
        };
        (counts, is_whole) = (counted, is_whole && all);
    }
    let usual = args.games.is_empty().then(|| PathBuf::from(EMBEDDED_BOOK_NAME));
    let book = args.book.clone().or(usual).map(|path| book::open_book(&path)).transpose()?;
    let share = f64::from(args.share) / 100.0;
    let options = GapOptions { least_share: share, least_games: args.least, plies: args.plies };
    let gaps = repertoire.gaps(&counts, book.as_deref(), &options)?;
    if args.json {
        gaps.iter().try_for_each(|gap| writeln!(out, "{}", gap_json(gap)))?;
    } else if gaps.is_empty() {
        writeln!(out, "{}", tr!("nothing is missing: there is a move against every answer that comes often"))?;
    } else {
        write_table(&gaps, out)?;
    }
    Ok(ExitCode::from(u8::from(!is_whole)))
}

/// A gap for scripts.
pub fn gap_json(gap: &Gap) -> serde_json::Value {
    json!({
        "line": gap.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "games": gap.games,
        "share": gap.share,
        "book": gap.book,
        "listed": gap.is_listed,
    })
}

fn write_table(gaps: &[Gap], out: &mut dyn Write) -> Result<(), CliError> {
    let row = |games: &str, share: &str, book: &str, line: &str| {
        format!("{}  {}  {}  {line}", pad_left(games, 8), pad_left(share, 8), pad_left(book, 8))
    };
    writeln!(out, "{}", row(&tr!("games"), &tr!("share"), &tr!("book"), &tr!("no move against")))?;
    let percent = |part: f64| if part > 0.0 { format!("{:.0} %", 100.0 * part) } else { "-".to_string() };
    for gap in gaps {
        let line = numbered(&gap.line);
        writeln!(out, "{}", row(&gap.games.to_string(), &percent(gap.share), &percent(gap.book), &line))?;
    }
    Ok(())
}

/// The moves of a line from the start position with their numbers.
pub fn numbered(line: &[Move]) -> String {
    let names = line_names(&Position::start(), line);
    let word =
        |(ply, name): (usize, &String)| if ply % 2 == 0 { format!("{}. {name}", ply / 2 + 1) } else { name.clone() };
    names.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// The last move of a line; the first one of a text always has its number.
fn last_move(line: &[Move], is_first: bool) -> String {
    let name = line_names(&Position::start(), line).pop().unwrap_or_default();
    let number = line.len().div_ceil(2);
    match (line.len() % 2, is_first) {
        (1, _) => format!("{number}. {name}"),
        (_, true) => format!("{number}... {name}"),
        (_, false) => name,
    }
}

/// Writes the lines: what follows without a choice on one line, alternatives below each other. With counts it says in how
/// many games an answer came. A line that ends with … goes on elsewhere.
pub fn write_lines(repertoire: &Repertoire, counts: Option<&OpeningCounts>, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    // Of each ply of the current line how far its text is indented, and how many moves there are.
    let (mut depths, mut choices): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    repertoire.walk(&mut |place| {
        let ply = place.line.len();
        depths.truncate(ply);
        choices.truncate(ply);
        let is_choice = choices.last().is_some_and(|&moves| moves > 1);
        let depth = depths.last().map_or(0, |depth| depth + usize::from(is_choice && ply > 1));
        depths.push(depth);
        choices.push(place.moves.len());
        let Some(&mv) = place.line.last() else { return };
        let begins = is_choice || ply == 1;
        match (begins, text.is_empty()) {
            (true, true) => {}
            (true, false) => text += &format!("\n{}", "  ".repeat(depth)),
            (false, _) => text.push(' '),
        }
        text += &last_move(place.line, begins);
        if let (Some(counts), true) = (counts, repertoire.is_mine(place.position)) {
            let mut before = place.position.clone();
            before.undo();
            text += &format!(" ({})", counts.of_move(&before, mv).games);
        }
        if place.is_known && !place.moves.is_empty() {
            text += " …";
        }
    });
    writeln!(out, "{text}")
}

/// The repertoire as an object: each position once, with its moves.
pub fn repertoire_json(repertoire: &Repertoire, counts: Option<&OpeningCounts>) -> Value {
    let mut positions = Vec::new();
    repertoire.walk(&mut |place| {
        if place.is_known || place.moves.is_empty() {
            return;
        }
        let moves = place.moves.iter().map(|&mv| {
            let mut object = json!({
                "move": mv.to_string(),
                "chinese": notation::format(place.position, mv, Notation::Chinese),
            });
            if let Some(counts) = counts {
                let tally = counts.of_move(place.position, mv);
                object["games"] = json!(tally.games);
                object["score"] = json!(tally.score(place.position.side()));
            }
            object
        });
        let name = opening_names::name_of_game(place.position);
        positions.push(json!({
            "line": place.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "fen": place.position.fen(),
            "mine": repertoire.is_mine(place.position),
            "opening": name.map(|name| name.english),
            "moves": moves.collect::<Vec<_>>(),
        }));
    });
    json!({"colour": repertoire.colour().to_string(), "positions": positions})
}

/// No game of the player.
fn no_own_games() -> CliError {
    cli_error!("no game of this player with this colour was found")
}

/// Memory of a search in megabytes.
const HASH_MB: usize = 32;

/// Arguments of `chuhe repertoire check`.
#[derive(Args)]
pub struct CheckArgs {
    /// Files of games, or folders of them
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// The repertoire: a game with variations; again for that of the other colour
    #[arg(long = "with", required = true, value_name = "FILE")]
    repertoires: Vec<PathBuf>,
    /// Its colour, if the file does not tell it
    #[arg(long, value_name = "SIDE", value_parser = parse_side)]
    colour: Option<Color>,
    /// Only games in which this player had the colour; again for other names of the same person
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Nodes to judge each of the two moves, 0 to judge none
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = number_in::<u64>(0..=1_000_000_000))]
    nodes: u64,
    /// Answer with a JSON object on a line for each game
    #[arg(long)]
    json: bool,
}

/// A game beside a repertoire.
struct Checked {
    file: String,
    number: u64,
    facts: GameFacts,
    colour: Color,
    followed: Followed,
    /// The name that the game has, and the plies before it has none any more.
    named: Option<(opening_names::OpeningName, usize)>,
}

pub fn check(args: &CheckArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let mut is_incomplete = false;
    let mut repertoires: Vec<Repertoire> = Vec::new();
    for file in &args.repertoires {
        let (repertoire, is_complete) = read(file, args.colour)?;
        is_incomplete |= !is_complete;
        repertoires.push(repertoire);
    }
    let player = games::player(&args.player)?;
    let files = games::files(&args.files)?;
    let mut reading = GameReading::new(files.len())?;
    let mut checked: Vec<Checked> = Vec::new();
    let all = reading.each(&files, &mut |game, file, number| {
        for repertoire in &repertoires {
            if is_of(player.as_ref(), game, repertoire.colour())
                && let Some(followed) = repertoire.follow(game).filter(|_| game.moves().next().is_some())
            {
                let (facts, named) = (GameFacts::of(game), named(game));
                let (file, colour) = (file.to_string(), repertoire.colour());
                checked.push(Checked { file, number, facts, colour, followed, named });
            }
        }
    })?;
    is_incomplete |= reading.is_incomplete;
    if reading.finish() {
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    }
    if all == 0 {
        return Err(games::no_games());
    }
    if checked.is_empty() {
        return Err(no_own_games());
    }
    let options = Options { overhead: Duration::ZERO, ..Options::default() };
    let mut searcher = Searcher::new(options, HASH_MB)?;
    for game in &checked {
        searcher.new_game();
        let chances = game.chances(args.nodes, &mut searcher);
        if args.json {
            writeln!(out, "{}", game.json(chances))?;
        } else {
            writeln!(out, "{}", game.text(chances))?;
        }
    }
    if !args.json {
        let count = |departure| checked.iter().filter(|game| game.followed.departure == departure).count();
        let (games, mine, other) = (checked.len(), count(Departure::Mine), count(Departure::Other));
        let text =
            tr!("{games} games: left {mine} times by the player, {other} times by the other side", games, mine, other);
        writeln!(out, "{text}")?;
    }
    Ok(ExitCode::from(u8::from(is_incomplete)))
}

/// The name of a game's opening, and the plies before it leaves what has a name.
fn named(game: &Game) -> Option<(opening_names::OpeningName, usize)> {
    let mut position = game.start().clone();
    game.moves().take(opening_names::MAX_NAMED_PLY).for_each(|mv| position.play_unchecked(mv));
    opening_names::last_named(&position)
}

/// Where a game left a repertoire, for scripts.
pub fn departure_json(followed: &Followed) -> Value {
    let departure = match followed.departure {
        Departure::Never => "never",
        Departure::End => "end",
        Departure::Mine => "mine",
        Departure::Other => "other",
    };
    json!({
        "departure": departure,
        "plies": followed.plies,
        "played": followed.played.map(|mv| mv.to_string()),
        "wanted": followed.wanted.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

impl Checked {
    /// The player's chances after the move of the game, and after the one of the repertoire, where there are both.
    fn chances(&self, nodes: u64, searcher: &mut Searcher) -> Option<[f64; 2]> {
        let Followed { played, wanted, position, .. } = &self.followed;
        let moves = [(*played)?, *wanted.first()?];
        let judged = (nodes > 0).then(|| judge_choices(position, &moves, searcher, nodes, &Control::new(false)))??;
        let chance = |chance: f64| if position.side() == self.colour { chance } else { 1.0 - chance };
        Some([chance(judged[0].chance), chance(judged[1].chance)])
    }

    fn json(&self, chances: Option<[f64; 2]>) -> Value {
        let mut object = departure_json(&self.followed);
        let more = json!({
            "file": self.file,
            "game": self.number,
            "red": self.facts.red,
            "black": self.facts.black,
            "colour": self.colour.to_string(),
            "chance": chances.map(|chances| chances[0]),
            "chance_wanted": chances.map(|chances| chances[1]),
            "opening": self.named.map(|(name, _)| name.english),
            "named_plies": self.named.map(|(_, plies)| plies),
        });
        if let (Value::Object(all), Value::Object(more)) = (&mut object, more) {
            all.extend(more);
        }
        object
    }

    fn text(&self, chances: Option<[f64; 2]>) -> String {
        let name = |name: &str| if name.is_empty() { "?".to_string() } else { player_name(name) };
        let (red, black) = (name(&self.facts.red), name(&self.facts.black));
        let place = tr!("{file}, game {number}", file = self.file, number = self.number);
        let head = format!("{place}: {red} – {black} {}", self.facts.date);
        let mut sentences = vec![self.departure_text()];
        if let Some([played, wanted]) = chances.map(|chances| chances.map(percent)) {
            sentences.push(tr!("Chances {played}, by the repertoire {wanted}.", played, wanted));
        }
        if let Some((name, plies)) = self.named {
            sentences.push(tr!("{name} until move {number}.", name = name.bilingual(), number = plies.div_ceil(2)));
        }
        let joined = Language::text(&sentences);
        format!("{}\n  {joined}", head.trim_end())
    }

    fn departure_text(&self) -> String {
        let Followed { departure, plies, played, wanted, position } = &self.followed;
        let names = |moves: &[Move]| {
            let names = moves.iter().map(|&mv| move_name(position, mv));
            Language::list(&names.collect::<Vec<_>>())
        };
        let number = plies / 2 + 1;
        let played = played.map(|mv| names(&[mv])).unwrap_or_default();
        let wanted = names(wanted);
        match departure {
            Departure::Never => tr!("The game ends within the repertoire."),
            Departure::End => tr!("The repertoire ends before move {number}: {played}.", number, played),
            Departure::Mine => {
                tr!(
                    "Left at move {number} by the player: {played}, the repertoire has {wanted}.",
                    number,
                    played,
                    wanted
                )
            }
            Departure::Other => {
                tr!(
                    "Left at move {number} by the other side: {played}, the repertoire knows {wanted}.",
                    number,
                    played,
                    wanted
                )
            }
        }
    }
}
