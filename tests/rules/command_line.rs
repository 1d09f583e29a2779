//! `chuhe judge` on the command line.

use crate::common::{Folder, chuhe, stderr, stdout};
use std::process::Output;

fn judge(words: &[&str]) -> Output {
    chuhe(&[&["judge"], words].concat())
}

/// A rook chases a cannon to and fro.
const CHASE: [&str; 4] =
    ["--fen", "4k4/9/9/c8/9/R8/9/9/9/3K5 b", "--moves", "a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4"];

#[test]
fn verdict_is_one_line() {
    let output = judge(&CHASE);
    assert!(output.status.success());
    assert_eq!(stdout(&output), "red-loses perpetual chase of the cannon on a6\n");
    assert_eq!(stderr(&output), "");
    assert_eq!(stdout(&judge(&[&CHASE[..], &["--rules", "none"]].concat())), "draw repetition\n");
}

#[test]
fn start_position_is_the_default() {
    assert_eq!(stdout(&judge(&[])), "ongoing\n");
    assert_eq!(stdout(&judge(&["--moves", "h2e2 h9g7"])), "ongoing\n");
}

#[test]
fn natural_limit_can_be_set() {
    let limit = |plies: &str| stdout(&judge(&["--moves", "h2e2 h9g7", "--natural-limit", plies]));
    assert_eq!(limit("2"), "draw natural limit\n");
    assert_eq!(limit("3"), "ongoing\n");
    assert_eq!(limit("0"), "ongoing\n");
}

#[test]
fn explain_names_the_nature_of_every_move() {
    let output = judge(&[&CHASE[..], &["--explain"]].concat());
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 10, "{text}");
    assert_eq!(lines[9], "  (docs/rules.md §2.3, §3)");
    assert_eq!(lines[1], "  black  a6b6  -");
    assert_eq!(lines[2], "  red    a4b4  chases the cannon on b6");
    assert_eq!(lines[4], "  red    b4a4  chases the cannon on a6");
    let checks = judge(&[
        "--fen",
        "4k4/9/9/9/9/9/9/9/9/R2K5 w",
        "--moves",
        "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9 e9e8",
        "--explain",
    ]);
    let text = stdout(&checks);
    assert!(text.starts_with("red-loses perpetual check\n  red    a9a8  checks\n"), "{text}");
}

#[test]
fn unplayable_moves_are_refused() {
    for (arguments, message) in [
        (&["--moves", "h2e2 h2e2"][..], "chuhe: move 2: h2e2 is not legal: there is no piece on h2\n"),
        (&["--moves", "h2e2 h9"], "chuhe: move 2: 'h9' is not a move: expected four characters such as h2e2\n"),
        (&["--fen", "9/9 w"], "chuhe: FEN board: expected 10 ranks"),
        (&["--cases", "/no/such/file"], "chuhe: cannot read /no/such/file: "),
    ] {
        let output = judge(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "");
        assert!(stderr(&output).starts_with(message), "{}", stderr(&output));
    }
    assert_eq!(judge(&["--rules", "chess"]).status.code(), Some(2));
    assert!(stderr(&judge(&["--rules", "chess"])).contains("expected asian, league, computer, cxa, tiantian or none"));
}

/// Judges a table of cases.
fn judge_table(text: &str, more: &[&str]) -> Output {
    let folder = Folder::new();
    folder.write("cases.tsv", text);
    folder.chuhe(&[&["judge", "--cases", "cases.tsv"], more].concat())
}

#[test]
fn case_table_is_scored() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/xiangqi/tests/data/rule_cases.tsv");
    let output = judge(&["--cases", table]);
    assert!(output.status.success());
    let cases = std::fs::read_to_string(table).expect("the table").lines().count() - 1;
    let expected = format!(
        "asian     {cases} of {cases}\nleague    {cases} of {cases}\ncomputer  {cases} of {cases}\ntotal     {all} of {all}\n",
        all = 3 * cases
    );
    assert_eq!(stdout(&output), expected);
}

#[test]
fn case_table_prints_every_disagreement() {
    // As an editor on Windows writes it.
    let table = "\u{feff}fen\tmoves_before\tcycle\tasian\tcomputer\r\n\
         4k4/9/9/c8/9/R8/9/9/9/3K5 b\t\ta6b6 a4b4 b6a6 b4a4\tdraw\tw-loses\r\n\
         4k4/9/9/c8/9/R8/9/9/9/3K5 b\ta6b6\ta4b4 b6a6 b4a4 a6b6\tred-loses\tb-loses\r\n";
    let text = stdout(&judge_table(table, &[]));
    assert_eq!(
        text,
        "line 2, asian: expected draw, judged red-loses perpetual chase of the cannon on a6\n\
         line 3, computer: expected black-loses, judged red-loses perpetual chase of the cannon on b6\n\
         asian     1 of 2\ncomputer  1 of 2\ntotal     2 of 4\n"
    );
    let asian = stdout(&judge_table(table, &["--rules", "asian"]));
    assert!(asian.ends_with("asian     1 of 2\ntotal     1 of 2\n"), "{asian}");
}

#[test]
fn bad_case_table_is_refused_with_its_line() {
    let header = "fen\tmoves_before\tcycle\tasian\n";
    for (text, message) in [
        ("", "line 1: no column 'asian' among the tab-separated names"),
        ("fen\tcycle\tasian\n", "line 1: no column 'moves_before' among the tab-separated names"),
        (&format!("{header}4k4/9/9/9/9/9/9/9/9/3K5 w\n"), "line 2: only 1 columns"),
        (
            &format!("{header}4k4/9/9/9/9/9/9/9/9/3K5 w\t\t\twins\n"),
            "line 2: 'wins' is none of draw, w-loses, b-loses, ongoing",
        ),
        (
            &format!("{header}4k4/9/9/9/9/9/9/9/9/3K5 w\te0e1\td0d1\tdraw\n"),
            "line 2: move 1: e0e1 is not legal: there is no piece on e0",
        ),
    ] {
        let output = judge_table(text, &[]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn rule_sets_are_judged_together() {
    let text = stdout(&judge(&[&CHASE[..], &["--rules", "all"]].concat()));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    for (line, set) in lines.iter().zip(["asian   ", "league  ", "computer"]) {
        assert_eq!(*line, format!("{set}  red-loses perpetual chase of the cannon on a6"));
    }
    assert_eq!(lines[3], "cxa       red-loses perpetual chase");
    assert_eq!(lines[4], "tiantian  ongoing");
    assert_eq!(lines[5], "none      draw repetition");
    let json = stdout(&judge(&[&CHASE[..], &["--rules", "all", "--json"]].concat()));
    let all: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(all.as_array().map(Vec::len), Some(6));
}

#[test]
fn association_rules_name_the_nature_of_each_move_in_both_languages() {
    let explain = |language: &str| {
        let words = ["--rules", "cxa", "--explain", "--lang", language];
        stdout(&judge(&[&CHASE[..], &words].concat()))
    };
    let english = explain("en");
    assert!(english.contains("a4b4  chase, gains the cannon on b6 (rook x cannon)"), "{english}");
    assert!(english.contains("a6b6  idle") && english.contains("§9.8"), "{english}");
    // The article of the association's text, where its number is certain.
    assert!(english.contains("article 24.9 of the association"), "{english}");
    let chinese = explain("zh");
    assert!(chinese.contains("捉：得炮２（车吃炮）") && chinese.contains("闲"), "{chinese}");
    let evasion = ["3nn4/4k4/2C2C3/9/3R5/9/9/9/9/5K3 w", "--moves", "d5e5 e8d8 e5d5 d8e8", "--rules", "cxa"];
    let told = stdout(&judge(&[&evasion[..], &["--explain"]].concat()));
    assert!(told.contains("black  e8d8  idle (article 26.1.3)\n"), "{told}");
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&judge(&[&evasion[..], &["--json"]].concat()))).expect("JSON");
    let articles = [0, 1].map(|index| json["repetition"][index]["article"].clone());
    assert_eq!(articles, [serde_json::Value::Null, "26.1.3".into()]);
}

#[test]
fn several_games_end_with_a_count_and_those_against_the_record_can_be_had_alone() {
    let folder = Folder::new();
    let chase = "[Event \"Cup\"]\n[Red \"a\"]\n[Result \"1/2-1/2\"]\n[FEN \"4k4/9/9/c8/9/R8/9/9/9/3K5 b - - 0 1\"]\n\n\
        1... a6b6 2. a4b4 b6a6 3. b4a4 a6b6 4. a4b4 b6a6 5. b4a4 1/2-1/2\n\n";
    folder.write("two.pgn", format!("{chase}[Red \"c\"]\n[Result \"1/2-1/2\"]\n\n1. h2e2 h9g7 1/2-1/2\n"));
    let told = |words: &[&str]| stdout(&folder.chuhe(&[&["judge", "two.pgn"], words].concat()));
    let all = told(&[]);
    assert!(all.contains("no rule decides (recorded 1/2-1/2)\n") && !all.contains("ongoing"), "{all}");
    let count = "games: 2; decided by the rules: 1; against the recorded result: 1\n";
    assert!(all.ends_with(count), "{all}");
    let few = told(&["--contradicting"]);
    assert!(few.starts_with("game 1") && !few.contains("game 2") && few.ends_with(count), "{few}");
    assert_eq!(told(&["--contradicting", "--json"]).lines().count(), 1);
    told(&["--contradicting", "--html", "ruling.html"]);
    let page = folder.text("ruling.html");
    for part in ["Cup", "Arbiter", "1… black  a6b6", "By the Asian rules: Black wins", "docs/rules.md §2.3, §3"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("<h2>a – ?, by the Asian rules</h2>") && page.contains("two.pgn"), "{page}");
    // The rules are quoted, and the whole game is there.
    for part in ["<b>§2.3</b> Each side gets a level", "<b>§3.1</b> Who chases.", "<b>§3.9</b>", "1… a6b6 2. a4b4 b6a6"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    told(&["--contradicting", "--html", "both.html", "--bilingual"]);
    let both = folder.text("both.html");
    let quoted = ["<b>§2.3</b> 给双方各定一级", "<br>Each side gets a level"];
    for part in ["按亚洲棋规：", "<br>By the Asian rules: Black wins", "裁判 Arbiter", "裁决书 Ruling"]
        .into_iter()
        .chain(quoted)
    {
        assert!(both.contains(part), "{part}: {both}");
    }
    // All rule sets share the game, its pictures and the signature.
    told(&["--contradicting", "--html", "all.html", "--rules", "all", "--force"]);
    let all = folder.text("all.html");
    assert_eq!((all.matches("<section>").count(), all.matches("class=\"sign\"").count()), (1, 1));
    for part in ["By the Asian rules: Black wins", "docs/rules.md §2.3, §3", "By no rules of repetition"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let answers = told(&["--json"]);
    let results: Vec<serde_json::Value> =
        answers.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(results.iter().any(|ruling| ruling["result"] == "undecided") && !answers.contains("ongoing"), "{answers}");
}

#[test]
fn a_ruling_of_a_mate_has_its_board_its_moves_and_its_rule() {
    let folder = Folder::new();
    let mate = "[Event \"Open of 2024-05-06\"]\n[Date \"2024-05-06\"]\n[Red \"a\"]\n[Result \"0-1\"]\n\
        [FEN \"3k5/4P4/9/9/9/9/9/9/9/R4K3 w - - 0 1\"]\n\n1. a0a9 0-1\n";
    folder.write("mate.pgn", mate);
    folder.write(
        "draws.pgn",
        "[Result \"1-0\"]\n[FEN \"5k3/9/9/9/2c6/9/9/8r/3K2N2/9 b - - 0 1\"]\n\n\
        1... i2i1 2. d1d2 i1i2 3. d2d1 i2i1 4. d1d2 i1i2 5. d2d1 i2i1 6. d1d2 i1i2 7. d2d1 1-0\n",
    );
    let words = ["judge", "mate.pgn", "--contradicting", "--html", "mate.html"];
    assert!(folder.chuhe(&words).status.success());
    let page = folder.text("mate.html");
    assert_eq!(page.matches("<figure>").count(), 1);
    let parts = [
        "mate.pgn",
        "1. a0a9",
        "<b>§1.1</b> The side to move has no legal move",
        "<span style=\"white-space:nowrap\">2024-05-06</span>",
    ];
    for part in parts {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(folder.chuhe(&[&words[..], &["--rules", "all", "--force"]].concat()).status.success());
    let all = folder.text("mate.html");
    assert!(all.matches("<figure>").count() == 1 && all.matches("<b>§1.1</b>").count() == 1, "{all}");
    // A position without a record, too.
    let set_up = ["judge", "3k5/4P4/9/9/9/9/9/9/9/R4K3 w moves a0a9", "--html", "position.html"];
    assert!(folder.chuhe(&set_up).status.success());
    let page = folder.text("position.html");
    assert!(
        page.matches("<figure>").count() == 1 && page.contains("R4K3 w - - 0 1") && page.contains("§1.1"),
        "{page}"
    );
    // Natures are told apart by their paragraphs, and articles have their text beside them.
    let told = |more: &[&str]| stdout(&folder.chuhe(&[&["judge", "draws.pgn"], more].concat()));
    told(&["--rules", "cxa", "--html", "draws.html"]);
    assert!(folder.text("draws.html").contains("<b>§9.10</b>"));
    // What no competition plays by contradicts nothing, unless it alone is asked.
    assert!(told(&["--rules", "all", "--natural-limit", "0"]).contains("none"));
    let against = |rules: &str| {
        folder.write(
            "perpetual.pgn",
            "[Result \"0-1\"]\n[FEN \"4k4/R8/9/9/9/9/9/9/9/3K5 w - - 0 1\"]\n\n\
            1. a8a9 e9e8 2. a9a8 e8e9 3. a8a9 e9e8 4. a9a8 e8e9 5. a8a9 e9e8 6. a9a8 e8e9 0-1\n",
        );
        stdout(&folder.chuhe(&["judge", "perpetual.pgn", "--contradicting", "--rules", rules]))
    };
    assert!(against("all").ends_with("against the recorded result: 0\n"), "{}", against("all"));
    assert!(against("none").ends_with("against the recorded result: 1\n"), "{}", against("none"));
}

#[test]
fn every_rule_set_names_its_paragraph() {
    for (set, paragraph) in
        [("asian", "§2.3, §3"), ("league", "§2.3, §4.5"), ("computer", "§2.3, §5.3"), ("cxa", "§9.8"), ("none", "§6")]
    {
        let told = stdout(&judge(&[&CHASE[..], &["--rules", set, "--explain"]].concat()));
        assert!(told.contains(&format!("docs/rules.md {paragraph}")), "{set}: {told}");
    }
}

#[test]
fn illegal_moves_in_words_say_why() {
    let told = stderr(&judge(&["--moves", "马二进三 卒7进1 马二进三"]));
    assert_eq!(told, "chuhe: move 3: '马二进三' is no legal move in this position: there is no 马二\n");
    let told = stderr(&judge(&["--moves", "炮二进五"]));
    assert!(told.contains("a cannon takes over exactly one piece in between"), "{told}");
}

#[test]
fn word_that_means_two_moves_is_read_in_the_chosen_notation() {
    let fen = ["--fen", "3k5/9/9/9/9/9/2P6/9/2C6/4K4 w", "--moves", "C7.1"];
    let told = stderr(&judge(&fen));
    assert_eq!(told, "chuhe: move 1: 'C7.1' is c1i1 in WXF and c3c4 in Vietnamese notation\n");
    let told = stderr(&judge(&[&fen[..], &["--lang", "zh"]].concat()));
    assert_eq!(told, "chuhe: 第 1 步：“C7.1”按 WXF 是 c1i1，按越南记谱法是 c3c4\n");
    for notation in ["wxf", "vietnamese"] {
        assert_eq!(stderr(&judge(&[&fen[..], &["--notation", notation]].concat())), "", "{notation}");
    }
}

#[test]
fn chased_pieces_are_named_as_the_notation_names_them() {
    let explain = |words: &[&str]| stdout(&judge(&[&CHASE[..], &["--explain"], words].concat()));
    assert!(explain(&["--notation", "wxf"]).contains("  red    R9.8  chases C2\n"));
    assert!(explain(&["--notation", "vietnamese"]).contains("  red    X9-8  chases P2\n"));
    assert!(explain(&["--notation", "iccs"]).contains("  red    A4-B4  chases the cannon on b6\n"));
    assert!(explain(&["--notation", "chinese"]).contains("车九平八  chases 炮２\n"));
    assert!(explain(&["--lang", "zh"]).contains("车九平八  捉炮２\n"));
}

#[test]
fn a_game_that_was_decided_and_went_on_is_told_so() {
    let moves = ["a6b6 a4b4 b6a6 b4a4"; 2].join(" ") + " e9e8";
    let words = |moves: &str| ["--fen", CHASE[1], "--moves", moves].map(str::to_string);
    let ask = |more: &[&str]| {
        let words = words(&moves);
        judge(&[&words.iter().map(String::as_str).collect::<Vec<_>>()[..], more].concat())
    };
    let text = stdout(&ask(&[]));
    assert_eq!(text, "decided at ply 8: red-loses perpetual chase of the cannon on a6; the game went on\n");
    let output = ask(&["--json"]);
    let object: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!((&object["ply"], &object["plies"], &object["went_on"]), (&8.into(), &9.into(), &true.into()));
}

#[test]
fn each_move_of_a_repetition_is_explained_before_the_count_is_full() {
    // Five plies of a cycle of four: the last position has stood twice.
    let fen = "5k3/9/9/9/9/3n5/9/9/9/R3K4 w";
    let explain = |rules, moves| stdout(&judge(&["--explain", "--rules", rules, "--fen", fen, "--moves", moves]));
    for (rules, told) in [("asian", "chases the horse on d4"), ("cxa", "chase, gains the horse on d4 (rook x horse)")] {
        let text = explain(rules, "a0a4 f9f8 a4a0 f8f9 a0a4");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "ongoing");
        assert!(lines[1..4].iter().all(|line| !line.contains("chase")) && lines[4].ends_with(told), "{text}");
        assert!(text.contains("has stood 2 of "), "{text}");
        assert!(!explain(rules, "a0a4 f9f8 a4a0").contains("chase"), "nothing has stood twice");
    }
}

#[test]
fn federations_name_the_asian_rules() {
    for name in ["world", "wxf", "AXF"] {
        let output = judge(&[&CHASE[..], &["--rules", name]].concat());
        assert_eq!(stdout(&output), "red-loses perpetual chase of the cannon on a6\n", "{name}");
    }
}

#[test]
fn chinese_reasons_call_pieces_as_their_moves_do() {
    let chased = judge(&[&["--lang", "zh", "--explain"], &CHASE[..]].concat());
    let advisor = judge(
        &[
            &["--lang", "zh", "--explain", "--rules", "cxa", "--fen", "3k5/r8/9/9/9/9/9/3A5/9/4K4 b", "--moves"][..],
            &[&["a8a2 e0e1 a2a8 e1e0"; 3].join(" ")],
        ]
        .concat(),
    );
    for (output, words) in [(chased, ["红方负：长捉炮１", "捉炮２"]), (advisor, ["车１进６", "捉：得仕六（车吃仕）"])]
    {
        let text = stdout(&output);
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        let moves = text.lines().filter(|line| !line.contains("docs/"));
        assert!(moves.clone().all(|line| !line.contains(|letter: char| letter.is_ascii_alphanumeric())), "{text}");
    }
}

#[test]
fn the_exit_code_says_how_the_game_stands() {
    let code = |words: &[&str]| judge(&[words, &["--exit-code"]].concat()).status.code();
    assert_eq!(code(&[]), Some(0));
    assert_eq!(code(&["--moves", "h2e2 h9g7", "--natural-limit", "2"]), Some(10));
    assert_eq!(code(&CHASE), Some(11));
    let black = ["--fen", "3k5/9/9/9/r8/9/C8/9/9/4K4 w", "--moves", "a3b3 a5b5 b3a3 b5a5 a3b3 a5b5 b3a3 b5a5"];
    assert_eq!(code(&black), Some(12));
    assert_eq!(code(&["--rules", "all"]), Some(2));
    assert_eq!(judge(&CHASE).status.code(), Some(0));
}

#[test]
fn explaining_says_why_a_game_goes_on() {
    let moves = "a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4";
    let words = |moves| stdout(&judge(&["--fen", CHASE[1], "--moves", moves, "--rules", "cxa", "--explain"]));
    let text = words(moves);
    assert!(text.starts_with("ongoing\n  black  a6b6  idle\n  red    a4b4  chase, gains the cannon on b6"), "{text}");
    assert!(text.contains("\n  this position has stood 3 of 4 times: 2 of 3 rounds\n"), "{text}");
    assert!(text.ends_with("  8 plies without a capture, of 120 that draw\n"), "{text}");
    assert!(words("a6b6 a4b4").contains("no position has stood twice"));
}

#[test]
fn files_and_folders_are_judged_with_players_results_and_contradictions() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("inner")).expect("a folder");
    let moves = "1. h2e2 h9g7 2. e2h2 g7h9 3. h2e2 h9g7 4. e2h2 g7h9";
    let game = format!("[Red \"Wang\"]\n[Black \"Li\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n");
    folder.write("a.pgn", &game);
    folder.write("inner/b.pgn", game.replace("1-0", "1/2-1/2"));
    let path = folder.root().to_str().expect("a plain path");
    let text = stdout(&judge(&[path]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[0].ends_with("a.pgn, game 1 (Wang – Li, 1-0): draw repetition"), "{text}");
    assert_eq!(lines[1], "  this contradicts the recorded result, 1-0");
    assert!(lines[2].ends_with("b.pgn, game 1 (Wang – Li, 1/2-1/2): draw repetition"), "{text}");
    let json = stdout(&judge(&[path, "--json"]));
    let all: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(all.len(), 2);
    assert_eq!((&all[0]["game"], &all[0]["tags"]["Red"]), (&1.into(), &"Wang".into()));
    assert_eq!((&all[0]["contradicts"], &all[1]["contradicts"]), (&true.into(), &false.into()));
}

#[test]
fn a_protest_is_drawn_move_by_move() {
    let folder = Folder::new();
    let judge_to_page = |more: &[&str]| {
        let words = [&["judge"], &CHASE[..], &["--html", "protest.html"], more].concat();
        folder.chuhe(&words)
    };
    for rules in ["asian", "cxa"] {
        assert!(judge_to_page(&["--rules", rules]).status.success());
        let html = folder.text("protest.html");
        assert!(html.matches("<figure>").count() >= 8 && html.contains("cannon on b6"), "{rules}");
    }
    folder.write("protest.html", "my own");
    assert_eq!(judge_to_page(&[]).status.code(), Some(2));
}
