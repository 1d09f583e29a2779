//! The habits of cutechess-cli and fastchess: their options, written with one dash and with a blank between the keys, are
//! turned into those of `chuhe arena`, so that a known command line works. What has no equivalent keeps its name, and is
//! refused by it.

use chuhe_lab::arena::parse::EngineSpecBuilder;
use chuhe_support::language::{print_error, tr};
use std::ffi::OsString;
use thiserror::Error;

/// Options of theirs with a value that have another name here.
const RENAMED: [(&str, &str); 2] = [("srand", "seed"), ("maxmoves", "max-moves")];
/// Options of theirs that may have these words, and say this. What is always so here says nothing: openings are played
/// twice, the standings are by pairs and shown after each game.
const FLAGS: [(&str, &str, Option<&str>); 5] = [
    ("repeat", "2", None),
    ("report", "penta=true", None),
    ("variant", "xiangqi", None),
    ("noswap", "", Some("--no-swap")),
    ("recover", "", Some("--tolerate-faults")),
];
/// Levels of a log, theirs and ours.
const LOG_LEVELS: [(&str, &str); 6] =
    [("trace", "trace"), ("info", "info"), ("warn", "warn"), ("err", "error"), ("error", "error"), ("fatal", "error")];
/// Notations of a record, theirs and ours.
const NOTATIONS: [(&str, &str); 3] = [("uci", "UCI"), ("lan", "ICCS"), ("san", "WXF")];

/// What their records can have and ours do not.
const PGN_EXTRAS: &str = "append fi hashfull latency min nodes nps pv seldepth tbhits timeleft track_nodes";

/// The words of a command line with their spelling replaced by ours; unchanged if it is not one of `arena`.
pub fn with_peer_spelling(words: Vec<OsString>) -> Result<Vec<OsString>, PeerSpellingError> {
    let texts: Option<Vec<String>> = words.iter().map(|word| word.to_str().map(String::from)).collect();
    let Some((texts, start)) = texts.and_then(|texts| {
        let start = texts.iter().position(|word| word == "arena")?;
        // Only global options and their values may stand before the subcommand.
        let before = &texts[1..start.max(1)];
        let is_global = |(index, word): (usize, &String)| {
            word.starts_with("--") || index > 0 && before[index - 1].starts_with("--")
        };
        before.iter().enumerate().all(is_global).then_some((texts.clone(), start + 1))
    }) else {
        return Ok(words);
    };
    let options = options(&texts[start..]);
    let is_peculiar = |option: &PeerOption| {
        option.is_theirs || ["sprt", "engine", "each"].contains(&option.name.as_str()) && option.words.len() > 1
    };
    if !options.iter().any(is_peculiar) && !options.iter().any(|option| option.name == "each") {
        return Ok(words);
    }
    let mut translated: Vec<String> = texts[..start].to_vec();
    // Words before the first option belong to none.
    translated.extend(texts[start..].iter().take_while(|word| option_name(word).is_none()).cloned());
    let each: Vec<String> =
        options.iter().filter(|option| option.name == "each").flat_map(|option| option.words.clone()).collect();
    for option in &options {
        translate(option, &options, &each, &mut translated)?;
    }
    if let Some(margin) = time_margin(&options, &each)? {
        translated.extend([String::from("--margin"), margin]);
    }
    Ok(translated.into_iter().map(OsString::from).collect())
}

/// The margin of all engines, which here is one of the match.
fn time_margin(options: &[PeerOption], each: &[String]) -> Result<Option<String>, PeerSpellingError> {
    let of_each = each.iter().find_map(|word| word.strip_prefix("timemargin="));
    let engines = options.iter().filter(|option| option.name == "engine");
    let mut margins = engines.map(|engine| engine.key("timemargin").or(of_each));
    let Some(first) = margins.next() else { return Ok(None) };
    if margins.any(|margin| margin != first) {
        Err(PeerSpellingError::TimeMargins)
    } else {
        Ok(first.map(String::from))
    }
}

/// Adds an option in our spelling. A word that would be lost is an error.
fn translate(
    option: &PeerOption,
    all: &[PeerOption],
    each: &[String],
    words: &mut Vec<String>,
) -> Result<(), PeerSpellingError> {
    if option.is_theirs
        && let Some((_, known, flag)) = FLAGS.iter().find(|(theirs, ..)| *theirs == option.name)
    {
        words.extend(flag.map(String::from));
        return option.accept_only(known);
    }
    let mut add = |name, value: &str| add(words, name, value);
    match option.name.as_str() {
        "engine" => add("engine", &engine(option, each)?),
        "each" => {}
        "sprt" => add("sprt", &option.joined(&[], &[])),
        "draw" => add("draw", &option.joined(&[("movenumber", "from"), ("movecount", "moves")], &[])),
        "resign" => {
            // Here the scores of both engines must say so.
            option.accept_only("movecount score moves twosided=true")?;
            add("resign", &option.joined(&[("movecount", "moves")], &["twosided"]));
        }
        _ if !option.is_theirs => {
            words.push(format!("--{}", option.name));
            words.extend(option.words.iter().cloned());
        }
        "rounds" => match games_of_rounds(option, all) {
            Some(total) => add("games", &total.to_string()),
            None => words.push(String::from("--rounds")),
        },
        "games" if all.iter().any(|other| other.name == "rounds") => {}
        "openings" => openings(option, words)?,
        "pgnout" => record(option, words)?,
        "log" => log(option, words)?,
        "tournament" => {
            option.accept_only("gauntlet roundrobin round-robin")?;
            if option.words.iter().any(|kind| kind == "gauntlet") {
                words.push(String::from("--gauntlet"));
            }
        }
        "ratinginterval" | "scoreinterval" if option.words.iter().all(|word| word.parse::<u32>().is_ok()) => {
            if option.words.iter().any(|word| word != "1") {
                print_error(|| tr!("-{option} is not used: the standings follow every game", option = option.name));
            }
        }
        "config" => return Err(option.refuse(option.words.first().map_or("", String::as_str))),
        name => {
            let ours = RENAMED.iter().find(|(theirs, _)| *theirs == name).map_or(name, |(_, ours)| ours);
            words.push(format!("--{ours}"));
            words.extend(option.words.iter().cloned());
        }
    }
    Ok(())
}

/// How many games rounds are: twice the opening if nothing else is said.
fn games_of_rounds(option: &PeerOption, all: &[PeerOption]) -> Option<u32> {
    let games = all.iter().find(|other| other.name == "games").and_then(|games| games.words.first()?.parse().ok());
    Some(option.words.first()?.parse::<u32>().ok()?.saturating_mul(games.unwrap_or(2)))
}

fn add(words: &mut Vec<String>, name: &str, value: &str) {
    words.extend([format!("--{name}"), value.to_string()]);
}

fn of_table(table: &[(&str, &'static str)], value: &str) -> Option<&'static str> {
    table.iter().find(|(theirs, _)| value.eq_ignore_ascii_case(theirs)).map(|(_, ours)| *ours)
}

fn openings(option: &PeerOption, words: &mut Vec<String>) -> Result<(), PeerSpellingError> {
    // The format of a file is seen from its contents.
    option.accept_only(
        "file plies start order=random order=sequential format=epd format=pgn format=fen policy=default policy=round",
    )?;
    for (theirs, ours) in [("file", "openings"), ("plies", "plies"), ("start", "first-opening")] {
        if let Some(value) = option.key(theirs) {
            add(words, ours, value);
        }
    }
    if option.key("order") == Some("random") {
        words.push(String::from("--shuffle"));
    }
    Ok(())
}

fn record(option: &PeerOption, words: &mut Vec<String>) -> Result<(), PeerSpellingError> {
    let plain = option.words.first().map(String::as_str).filter(|word| !word.contains('='));
    let file = option.key("file").or(plain).unwrap_or_default();
    for word in option.words.iter().filter(|word| *word != file) {
        match word.split_once('=') {
            Some(("file", _)) => {}
            Some((word, "false")) if PGN_EXTRAS.split_whitespace().any(|extra| extra == word) => {}
            Some(("notation", notation)) => {
                add(words, "notation", of_table(&NOTATIONS, notation).ok_or_else(|| option.refuse(word))?)
            }
            _ => return Err(option.refuse(word)),
        }
    }
    add(words, "pgn", file);
    Ok(())
}

fn log(option: &PeerOption, words: &mut Vec<String>) -> Result<(), PeerSpellingError> {
    // The conversation with the engines is logged by --traffic.
    for word in &option.words {
        match word.split_once('=') {
            Some(("file", file)) => add(words, "log", file),
            Some(("level", level)) => {
                add(words, "log-level", of_table(&LOG_LEVELS, level).ok_or_else(|| option.refuse(word))?)
            }
            Some(("append" | "realtime", "true")) | Some(("engine" | "compress", "false")) => {}
            _ => return Err(option.refuse(word)),
        }
    }
    Ok(())
}

/// The keys of an engine, with those of `-each` that it does not have itself.
fn engine(option: &PeerOption, each: &[String]) -> Result<String, PeerSpellingError> {
    let key = |word: &str| word.split_once('=').map(|(key, _)| key.to_string());
    let limits = ["tc", "st", "movetime", "nodes", "depth"];
    let own: Vec<String> = match &option.words[..] {
        [word] if !option.is_theirs => word.split(',').filter_map(key).collect(),
        words => words.iter().filter_map(|word| key(word)).collect(),
    };
    let has_limit = own.iter().any(|key| limits.contains(&key.as_str()));
    let is_missing = |word: &&String| {
        key(word).is_none_or(|key| !(own.contains(&key) || has_limit && limits.contains(&key.as_str())))
    };
    let own_words = if option.is_theirs || option.words.len() != 1 { &option.words[..] } else { &[] };
    let mut all: Vec<String> = own_words.iter().chain(each.iter().filter(is_missing)).cloned().collect();
    // Engines are started anew for each game.
    let is_usual = |word: &String| ["restart=on", "restart=auto"].contains(&word.as_str());
    all.retain(|word| !is_usual(word) && !word.starts_with("timemargin="));
    let written_in = |word: &String| if each.contains(word) { String::from("each") } else { option.name.clone() };
    let mut words = Vec::new();
    let has_work_limit = all.iter().any(|word| word.starts_with("nodes=") || word.starts_with("depth="));
    for word in all {
        match word.split_once('=') {
            // No clock: what else limits a move does.
            Some(("tc", "inf" | "infinite")) if has_work_limit => {}
            Some(("tc", "inf" | "infinite")) => {
                return Err(PeerSpellingError::Endless { option: written_in(&word), word });
            }
            // Seconds for each move.
            Some(("st", seconds)) if seconds.parse::<f64>().is_ok() => {
                words.push(format!("movetime={}", (1000.0 * seconds.parse::<f64>().unwrap_or_default()).round()));
            }
            Some(("args", arguments)) => words.extend(arguments.split_whitespace().map(|one| format!("arg={one}"))),
            Some(("restart" | "conf", _)) | None => return Err(option.refuse(&word)),
            Some((key, value)) => {
                // Named here, as the word was written; later it would be a part of ours.
                EngineSpecBuilder::default().set(key, value).map_err(|error| PeerSpellingError::Value {
                    option: written_in(&word),
                    word: word.clone(),
                    reason: error.to_string(),
                })?;
                words.push(word);
            }
        }
    }
    let joined = PeerOption { name: option.name.clone(), is_theirs: true, words }.joined(&[], &[]);
    Ok(match &option.words[..] {
        [word] if !option.is_theirs && joined.is_empty() => word.clone(),
        [word] if !option.is_theirs => format!("{word},{joined}"),
        _ => joined,
    })
}

/// A word of theirs that has no equivalent.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum PeerSpellingError {
    #[error("{}", tr!("-{option} {word} has no equivalent here", option, word))]
    Word { option: String, word: String },
    #[error("{}", tr!("-{option} {word}: {reason}", option, word, reason))]
    Value { option: String, word: String, reason: String },
    #[error("{}", tr!("-{option} {word} needs nodes= or depth= beside it: without them a game has no end", option, word))]
    Endless { option: String, word: String },
    #[error("{}", tr!("the engines have different timemargins: there is one for all (--margin)"))]
    TimeMargins,
}

/// An option with the words behind it.
struct PeerOption {
    name: String,
    /// Written with one dash, as theirs are.
    is_theirs: bool,
    words: Vec<String>,
}

impl PeerOption {
    /// The value of a key.
    fn key(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    fn refuse(&self, word: &str) -> PeerSpellingError {
        PeerSpellingError::Word { option: self.name.clone(), word: word.to_string() }
    }

    /// Refuses other words than these, with blanks between them, which are keys or whole words.
    fn accept_only(&self, known: &str) -> Result<(), PeerSpellingError> {
        let is_known = |word: &&String| {
            let key = word.split_once('=').map_or(word.as_str(), |(key, _)| key);
            known.split_whitespace().any(|known| known == *word || known == key)
        };
        self.words.iter().find(|word| !is_known(word)).map_or(Ok(()), |word| Err(self.refuse(word)))
    }

    /// The words as this program wants them: joined by commas, the keys renamed. A single word stays unchanged.
    fn joined(&self, renamed: &[(&str, &str)], dropped: &[&str]) -> String {
        let is_ours = self.words.len() == 1 && !self.is_theirs;
        let word = |word: &String| {
            let Some((key, value)) = word.split_once('=') else { return Some(word.clone()) };
            let key = renamed.iter().find(|(theirs, _)| *theirs == key).map_or(key, |(_, ours)| ours);
            (!dropped.contains(&key)).then(|| format!("{key}={}", value.replace(',', "\\,")))
        };
        match is_ours {
            true => self.words[0].clone(),
            false => self.words.iter().filter_map(word).collect::<Vec<_>>().join(","),
        }
    }
}

/// The name of an option, and whether it is written as theirs are.
fn option_name(word: &str) -> Option<(&str, bool)> {
    let is_name = |name: &str| name.len() > 1 && name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    match word.strip_prefix("--") {
        Some(name) => is_name(name).then_some((name, false)),
        None => word.strip_prefix('-').filter(|name| is_name(name)).map(|name| (name, true)),
    }
}

/// The options of a command line.
fn options(words: &[String]) -> Vec<PeerOption> {
    let mut options: Vec<PeerOption> = Vec::new();
    for word in words {
        match (option_name(word), options.last_mut()) {
            (Some((name, is_theirs)), _) => {
                options.push(PeerOption { name: name.to_string(), is_theirs, words: Vec::new() });
            }
            (None, Some(option)) => option.words.push(word.clone()),
            (None, None) => {}
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_support::language::Language;

    fn translated(line: &str) -> String {
        let words = with_peer_spelling(line.split(' ').map(OsString::from).collect()).expect("known words");
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    fn refused(line: &str) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        Language::ENGLISH.with(|| with_peer_spelling(words).expect_err(line).to_string())
    }

    #[test]
    fn game_without_a_clock_needs_another_limit() {
        assert_eq!(
            translated("chuhe arena -engine cmd=a -engine cmd=b -each tc=inf nodes=500 -games 2"),
            "chuhe arena --engine cmd=a,nodes=500 --engine cmd=b,nodes=500 --games 2"
        );
        let endless = refused("chuhe arena -engine cmd=a -engine cmd=b -each tc=inf -games 2");
        assert!(endless.starts_with("-each tc=inf needs nodes= or depth="), "{endless}");
    }

    #[test]
    fn bad_values_are_named_as_they_were_written() {
        let told = refused("chuhe arena -engine cmd=a tc=soon -engine cmd=b -games 2");
        assert!(told.starts_with("-engine tc=soon: ") && told.contains("10+0.1"), "{told}");
        let told = refused("chuhe arena -engine cmd=a -engine cmd=b -each proto=telnet -games 2");
        assert!(told.starts_with("-each proto=telnet: "), "{told}");
    }

    #[test]
    fn command_line_of_a_peer_becomes_one_of_ours() {
        assert_eq!(
            translated(
                "chuhe arena -engine cmd=./a name=A option.Hash=64 -engine cmd=./b name=B nodes=9 -each tc=10+0.1 proto=uci \
                 -rounds 50 -games 2 -repeat -concurrency 2 -openings file=o.epd format=epd order=random plies=8 \
                 -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -draw movenumber=40 movecount=8 score=10 \
                 -resign movecount=4 score=800 twosided=true -pgnout file=x.pgn -srand 7 -recover"
            ),
            "chuhe arena --engine cmd=./a,name=A,option.Hash=64,tc=10+0.1,proto=uci \
             --engine cmd=./b,name=B,nodes=9,proto=uci --games 100 --concurrency 2 --openings o.epd --plies 8 --shuffle \
             --sprt elo0=0,elo1=5,alpha=0.05,beta=0.05 --draw from=40,moves=8,score=10 --resign moves=4,score=800 \
             --pgn x.pgn --seed 7 --tolerate-faults"
        );
        assert_eq!(
            translated("chuhe arena -engine cmd=a -each st=0.5 -games 4"),
            "chuhe arena --engine cmd=a,movetime=500 --games 4"
        );
    }

    #[test]
    fn words_without_an_equivalent_are_refused_by_name() {
        let refused = |line: &str| {
            let words = format!("chuhe arena -engine cmd=a -engine cmd=b {line}");
            match with_peer_spelling(words.split(' ').map(OsString::from).collect()) {
                Err(PeerSpellingError::Word { option, word }) => format!("-{option} {word}"),
                other => format!("{other:?}"),
            }
        };
        for line in [
            "-openings policy=encounter",
            "-openings depth=3",
            "-repeat 4",
            "-variant fischerandom",
            "-tournament knockout",
            "-pgnout nodes=true",
            "-pgnout notation=figurine",
            "-resign twosided=false",
            "-report penta=false",
            "-log engine=true",
            "-log level=loud",
            "-noswap 1",
            "-config file=x.json",
        ] {
            assert_eq!(refused(line), line);
        }
        assert_eq!(refused("-each restart=off"), "-engine restart=off");
        assert_eq!(refused("-each ponder"), "-engine ponder");
        let margins = "chuhe arena -engine cmd=a timemargin=5 -engine cmd=b timemargin=6";
        let margins = with_peer_spelling(margins.split(' ').map(OsString::from).collect());
        assert_eq!(margins, Err(PeerSpellingError::TimeMargins));
    }

    #[test]
    fn other_words_of_peers_are_obeyed() {
        assert_eq!(
            translated(
                "chuhe arena -engine cmd=a args=-x restart=on -engine cmd=b -each tc=1+0.01 timemargin=99 -noswap \
                 -openings file=o.pgn start=7 policy=round -report penta=true -log file=l.txt level=err realtime=true \
                 -pgnout file=x.pgn notation=san nodes=false -ratinginterval 10 -sprt elo0=0 elo1=2 model=normalized"
            ),
            "chuhe arena --engine cmd=a,arg=-x,tc=1+0.01 --engine cmd=b,tc=1+0.01 --no-swap --openings o.pgn \
             --first-opening 7 --log l.txt --log-level error --notation WXF --pgn x.pgn \
             --sprt elo0=0,elo1=2,model=normalized --margin 99"
        );
    }

    #[test]
    fn keys_apart_and_each_work_with_two_dashes() {
        assert_eq!(
            translated("chuhe arena --engine name=a,cmd=x --each nodes=9 --sprt elo0=0 elo1=5 --games 4"),
            "chuhe arena --engine name=a,cmd=x,nodes=9 --sprt elo0=0,elo1=5 --games 4"
        );
    }

    #[test]
    fn own_spelling_and_other_commands_are_left_alone() {
        for line in [
            "chuhe arena --engine name=a,cmd=x --engine name=b,cmd=y --sprt elo0=0,elo1=5 --merge 1.pgn 2.pgn",
            "chuhe show -engine cmd=a",
            "chuhe show arena -engine cmd=a",
            "chuhe",
        ] {
            assert_eq!(translated(line), line);
        }
        assert_eq!(translated("chuhe arena -use-affinity 3"), "chuhe arena --use-affinity 3");
    }
}
