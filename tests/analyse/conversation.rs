//! `chuhe analyse --stdin`: queries that wait, end and hurry, and bad input. `transcripts::analyse` has the rest.

use crate::common::{answered, command, stderr, stdout};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

const WORDS: [&str; 4] = ["analyse", "--stdin", "--hash", "1"];

/// All lines of output for this input; the exit code says whether there is an error among them.
fn said(words: &[&str], input: &[u8]) -> Vec<Value> {
    let output = answered(&mut command(&[&WORDS[..], words].concat()), input);
    let said: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let code = i32::from(said.iter().any(is_error));
    assert!(output.status.code() == Some(code) && stderr(&output).is_empty(), "{}", stderr(&output));
    said
}

fn is_error(line: &Value) -> bool {
    !line["error"].is_null()
}

fn lines(queries: &[Value]) -> Vec<u8> {
    queries.iter().map(|query| format!("{query}\n")).collect::<String>().into_bytes()
}

fn of_id(said: &[Value], id: impl Into<Value>) -> Vec<&Value> {
    let id = id.into();
    said.iter().filter(|line| line["id"] == id).collect()
}

/// A script that waits for particular answers.
struct Script {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// An error has been heard.
    failed: bool,
}

impl Script {
    fn new(words: &[&str]) -> Script {
        let mut command = command(&[&WORDS[..], words].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("chuhe runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Script { input: child.stdin.take(), child, output, failed: false }
    }

    fn say(&mut self, query: &Value) {
        let line = format!("{query}\n");
        self.input.as_mut().expect("open").write_all(line.as_bytes()).expect("it listens");
    }

    /// Reads up to the next line that satisfies this.
    fn hear(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("text"), 0, "it says no more");
            let value: Value = serde_json::from_str(&line).expect("JSON");
            self.failed |= is_error(&value);
            if wanted(&value) {
                return value;
            }
        }
    }

    fn end(mut self) -> Vec<Value> {
        drop(self.input.take());
        let rest = self.output.lines().map(|line| serde_json::from_str(&line.expect("text")).expect("JSON"));
        let rest: Vec<Value> = rest.collect();
        let code = i32::from(self.failed || rest.iter().any(is_error));
        assert_eq!(self.child.wait().expect("an end").code(), Some(code));
        rest
    }
}

#[test]
fn stdin_session_finishes_open_queries_at_end_of_input() {
    let queries: Vec<Value> =
        (0..40).map(|id| json!({"id": id, "position": "startpos", "moves": "h2e2", "nodes": 300})).collect();
    let said = said(&["--threads", "3"], &lines(&queries));
    assert_eq!(said.len(), 40);
    for id in 0..40 {
        let answer = of_id(&said, id);
        assert!(answer.len() == 1 && answer[0]["final"] == true && answer[0]["complete"] == true, "{id}");
    }
}

#[test]
fn stdin_session_survives_hostile_input() {
    let deep = [vec![b'['; 100_000], b"\n".to_vec()].concat();
    let nested = format!("{{\"id\":{}1{}}}\n", "[".repeat(5000), "]".repeat(5000));
    let huge = [b"{\"id\":1,\"position\":\"".to_vec(), vec![b'x'; 5 << 20], b"\"}\n".to_vec()].concat();
    let many = format!("{{\"id\":2,\"moves\":\"{}\"}}\n", "h2e2 ".repeat(6000));
    let long_id = format!("{{\"id\":\"{}\"}}\n", "i".repeat(2000));
    let mut input = Vec::new();
    for piece in [
        &deep[..],
        nested.as_bytes(),
        &huge,
        many.as_bytes(),
        long_id.as_bytes(),
        b"\xff\xfe\x00{\n\xc3\x28\n\"\\ud800\"\n",
        b"{\"id\":3,\"position\":\"\xff\"}\n",
        b"\n  \r\n\t\n",
        b"null\ntrue\n0\n\"\"\n{}\n[]\n",
        b"\xef\xbb\xbf{\"id\":4,\"nodes\":50}\r\n",
        b"{\"id\":4,\"id\":5,\"nodes\":50}\n",
        b"{\"id\":6,\"nodes\":18446744073709551616}\n{\"id\":6,\"nodes\":50}\n",
        b"{\"id\":\"\xe6\xa5\x9a\\u0000\\n\",\"nodes\":50}\n",
        b"{\"id\":7,\"nodes\":50",
    ] {
        input.extend_from_slice(piece);
    }
    let said = said(&["--threads", "2"], &input);
    assert!(said.iter().any(|line| line["error"].as_str().is_some_and(|error| error.starts_with("longer than "))));
    assert!(said.iter().any(|line| line["error"] == "more than 5000 moves" && line["id"] == 2));
    for id in [json!(4), json!(6), json!("楚\u{0}\n")] {
        assert!(of_id(&said, id.clone()).iter().any(|line| line["final"] == true), "{id}");
    }
    assert!(
        said.iter()
            .any(|line| line["id"].is_null() && line["error"].as_str().is_some_and(|error| error.contains("EOF")))
    );
}

#[test]
fn queries_are_cancelled_by_id_and_acknowledged() {
    let mut script = Script::new(&["--threads", "1", "--every", "0.001"]);
    script.say(&json!({"id": "running", "infinite": true}));
    let first = script.hear(|line| line["id"] == "running");
    assert_eq!((&first["final"], &first["complete"]), (&json!(false), &json!(false)));
    script.say(&json!({"id": "waiting", "infinite": true, "moves": "h2e2 h9g7", "plies": "all"}));
    script.say(&json!({"id": "waiting"}));
    let twice = script.hear(|line| line["error"].is_string());
    assert_eq!((&twice["id"], &twice["field"]), (&json!("waiting"), &json!("id")));
    script.say(&json!({"id": "a", "action": "terminate", "terminate": "waiting"}));
    let heard = script.hear(|line| line["id"] == "a");
    assert_eq!(heard, json!({"id": "a", "action": "terminate", "terminate": "waiting", "found": true}));
    for _ in 0..3 {
        let answer = script.hear(|line| line["id"] == "waiting");
        assert_eq!(
            (&answer["final"], &answer["complete"], &answer["lines"]),
            (&json!(true), &json!(false), &json!([]))
        );
    }
    script.say(&json!({"id": "a", "action": "terminate", "terminate": "waiting"}));
    assert_eq!(script.hear(|line| line["id"] == "a")["found"], false);
    script.say(&json!({"id": "b", "action": "terminate", "terminate": "running"}));
    assert_eq!(script.hear(|line| line["id"] == "b")["found"], true);
    let last = script.hear(|line| line["id"] == "running" && line["final"] == true);
    assert!(last["complete"] == false && last["lines"].as_array().is_some_and(|lines| !lines.is_empty()));
    // The id is free again.
    script.say(&json!({"id": "running", "nodes": 50}));
    assert_eq!(script.hear(|line| line["id"] == "running" && line["final"] == true)["complete"], true);
    for id in 0..5 {
        script.say(&json!({"id": id, "infinite": true}));
    }
    script.say(&json!({"id": "all", "action": "terminate_all"}));
    script.hear(|line| line["id"] == "all");
    for _ in 0..5 {
        script.hear(|line| line["final"] == true);
    }
    script.say(&json!({"id": "v", "action": "version"}));
    assert!(script.hear(|line| line["id"] == "v")["version"].as_str().is_some_and(|text| text.starts_with("Chuhe ")));
    // An infinite query ends with the input.
    script.say(&json!({"id": "endless", "infinite": true}));
    script.hear(|line| line["id"] == "endless");
    let rest = script.end();
    assert_eq!(rest.iter().filter(|line| line["final"] == true).count(), 1);
}

#[test]
fn urgent_queries_are_answered_first() {
    let mut script = Script::new(&["--threads", "1", "--every", "0.001"]);
    script.say(&json!({"id": "busy", "infinite": true}));
    script.hear(|line| line["id"] == "busy");
    for (id, priority) in [("late", -1), ("middle", 0), ("soon", 9)] {
        script.say(&json!({"id": id, "priority": priority, "nodes": 50}));
    }
    script.say(&json!({"id": "t", "action": "terminate", "terminate": "busy"}));
    let order: Vec<Value> =
        script.end().into_iter().filter(|line| line["final"] == true).map(|line| line["id"].clone()).collect();
    assert_eq!(order, ["busy", "soon", "middle", "late"]);
}

#[test]
fn stdin_session_ends_when_the_script_closes_the_output() {
    let mut script = Script::new(&["--threads", "2", "--every", "0.001"]);
    script.say(&json!({"id": 1, "infinite": true}));
    script.hear(|line| line["id"] == 1);
    let Script { mut child, input, output, .. } = script;
    drop(output);
    assert!(child.wait().expect("an end").success());
    drop(input);
}
