//! Pictures, as users of `chuhe show` meet them.

mod pictures;
mod support;
