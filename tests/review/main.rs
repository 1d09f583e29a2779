//! `chuhe show` and `chuhe review`.

mod files;
mod page;
mod pictures;
mod several;
mod support;
mod weighing;
