// SPDX-License-Identifier: MIT OR Apache-2.0
//! Problems and answers that are larger than the buffer of a pipe.

use std::fs;

use lbaf_external::External;
use lbaf_model::{LoadOnly, ObjectKey, Phase, PhaseId};
use tempfile::TempDir;

use crate::made_phase::{Posed, ranks, strategy};

/// Returns a problem with `n_objects` objects on 64 ranks. Each object sends to four others.
pub(crate) fn posed(n_objects: usize) -> Posed {
    let object = |slot: usize| (slot % n_objects) as u32;
    let edge = |at: usize| (object(at / 4), object(at / 4 + 1 + 7 * (at % 4)), 1000.0 + at as f64 / 3.0);
    let phase = Phase::builder(64)
        .id(PhaseId(7))
        .objects((0..n_objects).map(|at| ((at % 101) as f64 / 7.0, at as u32 % 64)))
        .communications((0..4 * n_objects).map(edge))
        .build()
        .expect("a valid phase");
    let keys = (0..n_objects as u64).map(|at| ObjectKey::new(false, 262_144 * at, None)).collect();
    Posed { phase, keys, model: Box::new(LoadOnly::default()) }
}

/// Before the command reads the problem, it writes its complete answer, then much text to standard error.
#[test]
#[allow(clippy::print_stderr, reason = "the measured time is shown to the developer")]
fn neither_side_waits_for_the_other_to_read() {
    const N_OBJECTS: usize = 100_000;
    let directory = TempDir::new().unwrap();
    let placement: Vec<usize> = (0..N_OBJECTS).map(|at| at % 64).collect();
    let file = directory.path().join("answer.json");
    fs::write(&file, serde_json::json!({"placement": placement}).to_string()).unwrap();
    let script = "cat \"$1\"; head -c 1000000 /dev/zero | tr '\\0' x >&2; wc -c > \"$1.size\"";
    let command = ["sh", "-c", script, "sh", file.to_str().unwrap()];
    let posed = posed(N_OBJECTS);
    let began = std::time::Instant::now();
    let outcome = posed.ask(&strategy(External::of(command))).unwrap();
    let seconds = began.elapsed().as_secs_f64();
    assert!(ranks(&outcome).iter().zip(&placement).all(|(&rank, &expected)| rank as usize == expected));
    let size = fs::read_to_string(directory.path().join("answer.json.size")).unwrap();
    let size: usize = size.trim().parse().unwrap();
    eprintln!("{N_OBJECTS} objects, {size} bytes: {seconds:.3} s");
    assert!(size > 100 * N_OBJECTS, "{size}");
}
