// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of `validate` against the documentation of the formats: tables of fields with values of every kind, rules in
//! its text, and its examples.

mod by_phase;
mod document;
mod fields;
mod findings;
mod json_schema;
#[path = "../parse/large_document.rs"]
mod large_document;
mod mutations;
mod published;
mod statistics_file;
mod streams;
mod vt;

use lbaf_vom::{Checks, Finding, Scratch, Severity, Validated, VtChecks, WantedRows, validate};
use serde_json::Value;

const ALL: Checks = Checks { limit: usize::MAX, rows: WantedRows::Nothing, vt: None };
const FOR_VT: Checks =
    Checks { vt: Some(VtChecks { rank: Some(0), n_ranks: None, allows_empty_ranks: false }), ..ALL };

fn check(raw: &[u8]) -> Validated {
    validate(raw, ALL, &mut Scratch::default())
}

/// Returns true for a valid document, and the findings.
fn verdict(document: &Value) -> (bool, String) {
    let validated = check(document.to_string().as_bytes());
    (validated.findings.n_errors == 0, lines(&validated.findings.kept))
}

/// Formats findings as they are printed.
fn lines(findings: &[Finding]) -> String {
    findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns all findings of a file that is meant for vt.
fn lines_for_vt(text: &str) -> String {
    let validated = validate(text.as_bytes(), FOR_VT, &mut Scratch::default());
    let kept = &validated.findings.kept;
    let n_errors = kept.iter().filter(|finding| finding.severity == Severity::Error).count();
    assert_eq!(
        (n_errors, kept.len() - n_errors),
        (validated.findings.n_errors, validated.findings.n_warnings)
    );
    lines(kept)
}
