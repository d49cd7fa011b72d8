// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines of the text form.

use std::io::Write;

use crate::CommunicationKind;

/// A load, to be written as a line of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadLine<'a> {
    /// The phase.
    pub phase: u64,
    /// The number of the object.
    pub object: u64,
    /// Measured seconds in the phase.
    pub load: f64,
    /// Measured seconds in each subphase, in order.
    pub subphases: &'a [f64],
}

/// Appends a load line: `phase,object,seconds`, and `,n,[..]` where there are subphases. Numbers are the
/// shortest that read back equal.
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
/// `false` if the text form has no number for the kind; nothing is appended then.
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
