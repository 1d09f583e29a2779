//! The habits of cutechess-cli and fastchess: their options, written with one dash and with a blank between the keys, are
//! turned into those of `chuhe arena`, so that a known command line works. What has no equivalent keeps its name, and is
//! refused by it.

use std::ffi::OsString;

/// Options of theirs with a value that have another name here.
const RENAMED: [(&str, &str); 4] =
    [("srand", "seed"), ("maxmoves", "max-moves"), ("concurrency", "concurrency"), ("event", "event")];
/// What is always so here: games in pairs with colours swapped, the variant, engines started anew.
const IMPLIED: [&str; 4] = ["repeat", "recover", "variant", "ratinginterval"];

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

/// The words of a command line with their spelling replaced by ours; unchanged if it is not one of `arena`.
pub fn with_peer_spelling(words: Vec<OsString>) -> Vec<OsString> {
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
        return words;
    };
    let options = options(&texts[start..]);
    let is_peculiar = |option: &PeerOption| {
        option.is_theirs || ["sprt", "engine", "each"].contains(&option.name.as_str()) && option.words.len() > 1
    };
    if !options.iter().any(is_peculiar) && !options.iter().any(|option| option.name == "each") {
        return words;
    }
    let mut translated: Vec<String> = texts[..start].to_vec();
    // Words before the first option belong to none.
    translated.extend(texts[start..].iter().take_while(|word| option_name(word).is_none()).cloned());
    let each: Vec<String> =
        options.iter().filter(|option| option.name == "each").flat_map(|option| option.words.clone()).collect();
    for option in &options {
        translate(option, &options, &each, &mut translated);
    }
    translated.into_iter().map(OsString::from).collect()
}

/// The name of an option, and whether it is written with one dash.
fn option_name(word: &str) -> Option<(&str, bool)> {
    let is_name = |name: &str| name.len() > 1 && name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    match word.strip_prefix("--") {
        Some(name) => is_name(name).then_some((name, false)),
        None => word.strip_prefix('-').filter(|name| is_name(name)).map(|name| (name, true)),
    }
}

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

/// Adds an option in our spelling.
fn translate(option: &PeerOption, all: &[PeerOption], each: &[String], words: &mut Vec<String>) {
    let mut add = |name: &str, value: &str| words.extend([format!("--{name}"), value.to_string()]);
    match option.name.as_str() {
        "engine" => add("engine", &engine(option, each)),
        "each" => {}
        "sprt" => add("sprt", &option.joined(&[], &[])),
        "draw" => add("draw", &option.joined(&[("movenumber", "from"), ("movecount", "moves")], &[])),
        "resign" => add("resign", &option.joined(&[("movecount", "moves")], &["twosided"])),
        _ if !option.is_theirs => {
            words.push(format!("--{}", option.name));
            words.extend(option.words.iter().cloned());
        }
        "rounds" => {
            // Games of a round; twice the opening if nothing else is said.
            let games =
                all.iter().find(|other| other.name == "games").and_then(|games| games.words.first()?.parse().ok());
            let rounds = option.words.first().and_then(|word| word.parse::<u32>().ok());
            match rounds.map(|rounds| rounds.saturating_mul(games.unwrap_or(2))) {
                Some(total) => add("games", &total.to_string()),
                None => words.push(String::from("--rounds")),
            }
        }
        "games" if all.iter().any(|other| other.name == "rounds") => {}
        "openings" => {
            if let Some(file) = option.key("file") {
                add("openings", file);
            }
            if let Some(plies) = option.key("plies") {
                add("plies", plies);
            }
            if option.key("order") == Some("random") {
                words.push(String::from("--shuffle"));
            }
        }
        "pgnout" => {
            let file = option.key("file").or(option.words.first().map(String::as_str));
            add("pgn", file.unwrap_or_default());
        }
        "tournament" if option.words.first().is_some_and(|kind| kind == "gauntlet") => {
            words.push(String::from("--gauntlet"));
        }
        "tournament" => {}
        name if IMPLIED.contains(&name) => {}
        name => {
            let ours = RENAMED.iter().find(|(theirs, _)| *theirs == name).map_or(name, |(_, ours)| ours);
            words.push(format!("--{ours}"));
            words.extend(option.words.iter().cloned());
        }
    }
}

/// The keys of an engine, with those of `-each` that it does not have itself.
fn engine(option: &PeerOption, each: &[String]) -> String {
    let key = |word: &str| word.split_once('=').map(|(key, _)| key.to_string());
    let limits = ["tc", "st", "movetime", "nodes", "depth"];
    let own: Vec<String> = match &option.words[..] {
        [word] if !option.is_theirs => word.split(',').filter_map(key).collect(),
        words => words.iter().filter_map(|word| key(word)).collect(),
    };
    let has_limit = own.iter().any(|key| limits.contains(&key.as_str()));
    let is_missing = |word: &&String| {
        key(word).is_some_and(|key| !(own.contains(&key) || has_limit && limits.contains(&key.as_str())))
    };
    let mut all = PeerOption { name: String::new(), is_theirs: true, words: Vec::new() };
    if option.is_theirs || option.words.len() != 1 {
        all.words.extend(option.words.iter().cloned());
    }
    all.words.extend(each.iter().filter(is_missing).cloned());
    for word in &mut all.words {
        // Seconds for each move.
        if let Some(seconds) = word.strip_prefix("st=").and_then(|seconds| seconds.parse::<f64>().ok()) {
            *word = format!("movetime={}", (1000.0 * seconds).round());
        }
    }
    let joined = all.joined(&[], &["conf", "restart", "timemargin"]);
    match &option.words[..] {
        [word] if !option.is_theirs && joined.is_empty() => word.clone(),
        [word] if !option.is_theirs => format!("{word},{joined}"),
        _ => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> String {
        let words = with_peer_spelling(line.split(' ').map(OsString::from).collect());
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
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
             --pgn x.pgn --seed 7"
        );
        assert_eq!(
            translated("chuhe arena -engine cmd=a -each st=0.5 -games 4"),
            "chuhe arena --engine cmd=a,movetime=500 --games 4"
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
