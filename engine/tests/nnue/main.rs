//! The evaluation through its public seams: sums kept along a line of moves against fresh ones, whole numbers against
//! floating point, files of networks, instruction sets, and what the embedded networks think of plain things.

mod embedded;
mod files;
mod incremental;
mod reference;
mod support;
