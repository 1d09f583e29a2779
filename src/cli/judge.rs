//! `chuhe judge`: how a game stands after its last move, and why.

use super::game::Faults;
use super::game::{self, GameError, What};
use super::judge_cases::{self, CasesError};
use super::position::{PositionArgs, PositionError};
use chuhe_engine::board::Position;
use chuhe_engine::files::At;
use chuhe_engine::language::{Language, reason, tr};
use chuhe_engine::rules::{Deed, Ending, ParseRuleSetError, Reason, RuleSet, Rules};
use chuhe_engine::types::{PieceKind, Square};
use chuhe_toolkit::record::{Reading, SourceError};
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use thiserror::Error;

const EXAMPLES: &str = "\
Examples:
  chuhe judge '4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4' --explain
  chuhe judge --rules league FEN --moves 'm1 m2 …'
  chuhe judge --rules all game.pgn     what each rule set says of a game
  chuhe judge game.pgn                 a game, or all games of a file, in any format that convert reads
  chuhe judge --cases cases.tsv        score the judge against a table of cases

A table of cases is tab-separated and begins with a line of column names: fen, moves_before, cycle, and a
column of verdicts (draw, w-loses, b-loses, ongoing) for each rule set that it knows. Of each case the moves
before are played, and then the cycle until the position has stood as often as the rule set asks.";

/// What `chuhe judge` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct JudgeArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none, or all of them [default: asian; all that
    /// a table knows]
    #[arg(long, value_name = "SET")]
    rules: Option<Choice>,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    natural_limit: Option<usize>,
    /// Also say what each move of the repetition checked and chased
    #[arg(long)]
    explain: bool,
    /// Print one JSON object, for each game of a file on a line of its own
    #[arg(long, conflicts_with = "cases")]
    json: bool,
    /// Judge a table of cases instead, and say where it disagrees
    #[arg(long, value_name = "FILE", conflicts_with_all = ["words", "fen", "moves", "number", "ply", "explain"])]
    cases: Option<PathBuf>,
}

/// Whose word is asked for.
#[derive(Debug, Clone, Copy)]
enum Choice {
    One(RuleSet),
    All,
}

impl FromStr for Choice {
    type Err = ParseRuleSetError;

    fn from_str(text: &str) -> Result<Choice, ParseRuleSetError> {
        if text.eq_ignore_ascii_case("all") { Ok(Choice::All) } else { text.parse().map(Choice::One) }
    }
}

/// Why `chuhe judge` gave up.
#[derive(Debug, Error)]
pub enum JudgeError {
    /// There is no such position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The table of cases is none.
    #[error(transparent)]
    Cases(#[from] CasesError),
    /// The answer could not be written.
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}

/// Judges a game, or a table of them. The exit code tells whether a game of a file could not be read to its end.
pub fn run(args: &JudgeArgs, out: &mut dyn Write) -> Result<ExitCode, JudgeError> {
    if let Some(path) = &args.cases {
        let only = match args.rules {
            Some(Choice::One(set)) => Some(set),
            Some(Choice::All) | None => None,
        };
        judge_cases::run(path, only, args.natural_limit, out)?;
    } else if let What::File(file) = args.position.what()? {
        return args.judge_file(&file, out);
    } else {
        args.judge(&args.position.position()?, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl JudgeArgs {
    fn judge(&self, position: &Position, out: &mut dyn Write) -> io::Result<()> {
        let rules = |set: RuleSet| Rules::with_limit(set, self.natural_limit);
        match self.rules.unwrap_or(Choice::One(RuleSet::default())) {
            Choice::One(set) if self.json => writeln!(out, "{}", json(&rules(set), position)),
            Choice::All if self.json => {
                let all = RuleSet::ALL.map(|set| json(&rules(set), position));
                writeln!(out, "{}", Value::from(all.to_vec()))
            }
            Choice::One(set) => {
                writeln!(out, "{}", rules(set).judge(position))?;
                self.explain(&rules(set), position, out)
            }
            Choice::All => {
                for set in RuleSet::ALL {
                    writeln!(out, "{:<8}  {}", set.name(), rules(set).judge(position))?;
                    self.explain(&rules(set), position, out)?;
                }
                Ok(())
            }
        }
    }

    fn explain(&self, rules: &Rules, position: &Position, out: &mut dyn Write) -> io::Result<()> {
        if !self.explain {
            return Ok(());
        }
        let deeds = rules.explain(position);
        for deed in &deeds {
            // Padding a formatted value needs its text first.
            writeln!(out, "  {:<5}  {}  {}", deed.mover.name(), deed.mv, deed.words())?;
        }
        if let Some(paragraph) = rules.paragraph(rules.judge(position).reason) {
            writeln!(out, "  {}", tr!("(docs/rules.md {paragraph})", paragraph))?;
        }
        match rules.caveat() {
            Some(caveat) if !deeds.is_empty() => writeln!(out, "  {}", tr!("({remark})", remark = caveat)),
            _ => Ok(()),
        }
    }

    /// Judges the games of a file, each with its number before it where there are several.
    fn judge_file(&self, file: &Path, out: &mut dyn Write) -> Result<ExitCode, JudgeError> {
        let mut faults = Faults::of(file);
        let judge = |reading: &Reading, faults: &mut Faults, out: &mut dyn Write| -> Result<(), JudgeError> {
            reading.faults.iter().for_each(|fault| faults.say(fault));
            Ok(self.judge(&self.position.position_in(&reading.game)?, out)?)
        };
        let end = |faults: &Faults| if faults.any() { ExitCode::from(1) } else { ExitCode::SUCCESS };
        let (source, name) = (game::open(file).map_err(GameError::from)?, file);
        if self.position.names_a_game() {
            let reading = source.game(name, self.position.number()).map_err(GameError::from)?;
            judge(&reading, &mut faults, out)?;
            return Ok(end(&faults));
        }
        let mut games = source.games().enumerate().peekable();
        let mut number = 0;
        while let Some((index, reading)) = games.next() {
            number = index + 1;
            let several = index > 0 || games.peek().is_some();
            match reading {
                Ok(reading) => {
                    if several && !self.json {
                        // What all rule sets say begins on a line of its own.
                        let end = if matches!(self.rules, Some(Choice::All)) { '\n' } else { ' ' };
                        write!(out, "{}{end}", tr!("game {number}:", number))?;
                    }
                    judge(&reading, &mut faults, out)?;
                }
                Err(source) if !several => {
                    return Err(source)
                        .at(name)
                        .map_err(|error| GameError::from(SourceError::from(error)))?;
                }
                Err(fault) => faults.say(&fault),
            }
        }
        if number == 0 {
            return Err(GameError::from(SourceError::NoGame(name.to_path_buf())).into());
        }
        Ok(end(&faults))
    }
}

fn json(rules: &Rules, position: &Position) -> Value {
    let verdict = rules.judge(position);
    let (result, loser) = match verdict.ending {
        None => ("ongoing", None),
        Some(Ending::Draw) => ("draw", None),
        Some(Ending::Loss(color)) => ("loss", Some(color.to_string())),
    };
    let victim = match verdict.reason {
        Reason::PerpetualChase { victim, square } => Some(json_piece(&(victim, square))),
        _ => None,
    };
    let deed = |deed: &Deed| {
        json!({
            "mover": deed.mover.to_string(),
            "move": deed.mv.to_string(),
            "check": deed.check,
            "chased": deed.chased.iter().map(json_piece).collect::<Vec<_>>(),
            "nature": deed.nature.as_ref().map(|nature| Language::ENGLISH.with(|| nature.to_string())),
        })
    };
    json!({
        "fen": position.fen(),
        "rules": rules.set.to_string(),
        "result": result,
        "loser": loser,
        "reason": Language::ENGLISH.with(|| verdict.reason.to_string()),
        "victim": victim,
        "paragraph": rules.paragraph(verdict.reason),
        "caveat": rules.caveat().map(|caveat| caveat.0),
        "repetition": rules.explain(position).iter().map(deed).collect::<Vec<_>>(),
    })
}

fn json_piece(&(kind, square): &(PieceKind, Square)) -> Value {
    json!({"piece": kind.name(), "square": square.to_string()})
}
