//! The pages name only what is there: the files of the repository, the headings of other pages, and commands that the
//! program understands. Whether commands do what a page shows is tested by `readme`.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder, without what is built and what belongs to git.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            let is_built = ["target", "node_modules", "dist", ".git"].contains(&name.as_str());
            if !is_built {
                files(&path, found);
            }
        } else {
            found.push(path);
        }
    }
}

struct Page {
    path: PathBuf,
    text: String,
}

/// Every Markdown file of the repository.
fn pages(files: &[PathBuf]) -> Vec<Page> {
    let is_page = |path: &&PathBuf| path.extension().is_some_and(|kind| kind == "md");
    let read = |path: &PathBuf| Page { path: path.clone(), text: std::fs::read_to_string(path).expect("a page") };
    files.iter().filter(is_page).map(read).collect()
}

fn all_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(root(), &mut found);
    found
}

impl Page {
    fn name(&self) -> std::path::Display<'_> {
        self.path.strip_prefix(root()).unwrap_or(&self.path).display()
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(root())
    }

    /// The lines of fenced blocks, a continued line as one, and the paragraphs between the blocks.
    fn code_and_prose(&self) -> (Vec<String>, Vec<String>) {
        let (mut code, mut prose) = (vec![String::new()], vec![String::new()]);
        let mut is_code = false;
        for line in self.text.lines() {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
                prose.push(String::new());
            } else if is_code {
                let last = code.last_mut().expect("a line");
                let (text, is_continued) = line.strip_suffix('\\').map_or((line, false), |text| (text, true));
                last.push_str(text);
                if !is_continued {
                    code.push(String::new());
                }
            } else if line.is_empty() {
                prose.push(String::new());
            } else {
                let last = prose.last_mut().expect("a paragraph");
                last.push_str(line);
                // Code may be broken between its words.
                last.push('\n');
            }
        }
        (code, prose)
    }

    /// What stands between backquotes outside of blocks.
    fn code_spans(&self) -> Vec<String> {
        let (_, prose) = self.code_and_prose();
        let spans = prose.iter().flat_map(|paragraph| paragraph.split('`').skip(1).step_by(2));
        spans.map(|span| span.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    /// The target of every link that stays in the repository.
    fn links(&self) -> Vec<&str> {
        let targets = self.text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(link, _)| link));
        targets.filter(|link| !link.contains("://")).collect()
    }
}

/// The anchor of a heading, as Markdown sites make it.
fn anchor(heading: &str) -> String {
    let letters = heading.to_lowercase();
    let kept = letters.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn links_of_pages_have_targets() {
    for page in pages(&all_files()) {
        for link in page.links() {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.path.clone() } else { page.folder().join(file) };
            assert!(target.exists(), "{}: {link}", page.name());
            if !heading.is_empty() {
                let there = std::fs::read_to_string(&target).expect("a page");
                let headings = there.lines().filter(|line| line.starts_with('#'));
                let mut anchors = headings.map(|line| anchor(line.trim_start_matches('#').trim()));
                assert!(anchors.any(|known| known == heading), "{}: {link}", page.name());
            }
        }
    }
}

/// Endings of files that only the repository has; users have games, books, tables and pictures.
const SOURCES: [&str; 5] = [".rs", ".js", ".py", ".css", ".yml"];
/// How paths of the repository begin, or began.
const FOLDERS: [&str; 14] = [
    "src/",
    "docs/",
    "tests/",
    "crates/",
    "engine/",
    "toolkit/",
    "benches/",
    "fuzz/",
    "wasm/",
    "packaging/",
    "python/",
    "build/",
    ".ci/",
    ".github/",
];

fn is_in_folders(path: &str) -> bool {
    FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// The paths in code that look like files of the repository: by their first folder, or by their ending.
fn named_paths(code: &str) -> impl Iterator<Item = &str> {
    let is_path = |letter: char| letter.is_ascii_alphanumeric() || "/._-*".contains(letter);
    let words = code.split(move |letter| !is_path(letter));
    let words = words.map(|word| word.trim_start_matches("./").trim_end_matches(['.', '/']));
    let is_source = |word: &str| SOURCES.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending));
    words.filter(move |word| !word.contains('*') && (is_in_folders(word) || is_source(word)))
}

#[test]
fn paths_that_pages_name_exist() {
    let files = all_files();
    let mut wrong = Vec::new();
    let mut named = 0;
    for page in pages(&files) {
        let (code, _) = page.code_and_prose();
        for text in code.iter().chain(&page.code_spans()) {
            for path in named_paths(text) {
                named += 1;
                // A name alone is that of some file, as in "`src/cli/commands.rs`, `error.rs`".
                let is_somewhere = !is_in_folders(path) && files.iter().any(|file| file.ends_with(path));
                if !is_somewhere && !root().join(path).exists() && !page.folder().join(path).exists() {
                    wrong.push(format!("{}: {path}", page.name()));
                }
            }
        }
    }
    assert!(named > 100, "{named}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The words of a command as a shell splits them, up to its end.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in command.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '\'' || letter == '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if "|>;&".contains(letter) => break,
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Whether a word stands for what the reader puts in its place: `FILE`, `N`, `文件`.
fn is_placeholder(word: &str) -> bool {
    word.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_' || !letter.is_ascii())
}

/// Why the program would refuse these words. A name without its arguments is no fault where a sentence mentions it.
fn refusal(program: &Command, mut words: Vec<String>, is_mention: bool) -> Option<String> {
    loop {
        let error = program.clone().try_get_matches_from(&words).err()?;
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return None,
            ErrorKind::MissingRequiredArgument | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if is_mention => {
                return None;
            }
            _ => {}
        }
        // A placeholder is valid wherever a number is.
        let value = match error.get(ContextKind::InvalidValue) {
            Some(ContextValue::String(value)) if is_placeholder(value) => value.clone(),
            _ => return Some(error.to_string()),
        };
        let place = words.iter_mut().find(|word| **word == value)?;
        *place = "1".to_string();
    }
}

/// A line without what a shell puts into it: `$N`, `$(seq 3)`, the `{}` of GNU parallel.
fn with_values(line: &str) -> String {
    let mut pieces = line.split('$');
    let mut filled = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let depth = piece.chars().take_while(|letter| *letter == '(').count();
        let name = piece.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(piece.len());
        let rest = match piece.split_once(&")".repeat(depth)) {
            Some((_, rest)) if depth > 0 => rest,
            // The sign of a prompt.
            _ if name == 0 => piece,
            _ => &piece[name..],
        };
        filled.push_str(if rest.len() == piece.len() { "$" } else { "1" });
        filled.push_str(rest);
    }
    filled.replace("{}", "1")
}

/// The commands of a line of a block: whatever a shell would start as `chuhe`, also by cargo or in quotes. Two blanks
/// divide them from the text beside them.
fn commands(line: &str) -> Vec<String> {
    let line = with_values(line).replace("cargo run --release -- ", "chuhe ");
    let starts = line.match_indices("chuhe ").map(|(start, _)| line.split_at(start));
    let typed = starts.filter_map(|(before, command)| {
        let before = before.trim_end_matches("./");
        let command = command.split("  ").next().unwrap_or_default();
        match before.chars().next_back() {
            Some(quote @ ('"' | '\'')) => command.split(quote).next(),
            _ => {
                let is_start = ["$", "|", "&", ";", "exec", "do"].iter().any(|end| before.trim_end().ends_with(end));
                (is_start || before.trim().is_empty()).then_some(command)
            }
        }
    });
    typed.map(str::to_string).collect()
}

#[test]
fn commands_in_pages_are_understood() {
    let program = chuhe::cli::commands::english_command();
    let mut wrong = BTreeSet::new();
    let mut checked = 0;
    for page in pages(&all_files()) {
        let (code, _) = page.code_and_prose();
        let lines = code.iter().flat_map(|line| commands(line)).map(|command| (command, false));
        let spans = page.code_spans().into_iter().filter(|span| span.starts_with("chuhe ")).map(|span| (span, true));
        for (command, is_mention) in lines.chain(spans) {
            checked += 1;
            let typed: Vec<String> = words(&command).into_iter().filter(|word| word != "…").collect();
            if let Some(reason) = refusal(&program, typed, is_mention) {
                wrong.insert(format!("{}: {command}\n    {reason}", page.name()));
            }
        }
    }
    assert!(checked > 200, "{checked}");
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}
