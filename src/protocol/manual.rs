//! The option table as people read it.

use super::options::{Kind, TABLE};
use std::fmt::Write;

/// The table for docs/options.md.
pub fn options_as_markdown() -> String {
    let mut text = String::from(
        "| UCCI | UCI | type | default | values | what it does |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for option in TABLE {
        let code = |name: Option<&str>| name.map_or(String::from("–"), |name| format!("`{name}`"));
        let (kind, default, values) = match option.kind {
            Kind::Check { default, .. } => ("check", default.to_string(), "true, false".to_string()),
            Kind::Spin { default, min, max, .. } => ("spin", default.to_string(), format!("{min} to {max}")),
            Kind::Combo { choices, .. } => ("combo", choices[0].to_string(), choices.join(", ")),
            Kind::Text { .. } => ("string", String::from("(empty)"), String::from("any")),
            Kind::Button { .. } => ("button", String::from("–"), String::from("–")),
        };
        let (ucci, uci) = (code(option.ucci), code(option.uci));
        writeln!(text, "| {ucci} | {uci} | {kind} | {default} | {values} | {} |", option.doc)
            .expect("a string takes everything");
    }
    text
}
