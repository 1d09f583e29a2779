//! The examples of the Chinese page of the rules: verdicts are those that the program prints in Chinese.

use chuhe_support::language::Language;
use chuhe_support::messages::Localize;
use xiangqi::{Move, Position, RuleSet, Rules};

#[test]
fn verdicts_on_the_chinese_page_are_those_of_the_program() {
    chuhe::install_languages();
    let page = include_str!("../../docs/rules.zh-CN.md");
    let mut compared = 0;
    for block in page.split("```").skip(1).step_by(2) {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let (Some(fen), Some(cycle)) = (field("fen "), field("cycle ")) else { continue };
        for set in [RuleSet::Asian, RuleSet::League, RuleSet::Computer] {
            let mut position = Position::from_fen(fen).expect("a position");
            for _ in 1..set.repetition_count() {
                let moves = cycle.split(' ').map(|text| text.parse::<Move>().expect("a move"));
                moves.for_each(|mv| position.play(mv).expect("a legal move"));
            }
            let verdict = Language::CHINESE.with(|| Rules::new(set).judge(&position).localized());
            assert_eq!(Some(verdict.as_str()), field(&format!("{set} ")), "{set}: {fen}");
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared}");
}
