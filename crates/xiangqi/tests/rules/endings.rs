//! Endings other than repetitions, and their precedence.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::path::PathBuf;
use xiangqi::{Color, DrawRule, Ending, Move, Position, Reason, RuleSet, Rules, Verdict};

fn judge(fen: &str) -> String {
    Rules::default().judge(&game(fen, "")).to_string()
}

#[test]
fn judge_without_legal_move_is_a_loss() {
    assert_eq!(judge("R3k4/1R7/9/9/9/9/9/9/9/3K5 b"), "black-loses mate");
    assert_eq!(judge("3k5/4P4/9/9/9/9/9/9/9/4K4 b"), "black-loses stalemate");
    assert_eq!(judge("3k5/9/9/9/9/9/9/9/1r7/r3K4 w"), "red-loses mate");
    assert_eq!(judge("3k5/9/9/9/9/9/9/9/1r7/4K4 w"), "ongoing");
}

#[test]
fn judge_without_mating_material_is_a_draw() {
    for fen in ["4k4/9/9/9/9/9/9/9/9/3K5 w", "2bak4/9/9/9/9/9/9/9/4A4/2B1KAB2 w", "3k5/9/9/9/9/9/9/9/9/4K1B1C w"] {
        assert_eq!(judge(fen), "draw material", "{fen}");
    }
    for fen in [
        "3k5/9/9/9/9/9/9/9/9/4KA2C w",
        "3k1a3/9/9/9/9/9/9/9/9/4K3C w",
        "3k2b2/9/9/9/9/9/9/9/9/4K3C w",
        "3k4c/9/9/9/9/9/9/9/9/4K3C w",
        "3k5/9/9/9/P8/9/9/9/9/4K4 w",
        "3k5/9/9/9/9/9/9/9/9/4K3N w",
    ] {
        assert_eq!(judge(fen), "ongoing", "{fen}");
    }
}

#[test]
fn material_draw_excludes_possible_promotions() {
    let fen = "3k5/9/9/9/9/9/9/9/9/4KA3 w";
    let plain = Position::from_fen_variant(fen, false).expect("a position");
    let variant = Position::from_fen_variant(fen, true).expect("a position");
    assert_eq!(Rules::default().judge(&plain), Verdict::draw(Reason::Material));
    assert_eq!(Rules::default().judge(&variant), Verdict::ONGOING);
}

/// Idle moves of two rooks that do not repeat a position within this many plies.
fn wander(fen: &str, plies: usize) -> Position {
    let mut position = game(fen, "");
    let red = "a0a1 a1a2 a2b2 b2b0 b0a0";
    let black = "i9i8 i8i7 i7h7 h7h8 h8g8 g8g9 g9h9 h9i9";
    let mut sides = [super::endings::moves(red), super::endings::moves(black)];
    for _ in 0..plies {
        let side = &mut sides[position.side()];
        play(&mut position, &side[..1]);
        side.rotate_left(1);
    }
    position
}

const ROOKS: &str = "3k4r/9/9/9/9/9/9/9/9/R3K4 w";

#[test]
fn natural_limit_is_a_draw() {
    let rules = |set: RuleSet, natural_limit| Rules { natural_limit, ..Rules::new(set) };
    // A position occurs for the second time after 80 plies and for the third time after 160: the limit comes first.
    let before = wander(ROOKS, 119);
    assert_eq!(Rules::default().judge(&before), Verdict::ONGOING);
    let reached = wander(ROOKS, 120);
    assert_eq!(Rules::default().judge(&reached).to_string(), "draw natural limit");
    assert_eq!(Rules::new(RuleSet::Computer).judge(&reached).to_string(), "draw natural limit");
    assert_eq!(rules(RuleSet::Asian, 0).judge(&reached), Verdict::ONGOING);
    assert_eq!(rules(RuleSet::Asian, 121).judge(&reached), Verdict::ONGOING);
    assert_eq!(rules(RuleSet::Asian, 30).judge(&wander(ROOKS, 30)).to_string(), "draw natural limit");
    assert_eq!(Rules::new(RuleSet::League).judge(&wander(ROOKS, 99)), Verdict::ONGOING);
    assert_eq!(Rules::new(RuleSet::League).judge(&wander(ROOKS, 100)).to_string(), "draw natural limit");
}

#[test]
fn natural_limit_includes_the_counter_of_the_fen() {
    assert_eq!(judge("3k4r/9/9/9/9/9/9/9/9/R3K4 w - - 119 90"), "ongoing");
    assert_eq!(judge("3k4r/9/9/9/9/9/9/9/9/R3K4 w - - 120 90"), "draw natural limit");
}

/// The plies that the natural limit counts, computed simply.
fn counted(checks: &[bool], mover: Color, set: RuleSet) -> usize {
    let mut given = [0, 0];
    let mut left_out = vec![false; checks.len()];
    for (index, _) in checks.iter().enumerate().filter(|(_, check)| **check) {
        let side = (mover as usize + index) % 2;
        given[side] += 1;
        if set == RuleSet::League || given[side] > 10 {
            left_out[index] = true;
        }
    }
    (0..checks.len()).filter(|&index| !(left_out[index] || index > 0 && left_out[index - 1])).count()
}

#[test]
fn natural_limit_excludes_some_checks_and_answers() {
    let mut beyond_ten = 0;
    for (start, game) in check_games(300, 21) {
        let checks: Vec<bool> = (0..game.plies_since_capture())
            .rev()
            .map(|back| game.move_before(back).is_some_and(|(_, check)| check))
            .collect();
        // The counters would forbid so many checks.
        for set in RuleSet::ALL.into_iter().filter(|&set| set != RuleSet::Tiantian) {
            let expected = counted(&checks, start, set);
            beyond_ten += usize::from(set == RuleSet::Asian && expected < checks.len());
            for natural_limit in [expected, expected + 1] {
                let verdict = Rules { natural_limit, ..Rules::new(set) }.judge(&game);
                let reached = verdict == Verdict::draw(Reason::NaturalLimit);
                assert_eq!(reached, natural_limit == expected, "{set} {natural_limit}: {}", game.fen());
            }
        }
    }
    assert!(beyond_ten > 50, "only {beyond_ten} games with more than ten checks of a side");
}

/// Long games with many checks and without captures or judged repetitions, with the side that began.
fn check_games(count: usize, seed: u64) -> Vec<(Color, Position)> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut games = Vec::new();
    while games.len() < count {
        let fen = ["3k5/9/9/9/9/9/9/9/9/R3K3r w", "3k5/4a4/9/9/r8/8R/9/9/4A4/R3KA2r b"][games.len() % 2];
        let mut position = game(fen, "");
        let start = position.side();
        for _ in 0..80 {
            let legal = position.legal_moves();
            let quiet = legal.into_iter().filter(|mv| position.piece_at(mv.to()).is_none());
            let (checks, calm): (Vec<Move>, Vec<Move>) = quiet.partition(|&mv| position.gives_check(mv));
            let pool = if checks.is_empty() || rng.random_bool(0.2) { calm } else { checks };
            let Some(&mv) = pool.choose(&mut rng) else { break };
            position.play_unchecked(mv);
            if position.occurrence_count() > 2 {
                position.undo();
            }
        }
        if position.has_legal_move() && position.plies_since_capture() > 40 {
            games.push((start, position));
        }
    }
    games
}

#[test]
fn mate_takes_precedence() {
    let mated = game("3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 119 80", "b0b9");
    for set in RuleSet::ALL {
        assert_eq!(Rules::new(set).judge(&mated), Verdict::loss(Color::Black, Reason::Mate));
    }
}

#[test]
fn repetition_takes_precedence_over_the_natural_limit() {
    let cycle = Cycle::new("4k4/9/9/9/9/9/9/9/9/R2K5 w - - 112 80", "a0a9 e9e8", "a9a8 e8e9 a8a9 e9e8");
    let verdict = Rules::default().judge(&cycle.played(2));
    assert_eq!(verdict.to_string(), "red-loses perpetual check");
    assert_eq!(verdict.ending, Some(Ending::Loss(Color::Red)));
}

#[test]
fn draw_rule_turns_draws_into_wins_and_nothing_else() {
    let rules = |draws| Rules { draws, ..Rules::default() };
    let material = game("3k5/9/9/9/9/9/9/9/9/4K4 w", "");
    let repetition = game("r2k5/9/9/9/9/9/9/9/9/5K2R w", &"i0i1 a9a8 i1i0 a8a9 ".repeat(2));
    let mate = game("R3k4/1R7/9/9/9/9/9/9/9/3K5 b", "");
    for (draws, of_material, of_repetition) in [
        (DrawRule::Draw, Ending::Draw, Ending::Draw),
        (DrawRule::Wins(Color::Red), Ending::Loss(Color::Black), Ending::Loss(Color::Black)),
        (DrawRule::Wins(Color::Black), Ending::Loss(Color::Red), Ending::Loss(Color::Red)),
        (DrawRule::RepetitionWins(Color::Red), Ending::Draw, Ending::Loss(Color::Black)),
        (DrawRule::RepetitionWins(Color::Black), Ending::Draw, Ending::Loss(Color::Red)),
    ] {
        let verdict = rules(draws).judge(&material);
        assert_eq!((verdict.ending, verdict.reason), (Some(of_material), Reason::Material), "{draws:?}");
        let verdict = rules(draws).judge(&repetition);
        assert_eq!((verdict.ending, verdict.reason), (Some(of_repetition), Reason::Repetition), "{draws:?}");
        assert_eq!(rules(draws).judge(&mate), Verdict::loss(Color::Black, Reason::Mate));
    }
    let verdict = rules(DrawRule::Wins(Color::Red)).judge(&material);
    assert_eq!(verdict.sentence(), "a draw, which counts as a win for Red: nobody can win any more");
}

// Games and cycles of moves written as text.

/// Parses moves, which must be valid.
pub fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// Plays moves, which must be legal.
pub fn play(position: &mut Position, moves: &[Move]) {
    for &mv in moves {
        position.play(mv).unwrap_or_else(|error| panic!("{error}: {}", position.fen()));
    }
}

/// The position after these moves.
pub fn game(fen: &str, text: &str) -> Position {
    let mut position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    play(&mut position, &moves(text));
    position
}

/// A cycle of moves, with the moves that led to it.
#[derive(Clone, Debug)]
pub struct Cycle {
    pub fen: String,
    pub before: Vec<Move>,
    pub moves: Vec<Move>,
}

impl Cycle {
    pub fn new(fen: &str, before: &str, cycle: &str) -> Cycle {
        Cycle { fen: fen.to_string(), before: moves(before), moves: moves(cycle) }
    }

    /// The game after this many rounds of the cycle.
    pub fn played(&self, rounds: usize) -> Position {
        let mut position = game(&self.fen, "");
        play(&mut position, &self.before);
        for _ in 0..rounds {
            play(&mut position, &self.moves);
        }
        position
    }

    /// The verdict once the count is full, without a natural limit.
    pub fn verdict(&self, set: RuleSet) -> Verdict {
        Rules { natural_limit: 0, ..Rules::new(set) }.judge(&self.played(set.repetition_count() - 1))
    }

    /// The same cycle, started `plies` later.
    pub fn rotated(&self, plies: usize) -> Cycle {
        let mut rotated = self.clone();
        rotated.before.extend_from_slice(&self.moves[..plies]);
        rotated.moves.rotate_left(plies);
        rotated
    }

    /// The cycle mirrored left to right.
    pub fn mirrored(&self) -> Cycle {
        self.image(Position::mirrored, Move::mirror)
    }

    /// The cycle with the sides exchanged.
    pub fn color_flipped(&self) -> Cycle {
        self.image(Position::color_flipped, Move::flip)
    }

    fn image(&self, board: fn(&Position) -> Position, mv: fn(Move) -> Move) -> Cycle {
        Cycle {
            fen: board(&game(&self.fen, "")).fen(),
            before: self.before.iter().map(|&old| mv(old)).collect(),
            moves: self.moves.iter().map(|&old| mv(old)).collect(),
        }
    }
}

/// The outcome as named in tables of cases.
pub fn outcome(verdict: &Verdict) -> &'static str {
    match verdict.ending {
        None => "ongoing",
        Some(Ending::Draw) => "draw",
        Some(Ending::Loss(Color::Red)) => "w-loses",
        Some(Ending::Loss(Color::Black)) => "b-loses",
    }
}

/// The outcome with the sides exchanged.
pub fn exchanged(outcome: &str) -> &str {
    match outcome {
        "w-loses" => "b-loses",
        "b-loses" => "w-loses",
        other => other,
    }
}

// The examples of `docs/rules.md`: diagrams agree with their FENs, verdicts with the judge.

const GUIDE: &str = include_str!("../../../../docs/rules.md");
const CHINESE: &str = include_str!("../../../../docs/rules.zh-CN.md");

/// The code blocks with a diagram, with the fields below it.
fn examples() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    GUIDE
        .split("```text\n")
        .skip(1)
        .filter_map(|block| block.split("```").next()?.split_once("\n\n"))
        .map(|(diagram, fields)| {
            (diagram, fields.lines().filter_map(|line| line.split_once(' ')).map(|(k, v)| (k, v.trim())).collect())
        })
        .collect()
}

/// The diagram in the form of the guide.
fn drawn(fen: &str) -> String {
    let mut text = String::new();
    for (index, row) in fen.split(' ').next().unwrap_or_default().split('/').enumerate() {
        text.push_str(&format!("{} ", 9 - index));
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(count) => text.push_str(&" .".repeat(count as usize)),
                None => text.push_str(&format!(" {letter}")),
            }
        }
        text.push('\n');
    }
    text + "   a b c d e f g h i"
}

#[test]
fn guide_examples_agree_with_the_judge() {
    let examples = examples();
    assert!(examples.len() >= 10);
    for (diagram, fields) in examples {
        let field = |name: &str| {
            let found = fields.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
            found.unwrap_or_else(|| panic!("no {name} below\n{diagram}"))
        };
        assert_eq!(diagram, drawn(field("fen")));
        let cycle = Cycle::new(field("fen"), "", field("cycle"));
        for set in [RuleSet::Asian, RuleSet::League, RuleSet::Computer] {
            let position = cycle.played(set.repetition_count() - 1);
            let verdict = Rules::new(set).judge(&position);
            assert_eq!(verdict.to_string(), field(set.name()), "{set}: {cycle:?}");
        }
    }
}

#[test]
fn guide_languages_have_equal_paragraphs_and_examples() {
    let number = |text: &'static str| text.split([' ', '*']).next().unwrap_or_default();
    let blocks = |guide: &'static str| guide.split("```").skip(1).step_by(2).collect::<Vec<_>>();
    // What the program prints is in the language of the page: the program's tests compare it.
    let examples = |guide: &'static str| {
        let is_common = |line: &&str| {
            line.starts_with("fen ") || line.starts_with("cycle ") || line.starts_with(|c: char| c.is_ascii_digit())
        };
        blocks(guide).into_iter().map(|block| block.lines().filter(is_common).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(examples(GUIDE), examples(CHINESE));
    let paragraphs = |guide: &'static str| guide.split("**§").skip(1).map(number).collect::<Vec<_>>();
    assert_eq!(paragraphs(GUIDE), paragraphs(CHINESE));
    let sections = |guide: &'static str| guide.split("\n## ").skip(1).map(number).collect::<Vec<_>>();
    assert_eq!(sections(GUIDE), sections(CHINESE));
}

#[test]
fn guide_has_every_paragraph_cited_in_the_code() {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let mut cited = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a file");
        for citation in text.split('§').skip(1) {
            let number: String =
                citation.chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
            let number = number.trim_end_matches('.');
            if number.is_empty() {
                continue;
            }
            let headline = format!("## {number} ");
            let paragraph = [format!("**§{number}**"), format!("**§{number} ")];
            let exists = GUIDE.contains(&headline) || paragraph.iter().any(|text| GUIDE.contains(text));
            assert!(exists, "{} cites §{number}", path.display());
            cited += 1;
        }
    }
    assert!(cited > 20, "only {cited} citations");
}
