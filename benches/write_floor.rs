// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cost of compressing documents as `lbaf` does, with which `scripts/writing.sh` compares libbrotli.
//!
//! `write_floor QUALITY FILE...` compresses one file after the other and prints the bytes before and after.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a separate program")]

fn main() {
    let mut arguments = std::env::args().skip(1);
    let quality = arguments.next().and_then(|quality| quality.parse().ok()).expect("QUALITY FILE...");
    let (mut before, mut after) = (0, 0);
    for path in arguments {
        let document = std::fs::read(path).expect("readable file");
        after += lbaf_vom::compress(&document, quality).len();
        before += document.len();
    }
    println!("{before} {after}");
}
