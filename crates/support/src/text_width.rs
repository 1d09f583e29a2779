//! Wraps, pads and truncates text by display width; Chinese characters take two columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Words up to this width are never broken, such as moves in Chinese.
const MAX_UNBROKEN_WIDTH: usize = 12;

/// The longest prefix that fits into this width.
pub fn truncate(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_string();
    }
    let mut kept = String::new();
    let mut used = 0;
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used + 1 > columns {
            break;
        }
        kept.push(letter);
    }
    format!("{}…", kept.trim_end())
}

/// Pads with blanks on the right.
pub fn pad_right(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

/// Pads with blanks on the left.
pub fn pad_left(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(text.width())))
}

/// Breaks lines that are too wide between words. A word wider than a line stays whole, so that it can be copied from
/// the terminal.
pub fn wrap(text: &str, width: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| wrap_line(line, width)).collect();
    lines.join("\n")
}

fn wrap_line(line: &str, width: usize) -> String {
    if line.width() <= width {
        return line.to_string();
    }
    let mut page = WrappedText { width, indent: hanging_indent(line, width), done: String::new(), line: String::new() };
    let mut rest = line;
    while !rest.is_empty() {
        let word_at = rest.find(|letter: char| letter != ' ').unwrap_or(rest.len());
        let word_end = rest[word_at..].find(' ').map_or(rest.len(), |end| word_at + end);
        page.add(&rest[..word_at], &rest[word_at..word_end]);
        rest = &rest[word_end..];
    }
    page.done + page.line.trim_end()
}

/// The column at which continuation lines begin: that of the last table column, or slightly right of the margin.
fn hanging_indent(line: &str, width: usize) -> usize {
    let margin = line.len() - line.trim_start_matches(' ').len();
    let first_half = line.match_indices("  ").filter_map(|(at, _)| {
        let behind = at + (line[at..].len() - line[at..].trim_start_matches(' ').len());
        let column = line[..behind].width();
        (at >= margin && behind < line.len() && column <= width / 2).then_some(column)
    });
    let behind_margin = if margin == 0 { 0 } else { (margin + 2).min(width / 2) };
    first_half.last().unwrap_or(behind_margin)
}

/// The lines built so far.
struct WrappedText {
    width: usize,
    indent: usize,
    done: String,
    line: String,
}

impl WrappedText {
    /// Adds a word with the blanks before it.
    fn add(&mut self, blanks: &str, word: &str) {
        if self.line.width() + blanks.len() + word.width() <= self.width {
            self.line += &format!("{blanks}{word}");
            return;
        }
        let pieces = if word.width() > MAX_UNBROKEN_WIDTH { break_points(word) } else { vec![word] };
        for (index, piece) in pieces.iter().enumerate() {
            let blanks = if index == 0 { blanks } else { "" };
            if self.line.width() + blanks.len() + piece.width() <= self.width || self.line.trim().is_empty() {
                self.line += &format!("{blanks}{piece}");
            } else {
                self.done += &format!("{}\n", self.line.trim_end());
                self.line = format!("{}{piece}", " ".repeat(self.indent));
            }
        }
    }
}

/// Splits a word without blanks where Chinese text may be broken.
fn break_points(word: &str) -> Vec<&str> {
    const CLOSES: &str = "，。、；：？！）」』”’》】］…％·～,.;:?!)]%'`\"";
    const OPENS: &str = "（「『“‘《【［([`'\"";
    let is_wide = |letter: char| letter.width() == Some(2);
    let (mut found, mut begin, mut before) = (Vec::new(), 0, None);
    for (at, letter) in word.char_indices() {
        let may_break = before.is_some_and(|before| {
            (is_wide(before) || is_wide(letter)) && !CLOSES.contains(letter) && !OPENS.contains(before)
        });
        if may_break {
            found.push(&word[begin..at]);
            begin = at;
        }
        before = Some(letter);
    }
    found.push(&word[begin..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrap_breaks_between_words() {
        assert_eq!(wrap("one two three", 9), "one two\nthree");
        assert_eq!(wrap("one two three", 13), "one two three");
        assert_eq!(wrap("a\n\nb  c", 9), "a\n\nb  c");
        assert_eq!(wrap("FEN rnbakabnr/9/1c5c1 w", 12), "FEN\nrnbakabnr/9/1c5c1\nw", "long words stay whole");
    }

    #[test]
    fn wrap_keeps_columns_and_margins() {
        assert_eq!(wrap("  undo   take your last move back", 24), "  undo   take your last\n         move back");
        assert_eq!(wrap("  one two three four", 12), "  one two\n    three\n    four");
    }

    #[test]
    fn wrap_breaks_chinese_except_before_full_stops_and_within_moves() {
        assert_eq!(wrap("没有可以悔的着法了。", 18), "没有可以悔的着法\n了。");
        assert_eq!(wrap("没有可以悔的着法。", 16), "没有可以悔的着\n法。");
        assert_eq!(wrap("提示：炮二平五 马８进７", 20), "提示：炮二平五\n马８进７");
    }

    #[test]
    fn wrap_never_exceeds_the_width() {
        let text =
            "您执红方，楚河以 8 级棋力应对。着法可写作 炮二平五、C2=5、h2e2 或 H2-E2；输入 `help` 查看其余命令。";
        for width in 12..120 {
            let wrapped = wrap(text, width);
            assert!(wrapped.lines().all(|line| line.width() <= width), "{width}: {wrapped}");
            let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
            assert_eq!(letters(&wrapped), letters(text));
        }
    }

    #[test]
    fn truncate_marks_the_cut() {
        assert_eq!((truncate("楚河汉界", 8).as_str(), truncate("楚河汉界", 7).as_str()), ("楚河汉界", "楚河汉…"));
        assert_eq!((pad_right("楚", 4), pad_left("楚", 4)), ("楚  ".to_string(), "  楚".to_string()));
    }
}
