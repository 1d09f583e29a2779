//! How long moves took, as comments of PGN say it: `[%emt 0:00:07]` is the time of a move, `[%clk 0:04:53]` what is left
//! on the clock after it, `+0.35/12 1.25s` what matches of programs write. They stay in the comments; here they are read.
//!
//! ```
//! use xiangqi_record::{move_times, pgn};
//!
//! let text = "[TimeControl \"300+5\"]\n\n1. H2-E2 {[%clk 0:05:01]} H9-G7 {well [%emt 0:00:12]} *\n";
//! let game = pgn::read(text).remove(0)?;
//! let times = move_times::of_game(&game);
//! let seconds: Vec<_> = game.main_line().map(|id| times.of(id).map(|time| time.as_secs())).collect();
//! assert_eq!(seconds, [Some(4), Some(12)]);
//! assert_eq!(move_times::divide("well [%emt 0:00:12]"), ("well".to_string(), "[%emt 0:00:12]".to_string()));
//! # Ok::<(), xiangqi_record::RecordError>(())
//! ```

use super::game::{Game, NodeId};
use std::time::Duration;

/// The longest time that is believed: a week.
const MAX_SECONDS: f64 = 604_800.0;

/// A comment in two: its text, and the commands in it that tell of time, as they stand there.
pub fn divide(comment: &str) -> (String, String) {
    let (mut text, mut commands, mut rest) = (String::new(), String::new(), comment);
    while let Some((before, command, after)) = next_command(rest) {
        join(&mut text, before.trim());
        join(&mut commands, command);
        rest = after;
    }
    // What has no commands stays as it is.
    if commands.is_empty() {
        return (comment.to_string(), commands);
    }
    join(&mut text, rest.trim());
    (text, commands)
}

/// Appends a part, separated by a blank.
fn join(text: &mut String, part: &str) {
    if !text.is_empty() && !part.is_empty() {
        text.push(' ');
    }
    text.push_str(part);
}

/// The first command that tells of time, and what is before and behind it.
fn next_command(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let begin = from + text[from..].find("[%")?;
        let end = begin + text[begin..].find(']')? + 1;
        if command_value(&text[begin..end]).is_some() {
            return Some((&text[..begin], &text[begin..end], &text[end..]));
        }
        from = begin + 2;
    }
}

/// Whether a command tells the time on the clock, not that of the move, and its value.
fn command_value(command: &str) -> Option<(bool, &str)> {
    let (name, value) = command.strip_prefix("[%")?.strip_suffix(']')?.split_once(char::is_whitespace)?;
    let is_clock = name.eq_ignore_ascii_case("clk");
    (is_clock || name.eq_ignore_ascii_case("emt")).then_some((is_clock, value.trim()))
}

/// `1:02:03.5`, `2:03` or `3`.
fn parse_time(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for (index, part) in text.split(':').enumerate() {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let value: f64 = part.parse().ok().filter(|_| index < 3 && is_number)?;
        seconds = seconds * 60.0 + value;
    }
    (seconds <= MAX_SECONDS).then(|| Duration::from_secs_f64(seconds))
}

/// The command of a time, in whole seconds.
fn elapsed_command(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("[%emt {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// What a comment says: the time of the move, and that on the clock after it.
#[derive(Clone, Copy, Default)]
struct Noted {
    elapsed: Option<Duration>,
    clock: Option<Duration>,
}

impl Noted {
    fn read(comment: &str) -> Noted {
        let (mut noted, mut rest) = (Noted::default(), comment);
        while let Some((_, command, after)) = next_command(rest) {
            match command_value(command) {
                Some((true, value)) => noted.clock = parse_time(value).or(noted.clock),
                Some((false, value)) => noted.elapsed = parse_time(value).or(noted.elapsed),
                None => {}
            }
            rest = after;
        }
        noted.elapsed = noted.elapsed.or_else(|| time_of_match(comment));
        noted
    }
}

/// The time in the comment of a match of programs: `+0.35/12 1.25s`.
fn time_of_match(comment: &str) -> Option<Duration> {
    let mut words = comment.split_whitespace();
    let (score, depth) = words.next()?.split_once('/')?;
    let is_one = score.starts_with(['+', '-', '?', '0']) && depth.parse::<u32>().is_ok();
    parse_time(words.next().filter(|_| is_one)?.trim_end_matches(',').strip_suffix('s')?)
}

/// What a side has at first and gets with each move, and what is added later.
#[derive(Default)]
struct Control {
    base: Duration,
    increment: Duration,
    added: Option<Duration>,
}

impl Control {
    /// `300`, `300+5`, `40/7200:3600`.
    fn parse(text: &str) -> Option<Control> {
        let seconds = |text: &str| Some(text).filter(|text| !text.contains(':')).and_then(parse_time);
        let period = |text: &str| {
            let (moves, times) = text.split_once('/').map_or((None, text), |(moves, times)| (Some(moves), times));
            let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
            let is_counted = moves.is_none_or(|moves| moves.trim().parse::<u32>().is_ok());
            Some((moves.is_some(), seconds(base.trim())?, seconds(increment.trim()).filter(|_| is_counted)?))
        };
        let mut periods = text.split(':').map(period);
        let (returns, base, increment) = periods.next()??;
        let next = periods.next().flatten().map(|(_, base, _)| base);
        Some(Control { base, increment, added: next.or(returns.then_some(base)) })
    }

    /// The time of a move with this much before it, and this much on the clock after it.
    fn spent(&self, before: Duration, clock: Duration) -> Option<Duration> {
        let most = before + self.increment;
        let with_added = |added: Duration| (most + added).checked_sub(clock).filter(|spent| *spent <= most);
        most.checked_sub(clock).or_else(|| self.added.and_then(with_added))
    }
}

/// How long the moves of a game took.
#[derive(Clone, Debug)]
pub struct MoveTimes(Vec<Option<Duration>>);

impl MoveTimes {
    /// The time of a move, if it is known.
    pub fn of(&self, id: NodeId) -> Option<Duration> {
        self.0.get(id.index()).copied().flatten()
    }
}

/// What the comments of a game say of the time of its moves.
pub fn of_game(game: &Game) -> MoveTimes {
    let noted: Vec<Noted> = game.nodes().map(|id| Noted::read(&game[id].comment)).collect();
    let of_clocks = times_of_clocks(game, &noted);
    let time = |(index, noted): (usize, &Noted)| noted.elapsed.or_else(|| of_clocks.get(index).copied().flatten());
    MoveTimes(noted.iter().enumerate().map(time).collect())
}

/// The times that the clocks give, by the nodes of the game; empty if they give none.
fn times_of_clocks(game: &Game, noted: &[Noted]) -> Vec<Option<Duration>> {
    if noted.iter().all(|noted| noted.clock.is_none()) {
        return Vec::new();
    }
    let is_first = |id: NodeId| matches!(game[id].ply(), 1 | 2);
    let clock = |id: NodeId| noted[id.index()].clock;
    // A control that allows less than the first clocks show is another one, such as one in minutes.
    let fits = |control: &Control| {
        game.nodes().filter(|&id| is_first(id)).filter_map(clock).all(|clock| clock <= control.base + control.increment)
    };
    let control = game.tag("TimeControl").and_then(Control::parse).filter(fits);
    let is_known = control.is_some();
    let control = control.unwrap_or_default();
    let (mut times, mut rises) = (Vec::new(), false);
    for id in game.nodes() {
        let before = if is_first(id) {
            Some(control.base).filter(|_| is_known)
        } else {
            clock(game[game[id].parent()].parent())
        };
        let time = match (before, clock(id)) {
            // Many clocks do not run during the first move.
            (Some(before), Some(clock)) if is_first(id) && before == clock => Some(Duration::ZERO),
            (Some(before), Some(clock)) => {
                let time = control.spent(before, clock);
                rises |= time.is_none();
                time
            }
            _ => None,
        };
        times.push(time.filter(|_| id != NodeId::ROOT));
    }
    // Clocks that rise have an increment, which is not known without a control.
    if rises && !is_known { Vec::new() } else { times }
}

/// Writes times into the comments of moves whose comments do not say how long they took. Those of less than a second are left out.
pub fn note(game: &mut Game, times: &[(NodeId, Duration)]) {
    let there = of_game(game);
    for &(id, time) in times.iter().filter(|(id, time)| time.as_secs() > 0 && there.of(*id).is_none()) {
        let mut comment = elapsed_command(time);
        join(&mut comment, &game[id].comment);
        game[id].comment = comment;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;

    /// The seconds of the moves of a game whose clocks or times these are.
    fn seconds(control: &str, comments: &[&str]) -> Vec<Option<u64>> {
        let moves = ["H2-E2", "H9-G7", "H0-G2", "I9-H9", "I0-H0", "C6-C5"];
        let moves: Vec<String> =
            moves.iter().zip(comments).map(|(mv, comment)| format!("{mv} {{{comment}}}")).collect();
        let text = format!("[TimeControl \"{control}\"]\n\n1. {} *\n", moves.join(" "));
        let game = pgn::read(&text).remove(0).expect("a game");
        let times = of_game(&game);
        game.main_line().map(|id| times.of(id).map(|time| time.as_secs())).collect()
    }

    #[test]
    fn clocks_and_increments_give_times() {
        let clocks = ["[%clk 0:05:00]", "[%clk 0:04:58]", "[%clk 0:04:45]", "[%clk 0:05:03]", "[%CLK 4:50.0]"];
        assert_eq!(seconds("300+5", &clocks), [Some(0), Some(7), Some(20), Some(0), Some(0)]);
        // The same clocks without a control, and with one that cannot be meant.
        assert_eq!(seconds("?", &clocks), [None; 5], "a clock that rises");
        assert_eq!(seconds("5+3", &clocks), [None; 5]);
        let falling = ["[%clk 0:05:00]", "[%clk 0:04:58]", "[%clk 0:04:45]", "no clock", "[%clk 0:04:00]"];
        assert_eq!(seconds("-", &falling), [None, None, Some(15), None, Some(45)]);
    }

    #[test]
    fn time_that_is_added_after_some_moves_is_not_spent() {
        let clocks = ["[%clk 0:00:50]", "", "[%clk 1:00:40]", "", "[%clk 1:00:00]"];
        assert_eq!(seconds("2/60:3600", &clocks), [Some(10), None, Some(10), None, Some(40)]);
        assert_eq!(seconds("2/60", &["[%clk 0:50]", "", "[%clk 1:35]"]), [Some(10), None, Some(15)]);
    }

    #[test]
    fn damaged_times_are_none() {
        let bad = ["[%emt]", "[%emt -5]", "[%emt 1:2:3:4]", "[%emt 99999999999:00:00]", "[%clk NaN]", "[%emt 1e9]"];
        assert_eq!(seconds("300", &bad), [None; 6]);
        assert_eq!(seconds("", &["[%emt 7", "x [%csl Ge5] [%emt 1:05] y"]), [None, Some(65)]);
        assert_eq!(seconds("", &["+0.35/12 1.75s", "+M1/5 0.01s, mate", "10/12 3s"]), [Some(1), Some(0), None]);
    }

    #[test]
    fn comments_are_divided_and_keep_their_text() {
        let divided = |comment| divide(comment);
        let two = |text: &str, commands: &str| (text.to_string(), commands.to_string());
        assert_eq!(divided("a [%clk 0:01] b [%eval 1] [%emt 2]"), two("a b [%eval 1]", "[%clk 0:01] [%emt 2]"));
        assert_eq!(divided(" two\n lines [%x "), two(" two\n lines [%x ", ""));
    }

    #[test]
    fn times_that_are_noted_are_read_again() {
        let mut game = pgn::read("1. H2-E2 {a} H9-G7 {[%emt 0:00:03]} 2. H0-G2 *").remove(0).expect("a game");
        let sent = [Duration::from_secs(3725), Duration::from_secs(9), Duration::from_millis(999)];
        let times: Vec<(NodeId, Duration)> = game.main_line().zip(sent).collect();
        note(&mut game, &times);
        let written = pgn::write(&game, crate::notation::Notation::Iccs);
        assert!(written.contains("{[%emt 1:02:05] a}") && !written.contains("0:00:09"), "{written}");
        let again = pgn::read(&written).remove(0).expect("a game");
        let times = of_game(&again);
        let expected = [Some(3725), Some(3), None].map(|time| time.map(Duration::from_secs));
        assert_eq!(again.main_line().map(|id| times.of(id)).collect::<Vec<_>>(), expected);
    }
}
