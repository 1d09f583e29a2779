//! `chuhe tables probe`: what a position is worth, what each of its moves is worth, and the line to mate.

use super::error::TablesError;
use super::folders::folders;
use super::materials::can_have_table;
use crate::cli::position::PositionArgs;
use crate::cli::remarks::say_remarks;
use chuhe_engine::board::Position;
use chuhe_engine::language::tr;
use chuhe_engine::rules::Rules;
use chuhe_engine::tablebase::{Answer, Material, Shelf};
use chuhe_engine::types::Move;
use chuhe_toolkit::record::notation::{self, Notation};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// What `probe` is told.
#[derive(Args, Debug, Clone)]
pub struct ProbeArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Folders of tables; what the program brings along is used beside them [default: tables, if there is one]
    #[arg(long, value_name = "DIR")]
    path: Vec<PathBuf>,
    /// Answer with a JSON object
    #[arg(long)]
    json: bool,
}

/// A move with what it is worth to whoever plays it.
struct Choice {
    mv: Move,
    answer: Option<Answer>,
}

/// Answers.
pub fn run(args: &ProbeArgs, out: &mut dyn Write) -> Result<(), TablesError> {
    let position = args.position.position()?;
    let shelf = Shelf::open(&folders(&args.path)?);
    let (material, _) = Material::of(&position).ok_or(TablesError::NoMaterial)?;
    let answer = shelf.probe(&position);
    say_remarks(&shelf);
    let answer = answer.ok_or(if can_have_table(material) {
        TablesError::Unknown(material)
    } else {
        TablesError::Unfit(material)
    })?;
    let choices = choices(&shelf, &position);
    let line = line(&shelf, &position);
    if args.json {
        write_json(&position, answer, &choices, &line, out)?;
    } else {
        write_text(&position, material, answer, &choices, &line, out)?;
    }
    Ok(())
}

/// What an answer to the other side means for us.
fn turned(answer: Answer) -> Answer {
    match answer {
        Answer::Loss(plies) => Answer::Win(plies.map(|plies| plies + 1)),
        Answer::Win(plies) => Answer::Loss(plies.map(|plies| plies + 1)),
        other => other,
    }
}

/// Larger is better: shorter wins, then draws, then longer losses.
fn rank(answer: Option<Answer>) -> i32 {
    match answer {
        Some(Answer::Win(plies)) => 20_000 - i32::from(plies.unwrap_or(9_999)),
        Some(Answer::Draw) => 1,
        Some(Answer::Doubtful) => 0,
        None => -1,
        Some(Answer::Loss(plies)) => -20_000 + i32::from(plies.unwrap_or(0)),
    }
}

fn choices(shelf: &Shelf, position: &Position) -> Vec<Choice> {
    let worth = |mv: Move| {
        let mut next = position.clone();
        next.make(mv);
        shelf.probe(&next).map(turned)
    };
    let mut choices: Vec<Choice> =
        position.legal_moves().moves().map(|mv| Choice { mv, answer: worth(mv) }).collect();
    choices.sort_by_key(|choice| -rank(choice.answer));
    choices
}

/// Best play to mate, empty if nobody mates or nobody knows how.
fn line(shelf: &Shelf, position: &Position) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    while let Some(Answer::Win(Some(plies)) | Answer::Loss(Some(plies))) = shelf.probe(&position)
        && plies > 0
    {
        let best = choices(shelf, &position).into_iter().next();
        // Each move must come one ply nearer; a table that says otherwise is not followed.
        match best {
            Some(Choice { mv, answer: Some(Answer::Win(Some(now)) | Answer::Loss(Some(now))) })
                if now == plies =>
            {
                position.make(mv);
                line.push(mv);
            }
            _ => return line,
        }
    }
    line
}

fn words(answer: Option<Answer>) -> String {
    match answer {
        Some(Answer::Win(Some(plies))) => tr!("win in {plies} plies", plies),
        Some(Answer::Win(None)) => tr!("win"),
        Some(Answer::Loss(Some(plies))) => tr!("loss in {plies} plies", plies),
        Some(Answer::Loss(None)) => tr!("loss"),
        Some(Answer::Draw) => tr!("draw"),
        Some(Answer::Doubtful) => tr!("draw, unless a rule of repetition forbids it"),
        None => tr!("unknown"),
    }
}

/// Whether a mate comes before the natural limit of the usual rules; `None` if it may.
fn within_limit(position: &Position, answer: Answer) -> Option<bool> {
    let limit = Rules::default().natural_limit;
    match answer {
        Answer::Win(Some(plies)) | Answer::Loss(Some(plies))
            if position.quiet_plies() + usize::from(plies) <= limit =>
        {
            Some(true)
        }
        _ => None,
    }
}

fn write_text(
    position: &Position,
    material: Material,
    answer: Answer,
    choices: &[Choice],
    line: &[Move],
    out: &mut dyn Write,
) -> Result<(), TablesError> {
    let (answer_told, side) = (words(Some(answer)), position.side().name());
    writeln!(
        out,
        "{}",
        tr!("{material}: {answer} for the side to move, {side}", material, answer = answer_told, side)
    )?;
    if matches!(answer, Answer::Win(Some(_)) | Answer::Loss(Some(_)))
        && within_limit(position, answer).is_none()
    {
        let plies = Rules::default().natural_limit;
        writeln!(out, "{}", tr!("the natural limit of {plies} plies may come first", plies))?;
    }
    for choice in choices {
        let chinese = notation::write(position, choice.mv, Notation::Chinese);
        writeln!(out, "  {}  {chinese}  {}", choice.mv, words(choice.answer))?;
    }
    if !line.is_empty() {
        let moves: Vec<String> = line.iter().map(Move::to_string).collect();
        writeln!(out, "{}", tr!("line: {moves}", moves = moves.join(" ")))?;
    }
    Ok(())
}

/// An answer as the fields of a JSON object, which may have others.
fn json(answer: Option<Answer>) -> Value {
    let (result, plies) = match answer {
        Some(Answer::Win(plies)) => (Some("win"), plies),
        Some(Answer::Loss(plies)) => (Some("loss"), plies),
        Some(Answer::Draw | Answer::Doubtful) => (Some("draw"), None),
        None => (None, None),
    };
    json!({"result": result, "plies": plies, "doubtful": answer == Some(Answer::Doubtful)})
}

fn write_json(
    position: &Position,
    answer: Answer,
    choices: &[Choice],
    line: &[Move],
    out: &mut dyn Write,
) -> Result<(), TablesError> {
    let choice = |choice: &Choice| {
        let mut object = json(choice.answer);
        object["move"] = choice.mv.to_string().into();
        object["chinese"] = notation::write(position, choice.mv, Notation::Chinese).into();
        object
    };
    let mut object = json(Some(answer));
    object["fen"] = position.fen().into();
    object["within_natural_limit"] = within_limit(position, answer).into();
    object["moves"] = choices.iter().map(choice).collect();
    object["line"] = line.iter().map(Move::to_string).collect();
    writeln!(out, "{object}")?;
    Ok(())
}
