//! Cards from a review, what they tell of a player, and the sheet to print.

use super::{DAY, NOON, answer, card, deck, first_card};
use crate::support::moves;
use chuhe_engine::score;
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::review::{AnalysedPosition, Assessment, GameAnalysis, Phase, PlayerNames, Review, ReviewedMove};
use chuhe_study::train::AnswerRating::{self, Easy, Hard, Right, Wrong};
use chuhe_study::train::rulings::Ruling;
use chuhe_study::train::{
    Answer, Card, CardFilter, CardGame, CardId, CardKind, Day, Event, ExerciseSheet, LEAST_LOSS, MistakeCards, Pattern,
    PerPage, Trial, cards_of_review, game_hash, is_mistake, judge,
};
use chuhe_support::language::Language;
use std::sync::Arc;
use xiangqi::{Color, PieceKind, Position, Rules};
use xiangqi_record::Game;

/// Both sides move their chariots to and fro between sound moves.
const GAME: &str = "h2e2 h9g7 h0g2 i9i8 a0a1 i8i9 a1a0 i9i8 a0a1 a9a8";

/// The review of a game in which red's expected result before each move, and at the end, is this. The best move is always
/// another one than was played.
fn review(chances: &[f64]) -> Review {
    let played = moves(GAME);
    assert_eq!(chances.len(), played.len() + 1);
    let mut game = Game::from_moves(&Position::start(), played.clone()).expect("legal moves");
    game.set_tag("Red", "王嘉良");
    game.set_tag("Black", "Li Yiting");
    let mut position = Position::start();
    let positions = chances.iter().enumerate().map(|(index, &chance)| {
        let side = position.side();
        let standing =
            Assessment { score: score::DRAW, chance: if side == Color::Red { chance } else { 1.0 - chance } };
        let best = position.legal_moves().into_iter().find(|mv| Some(mv) != played.get(index));
        let analysed = AnalysedPosition {
            side,
            standing,
            depth: 10,
            nodes: 1000,
            line: best.into_iter().collect(),
            tablebase: None,
            verdict: Rules::default().judge(&position),
            is_only_good_move: false,
        };
        if let Some(&mv) = played.get(index) {
            position.play_unchecked(mv);
        }
        Some(analysed)
    });
    let positions = positions.collect();
    Review::of(game, Rules::default(), GameAnalysis { positions })
}

/// The plies of the cards of these sides.
fn plies(review: &Review, sides: &[Color]) -> Vec<usize> {
    let wanted = |reviewed: &ReviewedMove| is_mistake(reviewed, LEAST_LOSS);
    cards_of_review(review, sides, &CardGame::default(), NOON, wanted).iter().map(|card| card.moves.len()).collect()
}

#[test]
fn mistakes_become_cards_where_something_is_at_stake() {
    let review = review(&[0.61, 0.50, 0.50, 0.55, 0.70, 0.61, 0.61, 0.05, 0.05, 0.0, 0.95]);
    // Red loses 11 % at once, 9 % later, and 56 % then; black loses 15 %, and, lost or not, almost all.
    assert_eq!(plies(&review, &[Color::Red]), [0, 6]);
    assert_eq!(plies(&review, &[Color::Black]), [3, 9]);
    assert_eq!(plies(&review, &Color::ALL), [0, 3, 6, 9]);
    assert_eq!(plies(&review, &[]), [] as [usize; 0]);
    // What is won all the same, or lost already, is none.
    assert_eq!(plies(&self::review(&[1.0, 0.90, 0.9, 0.09, 0.09, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), &[Color::Red]), [2]);
    for names in [&["王嘉良"][..], &["wang jialiang", "王嘉良"]] {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        assert_eq!(PlayerNames::new(&names).expect("names").sides(&review.game), [Color::Red]);
    }
}

#[test]
fn position_that_repeats_is_one_card() {
    // The position before ply 4 is there again before ply 8.
    let review = review(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.3, 0.5, 0.5, 0.5, 0.3, 0.3]);
    assert_eq!(plies(&review, &[Color::Red]), [4]);
    assert_eq!(game_hash(&review.game), game_hash(&self::review(&[0.5; 11]).game), "whatever was found");
}

#[test]
fn card_holds_what_the_question_and_its_answer_need() {
    let review = review(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3]);
    let origin = CardGame { title: "a".to_string(), ..CardGame::default() };
    let cards = cards_of_review(&review, &Color::ALL, &origin, NOON, |reviewed| is_mistake(reviewed, LEAST_LOSS));
    let [card] = &cards[..] else { panic!("{cards:?}") };
    assert!(card.is_sound());
    assert_eq!((card.lost, card.chance, card.side, card.piece), (0.2, 0.5, Color::Red, Some(PieceKind::Rook)));
    assert_eq!((card.phase, card.opening.is_some(), card.fen.is_none()), (Some(Phase::Opening), true, true));
    assert_eq!((&card.game, card.added, card.refutation.len()), (&origin, NOON, 1));
    let text = serde_json::to_string(card).expect("JSON");
    assert_eq!(&serde_json::from_str::<Card>(&text).expect("a card"), card);
    assert!(text.len() < 500, "{text}");
}

#[test]
fn pattern_counts_mistakes_and_answers() {
    let review = review(&[0.61, 0.50, 0.50, 0.55, 0.70, 0.61, 0.61, 0.05, 0.05, 0.0, 0.95]);
    let origin = CardGame { date: "2026.10.31".to_string(), ..CardGame::default() };
    let cards = cards_of_review(&review, &Color::ALL, &origin, NOON, |reviewed| is_mistake(reviewed, LEAST_LOSS));
    let mut events: Vec<Event> = cards.into_iter().map(|card| Event::Card(Box::new(card))).collect();
    let mut old = first_card();
    (old.game.date, old.deck) = ("1961.??.??".to_string(), "coach".to_string());
    events.push(Event::Card(Box::new(old)));
    let pattern = Pattern::of(&deck(events.clone()), None);
    assert_eq!((pattern.all.count, pattern.phases.len(), pattern.phases[0].0), (4, 1, Phase::Opening));
    let rooks = pattern.pieces.iter().find(|(kind, _)| *kind == PieceKind::Rook).map(|(_, count)| count.count);
    assert_eq!((rooks, pattern.openings.len(), pattern.right_share()), (Some(3), 1, None));
    assert_eq!(pattern.months.iter().map(|(month, _)| month.as_str()).collect::<Vec<_>>(), ["2026-10"]);
    let coach = Pattern::of(&deck(events), Some("coach"));
    assert_eq!((coach.all.count, coach.months[0].0.as_str()), (1, "2024-10"), "the month when it was made");
}

#[test]
fn sheet_has_diagrams_and_the_answers_last() {
    let cards: Vec<Card> = (0..7).map(|_| first_card()).collect();
    for (per_page, pages, language) in [(PerPage::Four, 2, Language::ENGLISH), (PerPage::Six, 2, Language::CHINESE)] {
        let sheet = ExerciseSheet { title: "Class <3>", name: "", per_page, language, cards: cards.iter().collect() };
        let html = sheet.html();
        assert_eq!((html.matches("<figure>").count(), html.matches("<section>").count()), (7, pages), "{per_page:?}");
        assert!(html.contains("Class &lt;3&gt;") && !html.contains("<script"));
        let answers = html.find("class=\"answers\"").expect("answers");
        let best = if language == Language::CHINESE { "马二进三" } else { "H2+3" };
        assert!(html.find(best).expect("the best move") > answers, "no answer stands beside its question");
    }
    let mut broken = first_card();
    broken.moves.clear();
    let sheet = ExerciseSheet {
        title: "",
        name: "",
        per_page: PerPage::Four,
        language: Language::ENGLISH,
        cards: vec![&broken],
    };
    assert!(!sheet.html().contains("<figure>"));
}

#[test]
fn ruling_on_a_sheet_asks_who_loses_and_has_its_answer() {
    let ruling = &Ruling::all()[0];
    let (start, before) = ruling.figure();
    let card = Card {
        id: CardId::of(&ruling.position),
        kind: CardKind::Ruling,
        fen: Some(start.fen().into_boxed_str()),
        moves: before,
        side: ruling.position.side(),
        ..first_card()
    };
    let (per_page, language) = (PerPage::Six, Language::ENGLISH);
    let html = ExerciseSheet { title: "", name: "", per_page, language, cards: vec![&card, &first_card()] }.html();
    let answers = html.find("class=\"answers\"").expect("answers");
    let asked = html.find("Who loses?").expect("the question");
    assert!(asked < answers && html[answers..].contains(&language.with(|| ruling.answer.text())), "{html}");
    assert!(!html[..answers].contains(&language.with(|| ruling.explanation())));
}

#[test]
fn cards_and_sheets_say_whose_mistake_it_was() {
    let review = review(&[0.61, 0.50, 0.50, 0.55, 0.70, 0.61, 0.61, 0.05, 0.05, 0.0, 0.95]);
    let mut both = MistakeCards::default();
    both.add(&review, &Color::ALL, NOON);
    both.add(&review, &Color::ALL, NOON);
    let players: Vec<_> =
        both.all().iter().map(|card| (card.player().unwrap_or_default(), card.move_number())).collect();
    assert_eq!(players, [("王嘉良", 1), ("Li Yiting", 2), ("王嘉良", 4), ("Li Yiting", 5)], "each position once");
    let costliest = both.costliest();
    assert!(costliest.windows(2).all(|pair| pair[0].lost >= pair[1].lost));
    let of_black = both.all().iter().filter(|card| card.side == Color::Black);
    let mine = ExerciseSheet {
        title: "",
        name: "Li Yiting",
        per_page: PerPage::Four,
        language: Language::ENGLISH,
        cards: of_black.collect(),
    };
    let html = mine.html();
    assert!(
        html.contains("Li Yiting (Black), move 2 · against 王嘉良") && html.contains("Name <i>Li Yiting</i>"),
        "{html}"
    );
    assert!(!html.contains("王嘉良 (Red)"));
    // Cards of earlier versions have the names in the title alone.
    let old = CardGame { title: "甲 – ?".to_string(), ..CardGame::default() };
    assert_eq!((old.player(Color::Red), old.player(Color::Black)), (Some("甲"), None));
}

// Due dates: FSRS over the answers, in the days of the person.

/// The days from the last answer to the due date of a card with these answers, given so many days after the first one.
fn interval(answers: &[(i64, AnswerRating)]) -> i64 {
    let last = answers.iter().map(|(day, _)| *day).max().expect("an answer");
    due(answers.iter().map(|&(day, rating)| answer(NOON + day * DAY, rating)), NOON + 5000 * DAY) - last
}

/// The due date in days after the first of the tests.
fn due(answers: impl IntoIterator<Item = Answer>, now: i64) -> i64 {
    let card = first_card().id;
    let answers = answers.into_iter().map(|answer| Event::Answer { card, answer });
    let mut deck = deck([Event::Card(Box::new(first_card()))].into_iter().chain(answers));
    deck.set_today(Day::of(now, 0));
    let due = deck.get(card).and_then(|(_, state)| state.due()).expect("it was answered");
    i64::from(due.number()) - i64::from(Day::of(NOON, 0).number())
}

/// Intervals of the crate `rs-fsrs` 1.2.1 with its usual parameters and without short terms: the days since the last answer,
/// the rating, and the days to the next question.
const INTERVALS: [&str; 14] = [
    "0:2=2 39:3=28 36:3=83 9:4=123",
    "0:3=3 27:3=47 30:3=104 32:3=159 7:3=171",
    "0:3=3 8:1=1 2:3=5 6:1=2 1:3=3 21:1=2",
    "0:2=2 2:2=2 2:4=13 13:1=2 2:3=5",
    "0:3=3 10:3=26 35:2=42 42:3=106 112:4=548 553:3=1259",
    "0:2=2 9:3=15 21:1=3 12:3=14 22:3=36 45:4=156 157:3=319 322:3=627",
    "0:3=3 3:3=11 11:4=85 85:4=580 580:4=3481",
    "0:1=1 1:1=1",
    "0:2=2 2:1=1 2:3=3 11:3=14 22:2=20 28:2=24 25:2=26 34:3=37",
    "0:4=15 28:3=91 4:1=5 14:1=2 35:4=81 19:3=109 37:3=162 15:3=183",
    "0:3=3 32:3=51 24:4=185 25:4=326 3:3=333 33:2=349 31:4=509 22:1=10",
    "0:2=2 24:3=24 9:3=40 7:3=51 2:4=61 37:3=129 13:4=196",
    "0:1=1 2:1=1 6:3=3 4:4=14 18:4=76 79:3=175",
    "0:3=3 3:3=11 11:2=17 17:1=3 3:1=1 1:1=1 1:1=1 1:3=3",
];

#[test]
fn intervals_are_those_of_fsrs() {
    for row in INTERVALS {
        let (mut day, mut answers) = (0, Vec::new());
        for step in row.split(' ') {
            let (elapsed, rest) = step.split_once(':').expect("a step");
            let (rating, days) = rest.split_once('=').expect("a step");
            day += elapsed.parse::<i64>().expect("days");
            let rating = AnswerRating::try_from(rating.parse::<u8>().expect("a rating")).expect("a rating");
            answers.push((day, rating));
            // What is known rests, see below.
            let is_known = answers.len() >= 3 && answers.iter().all(|(_, rating)| rating.is_right());
            let days = days.parse::<i64>().expect("days").max(if is_known { 90 } else { 0 });
            assert_eq!(interval(&answers), days, "{row}: {answers:?}");
        }
    }
}

#[test]
fn what_is_known_rests() {
    assert!(interval(&[(0, Right), (3, Right), (12, Right)]) >= 90);
    assert!(interval(&[(0, Hard), (1, Hard), (2, Hard)]) >= 90);
    assert!(interval(&[(0, Wrong), (1, Right), (4, Right), (12, Right)]) < 90, "a wrong answer counts");
    assert!(interval(&[(0, Right), (0, Right), (0, Right)]) < 90, "three times on one day is once");
}

#[test]
fn days_are_those_of_the_person() {
    let at = |at: i64, offset: i16| Day::of(at, offset).to_string();
    let midnight = 20_000 * DAY;
    assert_eq!((at(midnight, 0), at(midnight - 1, 0)), ("2024-10-04".to_string(), "2024-10-03".to_string()));
    assert_eq!((at(midnight - 1, 480), at(midnight, -60)), ("2024-10-04".to_string(), "2024-10-03".to_string()));
    // Late in the evening in Beijing, where it is still the day before for UTC.
    let late = Answer { offset: 480, ..answer(midnight + 15 * 3600, Right) };
    let early = Answer { offset: 480, ..answer(midnight + 17 * 3600, Right) };
    assert_eq!(due([late], NOON) + 1, due([early], NOON + DAY));
    for at in [i64::MIN, -1, i64::MAX] {
        assert!(Day::of(at, i16::MAX).to_string().len() == 10 && Day::of(at, i16::MIN).month().len() == 7);
    }
}

#[test]
fn clock_that_was_wrong_delays_nothing_and_loses_nothing() {
    let now = NOON + 3 * DAY;
    let future = answer(NOON + 4000 * DAY, Right);
    assert_eq!(
        due([answer(NOON, Right), future.clone()], now),
        due([answer(NOON, Right), answer(NOON + 1, Right)], now)
    );
    assert!(due([future.clone()], now) > 3);
    let days = due([answer(NOON, Right), future.clone(), answer(now, Right)], now);
    assert!((4..40).contains(&days), "{days}");
    // A clock that went back: the answer is there, and the interval is not negative.
    let back = due([answer(NOON, Right), answer(NOON - 500 * DAY, Right)], now);
    assert!(back > 0, "{back}");
    assert!(due([answer(i64::MIN, Wrong), answer(i64::MAX, Easy)], now) < 0, "it is overdue since 1970");
}

#[test]
fn some_new_cards_come_each_day_and_those_that_are_due_before_them() {
    let pawns =
        ["a3a4", "c3c4", "e3e4", "g3g4", "i3i4", "b2b3", "b2b4", "b2b5", "h2h3", "h2h4", "h2h5", "h2h6", "b2b6"];
    let cards: Vec<_> = pawns.iter().map(|mv| super::card(mv, "b9c7", "a9a8")).collect();
    let ids: Vec<_> = cards.iter().map(|card| card.id).collect();
    let mut deck = deck(cards.into_iter().map(|card| Event::Card(Box::new(card))));
    deck.set_today(Day::of(NOON, 0));
    let todays = deck.todays(CardFilter::default());
    assert_eq!((todays.cards.len(), todays.fresh, todays.done), (10, 10, 0));
    assert_eq!(todays.next, Some(Day::of(NOON + DAY, 0)), "more come tomorrow");
    // Two are answered: eight new ones are left.
    for (&id, rating) in ids.iter().zip([Wrong, Right]) {
        deck.apply(Event::Answer { card: id, answer: answer(NOON, rating) });
    }
    let todays = deck.todays(CardFilter::default());
    assert_eq!((todays.cards.len(), todays.fresh, todays.done), (8, 8, 2));
    deck.set_today(Day::of(NOON + 5 * DAY, 0));
    let todays = deck.todays(CardFilter::default());
    assert_eq!(
        (todays.cards[..2].to_vec(), todays.fresh),
        (vec![ids[0], ids[1]], 10),
        "the one that waits for longest"
    );
    assert_eq!(deck.todays(CardFilter { deck: Some("other"), kind: None }).cards, []);
}

// Moves that are tried: judged by the card, by the rules and tables, and by a search.

fn tried(card: &Card, mv: &str) -> Trial {
    let mut searcher = Searcher::new(Options::default(), 4).expect("memory");
    searcher.tablebase = Some(Arc::new(Tablebase::built_in()));
    let mv = moves(mv)[0];
    judge(card, mv, &mut searcher, 10_000, &Control::default()).expect("it can be judged").expect("nobody stops it")
}

/// A card from a position.
fn card_of(fen: &str, best: &str, played: &str) -> Card {
    let position = Position::from_fen(fen).expect("a position");
    let mut card = card("", "h2e2", "h2e2");
    card.fen = Some(fen.into());
    (card.id, card.side) = (CardId::of(&position), position.side());
    (card.line, card.played) = (moves(best), moves(played).first().copied());
    assert!(card.is_sound(), "{fen}");
    card
}

#[test]
fn stored_answers_count_at_once() {
    let card = first_card();
    let best = tried(&card, "h0g2");
    assert_eq!((best.is_right, best.is_best, best.lost, best.reply), (true, true, 0.0, moves("h9g7")));
    let played = tried(&card, "e2e6");
    assert_eq!((played.is_right, played.is_best, played.lost), (false, false, card.lost));
}

#[test]
fn any_move_that_loses_little_is_right() {
    // Another developing move is as good; the rook's pawn leaves the cannon en prise to nothing, but a cannon given away is wrong.
    let mut card = card("h2e2 h9g7", "h0g2", "e2e6");
    card.chance = 0.55;
    let other = tried(&card, "b0c2");
    assert!(other.is_right && !other.is_best && !other.reply.is_empty(), "{other:?}");
    let wrong = tried(&card, "b2b9");
    assert!(!wrong.is_right && wrong.lost > 0.1, "{wrong:?}");
    assert_eq!(wrong.reply.first(), moves("a9b9").first(), "{wrong:?}");
}

#[test]
fn tables_and_mates_are_exact() {
    // A pawn that reaches the palace wins, one that goes too far does not: the tables say what.
    let fen = "4k4/9/9/4P4/9/9/9/9/9/4K4 w";
    let position = Position::from_fen(fen).expect("a position");
    let tables = Tablebase::built_in();
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play(mv).expect("legal");
        let Some(result) = tables.probe(&after) else { continue };
        let mut card = card_of(fen, "e6e7", "");
        card.line.clear();
        let trial = tried(&card, &mv.to_string());
        let is_won = matches!(result, chuhe_engine::tablebase::ProbeResult::Loss(_));
        let was_won = matches!(tables.probe(&position), Some(chuhe_engine::tablebase::ProbeResult::Win(_)));
        assert!(was_won);
        assert_eq!((trial.is_right, trial.lost > 0.4), (is_won, !is_won), "{mv}: {trial:?}");
    }
    // Two rooks: mate at once, or a move later, is right; to give one away is not.
    let card = card_of("3k5/R8/9/9/9/9/9/9/9/1R2K4 w", "a8a9", "");
    assert!(tried(&card, "b0b9").is_right);
    assert_eq!(tried(&card, "b0b9").reply, [], "the game is over");
    assert_eq!(card.side, Color::Red);
}

#[test]
fn what_cannot_be_judged_is_an_error() {
    let mut searcher = Searcher::new(Options::default(), 1).expect("memory");
    let mut judged =
        |card: &Card, mv: &str| judge(card, moves(mv)[0], &mut searcher, 100, &Control::default()).is_err();
    assert!(judged(&first_card(), "a0a9"), "an illegal move");
    let mut broken = first_card();
    broken.fen = Some("rubbish".into());
    assert!(judged(&broken, "h0g2"));
}
