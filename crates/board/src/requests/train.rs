//! The requests of training: `{"type":"train","do":NAME,...}`. `offset` is the person's time zone, minutes east of UTC: days
//! are in it.

use super::{Answered, Ids, Reply, Requests, done, field, json, requests};
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
    pub enum TrainRequest of "train" {
        "today": DEVICE => Today { offset: i16 },
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
        },
        /// Judges a move; the answer is the event `trial`.
        "try": DEVICE.helps() => Try {
            id: String,
            #[serde(rename = "move")]
            mv: String,
            number: u64,
        },
        /// The square of the piece, or with step 2 the one it goes to as well.
        "hint": DEVICE.helps() => Hint { id: String, step: u8 },
        "show": DEVICE.helps() => Show { id: String },
        /// What stands beside a card; `answered` tells what came after its position, too.
        "context": DEVICE.helps() => Context { id: String, answered: bool },
        "answer": DEVICE.changes() => Answer {
            id: String,
            #[ts(type = "1 | 2 | 3 | 4")]
            rating: AnswerRating,
            /// The move that was tried first.
            #[serde(rename = "move")]
            mv: Option<String>,
            offset: i16,
        },
        "edit": TRUSTED.changes() => Edit {
            id: String,
            flagged: Option<bool>,
            note: Option<String>,
            deck: Option<String>,
        },
        /// Takes cards out of the deck; a review does not bring them back, `undrop` does, the last ones.
        "drop": TRUSTED.changes() => Drop {
            #[ts(type = "Array<string>")]
            ids: Ids<CardId>,
        },
        "undrop": TRUSTED.changes() => Undrop,
        "cards": DEVICE.helps() => Cards(CardQuery),
        /// Makes cards of all moves of a side that the review of this page calls dubious, a mistake or a blunder.
        "learn": DEVICE.changes().helps() => Learn {
            #[ts(type = "Side")]
            side: Color,
        },
        /// Of the person's own cards and answers, or of a deck and those of who has sent it.
        "pattern": DEVICE => Pattern { deck: Option<String> },
        "export": DEVICE.helps() => Export { deck: Option<String>, answers: bool },
        /// A file in base64. Without `deck` it comes from another device of the person.
        "import": TRUSTED.changes() => Import {
            bytes: String,
            #[serde(default)]
            name: String,
            deck: Option<String>,
        },
        "sheet": DEVICE.helps() => Sheet {
            #[ts(type = "Array<string>")]
            ids: Ids<CardId>,
            title: String,
            per_page: u8,
        },
        /// The names that recur in the list of games, the most frequent first.
        "players": DEVICE => Players,
        /// Reviews games of the list.
        "add": DEVICE.changes().helps() => Add { games: Ids<GameId> },
        /// Whose mistakes become cards: with no names those of both sides. `nodes` are those of a position, if others than
        /// usual are wanted.
        "me": TRUSTED.changes() => Me { names: Vec<String>, nodes: Option<u64> },
        "pause": TRUSTED.changes() => Pause,
        "resume": TRUSTED.changes() => Resume,
        /// Forgets the games that wait.
        "cancel": TRUSTED.changes() => Cancel,
        /// The openings of a side, in the position after these moves from the start position.
        "openings": DEVICE.helps() => Openings {
            #[ts(type = "Side")]
            side: Color,
            moves: Vec<String>,
            offset: i16,
        },
        /// Adds what the games of the person have, where the openings of a side have no move.
        "openings-make": TRUSTED.changes() => OpeningsMake {
            #[ts(type = "Side")]
            side: Color,
        },
        /// Adds these moves, makes the last one the main one, or takes it out.
        "openings-mark": TRUSTED.changes() => OpeningsMark {
            #[ts(type = "Side")]
            side: Color,
            moves: Vec<String>,
            #[ts(type = "\"add\" | \"main\" | \"remove\"")]
            mark: OpeningMark,
        },
        /// Adds the lines of a file of games in base64, of this side, or of the one that it tells.
        "openings-file": TRUSTED.changes() => OpeningsFile {
            bytes: String,
            name: String,
            #[ts(optional, type = "Side")]
            side: Option<Color>,
        },
        "openings-export": DEVICE.helps() => OpeningsExport {
            #[ts(type = "Side")]
            side: Color,
            #[ts(type = "\"pgn\" | \"xqf\"")]
            format: String,
        },
        /// Takes all openings of a side out.
        "openings-clear": TRUSTED.changes() => OpeningsClear {
            #[ts(type = "Side")]
            side: Color,
        },
        /// Where a game that is over has left the openings of a side, or of that of the person by these names.
        "openings-left": DEVICE.helps() => OpeningsLeft {
            #[ts(optional, type = "Side")]
            side: Option<Color>,
            start: String,
            moves: Vec<String>,
            #[serde(default)]
            players: Vec<String>,
        },
        "tactics": DEVICE => Tactics { offset: i16 },
        /// A tactic of this theme near this difficulty, or at the level of the person; or the one with this id again.
        "tactic": DEVICE.helps() => Tactic {
            offset: i16,
            id: Option<String>,
            theme: Option<String>,
            target: Option<u16>,
        },
        /// Judges a move of the solver, which is the first one at step 0; without a move the solution is shown.
        "tactic-move": DEVICE.helps() => TacticMove {
            id: String,
            step: usize,
            #[serde(rename = "move")]
            mv: Option<String>,
        },
        /// Whether it was solved, or at which step it was not.
        "tactic-answer": DEVICE.changes() => TacticAnswer {
            id: String,
            step: usize,
            right: bool,
            rated: bool,
            offset: i16,
        },
        /// The strength of the person by the games against the engine, who began here.
        "own-level": DEVICE => OwnLevel { first: Option<u16> },
        "tactic-run": DEVICE.changes() => TacticRun { solved: u32, offset: i16 },
        /// A file of tactics in base64, in the place of those of the program, for all pages.
        "tactics-file": TRUSTED.helps() => TacticsFile { bytes: String, name: String },
        /// The tactics of the program again.
        "tactics-close": TRUSTED => TacticsClose,
        /// The tactics of the program in base64, which a page without a server brings.
        "tactics-own": OWNER.helps() => TacticsOwn { bytes: String },
        "endings": DEVICE => Endings,
        /// An ending, how hard it is from 1 to 3.
        "ending": DEVICE.helps() => Ending {
            id: String,
            #[ts(type = "EndingSide")]
            side: EndingSide,
            level: u8,
        },
        "ending-move": DEVICE.changes().helps() => EndingMove {
            #[serde(rename = "move")]
            mv: String,
        },
        /// Goes on from before the fault.
        "ending-again": DEVICE.helps() => EndingAgain,
        "rulings": DEVICE => Rulings { offset: i16, after: Option<String> },
        "ruling-answer": DEVICE.changes() => RulingAnswer {
            id: String,
            #[ts(type = "string")]
            key: RulingAnswer,
            offset: i16,
        },
    }
}

impl Requests for TrainRequest {
    fn answer(self, client: &Client) -> Answered {
        use TrainRequest as R;
        let train = client.train();
        match self {
            R::Today { offset } => json(&TrainToday::of(train, offset)),
            R::Question { ids: Some(Ids(ids)), .. } => json(&train.chosen_question(&ids)),
            R::Question { offset, deck, kind, after, ids: None } => {
                let after = after.as_deref().and_then(CardId::parse);
                json(&train.question(offset, CardFilter { deck: deck.as_deref(), kind }, after))
            }
            R::Try { id, mv, number } => {
                let (card, mv) = (train.card(card_id(&id)?)?, parse_move(&mv)?);
                let opening = train.opening_choice(&card, mv);
                done(begin_trial(&client.trial, card, mv, opening, number)?)
            }
            R::Hint { id, step } => json(&TrainHint::of(train.card(card_id(&id)?)?.best(), step)),
            R::Show { id } => json(&ShownSolution::of(&train.card(card_id(&id)?)?)?),
            R::Context { id, answered } => json(&train.context(card_id(&id)?, answered)?),
            R::Answer { id, rating, mv, offset } => {
                json(&train.answer(card_id(&id)?, rating, mv.as_deref().map(parse_move).transpose()?, offset)?)
            }
            R::Edit { id, flagged, note, deck } => {
                done(train.edit(&[card_id(&id)?], CardEdit { flagged, note, deck, dropped: None })?)
            }
            R::Drop { ids } => field("count", &train.drop_cards(&ids.0)?),
            R::Undrop => field("count", &train.undrop_cards()?),
            R::Cards(query) => json(&train.cards(&query)),
            R::Learn { side } => json(&train.learn(&*client.review.last()?, side)?),
            R::Pattern { deck } => json(&train.pattern(deck.as_deref())),
            R::Export { deck, answers } => Ok(Reply::File(train.export(deck.as_deref(), answers))),
            R::Import { bytes, name, deck } => json(&train.import(&bytes, &name, deck.as_deref())?),
            R::Sheet { ids, title, per_page } => Ok(Reply::File(train.sheet(&ids.0, &title, per_page))),
            R::Players => field("players", &train.players()),
            R::Add { games } => field("queued", &train.add_games(&games.0)?),
            R::Me { names, nodes } => done(train.set_me(&names, nodes)?),
            R::Pause => done(train.set_paused(true)?),
            R::Resume => done(train.set_paused(false)?),
            R::Cancel => done(train.forget_waiting()?),
            R::Openings { side, moves, offset } => json(&OpeningsView::of(train, side, &moves, offset)?),
            R::OpeningsMake { side } => json(&train.make_openings(side)?),
            R::OpeningsMark { side, moves, mark } => json(&train.mark_opening(side, &moves, mark)?),
            R::OpeningsFile { bytes, name, side } => json(&train.add_file_of_openings(&bytes, &name, side)?),
            R::OpeningsExport { side, format } => Ok(Reply::File(train.export_openings(side, &format)?)),
            R::OpeningsClear { side } => json(&train.clear_openings(side)?),
            R::OpeningsLeft { side, start, moves, players } => {
                json(&train.openings_left(side, &start, &moves, &players)?)
            }
            R::Tactics { offset } => json(&TacticsView::of(train, offset)),
            R::OwnLevel { first } => json(&train.own_level(first)),
            R::Tactic { offset, id: Some(id), .. } => json(&train.tactic_again(offset, card_id(&id)?)?),
            R::Tactic { offset, theme, target, .. } => json(&train.tactic(offset, theme.as_deref(), target)),
            R::TacticMove { id, step, mv } => {
                json(&train.tactic_move(card_id(&id)?, step, mv.as_deref().map(parse_move).transpose()?)?)
            }
            R::TacticAnswer { id, step, right, rated, offset } => {
                json(&train.answer_tactic(card_id(&id)?, step, right, rated, offset)?)
            }
            R::TacticRun { solved, offset } => json(&train.end_tactic_run(solved, offset)?),
            R::TacticsFile { bytes, name } => done(train.open_tactics(&bytes, &name)?),
            R::TacticsClose => {
                train.close_tactics();
                done(())
            }
            R::TacticsOwn { bytes } => done(train.bring_tactics(&bytes)?),
            R::Endings => field("shelves", &train.shelves()),
            R::Ending { id, side, level } => json(&train.begin_ending(&client.ending, &id, side, level)?),
            R::EndingMove { mv } => json(&train.play_ending(&client.ending, parse_move(&mv)?)?),
            R::EndingAgain => json(&train.go_on_with_ending(&client.ending)?),
            R::Rulings { offset, after } => field("ruling", &train.ruling(offset, after.as_deref())),
            R::RulingAnswer { id, key, offset } => json(&train.answer_ruling(&id, key, offset)?),
        }
    }
}

fn card_id(text: &str) -> Result<CardId, Message> {
    CardId::parse(text).ok_or_else(no_card)
}
