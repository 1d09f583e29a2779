//! Loops compiled for what the processor at hand can do.
//!
//! A loop over numbers is written once, in plain Rust. `dispatch` executes it in a copy that the compiler made for AVX-512 or
//! AVX2 where the processor has that, else in the copy for every processor of its family (SSE2, NEON): all copies come
//! from the same lines, so whole numbers come out the same. The variable `CHUHE_SIMD` (`plain`, `avx2`) asks for a copy of
//! less.
//!
//! The only `unsafe` here are the calls of functions that need those instructions, behind the question whether they are
//! there.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

/// What a copy of a loop is compiled for, beyond what every processor has.
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

/// Runs a loop in the copy for this processor. What is passed must be inlined whole (`#[inline(always)]` for functions
/// that it calls), or only its shell is.
#[inline]
pub fn dispatch<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    match *SIMD_LEVEL {
        // SAFETY: the processor has been asked for every feature that the function was compiled for.
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
