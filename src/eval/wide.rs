//! Loops compiled for what the processor at hand can do.
//!
//! A loop over numbers is written once, in plain Rust. `run` executes it in a copy that the compiler made for AVX2 where
//! the processor has that, else in the copy for every processor of its family (SSE2, NEON): all copies come from the
//! same lines, so whole numbers come out the same. The variable `CHUHE_SIMD=plain` chooses the plain copy.
//!
//! The only `unsafe` here is the call of a function that needs AVX2, behind the question whether it is there.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

#[cfg(target_arch = "x86_64")]
static HAS_AVX2: LazyLock<bool> = LazyLock::new(|| {
    std::env::var("CHUHE_SIMD").as_deref() != Ok("plain")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi2")
});

/// The name of the copies that `run` chooses.
pub fn name() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if *HAS_AVX2 {
        return "AVX2";
    }
    if cfg!(target_arch = "aarch64") {
        "NEON"
    } else if cfg!(target_arch = "x86_64") {
        "SSE2"
    } else {
        "plain"
    }
}

/// Runs a loop in the copy for this processor. What is passed must be inlined whole (`#[inline(always)]` for functions
/// that it calls), or only its shell is.
#[inline]
pub fn run<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if *HAS_AVX2 {
        // SAFETY: the processor has just been asked for every feature that the function was compiled for.
        return unsafe { with_avx2(work) };
    }
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
