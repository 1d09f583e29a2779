//! A user who types into the session that is meant for hosts.

use super::terminal::Person;
use crate::common::command;

fn session() -> Person {
    Person::start(command(&[]).env("NO_COLOR", "1").env("TERM", "xterm"))
}

#[test]
fn session_greets_a_user_and_names_the_play_command() {
    let mut person = session();
    person.sees("Chuhe 楚河 ").sees("`chuhe play` plays a game");
    person.types("炮二平五\n").sees("unknown command").sees("`chuhe play` plays a game");
    person.types("d\n").sees("side: red to move");
    person.types("go depth 2\n").sees("bestmove ").types("q\n").sees("bye");
    assert!(person.ends().success());
}

#[test]
fn session_uses_the_language_of_the_user() {
    let mut person = Person::start(command(&[]).env("LC_ALL", "zh_CN.UTF-8").env("TERM", "xterm"));
    person.sees("等待 UCCI 或 UCI 命令");
    person.types("炮二平五\n").sees("info message 没有“炮二平五”这个命令（`help` 列出命令");
    person.types("go depth x\n").sees("info message go 无效：");
    person.types("help\n").sees("两种协议的命令").sees("  ucci | uci").sees("思考到 stop 为止");
    // The option takes precedence.
    person.types("setoption language zh-utf8\nxyzzy\n").sees("没有“xyzzy”这个命令");
    person.types("q\n").sees("bye");
    assert!(person.ends().success());
}

#[test]
fn session_names_a_mistyped_option() {
    let mut person = session();
    person.types("setoption hahsize 64\n").sees("there is no option 'hahsize'; did you mean hashsize?");
    person.types("uci\n").sees("uciok").types("setoption name Thread value 2\n").sees("did you mean Threads?");
    person.types("setoption name xyzzy value 1\n").sees("there is no option 'xyzzy'");
    person.types("quit\n");
    assert!(person.ends().success());
}
