//! The SIMD kernels of the network, and their runtime dispatch to instruction sets.
//!
//! A loop is written once, in plain Rust. `dispatch` runs a copy compiled for AVX-512 or AVX2 if the processor has it,
//! else for the baseline of the architecture (SSE2, NEON). All copies come from one source, so integer results are
//! equal. The loops are inlined where they are called, so a caller of several needs one `dispatch`. The environment variable `CHUHE_SIMD` (`plain`, `avx2`) selects a lower level.
//!
//! The only `unsafe` here calls functions compiled for these instructions after they have been detected.
#![allow(unsafe_code)]

use super::network::QA;
#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

/// The instruction set of a copy.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq)]
enum SimdLevel {
    Plain,
    Avx2,
    Avx512,
}

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
pub fn dispatch<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    match *SIMD_LEVEL {
        // SAFETY: every feature that the function was compiled for has been detected.
        SimdLevel::Avx512 => return unsafe { with_avx512(work) },
        // SAFETY: as above.
        SimdLevel::Avx2 => return unsafe { with_avx2(work) },
        SimdLevel::Plain => {}
    }
    work()
}

/// # Safety
///
/// The processor must have AVX-512 F, BW, DQ and VL, AVX2 and BMI2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi2")]
unsafe fn with_avx512<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// # Safety
///
/// The processor must have AVX2 and BMI2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// The dot product of the SCReLU activations and the weights.
#[inline(always)]
pub fn screlu_dot(sums: &[i16], weights: &[i16]) -> i32 {
    let mut total = 0i32;
    for (sum, weight) in sums.iter().zip(weights) {
        let active = (*sum).clamp(0, QA as i16);
        // Fits 16 bits, because the weights are limited to `OUTPUT_WEIGHT_LIMIT`.
        let weighted = active.wrapping_mul(*weight);
        total = total.wrapping_add(i32::from(active) * i32::from(weighted));
    }
    total
}

#[inline(always)]
pub fn add_sub(to: &mut [i16], from: &[i16], added: &[i16], removed: &[i16]) {
    for (((to, from), added), removed) in to.iter_mut().zip(from).zip(added).zip(removed) {
        *to = from.wrapping_add(*added).wrapping_sub(*removed);
    }
}

#[inline(always)]
pub fn add_sub_sub(to: &mut [i16], from: &[i16], added: &[i16], one: &[i16], two: &[i16]) {
    for ((((to, from), added), one), two) in to.iter_mut().zip(from).zip(added).zip(one).zip(two) {
        *to = from.wrapping_add(*added).wrapping_sub(*one).wrapping_sub(*two);
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
