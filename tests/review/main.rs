//! Pictures and reviews, as users of `chuhe show` and `chuhe review` meet them.

mod files;
mod page;
mod pictures;
mod support;
mod weighing;
