//! The requests of training: `{"type":"train","do":NAME,...}`. `offset` is the person's time zone, minutes east of UTC: days
//! are in it.

use super::{Answered, Ids, Reply, done, field, json, requests};
use chuhe_app::access::{DEVICE, OWNER, TRUSTED};
use chuhe_app::client::Client;
use chuhe_app::library::record::GameId;
use chuhe_app::train::exercises::{CardQuery, ShownSolution, TrainHint, TrainToday};
use chuhe_app::train::openings::{OpeningMark, OpeningsView};
use chuhe_app::train::tactics::TacticsView;
use chuhe_app::train::trial::begin_trial;
use chuhe_app::train::views::{no_card, parse_move};
use chuhe_study::train::endings::EndingSide;
use chuhe_study::train::rulings::RulingAnswer;
use chuhe_study::train::{AnswerRating, CardEdit, CardFilter, CardId, CardKind};
use chuhe_support::language::Message;
use xiangqi::Color;

requests! {
    /// The requests of training.
    #[ts(tag = "do", optional_fields)]
    pub enum TrainRequest of "train" for (client, train = client.train()) {
        "today": DEVICE => Today { offset: i16 } = json(&TrainToday::of(train, offset)),
        /// The next card of all decks and kinds, or of these; `after` is not wanted again now, if there is another. With `ids`
        /// the first of these cards that is there, due or not: the page takes out those that are done.
        "question": DEVICE.helps() => Question {
            offset: i16,
            deck: Option<String>,
            #[ts(optional, type = "CardKind")]
            kind: Option<CardKind>,
            after: Option<String>,
            #[ts(optional, type = "Array<string>")]
            ids: Option<Ids<CardId>>,
        } = match ids {
            Some(Ids(ids)) => json(&train.chosen_question(&ids)),
            None => {
                let after = after.as_deref().and_then(CardId::parse);
                json(&train.question(offset, CardFilter { deck: deck.as_deref(), kind }, after))
            }
        },
        /// Judges a move; the answer is the event `trial`.
        "try": DEVICE.helps() => Try { id: String, r#move: String, number: u64 } = {
            let (card, mv) = (train.card(card_id(&id)?)?, parse_move(&r#move)?);
            let opening = train.opening_choice(&card, mv);
            done(begin_trial(&client.trial, card, mv, opening, number)?)
        },
        /// The square of the piece, or with step 2 the one it goes to as well.
        "hint": DEVICE.helps() => Hint { id: String, step: u8 } =
            json(&TrainHint::of(train.card(card_id(&id)?)?.best(), step)),
        "show": DEVICE.helps() => Show { id: String } = json(&ShownSolution::of(&train.card(card_id(&id)?)?)?),
        /// What stands beside a card; `answered` tells what came after its position, too.
        "context": DEVICE.helps() => Context { id: String, answered: bool } =
            json(&train.context(card_id(&id)?, answered)?),
        "answer": DEVICE.changes() => Answer {
            id: String,
            #[ts(type = "1 | 2 | 3 | 4")]
            rating: AnswerRating,
            /// The move that was tried first.
            r#move: Option<String>,
            offset: i16,
        } = json(&train.answer(card_id(&id)?, rating, r#move.as_deref().map(parse_move).transpose()?, offset)?),
        "edit": TRUSTED.changes() => Edit {
            id: String,
            flagged: Option<bool>,
            note: Option<String>,
            deck: Option<String>,
        } = done(train.edit(&[card_id(&id)?], CardEdit { flagged, note, deck, dropped: None })?),
        /// Takes cards out of the deck; a review does not bring them back, `undrop` does, the last ones.
        "drop": TRUSTED.changes() => Drop {
            #[ts(type = "Array<string>")]
            ids: Ids<CardId>,
        } = field("count", &train.drop_cards(&ids.0)?),
        "undrop": TRUSTED.changes() => Undrop = field("count", &train.undrop_cards()?),
        "cards": DEVICE.helps() => Cards(query: CardQuery) = json(&train.cards(&query)),
        /// Makes cards of all moves of a side that the review of this page calls dubious, a mistake or a blunder.
        "learn": DEVICE.changes().helps() => Learn {
            #[ts(type = "Side")]
            side: Color,
        } = json(&train.learn(&*client.review.last()?, side)?),
        /// Of the person's own cards and answers, or of a deck and those of who has sent it.
        "pattern": DEVICE => Pattern { deck: Option<String> } = json(&train.pattern(deck.as_deref())),
        "export": DEVICE.helps() => Export { deck: Option<String>, answers: bool } =
            Ok(Reply::File(train.export(deck.as_deref(), answers))),
        /// A file in base64. Without `deck` it comes from another device of the person.
        "import": TRUSTED.changes() => Import {
            bytes: String,
            #[serde(default)]
            name: String,
            deck: Option<String>,
        } = json(&train.import(&bytes, &name, deck.as_deref())?),
        "sheet": DEVICE.helps() => Sheet {
            #[ts(type = "Array<string>")]
            ids: Ids<CardId>,
            title: String,
            per_page: u8,
        } = Ok(Reply::File(train.sheet(&ids.0, &title, per_page))),
        /// The names that recur in the list of games, the most frequent first.
        "players": DEVICE => Players = field("players", &train.players()),
        /// Reviews games of the list.
        "add": DEVICE.changes().helps() => Add { games: Ids<GameId> } = field("queued", &train.add_games(&games.0)?),
        /// Whose mistakes become cards: with no names those of both sides. `nodes` are those of a position, if others than
        /// usual are wanted.
        "me": TRUSTED.changes() => Me { names: Vec<String>, nodes: Option<u64> } = done(train.set_me(&names, nodes)?),
        "pause": TRUSTED.changes() => Pause = done(train.set_paused(true)?),
        "resume": TRUSTED.changes() => Resume = done(train.set_paused(false)?),
        /// Forgets the games that wait.
        "cancel": TRUSTED.changes() => Cancel = done(train.forget_waiting()?),
        /// The openings of a side, in the position after these moves from the start position.
        "openings": DEVICE.helps() => Openings {
            #[ts(type = "Side")]
            side: Color,
            moves: Vec<String>,
            offset: i16,
        } = json(&OpeningsView::of(train, side, &moves, offset)?),
        /// Adds what the games of the person have, where the openings of a side have no move.
        "openings-make": TRUSTED.changes() => OpeningsMake {
            #[ts(type = "Side")]
            side: Color,
        } = json(&train.make_openings(side)?),
        /// Adds these moves, makes the last one the main one, or takes it out.
        "openings-mark": TRUSTED.changes() => OpeningsMark {
            #[ts(type = "Side")]
            side: Color,
            moves: Vec<String>,
            #[ts(type = "\"add\" | \"main\" | \"remove\"")]
            mark: OpeningMark,
        } = json(&train.mark_opening(side, &moves, mark)?),
        /// Adds the lines of a file of games in base64, of this side, or of the one that it tells.
        "openings-file": TRUSTED.changes() => OpeningsFile {
            bytes: String,
            name: String,
            #[ts(optional, type = "Side")]
            side: Option<Color>,
        } = json(&train.add_file_of_openings(&bytes, &name, side)?),
        "openings-export": DEVICE.helps() => OpeningsExport {
            #[ts(type = "Side")]
            side: Color,
            #[ts(type = "\"pgn\" | \"xqf\"")]
            format: String,
        } = Ok(Reply::File(train.export_openings(side, &format)?)),
        /// Takes all openings of a side out.
        "openings-clear": TRUSTED.changes() => OpeningsClear {
            #[ts(type = "Side")]
            side: Color,
        } = json(&train.clear_openings(side)?),
        /// Where a game that is over has left the openings of a side, or of that of the person by these names.
        "openings-left": DEVICE.helps() => OpeningsLeft {
            #[ts(optional, type = "Side")]
            side: Option<Color>,
            start: String,
            moves: Vec<String>,
            #[serde(default)]
            players: Vec<String>,
        } = json(&train.openings_left(side, &start, &moves, &players)?),
        "tactics": DEVICE => Tactics { offset: i16 } = json(&TacticsView::of(train, offset)),
        /// A tactic of this theme near this difficulty, or at the level of the person; or the one with this id again.
        "tactic": DEVICE.helps() => Tactic {
            offset: i16,
            id: Option<String>,
            theme: Option<String>,
            target: Option<u16>,
        } = match id {
            Some(id) => json(&train.tactic_again(offset, card_id(&id)?)?),
            None => json(&train.tactic(offset, theme.as_deref(), target)),
        },
        /// Judges a move of the solver, which is the first one at step 0; without a move the solution is shown.
        "tactic-move": DEVICE.helps() => TacticMove { id: String, step: usize, r#move: Option<String> } =
            json(&train.tactic_move(card_id(&id)?, step, r#move.as_deref().map(parse_move).transpose()?)?),
        /// Whether it was solved, or at which step it was not.
        "tactic-answer": DEVICE.changes() => TacticAnswer {
            id: String,
            step: usize,
            right: bool,
            rated: bool,
            offset: i16,
        } = json(&train.answer_tactic(card_id(&id)?, step, right, rated, offset)?),
        /// The strength of the person by the games against the engine, who began here.
        "own-level": DEVICE => OwnLevel { first: Option<u16> } = json(&train.own_level(first)),
        "tactic-run": DEVICE.changes() => TacticRun { solved: u32, offset: i16 } =
            json(&train.end_tactic_run(solved, offset)?),
        /// A file of tactics in base64, in the place of those of the program, for all pages.
        "tactics-file": TRUSTED.helps() => TacticsFile { bytes: String, name: String } =
            done(train.open_tactics(&bytes, &name)?),
        /// The tactics of the program again.
        "tactics-close": TRUSTED => TacticsClose = done(train.close_tactics()),
        /// The tactics of the program in base64, which a page without a server brings.
        "tactics-own": OWNER.helps() => TacticsOwn { bytes: String } = done(train.bring_tactics(&bytes)?),
        "endings": DEVICE => Endings = field("shelves", &train.shelves()),
        /// An ending, how hard it is from 1 to 3.
        "ending": DEVICE.helps() => Ending {
            id: String,
            #[ts(type = "EndingSide")]
            side: EndingSide,
            level: u8,
        } = json(&train.begin_ending(&client.ending, &id, side, level)?),
        "ending-move": DEVICE.changes().helps() => EndingMove { r#move: String } =
            json(&train.play_ending(&client.ending, parse_move(&r#move)?)?),
        /// Goes on from before the fault.
        "ending-again": DEVICE.helps() => EndingAgain = json(&train.go_on_with_ending(&client.ending)?),
        "rulings": DEVICE => Rulings { offset: i16, after: Option<String> } =
            field("ruling", &train.ruling(offset, after.as_deref())),
        "ruling-answer": DEVICE.changes() => RulingAnswer {
            id: String,
            #[ts(type = "string")]
            key: RulingAnswer,
            offset: i16,
        } = json(&train.answer_ruling(&id, key, offset)?),
    }
}

fn card_id(text: &str) -> Result<CardId, Message> {
    CardId::parse(text).ok_or_else(no_card)
}
