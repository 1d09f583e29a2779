//! What stands below the options of a page of help: examples, and notes. They are written as text beside each command, and
//! taken apart here, so that each piece can be translated and broken into lines by itself.

/// A piece of it.
#[derive(Debug, PartialEq, Eq)]
pub enum Note {
    /// A paragraph, or a title, on one line however many it is written on.
    Text(String),
    /// Things to type, each with what it does.
    Rows(Vec<(String, String)>),
    Blank,
}

/// What a column is set off by.
const GAP: &str = "  ";

/// Takes a text apart. What begins with two blanks is an example, with its explanation behind two more or on the next line,
/// far to the right; a line of settings has its own behind a `#`.
pub fn notes(text: &str) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        let margin = line.len() - line.trim_start().len();
        let is_continued = matches!(notes.last(), Some(Note::Rows(rows)) if rows.last().is_some_and(|row| row.0.ends_with('\\')));
        match notes.last_mut() {
            _ if line.is_empty() => notes.push(Note::Blank),
            Some(Note::Rows(rows)) if margin > 2 => {
                let Some((name, told)) = rows.last_mut() else { continue };
                if is_continued {
                    *name += &format!("\n{line}");
                } else {
                    let blank = if told.is_empty() { "" } else { " " };
                    *told += &format!("{blank}{}", line.trim_start());
                }
            }
            Some(Note::Rows(rows)) if margin == 2 || is_setting(line) => rows.push(row(line)),
            _ if margin == 2 || is_setting(line) => notes.push(Note::Rows(vec![row(line)])),
            Some(Note::Text(told)) if !told.ends_with(':') => *told += &format!(" {line}"),
            _ => notes.push(Note::Text(line.to_string())),
        }
    }
    notes
}

/// A line such as `epochs = 14  # passes over the positions`.
fn is_setting(line: &str) -> bool {
    line.contains(" = ") && line.contains("  # ")
}

fn row(line: &str) -> (String, String) {
    let line = line.trim_start();
    let (name, told) = line.split_once(GAP).unwrap_or((line, ""));
    (name.to_string(), told.trim_start().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_and_notes_are_taken_apart() {
        let text = "Examples:\n  chuhe a       what it\n  chuhe b --long-option\n                  does\n\nA note on\ntwo lines.\nx = 1  # one\n";
        let pair = |name: &str, told: &str| (name.to_string(), told.to_string());
        let expected = [
            Note::Text("Examples:".to_string()),
            Note::Rows(vec![pair("chuhe a", "what it"), pair("chuhe b --long-option", "does")]),
            Note::Blank,
            Note::Text("A note on two lines.".to_string()),
            Note::Rows(vec![pair("x = 1", "# one")]),
        ];
        assert_eq!(notes(text), expected);
        let two = notes("  chuhe c \\\n        --more\n                 all of it\n  chuhe d");
        assert_eq!(
            two,
            [Note::Rows(vec![pair("chuhe c \\\n        --more", "all of it"), pair("chuhe d", "")])]
        );
    }
}
