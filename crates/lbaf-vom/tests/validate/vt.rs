// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values that vt misreads or that crash vt, one test for each kind. Except in tests of violations of the schema,
//! every file satisfies its schema.

use lbaf_vom::{Checks, Findings, Scratch, VtChecks, WantedRows, packed_id, validate};

use crate::{ALL, FOR_VT, check, lines_for_vt};

/// Returns a migratable object with its packed id.
fn movable(sequence: u64, home: u16) -> String {
    let id = packed_id(sequence, home, true);
    format!(r#"{{"collection_id":7,"home":{home},"id":{id},"migratable":true,"type":"object"}}"#)
}

fn task(entity: &str) -> String {
    format!(r#"{{"entity":{entity},"node":0,"resource":"cpu","time":0.5}}"#)
}

fn phase(id: u64, tasks: &[String]) -> String {
    format!(r#"{{"id":{id},"tasks":[{}]}}"#, tasks.join(","))
}

fn file(phases: &[String]) -> String {
    format!("{{\"type\":\"LBDatafile\",\"phases\":[\n{}]}}", phases.join(",\n"))
}

/// Returns the findings of a file that satisfies its schema.
#[track_caller]
fn found(text: &str) -> String {
    let without_vt = check(text.as_bytes());
    assert_eq!(without_vt.findings.n_errors, 0, "the schema refuses the file");
    lines_for_vt(text)
}

#[test]
fn files_written_by_vt_are_valid_for_vt() {
    let initial = r#"{"home":0,"id":0,"migratable":false,"type":"object"}"#;
    let handler = r#"{"home":0,"id":1,"migratable":false,"type":"object"}"#;
    let group = r#"{"home":0,"id":3145740,"migratable":false,"objgroup_id":786435,"type":"object"}"#;
    let tasks = [task(&movable(13, 0)), task(initial), task(handler), task(group)];
    assert_eq!(found(&file(&[phase(0, &tasks), phase(1, &tasks)])), "");
}

#[test]
fn bits_of_the_id_that_contradict_migratable() {
    let movable_id = r#"{"home":0,"id":3407875,"migratable":false,"type":"object"}"#;
    let fixed_id = r#"{"home":0,"id":12884901888,"migratable":true,"type":"object"}"#;
    let text = file(&[phase(0, &[task(movable_id), task(fixed_id)])]);
    let expected = "\
line 2, column 43, at /phases/0/tasks/0/entity/id: the lowest bits of 3407875 mark the object as migratable, and vt uses them instead of `migratable`
line 2, column 150, at /phases/0/tasks/1/entity/id: the lowest bits of 12884901888 mark the object as non-migratable, and vt uses them instead of `migratable`";
    assert_eq!(found(&text), expected);
}

#[test]
fn a_home_that_differs_from_the_home_in_the_id() {
    let entity = movable(13, 2).replace(r#""home":2"#, r#""home":1"#);
    let expected = "line 2, column 54, at /phases/0/tasks/0/entity/home: warning: the home is 1 here but 2 in the id, which vt uses";
    assert_eq!(found(&file(&[phase(0, &[task(&entity)])])), expected);
}

/// Many warnings must not hide an error after them.
#[test]
fn errors_are_kept_before_warnings() {
    let warned = task(&movable(13, 2).replace(r#""home":2"#, r#""home":1"#));
    let mut tasks = vec![warned; 9];
    tasks.push(task(r#"{"home":0,"id":2,"migratable":true,"type":"object"}"#));
    let checks = Checks { limit: 2, ..FOR_VT };
    let text = file(&[phase(0, &tasks)]);
    let mut findings = validate(text.as_bytes(), checks, &mut Scratch::default()).findings;
    let pointers = |findings: &Findings| -> Vec<String> {
        findings.kept.iter().filter_map(|finding| finding.pointer.clone()).collect()
    };
    let place = |task: usize, key: &str| format!("/phases/0/tasks/{task}/entity/{key}");
    assert_eq!(pointers(&findings), [place(0, "home"), place(1, "home"), place(9, "id")]);
    findings.shorten(2);
    assert_eq!(pointers(&findings), [place(0, "home"), place(9, "id")]);
    assert_eq!((findings.n_errors, findings.n_warnings, findings.n_more()), (1, 9, 8));
    findings.shorten(1);
    assert_eq!(pointers(&findings), [place(9, "id")]);
}

#[test]
fn a_sequence_number_without_a_collection() {
    let entity = r#"{"home":0,"migratable":false,"seq_id":1,"type":"object"}"#;
    let text = file(&[phase(0, &[task(&movable(1, 0)), task(entity)])]);
    let said = found(&text);
    let expected = "at /phases/0/tasks/1/entity: vt's reader needs `collection_id` in addition to `seq_id`, also for non-migratable objects";
    assert!(said.ends_with(expected) && said.lines().count() == 1, "{said}");
    let with_collection = text.replace(r#""seq_id":1"#, r#""collection_id":7,"seq_id":1"#);
    assert_eq!(found(&with_collection), "");
}

#[test]
fn user_defined_of_a_phase_and_strings_in_user_defined_of_a_task() {
    let with_text = task(&movable(1, 0))
        .replace(r#""time":0.5"#, r#""time":0.5,"user_defined":{"a":1,"name":"x","deep":{"b":"y"}}"#);
    let phase = phase(0, &[with_text]).replace(r#""id":0,"#, r#""id":0,"user_defined":{},"#);
    let said = found(&file(&[phase]));
    let expected = [
        "at /phases/0/user_defined: `user_defined` of a phase always crashes vt's reader; remove it",
        "at /phases/0/tasks/0/user_defined/name: warning: a string in `user_defined` of a task aborts vt's TemperedLB; remove it or write a number",
    ];
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.lines().zip(expected).all(|(line, expected)| line.ends_with(expected)), "{said}");
}

#[test]
fn phases_count_from_zero_without_gaps() {
    let tasks = [task(&movable(1, 0))];
    let gaps = |ids: &[u64], metadata: &str| {
        let phases: Vec<String> = ids.iter().map(|&id| phase(id, &tasks)).collect();
        let text = file(&phases).replace(r#""phases":["#, &format!(r#"{metadata}"phases":["#));
        found(&text).split(": ").nth(1).unwrap_or_default().to_owned()
    };
    let of = |which: &str, last: u64| {
        format!(
            "{which} missing and not declared in `metadata.phases`; vt requires phases 0 to {last} without gaps"
        )
    };
    assert_eq!(gaps(&[0, 1, 2], ""), "");
    assert_eq!(gaps(&[2, 0, 1], ""), "");
    assert_eq!(gaps(&[1], ""), of("phase 0 is", 1));
    assert_eq!(gaps(&[0, 4], ""), of("phases 1-3 are", 4));
    assert_eq!(gaps(&[0, 2, 5], ""), of("phases 1, 3-4 are", 5));
    assert_eq!(gaps(&[1, 3, 5, 7, 9, 11], ""), of("phases 0, 2, 4, 6 and more are", 11));
    let declared = r#""metadata":{"phases":{"skipped":{"list":[1],"range":[]},"identical_to_previous":{"list":[],"range":[[3,4]]}}},"#;
    assert_eq!(gaps(&[0, 2, 5], declared), "");
    assert_eq!(gaps(&[0, 5], declared), of("phase 2 is", 5));
}

#[test]
fn a_rank_without_migratable_objects() {
    let fixed = [task(r#"{"home":0,"id":1,"migratable":false,"type":"object"}"#)];
    let some = [task(&movable(1, 0))];
    assert_eq!(
        found(&file(&[phase(0, &some), phase(1, &fixed), phase(2, &[])])),
        "line 3, column 1, at /phases/1: this rank has no migratable object in phase 1; vt's OfflineLB aborts on such a rank\n\
         line 4, column 1, at /phases/2: this rank has no migratable object in phase 2; vt's OfflineLB aborts on such a rank"
    );
    // No phase precedes the first one, so vt does not abort, but ignores objects that would migrate to the rank.
    assert_eq!(
        found(&file(&[phase(0, &fixed), phase(1, &some)])),
        "line 2, column 1, at /phases/0: this rank has no migratable object in phase 0, so vt's OfflineLB ignores the objects that phase 1 places here"
    );
    assert_eq!(found(&file(&[phase(0, &fixed)])), "");
}

#[test]
fn a_byte_order_mark() {
    let text = format!("\u{feff}{}", file(&[phase(0, &[])]));
    let expected = "line 1, column 1, at the top level of the document: the file begins with a byte order mark, which vt's reader cannot handle; remove it";
    assert_eq!(found(&text), expected);
}

#[test]
fn a_rank_that_differs_from_the_file_name() {
    let of_rank = |rank: u64| {
        file(&[phase(0, &[])]).replace(r#""phases""#, &format!(r#""metadata":{{"rank":{rank}}},"phases""#))
    };
    assert_eq!(found(&of_rank(0)), "");
    let expected = "line 1, column 41, at /metadata/rank: warning: the metadata state rank 3, but the file name states 0, which vt uses";
    assert_eq!(found(&of_rank(3)), expected);
}

/// Without other errors, a value that vt accepts and lbaf's reader rejects is a warning.
#[test]
fn unreadable_values_are_reported() {
    let negative = file(&[phase(0, &[task(&movable(1, 0)).replace("0.5", "-0.5")])]);
    let refused = "but lbaf cannot read it: expected a non-negative number, found -0.5";
    let of_time = |who: &str| format!("at /phases/0/tasks/0/time: warning: {who} accepts this, {refused}");
    assert!(found(&negative).ends_with(&of_time("vt")));
    let alone = crate::lines(&check(negative.as_bytes()).findings.kept);
    assert!(alone.ends_with(&of_time("the schema")), "{alone}");
    let wrong = file(&[phase(0, &[task(&movable(1, 0)).replace("0.5", "\"0.5\"")])]);
    assert_eq!(lines_for_vt(&wrong).lines().count(), 1);
    // The rows for checks between files have no subphases, so invalid subphases do not prevent them.
    let twice = r#""subphases":[{"id":2,"time":0.1},{"id":2,"time":0.4}],"time":0.5"#;
    let text = file(&[phase(0, &[task(&movable(1, 0)).replace(r#""time":0.5"#, twice)])]);
    let rows =
        validate(text.as_bytes(), Checks { rows: WantedRows::All, ..ALL }, &mut Scratch::default()).rows;
    assert_eq!(rows.map(|rows| rows.phases[0].tasks.len()), Some(1));
}

/// Derived ids, which are compared between files, are those of vt.
#[test]
fn objects_are_identified_by_their_packed_id() {
    let by_sequence = r#"{"collection_id":7,"home":2,"migratable":true,"seq_id":13,"type":"object"}"#;
    let fixed = r#"{"home":0,"id":1,"migratable":false,"type":"object"}"#;
    let text = file(&[phase(4, &[task(fixed), task(by_sequence), task(&movable(5, 1))])]);
    let vt = validate(text.as_bytes(), FOR_VT, &mut Scratch::default())
        .vt
        .expect("the checks for vt were requested");
    assert_eq!(vt.phases.len(), 1);
    let known: Vec<_> =
        vt.phases[0].tasks.iter().map(|task| (task.id, task.is_migratable, task.index)).collect();
    let expected = [(1, false, 0), (packed_id(13, 2, true), true, 1), (packed_id(5, 1, true), true, 2)];
    assert_eq!((vt.phases[0].id, &known[..]), (4, &expected[..]));
}

#[test]
fn the_initial_object_of_vt_counts_as_read() {
    let initial = r#"{"home":0,"id":0,"migratable":false,"type":"object"}"#;
    let text = file(&[phase(0, &[task(initial), task(&movable(1, 0))])]);
    let vt = validate(text.as_bytes(), FOR_VT, &mut Scratch::default())
        .vt
        .expect("the checks for vt were requested");
    assert_eq!((vt.phases[0].tasks.len(), vt.phases[0].n_unread), (2, 0));
}

/// Returns a file with one task and these communication entries.
fn communicating(entries: &[String]) -> String {
    let communications = format!(r#""communications":[{}],"id":0,"#, entries.join(","));
    file(&[phase(0, &[task(&movable(1, 0))])
        .replace(r#""id":0,"tasks""#, &format!(r#"{communications}"tasks""#))])
}

fn entry(kind: &str, from: &str, to: &str) -> String {
    format!(r#"{{"bytes":8.0,"from":{from},"messages":1,"to":{to},"type":"{kind}"}}"#)
}

/// Returns the pointers and messages of errors, without positions.
fn errors(text: &str) -> Vec<String> {
    let said = found(text);
    let errors = said.lines().filter(|line| !line.contains(": warning: "));
    errors.map(|line| line.split_once(", at ").expect("a place").1.to_owned()).collect()
}

const NODE: &str = r#"{"id":1,"type":"node"}"#;
const BLOCK: &str = r#"{"id":3,"type":"shared_id"}"#;

#[test]
fn an_endpoint_with_seq_id_needs_home_and_migratable_and_a_collection() {
    let object = movable(1, 0);
    let with =
        |members: &str| entry("SendRecv", &object, &format!(r#"{{{members}"seq_id":9,"type":"object"}}"#));
    let missing = |members: &str| errors(&communicating(&[with(members)]));
    let needs = |keys: &str| {
        vec![format!("/phases/0/communications/0/to: vt's reader needs {keys} in addition to `seq_id`")]
    };
    assert_eq!(missing(r#""collection_id":7,"home":0,"migratable":true,"#), Vec::<String>::new());
    assert_eq!(missing(r#""collection_id":7,"migratable":true,"#), needs("`home`"));
    assert_eq!(missing(r#""collection_id":7,"home":0,"#), needs("`migratable`"));
    assert_eq!(missing(r#""collection_id":7,"#), needs("`home` and `migratable`"));
    assert_eq!(missing(r#""home":0,"#), needs("`collection_id` and `migratable`"));
}

#[test]
fn every_kind_of_communication_requires_its_endpoints() {
    let object = movable(1, 0);
    let wrong = |kind: &str, from: &str, to: &str| errors(&communicating(&[entry(kind, from, to)]));
    let must = |key: &str, kind: &str, wanted: &str, found: &str| {
        format!(
            "/phases/0/communications/0/{key}/type: `{key}` of {kind} must be of type {wanted:?}; vt's reader aborts on {found:?}"
        )
    };
    for (kind, from, to) in [
        ("SendRecv", &object[..], &object[..]),
        ("Broadcast", &object, &object),
        ("CollectionToNode", &object, NODE),
        ("CollectionToNodeBcast", &object, NODE),
        ("NodeToCollection", NODE, &object),
        ("NodeToCollectionBcast", NODE, &object),
        ("ReadOnlyShared", BLOCK, NODE),
        ("WriteShared", BLOCK, NODE),
    ] {
        assert_eq!(wrong(kind, from, to), Vec::<String>::new(), "{kind}");
    }
    assert_eq!(wrong("SendRecv", &object, NODE), [must("to", "SendRecv", "object", "node")]);
    assert_eq!(wrong("SendRecv", NODE, &object), [must("from", "SendRecv", "object", "node")]);
    assert_eq!(
        wrong("CollectionToNode", NODE, &object),
        [
            must("from", "CollectionToNode", "object", "node"),
            must("to", "CollectionToNode", "node", "object")
        ]
    );
    assert_eq!(wrong("ReadOnlyShared", BLOCK, &object), [must("to", "ReadOnlyShared", "node", "object")]);
    assert_eq!(wrong("WriteShared", &object, NODE), [must("from", "WriteShared", "shared_id", "object")]);
    let passed_over = found(&communicating(&[entry("Foo", &object, NODE)]));
    assert!(
        passed_over.ends_with("0/type: warning: vt ignores communication of type \"Foo\""),
        "{passed_over}"
    );
}

#[test]
fn vt_keeps_the_last_of_several_entries_with_the_same_endpoints() {
    let (one, other) = (movable(1, 0), movable(2, 0));
    let entries = [
        entry("SendRecv", &one, &other),
        entry("SendRecv", &other, &one),
        entry("Broadcast", &one, &other),
        entry("SendRecv", &one, &other),
        entry("CollectionToNode", &one, NODE),
        entry("CollectionToNode", &one, NODE),
    ];
    let again = |kind: &str, at: usize, first: usize| {
        format!(
            "/phases/0/communications/{at}: vt keeps only the last of several {kind} entries with the same endpoints, and this entry has the endpoints of entry {first}; merge the entries"
        )
    };
    let expected = [again("SendRecv", 3, 0), again("CollectionToNode", 5, 4)];
    assert_eq!(errors(&communicating(&entries)), expected);
}

#[test]
fn subphases_that_descend_or_have_gaps() {
    let of = |subphases: &str| {
        let subphases = format!(r#""subphases":[{subphases}],"time":0.5"#);
        errors(&file(&[phase(0, &[task(&movable(1, 0)).replace(r#""time":0.5"#, &subphases)])]))
    };
    let at = |number: i64, place: usize| {
        vec![format!(
            "/phases/0/tasks/0/subphases/{place}/id: vt requires subphases numbered 0, 1, 2, ... in this order, but number {number} is at index {place}"
        )]
    };
    assert_eq!(of(r#"{"id":0,"time":0.1},{"id":1,"time":0.4}"#), Vec::<String>::new());
    assert_eq!(of(r#"{"id":1,"time":0.1},{"id":0,"time":0.4}"#), at(1, 0));
    assert_eq!(of(r#"{"id":0,"time":0.1},{"id":5,"time":0.4}"#), at(5, 1));
    assert_eq!(of(r#"{"id":0,"time":0.1},{"id":0,"time":0.4}"#), at(0, 1));
    assert_eq!(of(r#"{"id":-1,"time":0.1}"#), at(-1, 0));
}

#[test]
fn homes_that_are_not_ranks() {
    let of_ranks = |n_ranks: u64, entity: &str| {
        let checks = Checks { vt: Some(VtChecks { n_ranks: Some(n_ranks), ..VtChecks::default() }), ..ALL };
        let text = file(&[phase(0, &[task(entity)])]);
        let findings = validate(text.as_bytes(), checks, &mut Scratch::default()).findings;
        findings.kept.iter().map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of_ranks(10, &movable(5, 9)), Vec::<String>::new());
    assert_eq!(
        of_ranks(4, &movable(5, 9)),
        ["the home in the id is 9, but the ranks are 0 to 3; vt aborts on this home"]
    );
    let by_sequence = |home: i64| {
        format!(r#"{{"collection_id":7,"home":{home},"migratable":true,"seq_id":5,"type":"object"}}"#)
    };
    let no_rank = |home: i64| {
        vec![format!(
            "the home {home} is not a rank from 0 to 3; vt packs it with `seq_id` into the id of another object, or aborts"
        )]
    };
    assert_eq!(of_ranks(4, &by_sequence(3)), Vec::<String>::new());
    assert_eq!(of_ranks(4, &by_sequence(4)), no_rank(4));
    assert_eq!(of_ranks(4, &by_sequence(-1)), no_rank(-1));
    // A negative home is an error even if the number of ranks is unknown.
    let alone = errors(&file(&[phase(0, &[task(&by_sequence(-1))])]));
    assert!(alone.len() == 1 && alone[0].contains("the home -1 is not a rank;"), "{alone:?}");
    // vt does not use the home of a non-migratable object.
    assert_eq!(
        of_ranks(4, r#"{"home":9,"id":1310758,"migratable":false,"type":"object"}"#),
        Vec::<String>::new()
    );
}

#[test]
fn a_sequence_number_of_more_than_46_bits() {
    let of = |sequence: u64| {
        let entity = format!(
            r#"{{"collection_id":7,"home":0,"migratable":true,"seq_id":{sequence},"type":"object"}}"#
        );
        errors(&file(&[phase(0, &[task(&entity)])]))
    };
    assert_eq!(of((1 << 46) - 1), Vec::<String>::new());
    let expected = "/phases/0/tasks/0/entity/seq_id: vt truncates the sequence number 70368744177664 to 46 bits, which identify another object";
    assert_eq!(of(1 << 46), [expected]);
}

#[test]
fn negative_ids_and_phases_and_phases_with_two_entries() {
    let negative = movable(1, 0).replace(r#""id":262147"#, r#""id":-5"#);
    assert_eq!(
        errors(&file(&[phase(0, &[task(&negative)])])),
        ["/phases/0/tasks/0/entity/id: vt interprets -5 as object 18446744073709551611"]
    );
    let before = phase(0, &[task(&movable(1, 0))]).replacen(r#""id":0"#, r#""id":-1"#, 1);
    assert_eq!(errors(&file(&[before])), ["/phases/0/id: vt aborts on phase -1"]);
    let twice = file(&[phase(0, &[task(&movable(1, 0))]), phase(0, &[task(&movable(2, 0))])]);
    assert_eq!(
        errors(&twice),
        ["/phases/1: phase 0 already has an entry at index 0, and vt merges the two entries"]
    );
}

/// vt skips blanks, tabs and newlines before the brace, but takes a file with a carriage return for compressed.
#[test]
fn a_file_that_begins_with_an_empty_line() {
    let text = file(&[phase(0, &[task(&movable(1, 0))])]);
    for blanks in ["\n", " \n\t", ""] {
        assert_eq!(found(&format!("{blanks}{text}")), "", "{blanks:?}");
    }
    let expected = "line 1, column 1, at the top level of the document: a carriage return precedes the first brace, so vt assumes that the file is compressed and cannot read it; remove the bytes before the brace";
    for blanks in ["\r\n", "\n\r\n"] {
        assert_eq!(found(&format!("{blanks}{text}")), expected, "{blanks:?}");
    }
}

#[test]
fn a_phase_that_repeats_one_without_migratable_objects() {
    let fixed = [task(r#"{"home":0,"id":1,"migratable":false,"type":"object"}"#)];
    let lists = r#""metadata":{"phases":{"identical_to_previous":{"list":[1],"range":[]},"skipped":{"list":[],"range":[]}}},"phases":["#;
    let repeated = |tasks: &[String]| errors(&file(&[phase(0, tasks)]).replace(r#""phases":["#, lists));
    assert_eq!(repeated(&[task(&movable(1, 0))]), Vec::<String>::new());
    assert_eq!(
        repeated(&fixed),
        [
            "/phases/0: this rank has no migratable object in phase 0; vt aborts on the next phase, which is identical"
        ]
    );
}

/// A schema violation that vt can read is a warning.
#[test]
fn schema_violations_that_vt_can_read() {
    let both = |text: &str| {
        let severities = |text: &str, checks| {
            let findings = validate(text.as_bytes(), checks, &mut Scratch::default()).findings;
            (findings.n_errors, findings.n_warnings)
        };
        (severities(text, ALL), severities(text, FOR_VT))
    };
    let good = file(&[phase(0, &[task(&movable(1, 0))])]);
    assert_eq!(both(&good), ((0, 0), (0, 0)));
    for (part, other) in [
        (r#""time":0.5"#, r#""time":1"#),
        (r#""node":0"#, r#""node":0.0"#),
        (r#""resource":"cpu","#, ""),
        (r#""resource":"cpu""#, r#""resource":1"#),
        (r#""resource":"cpu""#, r#""resource":"cpu","unknown":[]"#),
        (r#""collection_id":7"#, r#""collection_id":"seven""#),
        (r#""collection_id":7"#, r#""collection_id":7,"index":[0.0]"#),
        (r#""phases":["#, r#""metadata":{"shared_node":{"id":"a"},"rank_alpha":null,"count":1},"phases":["#),
    ] {
        let ((errors, _), (for_vt, warnings)) = both(&good.replace(part, other));
        assert!(errors > 0 && for_vt == 0 && warnings >= errors, "{other}: {errors}, {for_vt}, {warnings}");
    }
    for (part, other) in [
        (r#""time":0.5"#, r#""time":"0.5""#),
        (r#""time":0.5"#, r#""time":null"#),
        (r#""node":0,"#, ""),
        (r#""migratable":true"#, r#""migratable":1"#),
        (r#""id":262147"#, r#""id":262147.5"#),
        (r#""id":262147"#, r#""id":"262147""#),
        (r#""collection_id":7"#, r#""collection_id":7,"index":["a"]"#),
        (r#""type":"object""#, r#""type":"node""#),
        (
            r#""phases":["#,
            r#""metadata":{"phases":{"skipped":{"list":[],"range":[3]},"identical_to_previous":{"list":[],"range":[]}}},"phases":["#,
        ),
        (
            r#""phases":["#,
            r#""metadata":{"phases":{"skipped":{"list":[],"range":[[5,3]]},"identical_to_previous":{"list":[],"range":[]}}},"phases":["#,
        ),
    ] {
        let (_, (for_vt, _)) = both(&good.replace(part, other));
        assert!(for_vt > 0, "{other}");
    }
}
