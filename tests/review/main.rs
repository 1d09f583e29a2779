//! `chuhe show` and `chuhe review`.

mod files;
mod page;
mod pictures;
mod support;
