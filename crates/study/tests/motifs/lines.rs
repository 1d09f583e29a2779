//! Lines that show a motif, and lines that come near to it.

use crate::support::{moves, placed, played_out};
use Motif::*;
use chuhe_study::motifs::MatingPattern;
use chuhe_study::motifs::{Motif, motifs};

/// The motif, the pieces (red's capital, red to move), a line that shows it, and what is about it.
const SHOWN: [(Motif, &str, &str, &str); 23] = [
    (Fork, "Kd0 Nc4 kf9 rb7 rf7", "c4d6 b7b1 d6f7", "a horse attacks two rooks"),
    (Fork, "Kd0 Nc4 kf9 rb7 rf7", "c4d6", "the same, and the line ends there"),
    (Fork, "Kd0 Nc5 ke9 rb8", "c5d7 e9e8 d7b8", "a horse checks, and attacks a rook"),
    (DiscoveredAttack, "Kd0 Ra2 Nd2 kf9 nh2", "d2e4 f9f8 a2h2", "the horse leaves the line of the rook"),
    (DiscoveredAttack, "Kd0 Ca2 Nd2 kf9 nh2 pe2", "d2c4 f9f8 a2h2", "one of two screens goes away"),
    (DiscoveredAttack, "Kd0 Nd2 Re2 kf9 nf3", "e2e5 f9f8 d2f3", "the leg of a horse is freed"),
    (DiscoveredCheck, "Kf0 Re2 Ne5 ke9 rc6", "e5c6 e9d9", "the horse takes, the rook behind checks"),
    (DoubleCheck, "Kd0 Re2 Ne5 ke9 rb8", "e5d7 e9f9 d7b8", "horse and rook check"),
    (TrappedPiece, "Kd0 Rh5 Pb6 Nd6 kf9 na9", "h5a5 a9b7 b6b7", "a horse in the corner, both its points are taken"),
    (TrappedPiece, "Kd0 Rh5 Pb6 Nd6 kf9 na9", "h5a5", "the same, and the line ends there"),
    (Pin, "Kd0 Ce2 Rg2 ke9 ne7 pe6 cg6 pi6", "g2g6 i6i5", "a horse before the king may not take the rook"),
    (Pin, "Kd0 Re2 Nb3 ke9 ne6 rh6 pi6", "b3c5 i6i5 c5e6", "a horse before the king is attacked twice"),
    (Skewer, "Kf0 Ra3 ke8 re9", "a3e3 e8d8 e3e9", "the king leaves the file, and the rook behind it is lost"),
    (RemovedDefender, "Kd0 Rd1 Rf0 ke9 nd7 cf6 pa6", "d1d7 a6a5 f0f6", "the horse protects the cannon"),
    (Deflection, "Kd0 Pe4 Rf0 ke9 nd7 cf6", "e4e5 d7e5 f0f6", "the horse is drawn off the cannon"),
    (OpenedLine, "Kd0 Ra5 Pe6 kf9 nd5 ce7 rh5", "e6e7 d5e7 a5h5", "the horse takes back, and leaves the rank"),
    (CannonScreen, "Kd0 Ca2 Nc4 kf9 nh2 pi6", "c4d2 i6i5 a2h2", "a horse becomes the screen"),
    (Defence, "Kd0 Rd2 ke9 nc4 pi6", "d2d5 i6i5", "the rook goes away from the horse"),
    (QuietMove, "Kd0 Nc4 kf9 rb7 rf7", "c4d6 b7b1 d6f7", "the fork is no capture and no check"),
    (HangingPiece, "Kd0 Ra5 kf9 rh5", "a5h5", "a rook takes a rook"),
    (Sacrifice, "Ke0 Rd1 Rf0 Ce5 Cc7 ke9 ra9", "d1d9 a9d9 c7e7", "a rook is given, and mates"),
    (Pattern(MatingPattern::TandemCannons), "Ke0 Rf0 Ce5 Cc7 ke9 rd9", "c7e7", "two cannons on a file"),
    (Mate, "Kd0 Ra5 Pe8 kf9", "a5a9", "a mate without a name"),
];

/// The motif, the pieces, a line that comes near to it, and what it lacks.
const NEAR_MISSES: [(Motif, &str, &str, &str); 27] = [
    (Fork, "Kd0 Nc4 kf9 rb7 cf7 ae8", "c4d6 b7b1 d6f7", "the cannon is protected, and not worth a horse"),
    (Fork, "Kd0 Nc4 kf9 rb7 rf7 ne8", "c4d6 b7b1 d6f7", "a horse takes the horse"),
    (Fork, "Kd0 Nc4 kf9 rb7 rf7", "c4d6 b7b1 d6c4", "neither is taken"),
    (Fork, "Kd0 Nc4 Rb0 kf9 rb7 rf7 be7", "c4d6 b7b1 d6f7", "one of the rooks could be taken before"),
    (DiscoveredAttack, "Kd0 Ra2 Nd2 kf9 nh2 rh9", "d2e4 f9f8 a2h2", "the horse is protected"),
    (DiscoveredAttack, "Kd0 Ra2 Nd2 Rh0 kf9 nh2", "d2e4 f9f8 a2h2", "another rook attacked it before"),
    (DiscoveredAttack, "Kd0 Ra2 Nd2 kf9 nh2", "d2e4 h2f3 e4f6", "the horse goes away"),
    (DiscoveredAttack, "Kd0 Ra2 Na3 kf9 nh2", "a3b5 f9f8 a2h2", "the line was free before"),
    (DiscoveredCheck, "Kf0 Re2 Ne5 ke9", "e5c6 e9d9", "the check wins nothing"),
    (DoubleCheck, "Kf0 Re2 Ne5 ke9 rc6", "e5c6 e9d9", "the horse does not check"),
    (TrappedPiece, "Kd0 Rh5 Pb6 kf9 na9", "h5a5 a9b7 b6b7", "one point is safe"),
    (TrappedPiece, "Kd0 Rh5 Pb6 Nd6 kf9 na9 rc9", "h5a5 a9b7 b6b7", "a rook protects the horse"),
    (TrappedPiece, "Kd0 Rh5 Pb6 Nd6 kf9 na9 rh9", "h5a5 a9b7 b6b7", "a rook comes to protect the horse with check"),
    (Pin, "Kd0 Rd2 Rg2 ke9 ne7 cg6 pe6", "g2g6 e7g6", "nothing holds the horse"),
    (Pin, "Kd0 Re2 Nb3 ke9 re6 pi6", "b3c5 i6i5 c5e6", "the rook may move along the file"),
    (Pin, "Kd0 Ce2 Rg2 ke9 ne7 pe6 cg6 rg9", "g2g6 g9g6", "a rook takes in its place"),
    (Skewer, "Kf0 Ra3 ke8 ne9 ra9", "a3e3 e8d8 e3e9", "the horse behind is protected"),
    (RemovedDefender, "Kd0 Rd1 Rf0 ke9 nd7 cf6 rf9 pa6", "d1d7 a6a5 f0f6", "a rook protects the cannon as well"),
    (RemovedDefender, "Kd0 Rd1 Rf0 ke9 nd7 cf5 pa6", "d1d7 a6a5 f0f5", "the horse protects nothing"),
    (Deflection, "Kd0 Pe4 Rf0 ke9 nd7 cf6 rf9", "e4e5 d7e5 f0f6", "a rook protects the cannon as well"),
    (OpenedLine, "Kd0 Ra5 Pe6 kf9 nd5 ce7 rh5 rh9", "e6e7 d5e7 a5h5", "the rook is protected"),
    (CannonScreen, "Kd0 Ca2 Nc4 kf9 nh2 pi6 rh9", "c4d2 i6i5 a2h2", "the horse is protected, and not worth a cannon"),
    (CannonScreen, "Kd0 Ca2 Nc4 kf9 nh2 pi6 pe2", "c4b2 i6i5 b2d3", "there are two pieces between"),
    (Defence, "Kd0 Rd2 kf9 nc4 pi6", "d0e0 i6i5", "the rook stays where the horse takes it"),
    (Defence, "Kd0 Rd5 ke9 nc4 pi6", "d5c5 i6i5", "nothing was attacked"),
    (Sacrifice, "Ke0 Rf0 Ce5 Cc7 Pa3 Ni5 ke9 rd9 ri9", "a3a4 i9i5 c7e7", "the horse could be taken before"),
    (HangingPiece, "Kd0 Ra5 kf9 rh5 rh9", "a5h5 h9h5", "the rook is protected"),
];

/// The motifs of a line, all moves of which must be legal.
fn shown(pieces: &str, line: &str) -> Vec<Motif> {
    let (start, line) = (placed(pieces), moves(line));
    played_out(&start, &line);
    motifs(&start, &line)
}

#[test]
fn motifs_are_found_in_lines_that_show_them() {
    for (motif, pieces, line, what) in SHOWN {
        let found = shown(pieces, line);
        assert!(found.contains(&motif), "{motif:?}: {pieces} {line}: {what}, found {found:?}");
    }
}

#[test]
fn lines_that_come_near_to_a_motif_do_not_show_it() {
    let shows = |(motif, pieces, line, _): &(Motif, &str, &str, &str)| shown(pieces, line).contains(motif);
    let found: Vec<_> = NEAR_MISSES.into_iter().filter(shows).collect();
    assert_eq!(found, []);
}

#[test]
fn every_motif_is_shown_by_a_line() {
    let plain = Motif::all().filter(|motif| !matches!(motif, Pattern(_)));
    for motif in plain {
        assert!(SHOWN.iter().any(|(shown, ..)| *shown == motif), "{motif:?}");
    }
}
