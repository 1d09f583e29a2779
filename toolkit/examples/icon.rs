//! Writes the icon of the program: `cargo run -p chuhe-toolkit --example icon > packaging/chuhe.ico`.

use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(&chuhe_toolkit::draw::icon())
}
