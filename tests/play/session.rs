//! The session that hosts talk to, when a person types into it.

use super::terminal::Person;
use crate::common::command;

fn session() -> Person {
    Person::start(command(&[]).env("NO_COLOR", "1").env("TERM", "xterm"))
}

#[test]
fn a_person_is_greeted_and_sent_to_the_game() {
    let mut person = session();
    person.sees("Chuhe 楚河 ").sees("`chuhe play` plays a game");
    person.types("炮二平五\n").sees("unknown command").sees("`chuhe play` plays a game");
    person.types("d\n").sees("side: red to move");
    person.types("go depth 2\n").sees("bestmove ").types("q\n").sees("bye");
    assert!(person.ends().success());
}

#[test]
fn a_mistyped_option_is_named() {
    let mut person = session();
    person.types("setoption hahsize 64\n").sees("there is no option 'hahsize'; did you mean hashsize?");
    person
        .types("uci\n")
        .sees("uciok")
        .types("setoption name Thread value 2\n")
        .sees("did you mean Threads?");
    person.types("setoption name xyzzy value 1\n").sees("there is no option 'xyzzy'");
    person.types("quit\n");
    assert!(person.ends().success());
}
