//! Measures the strength that is told to a person: engines of known levels are the persons, who play each game at the level
//! that their games so far speak for. Prints a line for each game: the person's Elo, the game, the opponent, the score, the
//! accuracy, the estimate with its deviation. `own_level [GAMES] [NODES] [TIMES]`; `docs/levels.md` has what came of it.

use chuhe_engine::search::{Control, Limits, NoReporter, Options, Searcher};
use chuhe_study::player::{Strength, skill_of_elo};
use chuhe_study::review::{GameAnalysis, Review};
use chuhe_study::train::{LEAST_MOVES, RatedGame, Rating};
use std::error::Error;
use xiangqi::{Color, Move, Position, Rules};
use xiangqi_record::Game;

/// The levels of the persons, and the numbers that the first question begins at.
const PERSONS: [u8; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const FIRST: [f64; 3] = [1000.0, 1450.0, 1900.0];
/// A longer game is a draw.
const MOST_PLIES: usize = 240;

/// A game: its moves, and the result for red.
fn play(red: f32, black: f32) -> Result<(Vec<Move>, f64), Box<dyn Error>> {
    let rules = Rules::default();
    let searcher = |skill| Searcher::new(Options { skill, rules, ..Options::default() }, 4);
    let mut players = [searcher(red)?, searcher(black)?];
    let (mut position, mut moves) = (Position::start(), Vec::new());
    while moves.len() < MOST_PLIES {
        if let Some(ending) = rules.judge(&position).ending {
            let score = ending.winner().map_or(0.5, |winner| f64::from(u8::from(winner == Color::Red)));
            return Ok((moves, score));
        }
        let player = &mut players[usize::from(position.side() == Color::Black)];
        let limits = Limits::nodes(10_000_000);
        let found = player.search(&position, &limits, &Control::default(), &mut NoReporter);
        let mv = found.best_move.ok_or("a game that is not over has a legal move")?;
        position.play(mv)?;
        moves.push(mv);
    }
    Ok((moves, 0.5))
}

/// The accuracy of a side, by a search of so many nodes.
fn accuracy(moves: &[Move], side: Color, nodes: u64) -> Result<Option<f64>, Box<dyn Error>> {
    let game = Game::from_moves(&Position::start(), moves.iter().copied())?;
    let mut searcher = Searcher::new(Options::default(), 16)?;
    let mut analysis = GameAnalysis::new(&game);
    let limits = Limits::nodes(nodes);
    analysis.go_on(&game, &mut searcher, &limits, &Control::default(), &mut |_, _| ());
    let review = Review::of(game, Rules::default(), analysis);
    Ok(review.side(side).accuracy.filter(|_| moves.len() / 2 >= LEAST_MOVES))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut number = |usual: u64| args.next().map_or(Ok(usual), |text| text.parse());
    let (games, nodes, times) = (number(20)?, number(10_000)?, number(1)?);
    for level in (0..times).flat_map(|_| PERSONS) {
        let elo = Strength::Level(level).elo().unwrap_or_default() as f64;
        let distance = |first: &f64| (first - elo).abs();
        let first = FIRST.into_iter().min_by(|one, other| distance(one).total_cmp(&distance(other))).unwrap_or(elo);
        let mut played: Vec<RatedGame> = Vec::new();
        for game in 1..=games {
            let opponent = (Rating::after_games(first, played.iter().copied()).number / 10.0).round() * 10.0;
            let opponent = opponent.clamp(1000.0, 3500.0);
            let (own, other) = (f32::from(level), skill_of_elo(opponent as i64));
            let side = if game % 2 == 1 { Color::Red } else { Color::Black };
            let (moves, red) = if side == Color::Red { play(own, other)? } else { play(other, own)? };
            let score = if side == Color::Red { red } else { 1.0 - red };
            let accuracy = accuracy(&moves, side, nodes)?;
            played.push(RatedGame { opponent, score, accuracy });
            let Rating { number, deviation, .. } = Rating::after_games(first, played.iter().copied());
            let shown = accuracy.map_or("-".to_string(), |accuracy| format!("{accuracy:.1}"));
            println!("{elo} {game} {opponent} {score} {shown} {number:.0} {deviation:.0} {first}");
        }
    }
    Ok(())
}
