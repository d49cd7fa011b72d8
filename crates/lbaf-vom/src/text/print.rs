// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output of lines of the text form.

use std::io::Write;

use crate::CommunicationKind;

/// Load to be written as a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadLine<'a> {
    /// Number of the phase.
    pub phase: u64,
    /// Number of the object.
    pub object: u64,
    /// Measured seconds in the phase.
    pub load: f64,
    /// Measured seconds in each subphase, in order.
    pub subphases: &'a [f64],
}

/// Appends a load line: `phase,object,seconds`, followed by `,n,[..]` if there are subphases. Each number has the
/// shortest representation that reads back equal.
pub fn print_load_line(out: &mut Vec<u8>, line: &LoadLine<'_>) {
    // Writing to memory does not fail.
    let _ = write!(out, "{},{},", line.phase, line.object);
    float(out, line.load);
    if !line.subphases.is_empty() {
        let _ = write!(out, ",{},[", line.subphases.len());
        for (position, &time) in line.subphases.iter().enumerate() {
            if position > 0 {
                out.push(b' ');
            }
            float(out, time);
        }
        out.push(b']');
    }
    out.push(b'\n');
}

/// Appends a communication line: `phase,receiver,sender,bytes,type`.
///
/// Returns `false` and appends nothing if the text form has no number for the kind.
#[must_use]
pub fn print_communication_line(
    out: &mut Vec<u8>,
    phase: u64,
    to: u64,
    from: u64,
    bytes: f64,
    kind: CommunicationKind,
) -> bool {
    let Some(number) = super::number_of_kind(kind) else { return false };
    let _ = write!(out, "{phase},{to},{from},");
    float(out, bytes);
    let _ = writeln!(out, ",{number}");
    true
}

fn float(out: &mut Vec<u8>, number: f64) {
    let _ = serde_json::to_writer(out, &number);
}
