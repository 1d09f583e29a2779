//! Names of files that are made of other texts, such as names of players, and names of what is kept inside of files.

/// The longest name, in letters, without the ending.
const MAX_LETTERS: usize = 60;

/// Names of devices on Windows, whatever follows them behind a point. COM and LPT have digits behind them, also raised ones.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// A name without what a file system may refuse, or `usual` if nothing is left.
pub fn safe_file_name(text: &str, usual: &str) -> String {
    let is_safe = |letter: &char| letter.is_alphanumeric() || matches!(letter, '-' | '.' | ' ' | '_');
    let name: String = text.chars().filter(|letter| is_safe(letter) && !is_hidden(*letter)).take(MAX_LETTERS).collect();
    // A name that ends with a point or a space is another one on Windows; one that begins with a point is hidden elsewhere.
    let name = name.trim_matches(|letter: char| !letter.is_alphanumeric());
    if name.is_empty() {
        usual.to_string()
    } else if is_device(name) {
        format!("{usual}-{name}")
    } else {
        name.to_string()
    }
}

/// A name without what is not seen: control characters become blanks; marks that turn the direction of the text or hide in
/// it are left out, as `safe_file_name` does.
pub fn visible_name(text: &str) -> String {
    let shown =
        |letter: char| if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') { ' ' } else { letter };
    text.chars().filter(|&letter| !is_hidden(letter)).map(shown).collect()
}

/// Whether a letter has no picture of its own: the format characters of Unicode, fillers and selectors.
fn is_hidden(letter: char) -> bool {
    matches!(letter,
        '\u{AD}' | '\u{34F}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}'..='\u{891}' | '\u{8E2}'
        | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether Windows takes a name for that of a device: up to the first point, without spaces behind it.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let is_number = |rest: &str| {
        let mut letters = rest.chars();
        letters.next().is_some_and(|letter| "0123456789¹²³".contains(letter)) && letters.next().is_none()
    };
    DEVICES.contains(&stem.as_str())
        || NUMBERED_DEVICES.iter().any(|device| stem.strip_prefix(device).is_some_and(is_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_windows_are_no_files() {
        let names = ["CON", "con", "Con.pgn", "nul.2026.11", "AUX .x", "prn. .", "COM1", "lpt9.txt", "COM²", "com0"];
        for name in names {
            let safe = safe_file_name(name, "game");
            assert!(safe.starts_with("game-"), "{name}: {safe}");
            assert!(!is_device(&safe), "{name}: {safe}");
        }
        for name in ["CONNOR", "COM10", "COM", "Lpt", "console.log", "名局", "A-con"] {
            assert_eq!(safe_file_name(name, "game"), name);
        }
    }

    #[test]
    fn names_have_nothing_that_a_file_system_refuses() {
        for (text, safe) in [
            ("../../etc/passwd", "etcpasswd"),
            ("a/b\\c:d*e?f\"g<h>i|j", "abcdefghij"),
            (" ..name.. ", "name"),
            ("...", "game"),
            ("\u{202E}\0\n", "game"),
            ("胡荣华-吕钦-1990.01.01", "胡荣华-吕钦-1990.01.01"),
        ] {
            assert_eq!(safe_file_name(text, "game"), safe);
        }
        assert_eq!(safe_file_name(&"文".repeat(200), "game").chars().count(), MAX_LETTERS);
    }
    #[test]
    fn visible_names_have_nothing_that_turns_or_hides() {
        for (text, visible) in [
            ("\u{202E}gnp.exe", "gnp.exe"),
            ("a\u{200B}b\u{2066}c\u{2069}\u{FEFF}\u{E0041}\u{61C}\u{AD}\u{2060}", "abc"),
            ("\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{3164}", ""),
            ("one\ntwo\tthree\u{2028}four\u{85}five", "one two three four five"),
            ("胡荣华 – 吕钦 (1990)", "胡荣华 – 吕钦 (1990)"),
        ] {
            assert_eq!(visible_name(text), visible);
            // A file that has this name does not have them either.
            assert!(safe_file_name(text, "x").chars().all(|letter| !is_hidden(letter) && !letter.is_control()));
        }
    }
}
