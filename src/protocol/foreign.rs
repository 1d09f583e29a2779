//! Options of the strongest engine that hosts send to every engine: those about rules are understood, though not
//! declared. What has no counterpart here is answered with a sentence.

use super::option_error::OptionError;
use super::settings::Settings;
use super::splitting;
use chuhe_engine::language::tr;
use chuhe_engine::rules::RuleSet;

/// The names of its rules that are ours by another name.
const RULES: [(&str, RuleSet); 5] = [
    ("AsianRule", RuleSet::Asian),
    ("ChineseRule", RuleSet::Cxa),
    ("ComputerRule", RuleSet::Computer),
    ("SkyRule", RuleSet::Tiantian),
    ("NoJudgement", RuleSet::None),
];
const RULE_WORDS: &[&str] = &["AsianRule", "ChineseRule", "ComputerRule", "SkyRule", "NoJudgement"];
const MOST_PLIES: i64 = 150;

/// Sets such an option; what is to be told about it, if anything. `None` if it is none of them.
pub(super) fn set(
    name: &str,
    value: &[u8],
    settings: &mut Settings,
) -> Option<Result<Option<String>, OptionError>> {
    let text = splitting::text(value.trim_ascii()).into_owned();
    let named = |known: &str| name.eq_ignore_ascii_case(known);
    if named("Repetition Rule") {
        Some(Ok(repetition_rule(&text, settings)))
    } else if named("Draw Rule") {
        let kept = || tr!("option Draw Rule: a draw counts as a draw here, for neither side");
        Some(Ok((!text.eq_ignore_ascii_case("None")).then(kept)))
    } else if named("Sixty Move Rule") {
        Some(match text.to_ascii_lowercase().as_str() {
            switch @ ("true" | "false") => {
                settings.unlimited = switch == "false";
                Ok(None)
            }
            _ => Err(OptionError::NotACheck { name: name.to_string(), value: splitting::clip(&text) }),
        })
    } else if named("Rule60MaxPly") {
        let plies = text.parse().ok().filter(|plies| (1..=MOST_PLIES).contains(plies));
        let value = splitting::clip(&text);
        Some(match plies {
            Some(plies) => {
                settings.natural_limit = Some(plies as usize);
                Ok(None)
            }
            None => Err(OptionError::NotInRange { name: name.to_string(), value, min: 1, max: MOST_PLIES }),
        })
    } else {
        None
    }
}

fn repetition_rule(text: &str, settings: &mut Settings) -> Option<String> {
    if let Some((_, set)) = RULES.iter().find(|(known, _)| known.eq_ignore_ascii_case(text)) {
        settings.rule_set = *set;
        return None;
    }
    Some(tr!(
        "option Repetition Rule: '{word}' is not known here; {set} stays, and there are {words}",
        word = splitting::clip(text),
        set = settings.rule_set,
        words = RULE_WORDS.join(", ")
    ))
}
