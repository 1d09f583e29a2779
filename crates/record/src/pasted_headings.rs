//! Lines of pasted texts that tell about a game: `红方: 甲`, several on a line, and titles such as `甲 先胜 乙`.

use super::move_words::is_numeral;

/// Headings of lines with game information, and their tags.
const TAG_HEADINGS: [(&str, &[&str]); 16] = [
    ("Title", &["标题", "棋局", "题目", "名称", "棋谱", "棋谱名称", "title"]),
    ("Event", &["赛事", "赛事名称", "比赛", "比赛名称", "event"]),
    ("Date", &["日期", "比赛日期", "时间", "比赛时间", "date"]),
    ("Site", &["地点", "比赛地点", "site"]),
    ("Round", &["轮次", "round"]),
    ("Red", &["红方", "红先", "红方姓名", "red", "white"]),
    ("Black", &["黑方", "黑后", "黑方姓名", "black"]),
    ("RedTeam", &["红方团队", "红队", "红方单位"]),
    ("BlackTeam", &["黑方团队", "黑队", "黑方单位"]),
    ("Result", &["结果", "对局结果", "棋局结果", "比赛结果", "胜负", "result"]),
    ("Opening", &["开局", "布局", "opening"]),
    ("Annotator", &["评注", "评注者", "讲评", "评论员"]),
    ("Author", &["作者", "记录", "记录员"]),
    ("Type", &["类型", "棋局类型"]),
    ("TimeRule", &["用时规则", "用时", "时间规则"]),
    ("FEN", &["fen", "初始局面", "开局局面", "局面"]),
];

/// The longest heading with what stands around it, in bytes.
const MAX_HEADING: usize = 64;
/// The longest name of a player in a title, in letters.
const MAX_NAME: usize = 12;
/// What stands between the players of a title, from the first player's side.
const BETWEEN: [(&str, &str); 6] = [
    ("红先胜", "1-0"),
    ("红先负", "0-1"),
    ("红先和", "1/2-1/2"),
    ("先胜", "1-0"),
    ("先负", "0-1"),
    ("先和", "1/2-1/2"),
];

/// The tag that a heading names.
pub(crate) fn tag_of(name: &str) -> Option<&'static str> {
    if name.len() > MAX_HEADING {
        return None;
    }
    let name: String =
        name.trim().trim_matches(['【', '】', '[', ']', '「', '」']).chars().map(to_simplified).collect();
    let name = name.to_lowercase();
    TAG_HEADINGS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(tag, _)| *tag)
}

/// The tags and values of a line; none if it has moves or tells something else.
pub(crate) fn headings(line: &str) -> Vec<(&'static str, String)> {
    if has_moves(line) {
        return Vec::new();
    }
    let labelled = labelled(line);
    if labelled.is_empty() { title(line).unwrap_or_default() } else { labelled }
}

/// What stands behind headings with colons. What is before the first one is the title, as in `第一局  红方：甲`.
fn labelled(line: &str) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&'static str, String)> = Vec::new();
    // Where the value begins that belongs to the last heading.
    let mut value_at = 0;
    for (colon, text) in line.match_indices(['：', ':']) {
        let before = &line[value_at..colon];
        let is_boundary = |letter: char| letter.is_whitespace() || "，；、,;|".contains(letter);
        // A boundary that is farther away makes no heading.
        let near = (before.len().saturating_sub(MAX_HEADING)..).find(|&at| before.is_char_boundary(at)).unwrap_or(0);
        let boundary = before[near..].rfind(is_boundary).map(|at| near + at);
        let name_at = boundary.map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
        // The first heading may have blanks inside; behind other text only Chinese ones count.
        let whole = found.is_empty().then(|| tag_of(before)).flatten();
        let part = tag_of(&before[name_at..]).filter(|_| !before[name_at..].is_ascii());
        let Some((tag, name_at)) = whole.map(|tag| (tag, 0)).or(part.map(|tag| (tag, name_at))) else { continue };
        let text_before = trimmed(&before[..name_at]);
        match found.last_mut() {
            Some((_, value)) => *value = text_before,
            None if text_before.chars().count() > 2 * MAX_NAME => return Vec::new(),
            None if !text_before.is_empty() => found.push(("Title", text_before)),
            None => {}
        }
        found.push((tag, String::new()));
        value_at = colon + text.len();
        // A FEN and a comment may have colons.
        if tag == "FEN" {
            break;
        }
    }
    if let Some((_, value)) = found.last_mut() {
        *value = trimmed(&line[value_at..]);
    }
    found
}

fn trimmed(text: &str) -> String {
    text.trim_matches(|letter: char| letter.is_whitespace() || "，；、,;|".contains(letter))
        .trim_end_matches(']')
        .to_string()
}

/// The players and the result of a title such as `某赛 甲 先胜 乙`; the event stands before the first player.
fn title(line: &str) -> Option<Vec<(&'static str, String)>> {
    // It stands in all that may be between the players.
    if !line.contains('先') {
        return None;
    }
    let plain: String = line.chars().map(to_simplified).collect();
    let (word, result) = BETWEEN.into_iter().find(|(word, _)| plain.matches(word).count() == 1)?;
    let (first, second) = plain.split_once(word)?;
    // Letters become letters, so lengths in letters are those of the line.
    let letters: Vec<char> = line.chars().collect();
    let (first_length, word_length) = (first.chars().count(), word.chars().count());
    let is_between = |letter: char| letter.is_whitespace() || "（）()[]【】《》-—".contains(letter);
    let part = |letters: &[char]| letters.iter().collect::<String>().trim_matches(is_between).to_string();
    let (before, black) = (part(&letters[..first_length]), part(&letters[first_length + word_length..]));
    let (event, red) =
        before.rsplit_once(char::is_whitespace).map_or(("", before.as_str()), |(event, red)| (event.trim(), red));
    let is_name = |name: &str| {
        let is_part = |letter: char| letter.is_alphabetic() || " ·.-".contains(letter);
        (1..=MAX_NAME).contains(&name.chars().count()) && name.chars().all(is_part)
    };
    if !is_name(red) || !is_name(&black) || second.is_empty() {
        return None;
    }
    let tags =
        [("Event", event.to_string()), ("Red", red.to_string()), ("Black", black), ("Result", result.to_string())];
    Some(tags.into_iter().filter(|(_, value)| !value.is_empty()).collect())
}

/// Whether a line has a move in Chinese.
fn has_moves(line: &str) -> bool {
    let directions = line.match_indices(['进', '進', '退', '平']);
    directions.into_iter().any(|(at, word)| line[at + word.len()..].starts_with(is_numeral))
}

/// Converts the characters of headings to simplified script.
fn to_simplified(letter: char) -> char {
    const PAIRS: &str = "標标題题賽赛紅红結结開开時时間间點点輪轮評评註注講讲論论團团隊队類类規规則则記记錄录員员勝胜負负單单譜谱稱称對对";
    let mut letters = PAIRS.chars();
    while let (Some(from), Some(to)) = (letters.next(), letters.next()) {
        if from == letter {
            return to;
        }
    }
    letter
}
