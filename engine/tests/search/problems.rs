//! The suite of problems of mate.

/// A problem a line, as `chuhe mates` writes them.
const SUITE: &str = include_str!("../data/mates.txt");

/// A problem of the suite.
pub struct Problem {
    /// Moves to mate.
    pub moves: u32,
    /// No mate is shorter.
    pub is_shortest: bool,
    pub fen: &'static str,
    /// The only first move, if it is known to be the only one.
    pub key: &'static str,
}

/// The problems of the suite.
pub fn problems() -> impl Iterator<Item = Problem> {
    SUITE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.split(';');
        let (number, fen) = (fields.next().expect(line), fields.next().expect(line));
        let moves = number.trim_start_matches("<=").parse().expect(line);
        let key = fields.next().unwrap_or_default();
        Problem { moves, is_shortest: !number.starts_with("<="), fen, key }
    })
}
