//! The signature of the search is the same with every instruction set.

use std::process::Command;

fn signature(simd: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    let output = command.args(["bench", "4", "--json"]).env("CHUHE_SIMD", simd).output().expect("chuhe runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let nodes = text.split("\"nodes\":").nth(1).expect("a count of nodes");
    nodes.trim_start().chars().take_while(char::is_ascii_digit).collect()
}

#[test]
fn signature_is_the_same_with_every_instruction_set() {
    let plain = signature("plain");
    assert!(plain.len() >= 4, "{plain}");
    assert_eq!(plain, signature("avx2"), "where there is no AVX2 it is the plain copy again");
    assert_eq!(plain, signature(""), "the best that the processor has");
}
