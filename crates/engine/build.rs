//! Packs the embedded networks: 0.36 MB less of a program. In WebAssembly they stay as they are, as pages pack the whole module,
//! and better.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=src/nnue/nets");
    let target = std::env::var_os("OUT_DIR").expect("cargo names a folder");
    let is_wasm = std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm");
    for name in ["large.net", "medium.net"] {
        let network = std::fs::read(Path::new("src/nnue/nets").join(name)).expect("a network");
        let packed = if is_wasm { network } else { miniz_oxide::deflate::compress_to_vec(&network, 9) };
        std::fs::write(Path::new(&target).join(name), packed).expect("a folder that can be written");
    }
}
