//! What a move of a repetition did, for whoever wants it explained.

use crate::types::{Color, Move, PieceKind, Square};

/// What one move of a repetition did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    pub mover: Color,
    pub mv: Move,
    pub check: bool,
    /// The pieces that it newly chased, and where they stood.
    pub chased: Vec<(PieceKind, Square)>,
    /// By rules that give each move a nature: which one, and the reason.
    pub nature: Option<String>,
}

impl Deed {
    /// What was done, in words; `-` if nothing was.
    pub fn words(&self) -> String {
        if let Some(nature) = &self.nature {
            return nature.clone();
        }
        let check = self.check.then(|| "checks".to_string());
        let chases =
            self.chased.iter().map(|(kind, square)| format!("chases the {} on {square}", kind.name()));
        let done: Vec<String> = check.into_iter().chain(chases).collect();
        if done.is_empty() { "-".to_string() } else { done.join(", ") }
    }
}
