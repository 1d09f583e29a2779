//! A report as it is printed: a line of JSON that says whose it is and whether it is the last word.

use chuhe_toolkit::analyse::Report;
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
pub struct Told<'a> {
    /// Of a query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a Value>,
    /// In a list, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    pub r#final: bool,
    #[serde(flatten)]
    pub report: &'a Report,
}

impl Told<'_> {
    /// Without the end of its line.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
    }
}
