//! Turns Markdown pages into HTML: `pages FROM TO`. Every `.md` in the folder FROM and below becomes an `.html` in TO,
//! and links between pages are changed with it; all other files are copied.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::path::Path;
use std::{env, fs, io};

const STYLE: &str = "\
body{max-width:50rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,'Microsoft YaHei',sans-serif;color:#222}\
code,pre{font-family:Consolas,'NSimSun',monospace;background:#f3f0ea}pre{padding:.7rem;overflow:auto}\
table{border-collapse:collapse;display:block;overflow:auto}td,th{border:1px solid #ccc;padding:.2rem .5rem;vertical-align:top}\
img{max-width:100%}";

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    match &words[..] {
        [from, to] => convert_folder(Path::new(from), Path::new(to)),
        _ => Err(io::Error::other("usage: pages FROM TO")),
    }
}

fn convert_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            convert_folder(&path, &target)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let language = if path.to_string_lossy().ends_with(".zh-CN.md") { "zh-CN" } else { "en" };
            fs::write(target.with_extension("html"), page(&fs::read_to_string(&path)?, language))?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// What only readers of the sources need stands between these lines.
const SOURCE_ONLY: [&str; 2] = ["<!-- sources only -->", "<!-- end -->"];

/// A page without what only readers of the sources need.
fn for_users(markdown: &str) -> String {
    let [begin, end] = SOURCE_ONLY;
    let mut parts = markdown.split(begin);
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once(end).map_or("", |(_, rest)| rest))
}

fn page(markdown: &str, language: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let users = for_users(markdown);
    let mut events: Vec<Event> = Parser::new_ext(&users, options).map(change_link).collect();
    name_pages(&mut events);
    let title = number_headings(&mut events);
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    let mut escaped = String::new();
    html::push_html(&mut escaped, std::iter::once(Event::Text(title.into())));
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{escaped}</title>\n<style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n"
    )
}

/// A link to another page leads to its HTML.
fn change_link(event: Event) -> Event {
    let Event::Start(Tag::Link { link_type, dest_url, title, id }) = event else { return event };
    let (file, anchor) = dest_url.split_at(dest_url.find('#').unwrap_or(dest_url.len()));
    let changed = match file.strip_suffix(".md") {
        Some(stem) if !file.contains("://") => CowStr::from(format!("{stem}.html{anchor}")),
        // For Windows it has an extension.
        None if file == "LICENSE" => CowStr::from("LICENSE.txt"),
        _ => dest_url.clone(),
    };
    Event::Start(Tag::Link { link_type, dest_url: changed, title, id })
}

/// A link that shows the file name of a page shows the page's name instead.
fn name_pages(events: &mut [Event]) {
    for at in 1..events.len() {
        let is_linked = matches!(events[at - 1], Event::Start(Tag::Link { .. }));
        if let Event::Text(text) | Event::Code(text) = &events[at]
            && is_linked
            && let Some(name) = text.strip_suffix(".md")
        {
            events[at] = Event::Text(CowStr::from(name.trim_end_matches(".zh-CN").to_string()));
        }
    }
}

/// Gives every heading the anchor that links to it use: its words in lower case, with hyphens between them. Returns the
/// text of the first one.
fn number_headings(events: &mut [Event]) -> String {
    let mut first = String::new();
    let starts: Vec<usize> =
        (0..events.len()).filter(|&at| matches!(events[at], Event::Start(Tag::Heading { .. }))).collect();
    for at in starts {
        let words = events[at..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let text: String = words
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        let Event::Start(Tag::Heading { level, id, .. }) = &mut events[at] else { continue };
        if first.is_empty() && *level == HeadingLevel::H1 {
            first.clone_from(&text);
        }
        let text = text.to_lowercase();
        let kept = text.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        let anchor = kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect::<String>();
        *id = Some(CowStr::from(anchor));
    }
    first
}
