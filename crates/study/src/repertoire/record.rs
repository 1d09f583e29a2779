//! A repertoire as a game with variations, for PGN and XQF, and games as a repertoire.

use super::graph::{MAX_LINE, Repertoire, RepertoireError};
use chuhe_support::language::tr;
use std::cmp::Ordering;
use std::collections::HashMap;
use thiserror::Error;
use xiangqi::{Color, Position};
use xiangqi_record::{Game, GameCursor, NodeId};

/// The tag that says what a game is, in a place that XQF has, too.
const TAG: &str = "Event";
/// What it says.
const NAMES: [(Color, &str); 2] = [(Color::Red, "Repertoire: red"), (Color::Black, "Repertoire: black")];

/// Why games are no repertoire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RecordFault {
    #[error("{}", tr!("no line begins in the start position"))]
    NoLine,
    #[error(transparent)]
    Full(#[from] RepertoireError),
}

/// The colour of a repertoire in these games: as they say, or else that of the side that has fewer alternatives, or that has
/// the last word in more of the lines; nothing if that is not clear.
pub fn colour_of(games: &[Game]) -> Option<Color> {
    let told = games.iter().find_map(|game| {
        let event = game.tag(TAG)?.trim().to_lowercase();
        NAMES.into_iter().find(|(_, name)| name.to_lowercase() == event).map(|(colour, _)| colour)
    });
    if told.is_some() {
        return told;
    }
    let mut all = Repertoire::new(Color::Red);
    all.add_games(games).ok()?;
    // Alternatives of each side, and ends of lines where it is to move.
    let (mut alternatives, mut ends) = ([0, 0], [0, 0]);
    all.walk(&mut |place| {
        let side = place.position.side();
        alternatives[side] += place.moves.len().saturating_sub(1);
        ends[side] += usize::from(place.moves.is_empty());
    });
    let fewer = |counts: [usize; 2]| match counts[Color::Red].cmp(&counts[Color::Black]) {
        Ordering::Less => Some(Color::Red),
        Ordering::Greater => Some(Color::Black),
        Ordering::Equal => None,
    };
    fewer(alternatives).or_else(|| fewer(ends))
}

impl Repertoire {
    /// Adds all lines of games, with their variations; those that do not begin in the start position are left out. Returns how
    /// many moves are new.
    pub fn add_games(&mut self, games: &[Game]) -> Result<usize, RecordFault> {
        let (mut added, mut has_line) = (0, false);
        for game in games.iter().filter(|game| game.start().key() == Position::start().key()) {
            let mut cursor = GameCursor::new(game);
            // Each line to its end before the next one, as it is read.
            let mut open = vec![NodeId::ROOT];
            while let Some(id) = open.pop() {
                cursor.go_to(game, id);
                let node = &game[id];
                if node.ply() >= MAX_LINE {
                    continue;
                }
                for mv in node.children().iter().filter_map(|&child| game[child].mv()) {
                    has_line = true;
                    added += usize::from(self.add_move(cursor.position(), mv)?);
                }
                open.extend(node.children().iter().rev());
            }
        }
        if has_line { Ok(added) } else { Err(RecordFault::NoLine) }
    }

    /// The repertoire as a game with variations. A line ends where it comes to a position that is there already by another
    /// order of moves.
    pub fn to_game(&self) -> Game {
        let mut game = Game::new(&Position::start());
        let name = NAMES.iter().find(|(colour, _)| *colour == self.colour()).map_or("", |(_, name)| name);
        game.set_tag(TAG, name);
        let mut cursor = GameCursor::new(&game);
        // The node of the last position at each ply.
        let mut nodes: HashMap<usize, NodeId> = HashMap::from([(0, NodeId::ROOT)]);
        self.walk(&mut |place| {
            let ply = place.line.len();
            if let (Some(&mv), Some(&parent)) = (place.line.last(), nodes.get(&ply.wrapping_sub(1))) {
                cursor.go_to(&game, parent);
                if let Ok(id) = cursor.play(&mut game, mv) {
                    nodes.insert(ply, id);
                }
            }
        });
        game
    }
}
