//! Writes the page of the board for a static host into a folder: `cargo run --release --example static_page FOLDER`.

use chuhe_board::BoardPage;
use chuhe_support::language::Language;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages");
    let mut words = Vec::new();
    for (language, name) in
        [(Language::CHINESE, "chinese"), (Language::TRADITIONAL, "traditional"), (Language::VIETNAMESE, "vietnamese")]
    {
        let read = |part: &str| fs::read_to_string(languages.join(name).join(part));
        let engine =
            ["published.txt", "study.txt", "hosts.txt"].map(&read).into_iter().collect::<Result<String, _>>()?;
        let openings = read("openings.txt").unwrap_or_default();
        let page = [engine.as_str(), &openings, &read("page.txt")?].concat();
        language.install_text(page.leak());
        words.push((language, engine + &openings));
    }
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("static_page FOLDER"))?;
    let page = BoardPage::for_static_host();
    let files = [("index.html", BoardPage::entrance()), ("board.css", page.style.clone())];
    let pages = Language::ALL.map(|language| (format!("{language}.html"), page.html(language)));
    for (name, text) in files.map(|(name, text)| (name.to_string(), text)).into_iter().chain(pages) {
        fs::write(folder.join(name), text)?;
    }
    // What the engine says: Chinese is in the module.
    for (language, text) in words.into_iter().filter(|(language, _)| *language != Language::CHINESE) {
        fs::write(folder.join(format!("words_{language}.txt")), text)?;
    }
    for (name, text) in page.modules() {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}
