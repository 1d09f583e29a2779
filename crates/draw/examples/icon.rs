//! Writes the icon of the program: `cargo run -p xiangqi-draw --example icon > packaging/chuhe.ico`, or into a folder the
//! images that the page of a static host has: `cargo run -p xiangqi-draw --example icon -- FOLDER`.

use std::io::{Result, Write, stdout};
use std::path::Path;
use xiangqi_draw::{icon, icon_on_ground, icon_svg};

fn main() -> Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else { return stdout().write_all(&icon()) };
    let write = |name: &str, bytes: &[u8]| std::fs::write(Path::new(&folder).join(name), bytes);
    write("icon.svg", icon_svg().as_bytes())?;
    write("icon-192.png", &icon_on_ground(192))?;
    write("icon-512.png", &icon_on_ground(512))
}
