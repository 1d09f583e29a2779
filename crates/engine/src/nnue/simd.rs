//! The SIMD kernels of the network, and their runtime dispatch to instruction sets.
//!
//! A loop is written once, in plain Rust. `dispatch` runs a copy compiled for AVX-512 or AVX2 if the processor has it,
//! else for the baseline of the architecture (SSE2, NEON). All copies come from one source, so integer results are
//! equal. The loops are inlined where they are called, so a caller of several needs one `dispatch`. The dot product alone
//! has intrinsics, as the compiler uses half of each register for it. The environment variable `CHUHE_SIMD` (`plain`,
//! `avx2`) selects a lower level.
//!
//! The only `unsafe` here calls functions compiled for these instructions after they have been detected, and loads
//! registers from arrays of their size.
#![allow(unsafe_code)]

use super::aligned_vec::LANES;
use super::network::QA;
#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

/// The instruction set of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SimdLevel {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Proof that `dispatch` has detected the instructions of a copy.
#[derive(Clone, Copy, Debug)]
pub struct Simd(SimdLevel);

#[cfg(target_arch = "x86_64")]
static SIMD_LEVEL: LazyLock<SimdLevel> = LazyLock::new(|| {
    let asked = std::env::var("CHUHE_SIMD").unwrap_or_default();
    let has_avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2");
    if asked == "plain" || !has_avx2 {
        return SimdLevel::Plain;
    }
    let has_avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    if asked == "avx2" || !has_avx512 { SimdLevel::Avx2 } else { SimdLevel::Avx512 }
});

/// Runs a closure in the copy for this processor. It and the functions it calls must be inlined (`#[inline(always)]`),
/// or they are compiled for the baseline.
#[inline]
pub fn dispatch<R>(work: impl FnOnce(Simd) -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    match *SIMD_LEVEL {
        // SAFETY: every feature that the function was compiled for has been detected.
        SimdLevel::Avx512 => return unsafe { with_avx512(work) },
        // SAFETY: as above.
        SimdLevel::Avx2 => return unsafe { with_avx2(work) },
        SimdLevel::Plain => {}
    }
    work(Simd(SimdLevel::Plain))
}

/// # Safety
///
/// The processor must have AVX-512 F, BW, DQ and VL, AVX2 and BMI2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi2")]
unsafe fn with_avx512<R>(work: impl FnOnce(Simd) -> R) -> R {
    work(Simd(SimdLevel::Avx512))
}

/// # Safety
///
/// The processor must have AVX2 and BMI2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn with_avx2<R>(work: impl FnOnce(Simd) -> R) -> R {
    work(Simd(SimdLevel::Avx2))
}

impl Simd {
    /// The dot product of the SCReLU activations and the weights, whose number is a multiple of 32.
    #[inline(always)]
    pub fn screlu_dot(self, sums: &[i16], weights: &[i16]) -> i32 {
        match self.0 {
            // SAFETY: `dispatch` has detected the instructions.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => unsafe { x86::screlu_dot_avx512(sums, weights) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => unsafe { x86::screlu_dot_avx2(sums, weights) },
            SimdLevel::Plain => screlu_dot(sums, weights),
        }
    }
}

#[inline(always)]
fn screlu_dot(sums: &[i16], weights: &[i16]) -> i32 {
    let mut total = 0i32;
    for (sum, weight) in sums.iter().zip(weights) {
        let active = (*sum).clamp(0, QA as i16);
        // Fits 16 bits, because the weights are limited to `OUTPUT_WEIGHT_LIMIT`.
        let weighted = active.wrapping_mul(*weight);
        total = total.wrapping_add(i32::from(active) * i32::from(weighted));
    }
    total
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::QA;
    use std::arch::x86_64::*;

    /// Registers that add up beside each other, so that no addition waits for the one before.
    const CHAINS: usize = 4;

    macro_rules! screlu_dot {
        ($name:ident, $features:literal, $lanes:literal, $load:ident, $set1:ident, $max:ident, $min:ident, $mullo:ident,
         $madd:ident, $add:ident) => {
            #[target_feature(enable = $features)]
            #[inline]
            pub fn $name(sums: &[i16], weights: &[i16]) -> i32 {
                let (zero, one) = ($set1(0), $set1(QA as i16));
                let mut totals = [zero; CHAINS];
                let groups = sums.as_chunks::<$lanes>().0.as_chunks::<CHAINS>();
                let weight_groups = weights.as_chunks::<$lanes>().0.as_chunks::<CHAINS>();
                let add = |total: &mut _, sums: &[i16; $lanes], weights: &[i16; $lanes]| {
                    // SAFETY: both arrays have the size of a register.
                    let (sums, weights) = unsafe { ($load(sums.as_ptr().cast()), $load(weights.as_ptr().cast())) };
                    let active = $min($max(sums, zero), one);
                    *total = $add(*total, $madd(active, $mullo(active, weights)));
                };
                for (sums, weights) in groups.0.iter().zip(weight_groups.0) {
                    for chain in 0..CHAINS {
                        add(&mut totals[chain], &sums[chain], &weights[chain]);
                    }
                }
                groups.1.iter().zip(weight_groups.1).for_each(|(sums, weights)| add(&mut totals[0], sums, weights));
                let [a, b, c, d] = totals;
                // SAFETY: a register of 32-bit lanes is an array of them.
                let lanes: [i32; $lanes / 2] = unsafe { std::mem::transmute($add($add(a, b), $add(c, d))) };
                lanes.into_iter().fold(0, i32::wrapping_add)
            }
        };
    }

    screlu_dot!(
        screlu_dot_avx2,
        "avx2,bmi2",
        16,
        _mm256_loadu_si256,
        _mm256_set1_epi16,
        _mm256_max_epi16,
        _mm256_min_epi16,
        _mm256_mullo_epi16,
        _mm256_madd_epi16,
        _mm256_add_epi32
    );
    screlu_dot!(
        screlu_dot_avx512,
        "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi2",
        32,
        _mm512_loadu_si512,
        _mm512_set1_epi16,
        _mm512_max_epi16,
        _mm512_min_epi16,
        _mm512_mullo_epi16,
        _mm512_madd_epi16,
        _mm512_add_epi32
    );
}

/// Adds one row to an accumulator and subtracts another. A line of numbers is read before any of it is written, so that
/// the compiler need not fear that the rows overlap.
#[inline(always)]
pub fn add_sub(to: &mut [i16], from: &[i16], added: &[i16], removed: &[i16]) {
    let groups = to.as_chunks_mut::<LANES>().0.iter_mut().zip(from.as_chunks::<LANES>().0);
    let rows = added.as_chunks::<LANES>().0.iter().zip(removed.as_chunks::<LANES>().0);
    for ((to, from), (added, removed)) in groups.zip(rows) {
        *to = std::array::from_fn(|index| from[index].wrapping_add(added[index]).wrapping_sub(removed[index]));
    }
}

/// Adds one row to an accumulator and subtracts two, likewise.
#[inline(always)]
pub fn add_sub_sub(to: &mut [i16], from: &[i16], added: &[i16], one: &[i16], two: &[i16]) {
    let groups = to.as_chunks_mut::<LANES>().0.iter_mut().zip(from.as_chunks::<LANES>().0);
    let removed = one.as_chunks::<LANES>().0.iter().zip(two.as_chunks::<LANES>().0);
    for (((to, from), added), (one, two)) in groups.zip(added.as_chunks::<LANES>().0).zip(removed) {
        *to = std::array::from_fn(|index| {
            from[index].wrapping_add(added[index]).wrapping_sub(one[index]).wrapping_sub(two[index])
        });
    }
}

#[inline(always)]
pub fn add_feature(sums: &mut [i16], row: &[i16]) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
}

#[inline(always)]
pub fn sub_feature(sums: &mut [i16], row: &[i16]) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
}
