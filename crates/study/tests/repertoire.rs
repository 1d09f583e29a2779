//! Tests of repertoires: against plain searches in the games, in files and back, as a part of the deck.

use crate::explorer::{games, plain_count};
use crate::support::{self, after, moves, played_out};
use chuhe_study::explorer::Tally;
use chuhe_study::repertoire::{Departure, GapOptions, OpeningCounts, Repertoire, colour_of, worth};
use chuhe_study::train::{CardFilter, CardId, CardKind, Day, Deck, DeviceId, Event, opening_cards};
use chuhe_testing::property_cases;
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use xiangqi::{Color, Move, Position};
use xiangqi_record::{Encoding, Game, Notation, OutputFormat, RecordFile};

/// Pieces and side of a position; the same for its mirror image.
fn board(position: &Position) -> String {
    support::board(position).min(support::board(&position.mirrored()))
}

/// Where moves of a position lead to.
fn boards_after(position: &Position, moves: &[Move]) -> HashSet<String> {
    moves.iter().map(|&mv| board(&support::played_out(position, &[mv]))).collect()
}

// Lines that are added, changed, taken out, written and read back.

/// Lines in which few moves are chosen from, some of them in the mirror.
fn some_repertoire() -> impl Strategy<Value = Repertoire> {
    let line = (prop::collection::vec(0..3usize, 1..14), any::<bool>());
    (prop::collection::vec(line, 1..12), any::<bool>()).prop_map(|(lines, is_red)| {
        let mut repertoire = Repertoire::new(if is_red { Color::Red } else { Color::Black });
        for (choices, is_mirrored) in lines {
            let (mut position, mut line) = (Position::start(), Vec::new());
            for choice in choices {
                let legal = position.legal_moves();
                let mv: Move = legal[choice.min(legal.len() - 1)];
                position.play(mv).expect("a legal move");
                line.push(if is_mirrored { mv.mirror() } else { mv });
            }
            repertoire.add_line(&line).expect("room for it");
        }
        repertoire
    })
}

/// Where the moves of each position lead to.
fn told(repertoire: &Repertoire) -> HashMap<String, Vec<String>> {
    let mut told = HashMap::new();
    repertoire.walk(&mut |place| {
        let mut ends: Vec<String> = boards_after(place.position, place.moves).into_iter().collect();
        ends.sort_unstable();
        told.insert(board(place.position), ends);
    });
    told
}

proptest! {
    #![proptest_config(property_cases(60))]

    #[test]
    fn repertoire_is_the_same_after_a_file(repertoire in some_repertoire()) {
        for format in [OutputFormat::Pgn, OutputFormat::Xqf] {
            let bytes = format.write(&repertoire.to_game(), Notation::Chinese, Encoding::Utf8).expect("a full set");
            let games: Vec<Game> =
                RecordFile::read(bytes).games().map(|game| game.expect("readable").into_game().expect("sound")).collect();
            prop_assert_eq!(colour_of(&games), Some(repertoire.colour()));
            let mut read = Repertoire::new(repertoire.colour());
            prop_assert_eq!(read.add_games(&games).expect("lines"), repertoire.len());
            prop_assert_eq!(&read, &repertoire, "{}", format);
        }
    }

    #[test]
    fn removed_move_takes_what_it_alone_reached(repertoire in some_repertoire(), which in any::<prop::sample::Index>()) {
        let mut places = Vec::new();
        repertoire.walk(&mut |place| {
            places.extend(place.moves.iter().map(|&mv| (place.position.clone(), mv)));
        });
        let (position, mv) = which.get(&places);
        let mut left = repertoire.clone();
        prop_assert!(left.remove_move(position, *mv));
        prop_assert!(!left.has(position, *mv) && !left.remove_move(position, *mv));
        // Built anew of the moves that are left, from the start on.
        let (before, mut expected) = (told(&repertoire), HashMap::new());
        let gone = boards_after(position, &[*mv]);
        let mut open = vec![board(&Position::start())];
        while let Some(place) = open.pop() {
            expected.entry(place.clone()).or_insert_with(|| {
                let is_changed = place == board(position);
                let ends: Vec<String> =
                    before[&place].iter().filter(|end| !is_changed || !gone.contains(*end)).cloned().collect();
                open.extend(ends.iter().cloned());
                ends
            });
        }
        prop_assert_eq!(told(&left), expected);
        prop_assert_eq!(left.stored().values().filter(|moves| moves.is_empty()).count(), 0);
    }
}

#[test]
fn other_orders_and_mirror_images_are_the_same_position() {
    let mut red = Repertoire::new(Color::Red);
    red.add_line(&moves("h2e2 h9g7 h0g2 i9h9 i0h0")).expect("room");
    let other = after("b2e2 b9c7 b0c2 a9b9");
    assert_eq!(red.moves(&other), moves("a0b0"), "in the mirror");
    red.add_line(&moves("h2e2 h9g7 h0g2 b9c7 c3c4")).expect("room");
    let turned = after("h2e2 b9c7 h0g2 h9g7");
    assert_eq!(red.moves(&turned), moves("c3c4"), "by another order of moves");
    assert!(red.has(&Position::start(), moves("b2e2")[0]), "the start is its own mirror image");
    assert_eq!(red.add_line(&moves("b2e2 b9c7 b0c2 a9b9 a0b0")).expect("room"), 0, "nothing new");
    assert_eq!(red.moves(&Position::start()), moves("h2e2"), "as it was added");
    red.add_line(&moves("c3c4 b7d7")).expect("room");
    assert_eq!(red.moves(&Position::start()), moves("h2e2 c3c4"));
    red.set_main(&Position::start(), moves("g3g4")[0]);
    assert_eq!(red.moves(&Position::start()), moves("c3c4 h2e2"), "the mirror image of a move means it");
    assert_eq!(red.main_line(&Position::start()), moves("c3c4 b7d7"));
    assert!(red.remove_move(&Position::start(), moves("g3g4")[0]));
    assert_eq!((red.moves(&Position::start()), red.len()), (moves("h2e2"), 7));
}

#[test]
fn most_played_and_least_lost_is_the_move() {
    let game = |line: &str, result| {
        let mut game = Game::from_moves(&Position::start(), moves(line)).expect("legal moves");
        game.result = result;
        game
    };
    use xiangqi_record::GameResult::{BlackWins, RedWins};
    let mut counts = OpeningCounts::new(24);
    // Ten games lost with one move, six won with another.
    (0..10).for_each(|_| _ = counts.add(&game("h2e2 h9g7", BlackWins)));
    (0..3).for_each(|_| _ = counts.add(&game("c3c4 b7d7 h2e2", RedWins)));
    (0..3).for_each(|_| _ = counts.add(&game("g3g4 h7f7 b2e2", RedWins)));
    let of = |colour| Repertoire::of_games(colour, &counts, 2).expect("room");
    assert_eq!(of(Color::Red).main_line(&Position::start()), moves("g3g4 h7f7 b2e2"));
    assert_eq!(of(Color::Black).moves(&after("h2e2")), moves("h9g7"));
    assert_eq!(Repertoire::of_games(Color::Red, &counts, 7).expect("room").len(), 1);
    assert!(Repertoire::of_games(Color::Red, &counts, 11).expect("room").is_empty());
    // What is there stays, and is gone on from.
    let mut mine = Repertoire::new(Color::Red);
    mine.add_line(&moves("h2e2")).expect("room");
    let more = mine.with_games(&counts, 2).expect("room");
    assert_eq!((more.moves(&Position::start()), more.len()), (moves("h2e2"), 1), "no answer has a move of red");
    let mut mine = Repertoire::new(Color::Red);
    mine.add_line(&moves("g3g4 g6g5 g0e2")).expect("room");
    let more = mine.with_games(&counts, 2).expect("room");
    assert_eq!(more.moves(&after("g3g4")), moves("g6g5 h7f7"), "what is there comes first");
    assert_eq!(more.own_positions_from(&after("g3g4 h7f7")), 1);
}

#[test]
fn colour_is_told_by_the_file_or_by_its_alternatives() {
    let read = |text: &str| -> Vec<Game> {
        RecordFile::read(text.as_bytes()).games().map(|game| game.expect("readable").game).collect()
    };
    assert_eq!(colour_of(&read("1. h2e2 (1. c3c4 b7d7) h9g7 *")), Some(Color::Black), "red has an alternative");
    assert_eq!(colour_of(&read("1. h2e2 h9g7 (1... b9c7 2. b0c2) 2. h0g2 *")), Some(Color::Red));
    assert_eq!(colour_of(&read("1. h2e2 h9g7 2. h0g2 *")), Some(Color::Red), "red has the last word");
    assert_eq!(colour_of(&read("1. h2e2 h9g7 *\n\n1. h2e2 b7e7 *")), Some(Color::Red), "two games as well");
    assert_eq!(colour_of(&read("[Event \"Repertoire: black\"]\n\n1. h2e2 h9g7 2. h0g2 *")), Some(Color::Black));
    assert_eq!(
        colour_of(&read("1. h2e2 h9g7 *\n\n1. h2e2 h9g7 2. h0g2 (2. c3c4) b9c7 (2... c6c5) *")),
        Some(Color::Black)
    );
    assert_eq!(colour_of(&[]), None);
    let ending = read("[FEN \"4k4/9/9/9/9/9/9/9/3R5/3K5 w - - 0 1\"]\n\n1. d1e1 *");
    Repertoire::new(Color::Red).add_games(&ending).expect_err("it begins elsewhere");
    assert_eq!(Repertoire::new(Color::Red).follow(&ending[0]), None);
}

// A repertoire as a part of the deck: its lines as events, its positions as cards.

fn red() -> Repertoire {
    let mut red = Repertoire::new(Color::Red);
    red.add_line(&moves("h2e2 h9g7 h0g2 i9h9 i0h0")).expect("room");
    red.add_line(&moves("h2e2 b7e7 h0g2 b9c7")).expect("room");
    red
}

#[test]
fn deck_has_the_lines_that_its_events_tell() {
    let (mut deck, device) = (Deck::default(), DeviceId(7));
    let change = |deck: &mut Deck, wanted: &Repertoire, at: i64| {
        let events = deck.openings().changes_to(wanted, at, device);
        let count = events.len();
        assert_eq!(deck.apply_all(events), count, "each change is news");
        assert_eq!(&deck.openings().repertoire(wanted.colour()), wanted);
        count
    };
    let mut wanted = red();
    assert_eq!(change(&mut deck, &wanted, 1000), 7);
    assert_eq!(change(&mut deck, &wanted, 1001), 0, "nothing has changed");
    let other = Repertoire::new(Color::Black);
    assert_eq!(change(&mut deck, &other, 1002), 0, "the colours have nothing to do with each other");
    assert!(wanted.remove_move(&after("h2e2"), moves("b7e7")[0]));
    // The clock has gone back; the change counts all the same.
    assert_eq!(change(&mut deck, &wanted, 10), 3);
    wanted.add_line(&moves("h2e2 b7e7 i0i1")).expect("room");
    assert_eq!(change(&mut deck, &wanted, 11), 2);
    let lines: Vec<String> = deck.events().map(|event| serde_json::to_string(&event).expect("JSON")).collect();
    let read: Vec<Event> = lines.iter().map(|line| serde_json::from_str(line).expect("an event")).collect();
    let mut copy = Deck::default();
    copy.apply_all(read);
    assert_eq!(copy.openings().repertoire(Color::Red), wanted, "{lines:?}");
}

#[test]
fn cards_ask_each_own_position_once_in_the_order_of_the_lines() {
    let cards = opening_cards(&red(), 500);
    let asked: Vec<(String, String)> = cards
        .iter()
        .map(|card| {
            let line: Vec<String> = card.moves.iter().map(ToString::to_string).collect();
            (line.join(" "), card.best().expect("a move").to_string())
        })
        .collect();
    let expected = [("", "h2e2"), ("h2e2 h9g7", "h0g2"), ("h2e2 h9g7 h0g2 i9h9", "i0h0"), ("h2e2 b7e7", "h0g2")];
    assert_eq!(asked, expected.map(|(line, mv)| (line.to_string(), mv.to_string())));
    assert!(cards.iter().all(|card| card.is_sound() && card.kind == CardKind::Opening && card.side == Color::Red));
    let (mut deck, ids) = (Deck::default(), cards.iter().map(|card| card.id).collect::<Vec<_>>());
    deck.apply_all(cards.into_iter().map(|card| Event::Card(Box::new(card))).collect());
    deck.set_today(Day::of(1000, 0));
    let filter = CardFilter { kind: Some(CardKind::Opening), ..CardFilter::default() };
    assert_eq!(deck.todays(filter).cards, ids);
    assert_ne!(ids[0], CardId::of(&Position::start()), "a mistake of the position is another card");
    assert_eq!(CardKind::Opening.id_of(&after("b2e2 b9c7")), ids[1], "the mirror image is the same card");
}

// What is made of games, what is missing, and where games leave, against plain searches in the games.

/// The plies that a plain count looks at.
const PLIES: usize = 31;
const LEAST: u64 = 2;

fn counts_of(games: &[Game]) -> OpeningCounts {
    let mut counts = OpeningCounts::new(PLIES);
    assert!(games.iter().all(|game| counts.add(game)));
    counts
}

/// The moves of a position with their games, mirror images of a symmetric position together.
fn plain(position: &Position, games: &[Game]) -> Vec<(Move, Tally)> {
    let mut found: BTreeMap<String, (Move, Tally)> = BTreeMap::new();
    for (name, [all, red, draws, black]) in plain_count(position, games.iter()).1 {
        let mv: Move = name.parse().expect("a move");
        let entry = found.entry(board(&played_out(position, &[mv]))).or_insert((mv, Tally::default()));
        entry.1.merge(Tally { games: all, red, draws, black, ..Tally::default() });
    }
    found.into_values().collect()
}

/// The boards to which the moves lead that were played often enough and are worth most.
fn plain_best(position: &Position, games: &[Game], side: Color) -> HashSet<String> {
    let often: Vec<_> = plain(position, games).into_iter().filter(|(_, tally)| tally.games >= LEAST).collect();
    let most = often.iter().map(|(_, tally)| worth(tally, side)).fold(0.0, f64::max);
    let best: Vec<Move> = often.iter().filter(|(_, tally)| worth(tally, side) == most).map(|(mv, _)| *mv).collect();
    boards_after(position, &best)
}

#[test]
fn repertoire_of_games_has_the_moves_of_a_plain_search() {
    let games = games(140, 3);
    let counts = counts_of(&games);
    for colour in Color::ALL {
        let made = Repertoire::of_games(colour, &counts, LEAST).expect("room for it");
        let (mut places, mut lines) = (0, 0);
        made.walk(&mut |place| {
            if place.is_known {
                return;
            }
            places += 1;
            let position = &place.position.without_history();
            let has = boards_after(position, place.moves);
            if place.position.side() == colour {
                let best = plain_best(position, &games, colour);
                assert_eq!(has.len(), usize::from(!best.is_empty()), "one move, if there is any: {}", position.fen());
                assert!(has.is_subset(&best), "{} {:?}", position.fen(), place.moves);
            } else {
                let answers = plain(position, &games).into_iter().filter(|(mv, tally)| {
                    tally.games >= LEAST && !plain_best(&played_out(position, &[*mv]), &games, colour).is_empty()
                });
                let answers: Vec<Move> = answers.map(|(mv, _)| mv).collect();
                assert_eq!(has, boards_after(position, &answers), "{}", position.fen());
                lines += answers.len();
            }
        });
        assert!(places > 20 && lines > 10, "too little to tell: {places} places, {lines} answers");
    }
}

#[test]
fn gaps_are_the_answers_of_a_plain_search_that_have_no_move() {
    let games = games(140, 4);
    let counts = counts_of(&games);
    let options = GapOptions { least_share: 0.2, least_games: 3, plies: 80 };
    for colour in Color::ALL {
        let made = Repertoire::of_games(colour, &counts, 2 * LEAST).expect("room for it");
        let mut expected: BTreeMap<String, u64> = BTreeMap::new();
        let mut own: HashSet<String> = HashSet::new();
        made.walk(&mut |place| {
            if place.position.side() == colour && !place.moves.is_empty() {
                own.insert(board(place.position));
            }
        });
        made.walk(&mut |place| {
            if place.position.side() == colour || place.is_known {
                return;
            }
            let position = place.position.without_history();
            let answers = plain(&position, &games);
            let all: u64 = answers.iter().map(|(_, tally)| tally.games).sum();
            for (mv, tally) in answers {
                let next = played_out(&position, &[mv]);
                let is_often = tally.games >= 3 && tally.games as f64 / all as f64 >= 0.2;
                if is_often && !own.contains(&board(&next)) {
                    expected.entry(board(&next)).or_insert(tally.games);
                }
            }
        });
        let gaps = made.gaps(&counts, None, &options).expect("no book");
        let found: BTreeMap<String, u64> =
            gaps.iter().map(|gap| (board(&played_out(&Position::start(), &gap.line)), gap.games)).collect();
        assert_eq!(found, expected);
        assert!(gaps.len() > 3 && gaps.is_sorted_by_key(|gap| std::cmp::Reverse(gap.games)), "{}", gaps.len());
    }
}

#[test]
fn game_leaves_behind_the_last_position_that_the_repertoire_knows() {
    let all = games(200, 5);
    let (past, played) = all.split_at(100);
    let counts = counts_of(past);
    let mut seen = HashSet::new();
    for colour in Color::ALL {
        let made = Repertoire::of_games(colour, &counts, LEAST).expect("room for it");
        let mut known = HashSet::new();
        made.walk(&mut |place| _ = known.insert(board(place.position)));
        for game in played {
            let followed = made.follow(game).expect("from the start");
            let mut positions = vec![Position::start()];
            for mv in game.moves() {
                positions.push(played_out(&positions[positions.len() - 1], &[mv]));
            }
            let last = (0..positions.len()).rev().find(|&ply| known.contains(&board(&positions[ply]))).unwrap_or(0);
            assert_eq!(followed.plies, last);
            assert_eq!(followed.played, game.moves().nth(last));
            assert_eq!(followed.position.fen(), positions[last].fen());
            let has = boards_after(&positions[last], &made.moves(&positions[last]));
            let expected = match followed.played {
                None => Departure::Never,
                Some(_) if has.is_empty() => Departure::End,
                Some(mv) => {
                    assert!(boards_after(&positions[last], &[mv]).is_disjoint(&has), "that is a move of it");
                    if positions[last].side() == colour { Departure::Mine } else { Departure::Other }
                }
            };
            assert_eq!(followed.departure, expected);
            seen.insert(format!("{expected:?}"));
        }
    }
    assert!(seen.len() >= 3, "too little to tell: {seen:?}");
}
