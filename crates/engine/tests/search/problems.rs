//! The test suite of mate problems.

/// One problem per line, in the format of `chuhe mates`.
const SUITE: &str = include_str!("../data/mates.txt");

pub struct Problem {
    /// Moves to mate.
    pub moves: u32,
    /// The mate is known to be the shortest.
    pub is_shortest: bool,
    pub fen: &'static str,
    /// The first move if it is known to be the only solution, else empty.
    pub key: &'static str,
}

/// All problems of the suite.
pub fn problems() -> impl Iterator<Item = Problem> {
    SUITE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.split(';');
        let (number, fen) = (fields.next().expect(line), fields.next().expect(line));
        let moves = number.trim_start_matches("<=").parse().expect(line);
        let key = fields.next().unwrap_or_default();
        Problem { moves, is_shortest: !number.starts_with("<="), fen, key }
    })
}
