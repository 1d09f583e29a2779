//! The names of mates, each defined on the final position alone; `docs/mating-patterns.md` shows a diagram of each.
//!
//! Points are named from the mated side: file 0 to 8 from the left of the board, rank 0 its own back rank. A piece *has a
//! part* in the mate if without it the mated side would have a legal move.

use super::line::pieces_between;
use chuhe_support::language::phrase;
use serde::{Deserialize, Serialize};
use xiangqi::{Color, Piece, PieceKind, Position, Setup, Square};

// In the order in which they are tried: the first that holds names a mate.
phrased! {
    /// A mate that has a name.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum MatingPattern: name {
        /// 大刀剜心: a rook takes the advisor in the middle of the palace and mates.
        SwordThroughTheHeart = "sword-through-the-heart", phrase!("sword through the heart");
        /// 天地炮: one cannon holds the middle file, the other the back rank, and a rook mates.
        HeavenAndEarthCannons = "heaven-and-earth-cannons", phrase!("heaven and earth cannons");
        /// 铁门栓: a cannon holds the middle file, and a rook or a pawn checks beside the king on the back rank.
        IronBolt = "iron-bolt", phrase!("iron bolt");
        /// 马后炮: a cannon checks over its horse, which stands two points before the king.
        CannonBehindHorse = "cannon-behind-horse", phrase!("cannon behind horse");
        /// 重炮: a cannon checks over the other cannon.
        TandemCannons = "tandem-cannons", phrase!("tandem cannons");
        /// 闷宫: a cannon checks over an advisor of the mated side, and both advisors stand beside the king.
        SmotheredPalace = "smothered-palace", phrase!("smothered palace");
        /// 闷杀: pieces of its own side stand on all points that the king could go to.
        Smothered = "smothered", phrase!("smothered mate");
        /// 双将: two pieces check.
        DoubleCheck = "double-check", phrase!("double check");
        /// 卧槽马: a horse before the bishop's home point checks the king at home, or keeps it from going home.
        PalcornerHorse = "palcorner-horse", phrase!("palcorner horse");
        /// 八角马: a horse on the corner of the palace opposite to the king's takes both its ways, and another piece checks.
        OctagonalHorse = "octagonal-horse", phrase!("octagonal horse");
        /// 挂角马: the same from a front corner of the palace.
        CornerHorse = "corner-horse", phrase!("corner horse");
        /// 钓鱼马: a horse two points before the bishop's home point has a part, and a rook mates.
        AnglersHorse = "anglers-horse", phrase!("angler's horse");
        /// 双车错: a rook checks, and the other holds the line beside.
        AlternatingRooks = "alternating-rooks", phrase!("alternating rooks");
        /// 白脸将: the king of the mating side takes a way of the king, or guards what it could take.
        FacingKings = "facing-kings", phrase!("facing kings");
        /// 困毙: no check, and no legal move.
        Stalemate = "stalemate", phrase!("stalemate");
    }
}

impl MatingPattern {
    /// The name of the mate on the board, if it has one.
    pub fn of(position: &Position) -> Option<MatingPattern> {
        MatingPattern::ALL.into_iter().find(|pattern| pattern.holds(position))
    }

    /// Whether this position is a mate of this pattern.
    pub fn holds(self, position: &Position) -> bool {
        if position.has_legal_move() {
            return false;
        }
        if !position.in_check() || self == MatingPattern::Stalemate {
            return self == MatingPattern::Stalemate && !position.in_check();
        }
        let mate = MatedKing::new(position);
        match self {
            MatingPattern::SwordThroughTheHeart => mate.is_sword_through_the_heart(),
            MatingPattern::IronBolt => mate.is_iron_bolt(),
            MatingPattern::HeavenAndEarthCannons => mate.is_heaven_and_earth_cannons(),
            MatingPattern::CannonBehindHorse => mate.is_cannon_behind_horse(),
            MatingPattern::TandemCannons => mate.is_tandem_cannons(),
            MatingPattern::SmotheredPalace => mate.is_smothered_palace(),
            MatingPattern::Smothered => mate.ways().all(|square| mate.is_own(square)),
            MatingPattern::DoubleCheck => mate.checkers.len() > 1,
            MatingPattern::PalcornerHorse => mate.is_horse_towards_home([(2, 1), (6, 1)]),
            MatingPattern::CornerHorse => mate.is_horse_towards_home([(3, 2), (5, 2)]),
            MatingPattern::OctagonalHorse => mate.is_octagonal_horse(),
            MatingPattern::AnglersHorse => mate.is_anglers_horse(),
            MatingPattern::AlternatingRooks => mate.is_alternating_rooks(),
            MatingPattern::FacingKings => mate.is_facing_kings(),
            MatingPattern::Stalemate => false,
        }
    }
}

/// A mated king in check.
struct MatedKing<'a> {
    position: &'a Position,
    us: Color,
    them: Color,
    king: Square,
    /// The squares of the pieces that check.
    checkers: Vec<Square>,
}

impl MatedKing<'_> {
    fn new(position: &Position) -> MatedKing<'_> {
        let us = position.side();
        let checkers = position.checkers().iter().collect();
        MatedKing { position, us, them: !us, king: position.king(us), checkers }
    }

    /// The square of a point that is named from the mated side.
    fn point(&self, (file, rank): (u8, u8)) -> Square {
        Square::new(file, if self.us == Color::Red { rank } else { Square::RANKS - 1 - rank })
    }

    /// The home of the king.
    fn home(&self) -> Square {
        self.point((4, 0))
    }

    fn is_own(&self, square: Square) -> bool {
        self.position.piece_at(square).is_some_and(|piece| piece.color() == self.us)
    }

    fn is_enemy(&self, square: Square, kind: PieceKind) -> bool {
        self.position.piece_at(square) == Some(Piece::new(self.them, kind))
    }

    fn enemies(&self, kind: PieceKind) -> &[Square] {
        self.position.squares(self.them, kind)
    }

    fn checks_by(&self, kind: PieceKind) -> bool {
        self.checkers.iter().any(|&square| self.is_enemy(square, kind))
    }

    /// The square of the piece that checks alone, if it is of this kind.
    fn only_checker(&self, kind: PieceKind) -> Option<Square> {
        match self.checkers[..] {
            [square] if self.is_enemy(square, kind) => Some(square),
            _ => None,
        }
    }

    /// The neighbouring points of the palace.
    fn ways(&self) -> impl Iterator<Item = Square> {
        [-1, 1, -16, 16].into_iter().filter_map(|step| self.king.offset(step)).filter(|square| square.in_palace())
    }

    /// The only piece between a checking cannon and the king.
    fn screen_of(&self, cannon: Square) -> Option<Square> {
        pieces_between(self.position, cannon, self.king).first().copied()
    }

    /// Whether the mated side would have a legal move without this piece.
    fn has_part(&self, square: Square) -> bool {
        let mut setup = Setup::from(self.position);
        setup.remove(square);
        Position::try_from(setup).is_ok_and(|without| without.has_legal_move())
    }

    fn is_sword_through_the_heart(&self) -> bool {
        let heart = self.point((4, 1));
        let taken = self.position.last_captured();
        self.position.last_move().is_some_and(|mv| mv.to() == heart)
            && taken == Some(Piece::new(self.us, PieceKind::Advisor))
            && self.is_enemy(heart, PieceKind::Rook)
            && self.checkers.contains(&heart)
    }

    /// A cannon on the middle file with two pieces between it and the king at home, which has a part in the mate.
    fn middle_cannon(&self) -> Option<Square> {
        let cannons = self.enemies(PieceKind::Cannon).iter().copied();
        let holds = |cannon: &Square| {
            cannon.file() == self.king.file()
                && pieces_between(self.position, *cannon, self.king).len() == 2
                && self.has_part(*cannon)
        };
        cannons.filter(|_| self.king == self.home()).find(holds)
    }

    fn is_iron_bolt(&self) -> bool {
        let beside = [self.point((3, 0)), self.point((5, 0))];
        let is_bolt = |square: &Square| {
            self.checkers.contains(square)
                && (self.is_enemy(*square, PieceKind::Rook) || self.is_enemy(*square, PieceKind::Pawn))
        };
        self.middle_cannon().is_some() && beside.iter().any(is_bolt)
    }

    fn is_heaven_and_earth_cannons(&self) -> bool {
        let on_back_rank = |&cannon: &Square| cannon.rank_for(self.us) == 0 && self.has_part(cannon);
        self.checks_by(PieceKind::Rook)
            && self.middle_cannon().is_some()
            && self.enemies(PieceKind::Cannon).iter().any(on_back_rank)
    }

    fn is_cannon_behind_horse(&self) -> bool {
        let is_two_away = |square: Square| {
            let (files, ranks) = (square.file().abs_diff(self.king.file()), square.rank().abs_diff(self.king.rank()));
            matches!((files, ranks), (2, 0) | (0, 2))
        };
        let cannons = self.checkers.iter().filter(|&&square| self.is_enemy(square, PieceKind::Cannon));
        cannons
            .filter_map(|&cannon| self.screen_of(cannon))
            .any(|screen| self.is_enemy(screen, PieceKind::Horse) && is_two_away(screen))
    }

    fn is_tandem_cannons(&self) -> bool {
        let screen = self.only_checker(PieceKind::Cannon).and_then(|cannon| self.screen_of(cannon));
        screen.is_some_and(|screen| self.is_enemy(screen, PieceKind::Cannon))
    }

    fn is_smothered_palace(&self) -> bool {
        let is_advisor =
            |square: Square| self.position.piece_at(square) == Some(Piece::new(self.us, PieceKind::Advisor));
        let screen = self.only_checker(PieceKind::Cannon).and_then(|cannon| self.screen_of(cannon));
        let beside: Vec<Square> = self.ways().filter(|&square| is_advisor(square)).collect();
        screen.is_some_and(|screen| beside.len() == 2 && beside.contains(&screen))
    }

    /// A horse on one of these points checks the king at home, or keeps a king beside its home from going there.
    fn is_horse_towards_home(&self, points: [(u8, u8); 2]) -> bool {
        let home = self.home();
        let horses = points.map(|point| self.point(point)).into_iter();
        horses.filter(|&horse| self.is_enemy(horse, PieceKind::Horse)).any(|horse| {
            if self.king == home {
                return self.checkers.contains(&horse);
            }
            self.ways().any(|square| square == home)
                && !self.is_own(home)
                && self.attacks(horse, home)
                && self.has_part(horse)
        })
    }

    /// Whether this piece of the mating side attacks a square.
    fn attacks(&self, from: Square, to: Square) -> bool {
        self.position.attackers_to(to, self.them).contains(from)
    }

    fn is_octagonal_horse(&self) -> bool {
        let (file, rank) = (self.king.file(), self.king.rank_for(self.us));
        if file == 4 || rank == 1 {
            return false;
        }
        let horse = self.point((8 - file, 2 - rank));
        self.is_enemy(horse, PieceKind::Horse)
            && self.ways().all(|square| self.attacks(horse, square))
            && self.has_part(horse)
    }

    fn is_anglers_horse(&self) -> bool {
        let horses = [(2, 2), (6, 2)].map(|point| self.point(point));
        let angles = |horse: &Square| self.is_enemy(*horse, PieceKind::Horse) && self.has_part(*horse);
        self.checks_by(PieceKind::Rook) && horses.iter().any(angles)
    }

    fn is_alternating_rooks(&self) -> bool {
        let Some(checker) = self.only_checker(PieceKind::Rook) else { return false };
        let holds_beside = |&rook: &Square| {
            let lines = if checker.file() == self.king.file() {
                rook.file().abs_diff(checker.file())
            } else {
                rook.rank().abs_diff(checker.rank())
            };
            rook != checker && lines == 1 && self.has_part(rook)
        };
        self.enemies(PieceKind::Rook).iter().any(holds_beside)
    }

    /// The enemy king checks along the open file, or it alone takes a way of the mated king.
    fn is_facing_kings(&self) -> bool {
        let enemy_king = self.position.king(self.them);
        self.checkers.contains(&enemy_king) || self.ways().any(|square| self.is_taken_by_king_alone(square))
    }

    /// Whether the mated king could step here if the other king did not see along the file.
    fn is_taken_by_king_alone(&self, square: Square) -> bool {
        let enemy_king = self.position.king(self.them);
        let is_open = square.file() == enemy_king.file()
            && pieces_between(self.position, square, enemy_king).iter().all(|&at| at == self.king);
        if self.is_own(square) || !is_open {
            return false;
        }
        // The other king is set on another file, where it sees nothing of this.
        let mut setup = Setup::from(self.position);
        setup.remove(self.king);
        setup.place(Piece::new(self.us, PieceKind::King), square);
        setup.remove(enemy_king);
        let elsewhere = Square::all()
            .filter(|other| other.in_palace() && other.is_home(self.them) && other.file() != square.file());
        let stands = elsewhere.filter(|&other| setup.piece_at(other).is_none()).find_map(|other| {
            let mut setup = setup.clone();
            setup.place(Piece::new(self.them, PieceKind::King), other);
            Position::try_from(setup).ok()
        });
        stands.is_some_and(|moved| !moved.in_check())
    }
}
