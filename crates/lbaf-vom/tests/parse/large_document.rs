// SPDX-License-Identifier: MIT OR Apache-2.0
//! Documents whose brotli streams are so large that they are read piece by piece.

use std::fmt::Write as _;

use lbaf_vom::{compress, packed_id};

pub(crate) const N_PHASES: u64 = 12;
/// Number of tasks of a phase. Tasks differ in numbers only, and they are few but long, so that tests compare few rows.
/// No phase ends with one of the pieces of 4 MiB in which a stream is decompressed.
pub(crate) const N_TASKS: u64 = 1250;

/// Phase with an unusual last task.
pub(crate) const ODD_PHASE: u64 = 7;

/// Metadata of a document, as its first member.
pub(crate) const METADATA: &str = r#""metadata":{"rank":0,"type":"LBDatafile"},"#;

const WRITING: &str = "invariant: writing to a string does not fail";

/// Returns a document that is valid for vt, with `odd` in the last task of [`ODD_PHASE`].
pub(crate) fn document(odd: &str) -> String {
    document_of(N_PHASES, N_TASKS, odd)
}

/// Returns a document with other numbers of phases and tasks.
pub(crate) fn document_of(n_phases: u64, n_tasks: u64, odd: &str) -> String {
    let mut text = format!(r#"{{{METADATA}"phases":["#);
    let filler = "-".repeat(360);
    let mut random = 1_u64;
    for phase in 0..n_phases {
        let comma = if phase > 0 { "," } else { "" };
        write!(text, r#"{comma}{{"communications":[{{"bytes":8.5,"from":{{"id":3,"type":"object"}},"messages":2,"to":{{"id":262147,"type":"object"}},"type":"SendRecv"}}],"id":{phase},"tasks":["#).expect(WRITING);
        for task in 0..n_tasks {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let comma = if task > 0 { "," } else { "" };
            // Longer numbers are unusual.
            let numbers = [0, 21, 42].map(|n| random.rotate_left(n) >> 6);
            let odd = if (phase, task) == (ODD_PHASE, n_tasks - 1) { odd } else { "" };
            write!(text, r#"{comma}{{"attributes":{{"filler":"{filler}","numbers":{numbers:?}}},"entity":{{"collection_id":7,"home":0,"id":{},"index":[{task},{phase}],"migratable":true,"type":"object"}},"node":0,"resource":"cpu",{odd}"time":0.{:09}}}"#, packed_id(task, 0, true), random >> 34).expect(WRITING);
        }
        text += "]}";
    }
    text += r#"],"type":"LBDatafile"}"#;
    text
}

/// Compresses a document of more than two pieces of 4 MiB.
///
/// # Panics
/// If the document or its stream is too short.
pub(crate) fn large_stream(text: &str) -> Vec<u8> {
    /// Size in bytes of a stream from which on a file is read piece by piece.
    const LARGE_STREAM: usize = 1 << 18;
    let stream = compress(text.as_bytes(), 1);
    assert!(stream.len() > LARGE_STREAM && text.len() > 2 << 22, "{} {}", stream.len(), text.len());
    stream
}
