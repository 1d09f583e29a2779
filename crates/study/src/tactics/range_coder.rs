//! An adaptive binary range coder, as LZMA has one: bits that are expected take less room. The writer and the reader share
//! a description of what is coded (see [`BitCoder`]).

/// Probabilities have so many bits.
const PROBABILITY_BITS: u32 = 12;
/// How slowly they follow what comes.
const RATE: u32 = 4;
/// Below this the range is shifted.
const LEAST_RANGE: u32 = 1 << 24;

/// The probability of a 0.
#[derive(Clone, Copy)]
pub struct Probability(u16);

impl Default for Probability {
    fn default() -> Probability {
        Probability(1 << (PROBABILITY_BITS - 1))
    }
}

impl Probability {
    fn bound(self, range: u32) -> u32 {
        (range >> PROBABILITY_BITS) * u32::from(self.0)
    }

    fn learn(&mut self, bit: bool) {
        if bit {
            self.0 -= self.0 >> RATE;
        } else {
            self.0 += ((1 << PROBABILITY_BITS) - self.0) >> RATE;
        }
    }
}

/// Writes or reads bits. A writer is given each bit and returns it; a reader returns what it has read.
pub trait BitCoder {
    fn bit(&mut self, probability: &mut Probability, bit: bool) -> bool;

    /// A number below `2.pow(bits)`, whose higher bits tell how the lower ones are expected. There must be
    /// `2.pow(bits)` probabilities.
    fn number(&mut self, probabilities: &mut [Probability], bits: u32, number: usize) -> usize {
        let mut node = 1;
        for shift in (0..bits).rev() {
            let bit = self.bit(&mut probabilities[node], number >> shift & 1 == 1);
            node = node << 1 | usize::from(bit);
        }
        node - (1 << bits)
    }

    /// A number below `count`, all of which are as likely.
    fn choice(&mut self, count: usize, number: usize) -> usize {
        let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
        let bit = |shift: u32| self.bit(&mut Probability::default(), number >> shift & 1 == 1);
        (0..bits).rev().map(bit).fold(0, |read, bit| read << 1 | usize::from(bit))
    }
}

/// Writes.
pub struct Encoder {
    low: u64,
    range: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    pub fn new() -> Encoder {
        Encoder { low: 0, range: u32::MAX, bytes: Vec::new() }
    }

    /// The bytes.
    pub fn finish(mut self) -> Vec<u8> {
        (0..4).for_each(|_| self.shift());
        self.bytes
    }

    fn shift(&mut self) {
        if self.low > u64::from(u32::MAX) {
            // The carry goes up through the bytes that are full.
            for byte in self.bytes.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
        self.bytes.push((self.low >> 24) as u8);
        self.low = self.low << 8 & u64::from(u32::MAX);
    }
}

impl BitCoder for Encoder {
    fn bit(&mut self, probability: &mut Probability, bit: bool) -> bool {
        let bound = probability.bound(self.range);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        probability.learn(bit);
        while self.range < LEAST_RANGE {
            self.shift();
            self.range <<= 8;
        }
        bit
    }
}

/// Reads. Behind the end there are zeros.
pub struct Decoder<'a> {
    bytes: std::slice::Iter<'a, u8>,
    code: u32,
    range: u32,
}

impl Decoder<'_> {
    pub fn new(bytes: &[u8]) -> Decoder<'_> {
        let mut decoder = Decoder { bytes: bytes.iter(), code: 0, range: u32::MAX };
        (0..4).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or_default());
    }
}

impl BitCoder for Decoder<'_> {
    fn bit(&mut self, probability: &mut Probability, _: bool) -> bool {
        let bound = probability.bound(self.range);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        probability.learn(bit);
        while self.range < LEAST_RANGE {
            self.shift();
            self.range <<= 8;
        }
        bit
    }
}
