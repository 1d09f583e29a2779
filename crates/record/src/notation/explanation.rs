//! Why a move that somebody wrote is not legal.

use super::format::{Displacement, Notation, RelativeMove, names_by_file, piece_name};
use super::wxf_or_vietnamese::{Letters, detect_notations};
use crate::move_words::strip_move_number;
use xiangqi::{IllegalMoveReason, Move, Position, Square, worded, words};

/// Why a move is not legal, in the notation in which it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Explanation {
    /// The piece that is named may not go there.
    Illegal {
        /// The reason.
        why: IllegalMoveReason,
        /// The name of the piece that is in its way, unless it is named by its square.
        piece: Option<String>,
    },
    /// There is no piece of this name.
    NoPiece(String),
    /// It is a legal move in WXF, and another one in Vietnamese notation.
    TwoNotations {
        /// The move in WXF.
        wxf: Move,
        /// The move in Vietnamese notation.
        vietnamese: Move,
    },
    /// It is a move in another notation than the rest of the game.
    OtherNotation {
        /// That of the word.
        word: Notation,
        /// That of the game.
        game: Notation,
    },
}

worded!(Explanation, |explanation| match explanation {
    Explanation::NoPiece(name) => words!("there is no {name}", name),
    Explanation::TwoNotations { wxf, vietnamese } => {
        words!("is {wxf} in WXF and {vietnamese} in Vietnamese notation", wxf, vietnamese)
    }
    Explanation::OtherNotation { word, game } => words!(
        "it is in {word} notation, and the rest is in {game} notation",
        word = word.to_string(),
        game = game.to_string()
    ),
    Explanation::Illegal { why, piece: None } => why.words(),
    Explanation::Illegal { why, piece: Some(piece) } => match why {
        IllegalMoveReason::OwnTarget(_) => words!("its own {piece} stands there", piece),
        IllegalMoveReason::HorseLeg(_) => words!("{piece} blocks the leg of the horse", piece),
        IllegalMoveReason::BishopEye(_) => words!("{piece} blocks the eye of the bishop", piece),
        IllegalMoveReason::Blocked(_) => words!("{piece} stands in between", piece),
        IllegalMoveReason::Pinned(_) => words!("the piece is pinned: {piece} would give check", piece),
        IllegalMoveReason::IntoCheck(_) => words!("{piece} would give check", piece),
        why => why.words(),
    },
});

/// Why the move that this text means is not legal; `None` if it means none, or the move is legal.
pub(crate) fn explain(position: &Position, text: &str, letters: Letters) -> Option<Explanation> {
    let text = strip_move_number(text);
    if let Ok(mv) = text.parse::<Move>() {
        return position.why_illegal(mv).map(|why| Explanation::Illegal { why, piece: None });
    }
    // Of a word that may be in either notation, the one is explained in which there is such a piece.
    let told = detect_notations(text, letters).into_iter();
    told.filter_map(|(notation, wanted)| explain_word(position, text, notation, &wanted)).min_by_key(|why| {
        matches!(why, Explanation::NoPiece(_) | Explanation::Illegal { why: IllegalMoveReason::Shape(_), .. })
    })
}

/// The same of a normalised word in this notation.
fn explain_word(position: &Position, text: &str, notation: Notation, wanted: &str) -> Option<Explanation> {
    if !notation.is_relative() {
        return None;
    }
    let displacement = Displacement::read(wanted, notation)?;
    let own = position.pieces(position.side()).map(|(_, from)| from);
    let moves = own.flat_map(|from| Square::all().map(move |to| Move::new(from, to)));
    let mut written = moves
        .filter(|&mv| Displacement::of(position, mv) == displacement && position.has_shape_of_move(mv))
        .filter(|&mv| RelativeMove::new(position, mv).is_written(wanted, notation))
        .peekable();
    if written.peek().is_none() {
        return explain_piece(position, notation, text, wanted);
    }
    let why = written.find_map(|mv| position.why_illegal(mv))?;
    let piece = piece_in_the_way(why).and_then(|square| piece_name(position, square, notation));
    Some(Explanation::Illegal { why, piece })
}

/// Why a move in full that no piece could make anywhere is none: what it names is not there, or does not move like that.
fn explain_piece(position: &Position, notation: Notation, text: &str, wanted: &str) -> Option<Explanation> {
    let signs: Vec<char> = wanted.chars().collect();
    let [name @ .., _, _] = &signs[..] else { return None };
    let [piece @ .., file] = name else { return None };
    let (pieces, numbers) = match notation {
        Notation::Wxf => ("K A E H R C P", "123456789"),
        Notation::Vietnamese => ("Tg S T X P M B", "123456789"),
        _ => ("帅 仕 相 马 车 炮 兵", "一二三四五六七八九"),
    };
    let piece: String = piece.iter().collect();
    if !numbers.contains(*file) || pieces.split(' ').all(|known| known != piece) {
        return None;
    }
    let length = name.len();
    let name: String = name.iter().collect();
    let mut named = names_by_file(position, notation).into_iter().filter(|other| other.1 == name);
    match (named.next(), named.next()) {
        (None, _) => Some(Explanation::NoPiece(text.chars().take(length).collect())),
        (Some((kind, _)), None) => Some(Explanation::Illegal { why: IllegalMoveReason::Shape(kind), piece: None }),
        // Several stand on the file: it may be either.
        _ => None,
    }
}

/// The square of the piece that makes a move illegal.
fn piece_in_the_way(why: IllegalMoveReason) -> Option<Square> {
    why.square().filter(|_| !matches!(why, IllegalMoveReason::NoPiece(_) | IllegalMoveReason::NotOwn(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::fen::START_FEN;

    #[test]
    fn illegal_moves_are_explained() {
        let position = |fen: &str| Position::from_fen(fen).expect("a position");
        for (fen, text, why) in [
            (START_FEN, "马二进四", "相三 blocks the leg of the horse"),
            (START_FEN, "车一平二", "its own 马二 stands there"),
            (START_FEN, "车一进五", "兵一 stands in between"),
            (START_FEN, "R1+5", "P1 stands in between"),
            (START_FEN, "炮二进五", "a cannon takes over exactly one piece in between"),
            (START_FEN, "兵五平六", "a pawn goes sideways only beyond the river"),
            (START_FEN, "e3e2", "a pawn never goes back"),
            (START_FEN, "e4e5", "there is no piece on e4"),
            (START_FEN, "h9g7", "the piece on h9 is the other side's"),
            (START_FEN, "h0h4", "the horse does not move like that"),
            ("3k5/9/9/9/9/2B6/9/9/9/4K4 w", "相七进五", "a bishop does not cross the river"),
            ("3k5/9/9/9/9/9/9/4B4/5R3/4K4 w", "相五退三", "车四 blocks the eye of the bishop"),
            ("3k5/9/9/9/9/9/9/9/9/5K3 w", "帅四平三", "the king does not leave the palace"),
            ("4k4/9/9/9/9/9/9/9/4N4/4K4 w", "e1d3", "the kings would face each other"),
            ("4k4/4r4/9/9/9/9/9/9/4R4/4K4 w", "车五平六", "the piece is pinned: 车５ would give check"),
            ("3k5/9/9/9/9/9/9/9/3r5/4K4 w", "e0d0", "the king would be in check from d1"),
            ("3k5/4r4/9/9/9/9/9/9/8R/4K4 w", "i1i2", "the king is in check and would stay so"),
            (START_FEN, "马三进五", "there is no 马三"),
            (START_FEN, "C3=5", "there is no C3"),
            (START_FEN, "马二进七", "the horse does not move like that"),
            ("3k5/9/9/9/9/9/9/9/9/4K4 b", "卒5进1", "there is no 卒5"),
        ] {
            let told = explain(&position(fen), text, Letters::Any).map(|why| why.to_string());
            assert_eq!(told.as_deref(), Some(why), "{text} in {fen}");
        }
        assert_eq!(explain(&Position::start(), "h2e2", Letters::Any), None);
        for text in ["炮二平五", "马二", "前马进三", "C2", "天地玄黄"] {
            assert_eq!(explain(&Position::start(), text, Letters::Any), None, "{text}");
        }
    }
}
