//! `#[derive(TS)]` of a build that writes no types for the scripts of the page: it adds nothing. The tests of `chuhe-board`, which
//! write them, have that of `ts-rs` in its place.

use proc_macro::TokenStream;

#[proc_macro_derive(TS, attributes(ts))]
pub fn derive_nothing(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
