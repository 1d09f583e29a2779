//! Cards from a review, what they tell of a player, and the sheet to print.

use super::{NOON, deck, first_card};
use crate::support::moves;
use chuhe_engine::score;
use chuhe_study::review::{AnalysedPosition, Assessment, GameAnalysis, Phase, PlayerNames, Review, ReviewedMove};
use chuhe_study::train::rulings::Ruling;
use chuhe_study::train::{
    Card, CardGame, CardId, CardKind, Event, ExerciseSheet, LEAST_LOSS, MistakeCards, Pattern, PerPage,
    cards_of_review, game_hash, is_mistake,
};
use chuhe_support::language::Language;
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
