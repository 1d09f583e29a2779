//! The weights of a network, and its file format.
//!
//! The weights are quantized: by 255 (`QA`) in the first layer, whose activations are clamped to 0 to 255 and squared,
//! and by 64 (`QB`) in the second, whose weights are limited so that a product with an activation fits 16 bits.
//!
//! ```text
//! CHUHENET  version u16  hidden u16  kings u8  heads u8  scale u32  length u16  description
//! bias [i16; hidden]  rows [i16; hidden × rows × count]  heads [i16; 2 × hidden × heads]  head bias [i32; heads]
//! CRC-32 of all before
//! ```

use super::aligned_vec::{AlignedVec, LANES};
use super::architecture::{Architecture, FEATURES, KingBuckets, OutputBuckets};
use chuhe_base::files::{At, FileError, read_regular};
use chuhe_base::language::{sanitize, tr};
use std::fmt;
use std::path::Path;
use thiserror::Error;

/// The quantization of the first layer.
pub const QA: i32 = 255;
/// The quantization of the second layer.
pub const QB: i32 = 64;
/// The largest output weight: its product with an activation fits 16 bits.
pub const OUTPUT_WEIGHT_LIMIT: i16 = 127;
/// The largest output bias. Together with the sum of the largest hidden layer it fits 32 bits, and multiplied by the
/// largest scale the output does.
pub const OUTPUT_BIAS_LIMIT: u32 = 1 << 24;
/// The size of the hidden layer is a multiple of this.
pub const HIDDEN_STEP: usize = LANES;
/// The largest hidden layer.
pub const MAX_HIDDEN: usize = 2048;

/// The size limit of a network file.
const MAX_FILE_BYTES: u64 = 1 << 25;
const MAGIC: &[u8; 8] = b"CHUHENET";
const VERSION: u16 = 1;

/// The reason why bytes are not a network.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The magic number is missing.
    #[error("{}", tr!("not a network of this engine"))]
    BadMagic,
    /// An unknown version of the format.
    #[error("{}", tr!("version {version} of the format; this program knows {known}", version = _0, known = VERSION))]
    Version(u16),
    /// An invalid architecture.
    #[error("{}", tr!("its shape makes no sense"))]
    Shape,
    /// Weights with which an output could leave its range.
    #[error("{}", tr!("its weights are out of range"))]
    Range,
    /// The wrong length for the architecture.
    #[error("{}", tr!("{found} bytes; a network of this shape has {expected}", found, expected))]
    Size {
        /// The expected length.
        expected: usize,
        /// The actual length.
        found: usize,
    },
    /// The checksum does not match.
    #[error("{}", tr!("damaged: the checksum does not fit"))]
    Checksum,
}

/// The reason why a file could not be loaded as a network.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NetworkFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] FileError),
    /// The content is not a network.
    #[error(transparent)]
    Network(#[from] FileError<NetworkError>),
}

/// A network: its architecture and weights.
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
    /// Creates a network from weights, whose lengths must fit the architecture.
    pub fn new(
        layout: Architecture,
        scale: i32,
        description: String,
        bias: Vec<i16>,
        rows: Vec<i16>,
        heads: Vec<i16>,
        head_bias: Vec<i32>,
    ) -> Result<Network, NetworkError> {
        let (rows, heads) = (AlignedVec::from(&rows[..]), AlignedVec::from(&heads[..]));
        let mut network = Network {
            architecture: layout,
            scale,
            description,
            feature_bias: bias,
            feature_weights: rows,
            output_weights: heads,
            output_bias: head_bias,
            checksum: 0,
        };
        network.check_architecture()?;
        network.checksum = crc32fast::hash(&network.payload());
        Ok(network)
    }

    fn check_architecture(&self) -> Result<(), NetworkError> {
        let Architecture { hidden, king_buckets: kings, output_buckets: heads } = self.architecture;
        let is_sound = hidden > 0
            && hidden.is_multiple_of(HIDDEN_STEP)
            && hidden <= MAX_HIDDEN
            && (1..=100_000).contains(&self.scale)
            && self.description.len() <= usize::from(u16::MAX)
            && self.feature_bias.len() == hidden
            && self.feature_weights.len() == hidden * FEATURES * kings.count()
            && self.output_weights.len() == 2 * hidden * heads.count()
            && self.output_bias.len() == heads.count();
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
            return Err(NetworkError::Version(version));
        }
        let hidden = usize::from(u16::from_le_bytes(array(take(2)?)));
        let kinds = take(2)?;
        let (kings, heads) = (KingBuckets::from_number(kinds[0]), OutputBuckets::from_number(kinds[1]));
        let (Some(kings), Some(heads)) = (kings, heads) else { return Err(NetworkError::Shape) };
        if hidden == 0 || hidden > MAX_HIDDEN {
            return Err(NetworkError::Shape);
        }
        let scale = u32::from_le_bytes(array(take(4)?)) as i32;
        let length = usize::from(u16::from_le_bytes(array(take(2)?)));
        let description = take(length)?;
        let weights = hidden * (1 + FEATURES * kings.count() + 2 * heads.count());
        let expected = 20 + length + weights * 2 + heads.count() * 4 + 4;
        if found != expected {
            return Err(NetworkError::Size { expected, found });
        }
        let mut short_numbers = |count: usize| {
            let numbers = take(count * 2)?.chunks_exact(2).map(|pair| i16::from_le_bytes(array(pair)));
            Ok(numbers.collect::<Vec<i16>>())
        };
        let bias = short_numbers(hidden)?;
        let rows = AlignedVec::from(&short_numbers(hidden * FEATURES * kings.count())?[..]);
        let head_weights = AlignedVec::from(&short_numbers(2 * hidden * heads.count())?[..]);
        let head_bias = take(heads.count() * 4)?.chunks_exact(4).map(|four| i32::from_le_bytes(array(four))).collect();
        let checksum = u32::from_le_bytes(array(take(4)?));
        if crc32fast::hash(&bytes[..found - 4]) != checksum {
            return Err(NetworkError::Checksum);
        }
        // The description is shown on terminals and to hosts, where a message is one line.
        let description = sanitize(&String::from_utf8_lossy(description)).replace('\n', " ");
        let layout = Architecture { hidden, king_buckets: kings, output_buckets: heads };
        let network = Network {
            architecture: layout,
            scale,
            description,
            feature_bias: bias,
            feature_weights: rows,
            output_weights: head_weights,
            output_bias: head_bias,
            checksum,
        };
        network.check_architecture()?;
        Ok(network)
    }

    /// Reads a network file.
    pub fn open(file: &Path) -> Result<Network, NetworkFileError> {
        let bytes = read_regular(file, MAX_FILE_BYTES).at(file)?;
        Ok(Network::from_bytes(&bytes).at(file)?)
    }

    /// The first-layer weights of a feature.
    #[inline]
    pub fn feature_row(&self, bucket: usize, row: usize) -> &[i16] {
        let hidden = self.architecture.hidden;
        let start = (bucket * FEATURES + row) * hidden;
        &self.feature_weights[start..start + hidden]
    }

    /// The weights of an output bucket: the side to move's half, and the other's.
    #[inline]
    pub fn output_row(&self, head: usize) -> (&[i16], &[i16]) {
        let hidden = self.architecture.hidden;
        self.output_weights[head * 2 * hidden..(head + 1) * 2 * hidden].split_at(hidden)
    }
}

/// Converts the first `N` bytes of a slice that is long enough.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[..N]);
    array
}
