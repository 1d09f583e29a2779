//! Network files: round trips and damage.

use super::support::{ARCHITECTURES, random_network};
use chuhe_engine::nnue::{EvalMode, Network, NetworkError, NetworkParts, evaluate};
use std::sync::Arc;
use xiangqi::Position;

#[test]
fn network_file_round_trips() {
    for (seed, architecture) in ARCHITECTURES.into_iter().enumerate() {
        let network = random_network(architecture, seed as u64);
        let read = Network::from_bytes(&network.to_bytes()).expect("it is whole");
        assert_eq!(read, network);
        assert_eq!(read.checksum(), network.checksum());
    }
}

#[test]
fn network_file_damage_is_reported() {
    let bytes = random_network(ARCHITECTURES[0], 1).to_bytes();
    let reading = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        Network::from_bytes(&bytes).expect_err("it is damaged")
    };
    assert_eq!(reading(&|bytes| bytes[0] = b'X'), NetworkError::BadMagic);
    assert_eq!(reading(&|bytes| bytes.clear()), NetworkError::BadMagic);
    assert_eq!(reading(&|bytes| bytes[8] = 9), NetworkError::Version { found: 9, known: 1 });
    assert_eq!(reading(&|bytes| bytes[12] = 77), NetworkError::Shape);
    assert_eq!(reading(&|bytes| bytes[10..12].fill(0)), NetworkError::Shape);
    assert!(matches!(reading(&|bytes| bytes.push(0)), NetworkError::Size { .. }));
    assert!(matches!(reading(&|bytes| bytes[10] = 64), NetworkError::Size { .. }));
    assert_eq!(reading(&|bytes| bytes[5000] ^= 1), NetworkError::Checksum);
    let last = bytes.len() - 1;
    assert_eq!(reading(&|bytes| bytes[last] ^= 1), NetworkError::Checksum);
    for length in 0..bytes.len().min(400) {
        assert!(Network::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn network_rejects_weights_that_leave_their_range() {
    let network = random_network(ARCHITECTURES[0], 1);
    let with = |change: &dyn Fn(&mut NetworkParts)| {
        let mut parts = NetworkParts {
            architecture: network.architecture,
            scale: network.scale,
            description: String::new(),
            feature_bias: network.feature_bias.clone(),
            feature_weights: network.feature_weights.to_vec(),
            output_weights: network.output_weights.to_vec(),
            output_bias: network.output_bias.clone(),
        };
        change(&mut parts);
        Network::new(parts)
    };
    assert!(with(&|_| {}).is_ok());
    // The smallest number has no absolute value in 16 bits.
    for extreme in [128, i16::MIN] {
        assert_eq!(with(&|parts| parts.output_weights[3] = extreme), Err(NetworkError::Range), "{extreme}");
    }
    for extreme in [i32::MAX, i32::MIN, (1 << 24) + 1] {
        assert_eq!(with(&|parts| parts.output_bias[0] = extreme), Err(NetworkError::Range), "{extreme}");
    }
}

#[test]
fn network_file_is_read_or_refused_whatever_byte_is_changed() {
    let whole = random_network(ARCHITECTURES[0], 1).to_bytes();
    let read = |bytes: &[u8]| {
        if let Ok(network) = Network::from_bytes(bytes) {
            evaluate(&EvalMode::Network(Arc::new(network)), &Position::start());
        }
    };
    let step = (whole.len() / 200).max(1);
    let places = (0..200).chain((200..whole.len()).step_by(step)).chain(whole.len() - 8..whole.len());
    for place in places {
        read(&whole[..place]);
        for change in [1, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[place] ^= change;
            read(&bytes);
            // The same with a checksum that fits.
            let end = bytes.len() - 4;
            let sum = crc32fast::hash(&bytes[..end]);
            bytes[end..].copy_from_slice(&sum.to_le_bytes());
            read(&bytes);
        }
    }
}
