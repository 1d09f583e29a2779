//! Network files: round trips and damage.

use super::support::{layouts, random_network};
use chuhe_engine::nnue::{Network, NetworkError};

#[test]
fn network_file_round_trips() {
    for (seed, layout) in layouts().into_iter().enumerate() {
        let network = random_network(layout, seed as u64);
        let read = Network::from_bytes(&network.to_bytes()).expect("it is whole");
        assert_eq!(read, network);
        assert_eq!(read.checksum(), network.checksum());
    }
}

#[test]
fn network_file_damage_is_reported() {
    let bytes = random_network(layouts()[0], 1).to_bytes();
    let reading = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        Network::from_bytes(&bytes).expect_err("it is damaged")
    };
    assert_eq!(reading(&|bytes| bytes[0] = b'X'), NetworkError::BadMagic);
    assert_eq!(reading(&|bytes| bytes.clear()), NetworkError::BadMagic);
    assert_eq!(reading(&|bytes| bytes[8] = 9), NetworkError::Version(9));
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
fn network_rejects_weights_that_overflow() {
    let network = random_network(layouts()[0], 1);
    let mut heads = network.output_weights.to_vec();
    heads[3] = 128;
    let made = Network::new(
        network.architecture,
        network.scale,
        String::new(),
        network.feature_bias.clone(),
        network.feature_weights.to_vec(),
        heads,
        network.output_bias.clone(),
    );
    assert_eq!(made, Err(NetworkError::Shape));
}
