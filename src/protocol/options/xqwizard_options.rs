//! XQWizard's names of options that have other names here.

use super::host_options::MAX_PLIES;
use super::settings::Settings;
use super::spec::OptionError;
use crate::protocol::dialect::Protocol;
use crate::protocol::{options, words};
use xiangqi::RuleSet;

/// The words of XQWizard's option `repetition`.
const XQWIZARD_RULE_WORDS: &[&str] = &["alwaysdraw", "checkban", "asianrule", "chineserule"];
/// What these words mean, in their order.
const XQWIZARD_RULES: [RuleSet; 4] = [RuleSet::None, RuleSet::CheckBan, RuleSet::Asian, RuleSet::Cxa];

/// The options of XQWizard that have other names here: `repetition`, `drawmoves` (plies without a capture, in spite of
/// its name) and `selectivity`. `None` if it is another one.
pub(super) fn set_xqwizard_option(
    name: &str,
    value: &[u8],
    settings: &mut Settings,
) -> Option<Result<(), OptionError>> {
    let text = words::word_text(value.trim_ascii()).into_owned();
    let (option, value) = (name.to_string(), words::shortened(&text));
    let set = match name.to_ascii_lowercase().as_str() {
        "repetition" => match XQWIZARD_RULE_WORDS.iter().position(|word| word.eq_ignore_ascii_case(&text)) {
            Some(index) => {
                settings.rule_set = XQWIZARD_RULES[index];
                Ok(())
            }
            None => Err(OptionError::NoChoice { name: option, value, choices: XQWIZARD_RULE_WORDS }),
        },
        "drawmoves" => match text.parse().ok().filter(|plies| (0..=MAX_PLIES).contains(plies)) {
            Some(plies) => {
                settings.natural_limit.plies = usize::try_from(plies).ok();
                Ok(())
            }
            None => Err(OptionError::NotInRange { name: option, value, min: 0, max: MAX_PLIES }),
        },
        "selectivity" => {
            let chosen = options::set_option(Protocol::Ucci, "randomness", text.as_bytes(), settings);
            return Some(chosen.map(drop).map_err(|error| error.about(option)));
        }
        _ => return None,
    };
    settings.host_sets_rules |= set.is_ok();
    Some(set)
}
