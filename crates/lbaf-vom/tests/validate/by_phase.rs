// SPDX-License-Identifier: MIT OR Apache-2.0
//! Documents that are read phase by phase yield what the whole document yields.

use lbaf_vom::{Checks, Scratch, Validated, WantedRows, compress, validate};
use serde_json::{Value, json};

use crate::{ALL, FOR_VT, document};

/// Returns a document of three phases that is valid for vt, too.
fn three_phases() -> Value {
    let entity = json!({"collection_id": 7, "home": 0, "id": 262_147, "migratable": true, "type": "object"});
    let by_sequence =
        json!({"collection_id": 7, "home": 0, "migratable": true, "seq_id": 4, "type": "object"});
    let task = |entity: &Value| json!({"entity": entity, "node": 0, "resource": "cpu", "time": 1.5});
    let sent = json!({"bytes": 8.0, "from": entity, "messages": 1, "to": by_sequence, "type": "SendRecv"});
    let phase =
        |id: u64| json!({"communications": [sent], "id": id, "tasks": [task(&entity), task(&by_sequence)]});
    json!({
        "metadata": {
            "phases": {
                "identical_to_previous": {"list": [1], "range": []}, "skipped": {"list": [2], "range": []},
            },
            "rank": 0, "type": "LBDatafile",
        },
        "phases": [phase(0), phase(3), phase(4)],
        "type": "LBDatafile",
    })
}

/// Checks a document, and the same document with an escape, because of which it is read as a whole.
fn check_both(text: &str, checks: Checks) -> Validated {
    let whole = text.replacen(r#""resource""#, r#""resourc\u0065""#, 1);
    assert_ne!(text, whole);
    let [by_phase, whole] = [text, &whole].map(|text| {
        let validated = validate(text.as_bytes(), checks, &mut Scratch::default());
        let compressed = validate(&compress(text.as_bytes(), 1), checks, &mut Scratch::default());
        assert_eq!(format!("{compressed:?}"), format!("{validated:?}"));
        validated
    });
    let messages = |validated: &Validated| -> Vec<String> {
        validated.findings.kept.iter().map(|finding| finding.message.clone()).collect()
    };
    assert_eq!(messages(&by_phase), messages(&whole));
    assert_eq!((by_phase.document, &by_phase.vt), (whole.document, &whole.vt));
    assert_eq!(format!("{:?}", by_phase.rows), format!("{:?}", whole.rows));
    by_phase
}

#[test]
fn valid_documents_yield_the_same_rows() {
    for rows in [WantedRows::Nothing, WantedRows::Tasks, WantedRows::All] {
        for checks in [Checks { rows, ..ALL }, Checks { rows, ..FOR_VT }] {
            let validated = check_both(&three_phases().to_string(), checks);
            assert_eq!(validated.findings.kept, []);
            assert_eq!(
                validated.rows.map(|rows| rows.phase_ids),
                match rows {
                    WantedRows::Nothing => None,
                    WantedRows::Tasks | WantedRows::All => Some(vec![0, 3, 4]),
                }
            );
        }
        let validated = check_both(&document::data_file().to_string(), Checks { rows, ..ALL });
        assert_eq!(validated.findings.kept, []);
    }
}

/// The last member of a document may also be its metadata.
#[test]
fn members_of_the_document_may_have_any_order() {
    let mut document = three_phases();
    let metadata = document["metadata"].take();
    let (phases, kind) = (&document["phases"], &document["type"]);
    let text = format!(r#" {{ "type" : {kind} , "phases" : {phases} , "metadata" : {metadata} }} "#);
    let validated = check_both(&text, Checks { rows: WantedRows::All, ..FOR_VT });
    assert_eq!(
        (validated.findings.kept, validated.vt.map(|vt| vt.skipped.ranges)),
        (vec![], Some(vec![(2, 2)]))
    );
}

#[test]
fn findings_of_a_phase_and_between_phases_are_those_of_the_whole_document() {
    let changes = [
        ("/phases/2/tasks/1/time", json!(1)),
        ("/phases/2/tasks/1/time", json!(-1.0)),
        ("/phases/1/id", json!(0)),
        ("/phases/2/id", json!(7)),
        ("/phases/1/tasks", json!([])),
        ("/phases/0/tasks/1/entity/home", json!(-1)),
        ("/metadata/phases/skipped/list", json!([5])),
        ("/metadata/rank", json!(5)),
        ("/type", json!("LBStatsfile")),
        ("/type", json!("other")),
        ("/phases", json!([{"id": 0, "resource": 1, "tasks": []}])),
    ];
    let mut n_with_findings = 0;
    for (pointer, value) in changes {
        let text = document::set(&three_phases(), pointer, value).to_string();
        for checks in [ALL, FOR_VT] {
            let validated = check_both(&text, Checks { rows: WantedRows::All, ..checks });
            n_with_findings += usize::from(!validated.findings.kept.is_empty());
        }
    }
    assert_eq!(n_with_findings, 17);
}

#[test]
fn text_that_is_not_json_between_phases_is_found() {
    let text = three_phases().to_string();
    for (part, wrong) in [
        (r#"},{"communications""#, r#"} {"communications""#),
        (r#"},{"communications""#, r#"},,{"communications""#),
        (r#"],"type":"LBDatafile"}"#, r#",],"type":"LBDatafile"}"#),
        (r#"],"type":"LBDatafile"}"#, r#"],"type":"LBDatafile",}"#),
        (r#"],"type":"LBDatafile"}"#, r#"],"type":"LBDatafile"}}"#),
        (r#"],"type":"LBDatafile"}"#, r#"],"type":"LBDatafile""#),
        (r#"],"type":"LBDatafile"}"#, r#"],"type":"LBDatafile","phases":[]}"#),
        (r#""tasks":["#, r#""tasks":{"#),
        (r#""time":1.5"#, r#""time":01.5"#),
    ] {
        let validated = check_both(&text.replacen(part, wrong, 1), ALL);
        assert!(!validated.findings.kept.is_empty(), "{wrong}");
    }
}
