//! Commands that are modes of others now, under the names that they had: they go on working, and are not listed.

use super::clap_errors::subcommand_words;
use clap::Command;
use std::ffi::OsString;

/// The command line with names that are listed.
pub fn replaced(program: &Command, words: Vec<OsString>) -> Vec<OsString> {
    let typed: Vec<usize> = subcommand_words(program, &words).map(|(place, _)| place).take(2).collect();
    let Some(&first) = typed.first() else { return words };
    let is_help = words[first] == "help";
    let place = if is_help { typed.get(1).copied() } else { Some(first) };
    let Some((place, new)) = place.and_then(|place| Some((place, new_words(words[place].to_str()?)?))) else {
        return words;
    };
    let (before, behind) = (&words[..place], &words[place + 1..]);
    if is_help {
        return [before, &[new[0].into()], behind].concat();
    }
    let mut behind = behind.to_vec();
    let mut new: Vec<OsString> = new.iter().map(OsString::from).collect();
    if new[1] == "--selfplay" {
        // The number of games is the value of the option.
        for word in &mut behind {
            if let Some(rest) = word.to_str().and_then(|word| word.strip_prefix("--games")) {
                *word = format!("--selfplay{rest}").into();
                new.truncate(1);
            }
        }
    }
    [before, &new, &behind].concat()
}

fn new_words(old: &str) -> Option<[&'static str; 2]> {
    match old {
        "selfplay" => Some(["bench", "--selfplay"]),
        "eval" => Some(["analyse", "--eval"]),
        "man" => Some(["completions", "man"]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_names_are_replaced_and_other_words_stay() {
        let program = crate::cli::commands::english_command();
        let cases = [
            ("chuhe eval h2e2 --json", "chuhe analyse --eval h2e2 --json"),
            ("chuhe --lang zh eval", "chuhe --lang zh analyse --eval"),
            ("chuhe selfplay --seed 2", "chuhe bench --selfplay --seed 2"),
            ("chuhe selfplay --nodes 5 --games=6", "chuhe bench --nodes 5 --selfplay=6"),
            ("chuhe man --out x", "chuhe completions man --out x"),
            ("chuhe help eval", "chuhe help analyse"),
            ("chuhe judge eval", "chuhe judge eval"),
            ("chuhe", "chuhe"),
        ];
        for (old, new) in cases {
            let words = old.split(' ').map(OsString::from).collect();
            let replaced: Vec<String> =
                replaced(&program, words).iter().map(|word| word.to_string_lossy().into_owned()).collect();
            assert_eq!(replaced.join(" "), new);
        }
    }
}
