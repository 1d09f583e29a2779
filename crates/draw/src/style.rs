//! What a reader may choose of a picture: the set of pieces, the board, the coordinates.

use super::shape::Rgb;

/// Defines a choice: its values, with the name and a description of each.
macro_rules! choice {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
        pub enum $name { $($(#[$doc])* $value,)* }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$value,)*];

            /// Its name in options, settings and classes.
            pub fn name(self) -> &'static str {
                match self { $($name::$value => $word,)* }
            }

            /// The value with this name.
            pub fn by_name(name: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|value| value.name() == name)
            }
        }
    };
}

choice! {
    /// A set of pieces.
    PieceSet {
        /// Turned discs with carved characters.
        #[default]
        Wood = "wood",
        /// The same discs with simplified characters.
        Simplified = "simplified",
        /// Plain discs with a coloured edge.
        Flat = "flat",
        /// Coloured discs with the western letters of the pieces.
        Letters = "letters",
    }
}

choice! {
    /// A board.
    BoardColours {
        /// Light wood with its grain.
        #[default]
        Wood = "wood",
        /// Pale paper, for printing.
        Paper = "paper",
        /// Green cloth.
        Green = "green",
    }
}

choice! {
    /// What is written at the edge of the board.
    Coordinates {
        /// The files as players count them: red in numerals, black in digits, each from the right.
        #[default]
        Chinese = "chinese",
        /// Files a to i and ranks 0 to 9.
        Letters = "letters",
        /// Nothing.
        None = "none",
    }
}

/// How a picture looks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BoardStyle {
    /// The set of pieces.
    pub pieces: PieceSet,
    /// The board.
    pub board: BoardColours,
    /// What is written at its edge.
    pub coordinates: Coordinates,
    /// Black's pieces are octagons, for readers with colour vision deficiency.
    pub octagons: bool,
}

/// The colours of a board.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    pub surface: Rgb,
    /// The edge of the surface, and the grain.
    pub edge: Rgb,
    /// Lines and characters.
    pub ink: Rgb,
    pub grain_opacity: f64,
}

impl BoardColours {
    pub(crate) fn palette(self) -> Palette {
        match self {
            BoardColours::Wood => Palette {
                surface: Rgb(0xec, 0xcb, 0x8f),
                edge: Rgb(0x8a, 0x5a, 0x22),
                ink: Rgb(0x5e, 0x3a, 0x12),
                grain_opacity: 0.13,
            },
            BoardColours::Paper => Palette {
                surface: Rgb(0xf6, 0xf0, 0xe2),
                edge: Rgb(0xb3, 0xa5, 0x87),
                ink: Rgb(0x50, 0x49, 0x3c),
                grain_opacity: 0.0,
            },
            BoardColours::Green => Palette {
                surface: Rgb(0xb4, 0xc6, 0xa0),
                edge: Rgb(0x4d, 0x66, 0x41),
                ink: Rgb(0x2f, 0x43, 0x29),
                grain_opacity: 0.08,
            },
        }
    }
}

/// Rules by which a page colours a picture by the attribute `data-board` of its root, or of what is around a picture.
pub fn board_rules() -> String {
    let mut css = String::from(
        ".surface { fill: var(--surface); stroke: var(--edge); } .grain { stroke: var(--edge); opacity: var(--grain); }\n\
         .board-line { stroke: var(--board-ink); } .board-sign { fill: var(--board-ink); }\n",
    );
    for &board in BoardColours::ALL {
        let Palette { surface, edge, ink, grain_opacity } = board.palette();
        let name = board.name();
        let root = if board == BoardColours::default() { ":root, " } else { "" };
        css += &format!(
            "{root}[data-board=\"{name}\"] {{ --surface: {surface}; --edge: {edge}; --board-ink: {ink}; --grain: {grain_opacity}; }}\n"
        );
    }
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_the_colours_of_every_board() {
        let css = board_rules();
        assert!(BoardColours::ALL.iter().all(|board| css.contains(&board.palette().surface.to_string())), "{css}");
    }

    #[test]
    fn names_lead_back_to_the_choice() {
        assert!(PieceSet::ALL.iter().all(|&set| PieceSet::by_name(set.name()) == Some(set)));
        assert!(BoardColours::ALL.iter().all(|&board| BoardColours::by_name(board.name()) == Some(board)));
        assert!(Coordinates::ALL.iter().all(|&system| Coordinates::by_name(system.name()) == Some(system)));
        assert_eq!(PieceSet::by_name("stone"), None);
    }
}
