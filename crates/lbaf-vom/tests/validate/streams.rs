// SPDX-License-Identifier: MIT OR Apache-2.0
//! Large compressed files, which are validated while they are decompressed piece by piece, yield the findings and the
//! rows of the plain document.

use lbaf_vom::{Checks, Scratch, Validated, VomError, WantedRows, validate};

use crate::large_document::{METADATA, N_PHASES, N_TASKS, document, document_of, large_stream};
use crate::{ALL, FOR_VT, lines};

const KINDS: [WantedRows; 3] = [WantedRows::Nothing, WantedRows::Tasks, WantedRows::All];

/// Validates a document and its stream. Returns the results of the document and their text.
fn check_both(text: &str, checks: &[Checks]) -> Vec<(Validated, String)> {
    let stream = large_stream(text);
    let mut scratch = Scratch::default();
    let check = |&checks: &Checks| {
        let [plain, in_pieces] = [text.as_bytes(), &stream].map(|raw| validate(raw, checks, &mut scratch));
        let shown = format!("{plain:?}");
        assert!(format!("{in_pieces:?}") == shown, "{checks:?}: {}", lines(&in_pieces.findings.kept));
        (plain, shown)
    };
    checks.iter().map(check).collect()
}

#[test]
fn valid_documents_yield_the_same_rows() {
    let checks = [ALL, FOR_VT].map(|checks| KINDS.map(|rows| Checks { rows, ..checks })).concat();
    let usual = check_both(&document(""), &checks);
    // A document with a backslash is read as a whole.
    let whole = check_both(&document(r#""user_defined":{"note \"a\"":1},"#), &checks);
    for ((checks, (validated, shown)), (_, whole)) in checks.iter().zip(&usual).zip(&whole) {
        assert!(shown == whole, "{checks:?}");
        assert_eq!(validated.findings.kept, []);
        let phases = validated.rows.as_ref().map(|rows| &rows.phases);
        let n_rows =
            phases.map(|phases| (phases.len(), phases[0].tasks.len(), phases[0].communications.len()));
        assert_eq!(
            n_rows,
            match checks.rows {
                WantedRows::Nothing => None,
                WantedRows::Tasks => Some((N_PHASES as usize, N_TASKS as usize, 0)),
                WantedRows::All => Some((N_PHASES as usize, N_TASKS as usize, 1)),
            }
        );
        let n_phases_for_vt = validated.vt.as_ref().map(|vt| vt.phases.len());
        assert_eq!(n_phases_for_vt, checks.vt.map(|_| N_PHASES as usize));
    }
}

#[test]
fn a_phase_may_be_longer_than_a_piece() {
    let checks = [ALL, FOR_VT].map(|checks| Checks { rows: WantedRows::All, ..checks });
    for (validated, _) in check_both(&document_of(1, N_PHASES * N_TASKS, ""), &checks) {
        assert_eq!(validated.findings.kept, []);
    }
}

#[test]
fn findings_and_unusual_documents_are_those_of_the_whole() {
    let checks = [ALL, FOR_VT].map(|checks| Checks { rows: WantedRows::All, ..checks });
    let usual = document("");
    let with_metadata_last = |metadata: &str| {
        let end = usual.len() - r#","type":"LBDatafile"}"#.len();
        format!("{},{metadata}{}", usual[..end].replacen(METADATA, "", 1), &usual[end + 1..])
    };
    let phase = |from: u64, to: u64| {
        usual.replacen(&format!(r#""id":{from},"tasks""#), &format!(r#""id":{to},"tasks""#), 1)
    };
    // Documents with their number of findings without the checks for vt, and with them if that is another case.
    let cases: [(String, &[usize]); 8] = [
        (document(r#""subphases":[{"id":0,"time":"late"}],"#), &[1]),
        (document(r#""user_defined":{"note":"a string"},"#), &[0, 1]),
        (with_metadata_last(METADATA), &[0, 0]),
        (with_metadata_last(&METADATA.replace(":0", ":5")), &[0, 1]),
        (phase(N_PHASES - 1, 0), &[1, 1]),
        // A gap between the phases.
        (phase(N_PHASES - 1, N_PHASES), &[0, 1]),
        (format!("{}[]}}", &usual[..usual.len() - r#""LBDatafile"}"#.len()]), &[1]),
        (usual[..usual.len() - 1].to_owned(), &[1]),
    ];
    for (text, expected) in cases {
        let validated = check_both(&text, &checks[..expected.len()]);
        let n_findings: Vec<_> =
            validated.iter().map(|(validated, _)| validated.findings.kept.len()).collect();
        assert_eq!(n_findings, expected, "{}", &text[text.len() - 100..]);
    }
}

#[test]
fn damage_of_a_stream_is_found() {
    let stream = large_stream(&document(""));
    for (raw, error) in [
        (stream[..stream.len() - 1].to_vec(), VomError::TruncatedBrotli),
        ([&stream[..], b"\n\n"].concat(), VomError::TrailingData { bytes: 2 }),
    ] {
        let validated = validate(&raw, ALL, &mut Scratch::default());
        assert_eq!(lines(&validated.findings.kept), error.to_string());
    }
}
