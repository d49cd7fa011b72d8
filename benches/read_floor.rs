// SPDX-License-Identifier: MIT OR Apache-2.0
//! Minimum cost of reading a data set, with which `scripts/bench.sh` compares the time of `lbaf info`.
//!
//! `read_floor decompress|parse FILE...` decompresses files on all cores; `parse` also creates simd-json's tape.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a separate program")]

use std::sync::Mutex;

use lbaf_vom::DocumentBuffer;
use rayon::prelude::*;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let parse = match arguments.next().as_deref() {
        Some("decompress") => false,
        Some("parse") => true,
        _ => panic!("usage: read_floor decompress|parse FILE..."),
    };
    let paths: Vec<String> = arguments.collect();
    let pool = Mutex::new(Vec::new());
    let bytes: usize = paths
        .par_iter()
        .map(|path| {
            let reused = pool.lock().expect("no panic while locked").pop();
            let (mut document, mut buffers, mut nodes) = reused
                .unwrap_or_else(|| (DocumentBuffer::default(), simd_json::Buffers::default(), Vec::new()));
            let raw = std::fs::read(path).expect("readable file");
            document.decode(&raw).expect("JSON or brotli");
            let length = document.text().len();
            if parse {
                let (padded, length) = document.padded();
                let mut tape = simd_json::Tape(nodes).reset();
                simd_json::fill_tape_padded(padded, length, &mut buffers, &mut tape).expect("valid JSON");
                nodes = tape.reset().0;
            }
            pool.lock().expect("no panic while locked").push((document, buffers, nodes));
            length
        })
        .sum();
    println!("{bytes} bytes");
}
