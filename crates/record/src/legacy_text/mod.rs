//! Text in the encodings of older Chinese programs. In WebAssembly the tables are those of the host, which has them anyway.
//!
//! ```
//! use xiangqi_record::legacy_text::{LegacyEncoding, encode_gb18030};
//!
//! let bytes = encode_gb18030("炮二平五");
//! assert_eq!(LegacyEncoding::Gb18030.decode(&bytes), "炮二平五");
//! ```

#[cfg(any(test, target_family = "wasm"))]
pub mod host;
#[cfg(not(target_family = "wasm"))]
mod tables;

#[cfg(target_family = "wasm")]
use host as tables;
pub use tables::{encode_gb18030, is_in_gbk};

/// An encoding of older programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LegacyEncoding {
    /// GBK is a part of it.
    Gb18030,
    /// Of Taiwan and Hong Kong.
    Big5,
}

impl LegacyEncoding {
    /// The name that web standards give it.
    pub fn label(self) -> &'static str {
        match self {
            LegacyEncoding::Gb18030 => "gb18030",
            LegacyEncoding::Big5 => "big5",
        }
    }

    /// Decodes a text; what is none in this encoding becomes U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> String {
        tables::decode(self, bytes)
    }
}
