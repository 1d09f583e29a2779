//! Helpers of the evaluation tests.

use chuhe_engine::nnue::architecture::FEATURES;
use chuhe_engine::nnue::{Architecture, KingBuckets, Network, NetworkParts, OutputBuckets};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Small architectures with every kind of buckets, of widths that fill the registers of a vector loop and that do not.
pub const ARCHITECTURES: [Architecture; 4] = [
    architecture(32, KingBuckets::Plain, OutputBuckets::One),
    architecture(160, KingBuckets::Mirrored, OutputBuckets::Pieces),
    architecture(128, KingBuckets::Three, OutputBuckets::Attackers),
    architecture(96, KingBuckets::Six, OutputBuckets::Pieces),
];

const fn architecture(hidden: usize, king_buckets: KingBuckets, output_buckets: OutputBuckets) -> Architecture {
    Architecture { hidden, king_buckets, output_buckets }
}

/// A network of random weights, as large as possible without overflow.
pub fn random_network(architecture: Architecture, seed: u64) -> Network {
    let mut random = StdRng::seed_from_u64(seed);
    let mut numbers = |count: usize, limit: i16| (0..count).map(|_| random.random_range(-limit..=limit)).collect();
    let Architecture { hidden, king_buckets, output_buckets } = architecture;
    let parts = NetworkParts {
        architecture,
        scale: 330,
        description: format!("random {seed}"),
        feature_bias: numbers(hidden, 300),
        feature_weights: numbers(hidden * FEATURES * king_buckets.count(), 90),
        output_weights: numbers(2 * hidden * output_buckets.count(), 127),
        output_bias: (0..output_buckets.count() as i32).map(|bucket| bucket * 1000 - 4000).collect(),
    };
    Network::new(parts).expect("it fits its architecture")
}
