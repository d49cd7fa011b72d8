// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cost of compressing documents as `lbaf` does, with which `scripts/writing.sh` compares libbrotli.
//!
//! `write_floor QUALITY FILE...` prints wall seconds of compression on one thread, without reading, and the bytes before
//! and after.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a separate program")]

use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let quality = arguments.next().and_then(|quality| quality.parse().ok()).expect("QUALITY FILE...");
    let (mut seconds, mut before, mut after) = (0.0, 0, 0);
    for path in arguments {
        let document = std::fs::read(path).expect("readable file");
        let begin = Instant::now();
        after += lbaf_vom::compress(&document, quality).len();
        seconds += begin.elapsed().as_secs_f64();
        before += document.len();
    }
    println!("{seconds:.4} {before} {after}");
}
