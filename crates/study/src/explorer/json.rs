//! The answer as JSON, for scripts.

use super::answer::{Answer, FoundGame, Tally};
use super::game_facts::GameDate;
use crate::book::opening_names::{self, OpeningName};
use serde_json::{Value, json};
use xiangqi::Position;
use xiangqi_record::{Notation, notation};

fn name_json(name: Option<OpeningName>) -> Value {
    name.map_or(Value::Null, |name| json!({"chinese": name.chinese, "english": name.english}))
}

fn date_json(date: GameDate) -> Value {
    if date.is_known() { json!(date.to_string()) } else { Value::Null }
}

impl Answer {
    /// The answer as an object; `position` is the one that was asked for.
    pub fn to_json(&self, position: &Position) -> Value {
        let side = position.side();
        let moves = self.moves.iter().map(|entry| {
            let Tally { games, red, draws, black, last } = entry.tally;
            json!({
                "move": entry.mv.to_string(),
                "chinese": notation::format(position, entry.mv, Notation::Chinese),
                "games": games,
                "red": red,
                "draws": draws,
                "black": black,
                "score": entry.tally.score(side),
                "last": date_json(last),
                "opening": name_json(opening_names::name_after(position, entry.mv)),
            })
        });
        let Tally { games, red, draws, black, last } = self.all;
        let mut object = json!({
            "fen": position.fen(),
            "opening": name_json(opening_names::name_of_game(position)),
            "games": games,
            "red": red,
            "draws": draws,
            "black": black,
            "score": self.all.score(side),
            "last": date_json(last),
            "moves": moves.collect::<Vec<_>>(),
        });
        if !self.games.is_empty() {
            object["list"] = self.games.iter().map(game_json).collect();
        }
        object
    }
}

fn game_json(game: &FoundGame) -> Value {
    json!({
        "file": game.source,
        "game": game.number,
        "red": game.facts.red,
        "black": game.facts.black,
        "date": date_json(game.facts.date),
        "result": game.facts.result.token(),
        "move": game.mv.map(|mv| mv.to_string()),
    })
}
