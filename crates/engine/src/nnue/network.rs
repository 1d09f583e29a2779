//! The weights of a network, and its file format.
//!
//! The weights are quantized: by 255 (`QA`) in the first layer, whose activations are clamped to 0 to 255 and squared,
//! and by 64 (`QB`) in the second, whose weights are limited so that a product with an activation fits 16 bits.
//!
//! ```text
//! CHUHENET  version u16  hidden u16  king buckets u8  output buckets u8  scale u32  length u16  description
//! feature bias [i16; hidden]  feature weights [i16; king buckets × features × hidden]
//! output weights [i16; output buckets × 2 × hidden]  output bias [i32; output buckets]
//! CRC-32 of all before
//! ```

use super::aligned_vec::{AlignedVec, LANES};
use super::architecture::{Architecture, FEATURES, KingBuckets, OutputBuckets};
use crate::read_file::{ReadError, read_regular};
use std::fmt;
use std::path::{Path, PathBuf};
use xiangqi::{worded_error, words};

/// The quantization of the first layer.
pub const QA: i32 = 255;
/// The quantization of the second layer.
pub const QB: i32 = 64;
/// The largest output weight: its product with an activation fits 16 bits.
pub const OUTPUT_WEIGHT_LIMIT: i16 = 127;
/// The largest output bias. Together with the sum of the largest hidden layer it fits 32 bits, and multiplied by the
/// largest scale the output does.
const OUTPUT_BIAS_LIMIT: u32 = 1 << 24;
/// The size of the hidden layer is a multiple of this.
const HIDDEN_STEP: usize = LANES;
/// The largest hidden layer.
const MAX_HIDDEN: usize = 2048;

/// The size limit of a network file.
const MAX_FILE_BYTES: u64 = 1 << 25;
const MAGIC: &[u8; 8] = b"CHUHENET";
const VERSION: u16 = 1;

/// The reason why bytes are not a network.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetworkError {
    /// The magic number is missing.
    BadMagic,
    /// An unknown version of the format.
    Version {
        /// The version of the file.
        found: u16,
        /// The version that can be read.
        known: u16,
    },
    /// An invalid architecture.
    Shape,
    /// Weights with which an output could leave its range.
    Range,
    /// The wrong length for the architecture.
    Size {
        /// The expected length.
        expected: usize,
        /// The actual length.
        found: usize,
    },
    /// The checksum does not match.
    Checksum,
}

worded_error!(NetworkError, |error| match error {
    NetworkError::BadMagic => words!("not a network of this engine"),
    NetworkError::Version { found, known } => {
        words!("version {found} of the format; this program knows {known}", found, known)
    }
    NetworkError::Shape => words!("its shape makes no sense"),
    NetworkError::Range => words!("its weights are out of range"),
    NetworkError::Size { expected, found } => {
        words!("{found} bytes; a network of this shape has {expected}", found, expected)
    }
    NetworkError::Checksum => words!("damaged: the checksum does not fit"),
});

/// The reason why a file could not be loaded as a network.
#[derive(Debug)]
#[non_exhaustive]
pub enum NetworkFileError {
    /// The file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: ReadError,
    },
    /// The content is not a network.
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NetworkError,
    },
}

worded_error!(NetworkFileError, |error| match error {
    NetworkFileError::Read { path, source } => {
        words!("{path}: {source}", path = path.display().to_string(), source)
    }
    NetworkFileError::Network { path, source } => {
        words!("{path}: {source}", path = path.display().to_string(), source)
    }
});

/// What a [`Network`] is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkParts {
    /// The architecture.
    pub architecture: Architecture,
    /// The score, in search units, of an output of one.
    pub scale: i32,
    /// The description shown to users.
    pub description: String,
    /// The bias of the hidden layer.
    pub feature_bias: Vec<i16>,
    /// The weights of the first layer: for each king bucket and feature, one for each hidden neuron.
    pub feature_weights: Vec<i16>,
    /// The weights of the second layer: for each output bucket those of the side to move, then the other side's.
    pub output_weights: Vec<i16>,
    /// The bias of each output bucket, quantized by `QA` × `QB`.
    pub output_bias: Vec<i32>,
}

/// A network: its architecture and weights, checked.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    /// The architecture.
    pub architecture: Architecture,
    /// The score, in search units, of an output of one.
    pub scale: i32,
    /// The description shown to users.
    pub description: String,
    /// The bias of the hidden layer.
    pub feature_bias: Vec<i16>,
    /// The weights of the first layer, feature by feature.
    pub feature_weights: AlignedVec,
    /// The weights of the second layer by output bucket: the side to move's half, then the other's.
    pub output_weights: AlignedVec,
    /// The bias of each output bucket, quantized by `QA` × `QB`.
    pub output_bias: Vec<i32>,
    checksum: u32,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "network {:08x} ({})", self.checksum, self.description)
    }
}

impl Network {
    /// Creates a network; the lengths of the weights must fit the architecture.
    pub fn new(parts: NetworkParts) -> Result<Network, NetworkError> {
        let mut network = Network::assemble(parts, 0)?;
        network.checksum = crc32fast::hash(&network.payload());
        Ok(network)
    }

    fn assemble(parts: NetworkParts, checksum: u32) -> Result<Network, NetworkError> {
        let network = Network {
            architecture: parts.architecture,
            scale: parts.scale,
            description: parts.description,
            feature_bias: parts.feature_bias,
            feature_weights: AlignedVec::from(&parts.feature_weights[..]),
            output_weights: AlignedVec::from(&parts.output_weights[..]),
            output_bias: parts.output_bias,
            checksum,
        };
        network.check_architecture()?;
        Ok(network)
    }

    fn check_architecture(&self) -> Result<(), NetworkError> {
        let Architecture { hidden, king_buckets, output_buckets } = self.architecture;
        let is_sound = hidden > 0
            && hidden.is_multiple_of(HIDDEN_STEP)
            && hidden <= MAX_HIDDEN
            && (1..=100_000).contains(&self.scale)
            && self.description.len() <= usize::from(u16::MAX)
            && self.feature_bias.len() == hidden
            && self.feature_weights.len() == hidden * FEATURES * king_buckets.count()
            && self.output_weights.len() == 2 * hidden * output_buckets.count()
            && self.output_bias.len() == output_buckets.count();
        if !is_sound {
            return Err(NetworkError::Shape);
        }
        if self.is_in_range() { Ok(()) } else { Err(NetworkError::Range) }
    }

    /// True if no output can leave 32 bits, whatever the activations.
    fn is_in_range(&self) -> bool {
        let largest = i64::from(i32::MAX) / i64::from(QA * QA);
        let sum = |row: &[i16], sign: i64| row.iter().map(|&weight| (sign * i64::from(weight)).max(0)).sum::<i64>();
        let mut rows = self.output_weights.chunks(2 * self.architecture.hidden);
        rows.all(|row| sum(row, 1) <= largest && sum(row, -1) <= largest)
            && self.output_weights.iter().all(|weight| weight.unsigned_abs() <= OUTPUT_WEIGHT_LIMIT.unsigned_abs())
            && self.output_bias.iter().all(|bias| bias.unsigned_abs() <= OUTPUT_BIAS_LIMIT)
    }

    /// The CRC-32 of the file's content.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    fn payload(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(self.architecture.hidden as u16).to_le_bytes());
        out.extend_from_slice(&[self.architecture.king_buckets as u8, self.architecture.output_buckets as u8]);
        out.extend_from_slice(&(self.scale as u32).to_le_bytes());
        out.extend_from_slice(&(self.description.len() as u16).to_le_bytes());
        out.extend_from_slice(self.description.as_bytes());
        for weights in [&self.feature_bias[..], &self.feature_weights, &self.output_weights] {
            out.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        out.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        out
    }

    /// Serializes the network.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.payload();
        out.extend_from_slice(&self.checksum.to_le_bytes());
        out
    }

    /// Parses a network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::BadMagic)?;
        let found = bytes.len();
        let mut take = |count: usize| {
            let (head, tail) = rest
                .split_at_checked(count)
                .ok_or(NetworkError::Size { expected: bytes.len() - rest.len() + count, found })?;
            rest = tail;
            Ok::<&[u8], NetworkError>(head)
        };
        let version = u16::from_le_bytes(array(take(2)?));
        if version != VERSION {
            return Err(NetworkError::Version { found: version, known: VERSION });
        }
        let hidden = usize::from(u16::from_le_bytes(array(take(2)?)));
        let buckets = take(2)?;
        let buckets = (KingBuckets::from_number(buckets[0]), OutputBuckets::from_number(buckets[1]));
        let (Some(king_buckets), Some(output_buckets)) = buckets else { return Err(NetworkError::Shape) };
        if hidden == 0 || hidden > MAX_HIDDEN {
            return Err(NetworkError::Shape);
        }
        let scale = u32::from_le_bytes(array(take(4)?)) as i32;
        let length = usize::from(u16::from_le_bytes(array(take(2)?)));
        let description = take(length)?;
        let outputs = output_buckets.count();
        let weights = hidden * (1 + FEATURES * king_buckets.count() + 2 * outputs);
        let expected = 20 + length + weights * 2 + outputs * 4 + 4;
        if found != expected {
            return Err(NetworkError::Size { expected, found });
        }
        let mut short_numbers = |count: usize| {
            let numbers = take(count * 2)?.chunks_exact(2).map(|pair| i16::from_le_bytes(array(pair)));
            Ok(numbers.collect::<Vec<i16>>())
        };
        let parts = NetworkParts {
            architecture: Architecture { hidden, king_buckets, output_buckets },
            scale,
            description: printable(&String::from_utf8_lossy(description)),
            feature_bias: short_numbers(hidden)?,
            feature_weights: short_numbers(hidden * FEATURES * king_buckets.count())?,
            output_weights: short_numbers(2 * hidden * outputs)?,
            output_bias: take(outputs * 4)?.chunks_exact(4).map(|four| i32::from_le_bytes(array(four))).collect(),
        };
        let checksum = u32::from_le_bytes(array(take(4)?));
        if crc32fast::hash(&bytes[..found - 4]) != checksum {
            return Err(NetworkError::Checksum);
        }
        Network::assemble(parts, checksum)
    }

    /// Reads a network file.
    pub fn open(file: &Path) -> Result<Network, NetworkFileError> {
        let path = || file.to_path_buf();
        let bytes =
            read_regular(file, MAX_FILE_BYTES).map_err(|source| NetworkFileError::Read { path: path(), source })?;
        Network::from_bytes(&bytes).map_err(|source| NetworkFileError::Network { path: path(), source })
    }

    /// The first-layer weights of a feature in a king bucket.
    #[inline]
    pub fn feature_row(&self, king_bucket: usize, feature: usize) -> &[i16] {
        let hidden = self.architecture.hidden;
        let start = (king_bucket * FEATURES + feature) * hidden;
        &self.feature_weights[start..start + hidden]
    }

    /// The weights of an output bucket: the side to move's half, and the other's.
    #[inline]
    pub fn output_row(&self, bucket: usize) -> (&[i16], &[i16]) {
        let hidden = self.architecture.hidden;
        self.output_weights[bucket * 2 * hidden..(bucket + 1) * 2 * hidden].split_at(hidden)
    }
}

/// A description as one line without control characters, because it is shown on terminals and to hosts.
fn printable(description: &str) -> String {
    let shown = |letter: char| match letter {
        '\n' | '\r' | '\x0B' | '\x0C' => ' ',
        _ if letter.is_control() && letter != '\t' => char::REPLACEMENT_CHARACTER,
        _ => letter,
    };
    description.chars().map(shown).collect()
}

/// Converts the first `N` bytes of a slice that is long enough.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[..N]);
    array
}
