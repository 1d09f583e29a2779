//! Names of files that are made of other texts, such as names of players.

/// The longest name, in letters, without the ending.
const MAX_LETTERS: usize = 60;

/// Names of devices on Windows, whatever follows them behind a point. COM and LPT have digits behind them, also raised ones.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// A name without what a file system may refuse, or `usual` if nothing is left.
pub fn safe_file_name(text: &str, usual: &str) -> String {
    let is_safe = |letter: &char| letter.is_alphanumeric() || matches!(letter, '-' | '.' | ' ' | '_');
    let name: String = text.chars().filter(is_safe).take(MAX_LETTERS).collect();
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
}
