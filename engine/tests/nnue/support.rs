//! What the tests of the evaluation share.

use chuhe_engine::nnue::Network;
use chuhe_engine::nnue::layout::{Heads, Kings, Layout, ROWS};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Every kind of layout, small.
pub fn layouts() -> Vec<Layout> {
    let kings = [Kings::Plain, Kings::Mirrored, Kings::Three, Kings::Six];
    let heads = [Heads::One, Heads::Pieces, Heads::Attackers, Heads::Pieces];
    kings.into_iter().zip(heads).map(|(kings, heads)| Layout { hidden: 32, kings, heads }).collect()
}

/// A network of random numbers, as large as they may be without its sums running over.
pub fn random_network(layout: Layout, seed: u64) -> Network {
    let mut random = StdRng::seed_from_u64(seed);
    let mut numbers =
        |count: usize, limit: i16| (0..count).map(|_| random.random_range(-limit..=limit)).collect();
    let bias = numbers(layout.hidden, 300);
    let rows = numbers(layout.hidden * ROWS * layout.kings.buckets(), 90);
    let heads = numbers(2 * layout.hidden * layout.heads.count(), 127);
    let head_bias = (0..layout.heads.count() as i32).map(|head| head * 1000 - 4000).collect();
    Network::new(layout, 330, format!("random {seed}"), bias, rows, heads, head_bias)
        .expect("it fits its layout")
}
