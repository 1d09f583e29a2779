//! Sessions without threads: what they say while they think, without a clock, by the number of times that they ask.

use super::host::{count, word_after};
use chuhe::protocol::{HostSession, Input, InputSource};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The output so far.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    /// The lines since the last call.
    fn lines(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.0.lock().expect("one thread"));
        String::from_utf8(bytes).expect("UTF-8").lines().map(String::from).collect()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An input, and how many times it is asked for in vain before it comes. `None` is the end.
type Cue = (u32, Option<&'static str>);

/// Gives one input after the other.
#[derive(Clone, Default)]
struct Script(Arc<Mutex<Vec<Cue>>>);

impl InputSource for Script {
    fn next(&self) -> Option<Input> {
        let mut script = self.0.lock().expect("one thread");
        let (delay, text) = script.first_mut()?;
        if *delay > 0 {
            *delay -= 1;
            return None;
        }
        let input = text.map_or(Input::End, |text| Input::Bytes(text.into()));
        script.remove(0);
        Some(input)
    }

    fn wait(&self, _: Duration) {}
}

struct Conversation {
    session: HostSession,
    output: Output,
    script: Script,
}

impl Conversation {
    fn new(greeting: &str) -> Conversation {
        let (output, script) = (Output::default(), Script::default());
        let session = HostSession::new(output.clone(), script.clone(), false).expect("memory");
        let mut talk = Conversation { session, output, script };
        talk.say(greeting);
        talk
    }

    /// Sends text; the lines of the answer.
    fn say(&mut self, text: &str) -> Vec<String> {
        assert!(self.session.handle(Input::Bytes(format!("{text}\n").into())), "{text}");
        self.output.lines()
    }

    /// The same, with these inputs while the engine thinks.
    fn say_with(&mut self, text: &str, script: &[Cue]) -> (Vec<String>, bool) {
        *self.script.0.lock().expect("one thread") = script.to_vec();
        let goes_on = self.session.handle(Input::Bytes(format!("{text}\n").into()));
        (self.output.lines(), goes_on)
    }

    fn unread(&self) -> usize {
        self.script.0.lock().expect("one thread").len()
    }
}

fn index_of(lines: &[String], word: &str) -> usize {
    lines.iter().position(|line| line.split_whitespace().next() == Some(word)).unwrap_or_else(|| panic!("{lines:#?}"))
}

#[test]
fn inline_session_answers_while_it_thinks_and_stops() {
    let mut talk = Conversation::new("uci");
    let (lines, goes_on) = talk.say_with(
        "go infinite",
        &[(20, Some("isready\n")), (5, Some("setoption name MultiPV value 2\nst")), (9, Some("op\n"))],
    );
    assert!(goes_on && index_of(&lines, "readyok") < index_of(&lines, "bestmove"));
    assert_eq!(count(&lines, "bestmove"), 1);
    assert!(talk.say("go depth 3").iter().any(|line| line.contains("multipv 2")), "set for the next search");
}

#[test]
fn inline_session_ends_a_search_for_a_line_that_needs_it() {
    let mut talk = Conversation::new("ucci\nsetoption usebook false");
    let script =
        [(3, Some("go infinite\n")), (4, Some("position startpos moves h2e2\ngo depth 2\n")), (0, Some("stop\n"))];
    let (lines, _) = talk.say_with("go infinite", &script);
    assert_eq!((count(&lines, "bestmove"), count(&lines, "nobestmove")), (3, 0), "{lines:#?}");
    let (lines, _) = talk.say_with("perft 7", &[(1, Some("stop\n"))]);
    assert_eq!(lines, ["info message perft: stopped"]);
}

#[test]
fn inline_session_waits_for_the_ponder_hit() {
    let mut talk = Conversation::new("uci\nposition startpos moves b0c2 b9c7");
    let (lines, _) = talk.say_with("go ponder depth 1", &[(50, Some("isready\n")), (50, Some("ponderhit\n"))]);
    assert!(index_of(&lines, "readyok") < index_of(&lines, "bestmove"), "{lines:#?}");
    let mut talk = Conversation::new("ucci\nposition startpos");
    let (lines, _) = talk.say_with("go ponder depth 1", &[(2, Some("ponderhit\n"))]);
    assert_eq!(count(&lines, "bestmove"), 1, "from the book: {lines:#?}");
}

#[test]
fn inline_session_in_batch_mode_reads_nothing_while_it_thinks() {
    let mut talk = Conversation::new("ucci\nsetoption usebook false\nsetoption batch true");
    let script = [(0, Some("stop\n"))];
    let (lines, _) = talk.say_with("go depth 6\nisready", &script);
    assert_eq!(talk.unread(), 1);
    assert!(index_of(&lines, "bestmove") < index_of(&lines, "readyok"));
    let (lines, _) = talk.say_with("go ponder depth 6", &[(0, Some("ponderhit\n")), (0, Some("stop\n"))]);
    assert_eq!((talk.unread(), count(&lines, "bestmove")), (1, 1), "{lines:#?}");
}

#[test]
fn inline_session_finishes_a_limited_search_at_the_end_of_the_input() {
    for (go, depth) in [("go depth 7", Some("7")), ("go infinite", None)] {
        let mut talk = Conversation::new("uci");
        let (lines, goes_on) = talk.say_with(go, &[(1, None)]);
        assert!(!goes_on && count(&lines, "bestmove") == 1, "{lines:#?}");
        let last = lines.iter().rev().find(|line| line.contains(" pv ")).expect("a line");
        assert!(depth.is_none() || word_after(last, "depth") == depth, "{last}");
        assert!(!talk.session.handle(Input::Bytes(b"isready\n".to_vec())), "it is over");
    }
    let mut talk = Conversation::new("ucci");
    let (lines, goes_on) = talk.say_with("go infinite", &[(5, Some("quit\n"))]);
    assert!(!goes_on && index_of(&lines, "bestmove") < index_of(&lines, "bye"));
}

#[test]
fn inline_session_searches_as_one_with_a_thread_does() {
    let text = "uci\nposition startpos moves h2e2 h9g7\ngo depth 8";
    let inline = Conversation::new("").say(text);
    let threaded = super::host::script(format!("{text}\n").as_bytes());
    let best = |lines: &[String]| lines.iter().find(|line| line.starts_with("bestmove")).cloned();
    let nodes = |lines: &[String]| {
        let last = lines.iter().rev().find_map(|line| word_after(line, "nodes"));
        last.map(String::from)
    };
    let threaded: Vec<String> = threaded.lines().map(String::from).collect();
    assert_eq!((best(&inline), nodes(&inline)), (best(&threaded), nodes(&threaded)));
    assert!(best(&inline).is_some() && nodes(&inline).is_some());
}
