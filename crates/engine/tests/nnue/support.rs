//! Helpers of the evaluation tests.

use chuhe_engine::nnue::Network;
use chuhe_engine::nnue::architecture::{Architecture, FEATURES, KingBuckets, OutputBuckets};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Small architectures with every kind of buckets.
pub fn layouts() -> Vec<Architecture> {
    let kings = [KingBuckets::Plain, KingBuckets::Mirrored, KingBuckets::Three, KingBuckets::Six];
    let heads = [OutputBuckets::One, OutputBuckets::Pieces, OutputBuckets::Attackers, OutputBuckets::Pieces];
    kings
        .into_iter()
        .zip(heads)
        .map(|(kings, heads)| Architecture { hidden: 32, king_buckets: kings, output_buckets: heads })
        .collect()
}

/// A network of random weights, as large as possible without overflow.
pub fn random_network(layout: Architecture, seed: u64) -> Network {
    let mut random = StdRng::seed_from_u64(seed);
    let mut numbers = |count: usize, limit: i16| (0..count).map(|_| random.random_range(-limit..=limit)).collect();
    let bias = numbers(layout.hidden, 300);
    let rows = numbers(layout.hidden * FEATURES * layout.king_buckets.count(), 90);
    let heads = numbers(2 * layout.hidden * layout.output_buckets.count(), 127);
    let head_bias = (0..layout.output_buckets.count() as i32).map(|head| head * 1000 - 4000).collect();
    Network::new(layout, 330, format!("random {seed}"), bias, rows, heads, head_bias).expect("it fits its layout")
}
