//! A system that starts no thread: each command does its work on the threads that run, or says why it cannot.
#![cfg(target_os = "linux")]

use crate::common::{CHUHE, Folder, refusal, success};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

/// Somebody with few rights: the limit does not hold for the superuser.
const NOBODY: &str = "65534";

/// Runs the program in a folder for everybody, where no thread can be started. `None` if that cannot be arranged.
fn without_threads(folder: &Folder, words: &[&str]) -> Option<Output> {
    let everybody = |path| fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("a mode");
    let program = folder.path("chuhe");
    if !program.exists() {
        fs::copy(CHUHE, &program).expect("a copy");
        everybody(program.clone());
    }
    everybody(folder.root().to_path_buf());
    let limited = |processes: &str, words: &[&OsStr]| {
        let as_nobody = ["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "prlimit", processes, "--"];
        let mut command = Command::new("setpriv");
        command.args(as_nobody).args(words).current_dir(folder.root());
        command.env("LC_ALL", "C").env("HOME", folder.root()).output()
    };
    let forks = |processes: &str| {
        let probe = limited(processes, &["sh", "-c", "(true)"].map(OsStr::new));
        probe.is_ok_and(|output| output.status.success())
    };
    let is_possible = forks("--nproc=64") && !forks("--nproc=1");
    if !is_possible {
        println!("NOT RUN: only the superuser can become somebody with a limit");
    }
    let words: Vec<&OsStr> = [program.as_os_str()].into_iter().chain(words.iter().map(OsStr::new)).collect();
    is_possible.then(|| limited("--nproc=1", &words).expect("it runs"))
}

#[test]
fn perft_counts_on_the_thread_that_runs() {
    let folder = Folder::new();
    let Some(perft) = without_threads(&folder, &["perft", "3", "--threads", "4", "--plain"]) else { return };
    assert!(success(&perft).contains("79666"), "{perft:?}");
}

#[test]
fn commands_that_need_a_thread_say_that_there_is_none() {
    let folder = Folder::new();
    folder.write("game.txt", "startpos moves h2e2 h9g7");
    folder.write("problems.txt", "5c1N1/3ka4/9/9/9/9/p8/9/4r4/5K3 b - - 0 1\n");
    for words in [
        &["review", "game.txt", "--nodes", "100"][..],
        &["mates", "check", "problems.txt", "--nodes", "1000"],
        &["board", "--no-open"],
        &["book", "make", "--out", "made.book", "--positions", "2"],
        &["learn", "play", "--out", "games", "--games", "2", "--nodes", "100"],
        &["arena", "--engine", "name=a,cmd=./chuhe", "--engine", "name=b,cmd=./chuhe", "--nodes", "10", "--games", "2"],
    ] {
        let Some(output) = without_threads(&folder, words) else { return };
        let told = refusal(&output);
        assert!(told.contains("cannot start a thread"), "{words:?}: {told}");
        assert!(!told.contains("panicked") && !told.contains("cannot write"), "{words:?}: {told}");
    }
}
