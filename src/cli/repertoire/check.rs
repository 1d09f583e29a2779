//! `chuhe repertoire check`: where games leave a repertoire.

use crate::cli::error::CliError;
use crate::cli::games::{self, GameReading};
use crate::cli::values::{number_in, parse_side};
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_study::book::opening_names;
use chuhe_study::explorer::GameFacts;
use chuhe_study::reader::move_name;
use chuhe_study::repertoire::{Departure, Followed, Repertoire, judge_choices};
use chuhe_study::review::{percent, player_name};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::{Language, tr};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use xiangqi::{Color, Move};
use xiangqi_record::Game;

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

pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let mut is_incomplete = false;
    let mut repertoires: Vec<Repertoire> = Vec::new();
    for file in &args.repertoires {
        let (repertoire, is_complete) = super::read(file, args.colour)?;
        is_incomplete |= !is_complete;
        repertoires.push(repertoire);
    }
    let player = games::player(&args.player)?;
    let files = games::files(&args.files)?;
    let mut reading = GameReading::new(files.len())?;
    let mut checked: Vec<Checked> = Vec::new();
    let all = reading.each(&files, &mut |game, file, number| {
        for repertoire in &repertoires {
            if super::is_of(player.as_ref(), game, repertoire.colour())
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
        return Err(super::no_own_games());
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
