//! Writes the page of the board for a static host into a folder: `cargo run --release --example static_page FOLDER`.

use chuhe_board::BoardPage;
use chuhe_support::language::Language;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    Language::CHINESE.install(&[
        include_str!("../../../languages/chinese/published.txt"),
        include_str!("../../../languages/chinese/study.txt"),
        include_str!("../../../languages/chinese/page.txt"),
    ]);
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("static_page FOLDER"))?;
    let page = BoardPage::for_static_host();
    let files = [("index.html", BoardPage::entrance()), ("board.css", page.style.clone())];
    let pages = Language::ALL.map(|language| (format!("{language}.html"), page.html(language)));
    for (name, text) in files.map(|(name, text)| (name.to_string(), text)).into_iter().chain(pages) {
        fs::write(folder.join(name), text)?;
    }
    for (name, text) in page.modules() {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}
