// SPDX-License-Identifier: MIT OR Apache-2.0
//! What vt crashes on or misreads, one case for each. Every file is valid for its schema.

use lbaf_vom::{Checks, Findings, Scratch, packed_id, validate};

use crate::{ALL, FOR_VT, check, lines_for_vt};

/// A migratable object by its packed id.
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

/// Findings of a file that its schema accepts.
#[track_caller]
fn found(text: &str) -> String {
    let without_vt = check(text.as_bytes());
    assert_eq!(without_vt.findings.n_errors, 0, "the schema refuses it");
    lines_for_vt(text)
}

#[test]
fn what_vt_writes_is_fit_for_vt() {
    let initial = r#"{"home":0,"id":0,"migratable":false,"type":"object"}"#;
    let handler = r#"{"home":0,"id":1,"migratable":false,"type":"object"}"#;
    let group = r#"{"home":0,"id":3145740,"migratable":false,"objgroup_id":786435,"type":"object"}"#;
    let tasks = [task(&movable(13, 0)), task(initial), task(handler), task(group)];
    assert_eq!(found(&file(&[phase(0, &tasks), phase(1, &tasks)])), "");
}

#[test]
fn bits_of_the_id_against_migratable() {
    let movable_id = r#"{"home":0,"id":3407875,"migratable":false,"type":"object"}"#;
    let fixed_id = r#"{"home":0,"id":12884901888,"migratable":true,"type":"object"}"#;
    let text = file(&[phase(0, &[task(movable_id), task(fixed_id)])]);
    let expected = "\
line 2, column 43, at /phases/0/tasks/0/entity/id: the lowest bits of 3407875 say that the object may migrate, and vt goes by them, not by `migratable`
line 2, column 150, at /phases/0/tasks/1/entity/id: the lowest bits of 12884901888 say that the object may not migrate, and vt goes by them, not by `migratable`";
    assert_eq!(found(&text), expected);
}

#[test]
fn the_home_in_the_id_against_home() {
    let entity = movable(13, 2).replace(r#""home":2"#, r#""home":1"#);
    let expected = "line 2, column 54, at /phases/0/tasks/0/entity/home: warning: the home is 1 here, but 2 in the id, and vt goes by the id";
    assert_eq!(found(&file(&[phase(0, &[task(&entity)])])), expected);
}

/// Many warnings do not hide an error behind them.
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
    let expected = "at /phases/0/tasks/1/entity: vt's reader needs `collection_id` beside `seq_id`, also of what may not migrate";
    assert!(said.ends_with(expected) && said.lines().count() == 1, "{said}");
    let with_collection = text.replace(r#""seq_id":1"#, r#""collection_id":7,"seq_id":1"#);
    assert_eq!(found(&with_collection), "");
}

#[test]
fn user_defined_of_a_phase_and_strings_in_that_of_a_task() {
    let with_text = task(&movable(1, 0))
        .replace(r#""time":0.5"#, r#""time":0.5,"user_defined":{"a":1,"name":"x","deep":{"b":"y"}}"#);
    let phase = phase(0, &[with_text]).replace(r#""id":0,"#, r#""id":0,"user_defined":{},"#);
    let said = found(&file(&[phase]));
    let expected = [
        "at /phases/0/user_defined: `user_defined` of a phase crashes vt's reader, whatever is in it; leave it out",
        "at /phases/0/tasks/0/user_defined/name: a string in `user_defined` of a task aborts vt's TemperedLB; leave it out or write a number",
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
            "{which} neither here nor declared in `metadata.phases`; vt wants phases 0 to {last} without gaps"
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
fn a_rank_on_which_nothing_may_migrate() {
    let fixed = [task(r#"{"home":0,"id":1,"migratable":false,"type":"object"}"#)];
    let some = [task(&movable(1, 0))];
    assert_eq!(
        found(&file(&[phase(0, &some), phase(1, &fixed), phase(2, &[])])),
        "line 3, column 1, at /phases/1: no object of this rank may migrate in phase 1; vt's OfflineLB aborts on a \
         rank without any\n\
         line 4, column 1, at /phases/2: no object of this rank may migrate in phase 2; vt's OfflineLB aborts on a \
         rank without any"
    );
    // Nothing comes before the first phase, so nothing aborts, but nothing arrives either.
    assert_eq!(
        found(&file(&[phase(0, &fixed), phase(1, &some)])),
        "line 2, column 1, at /phases/0: warning: no object of this rank may migrate in phase 0, so vt's OfflineLB \
         ignores those that phase 1 puts here"
    );
    assert_eq!(found(&file(&[phase(0, &fixed)])), "");
}

#[test]
fn a_byte_order_mark() {
    let text = format!("\u{feff}{}", file(&[phase(0, &[])]));
    let expected = "line 1, column 1, at the top of the document: the file begins with a byte order mark, which vt's reader does not take; remove it";
    assert_eq!(found(&text), expected);
}

#[test]
fn a_rank_that_is_not_the_files() {
    let of_rank = |rank: u64| {
        file(&[phase(0, &[])]).replace(r#""phases""#, &format!(r#""metadata":{{"rank":{rank}}},"phases""#))
    };
    assert_eq!(found(&of_rank(0)), "");
    let expected =
        "line 1, column 41, at /metadata/rank: the metadata say rank 3, but the name of the file says 0";
    assert_eq!(found(&of_rank(3)), expected);
}

/// What reading refuses is refused too, once, and only where the schema has nothing to say.
#[test]
fn what_cannot_be_read_is_no_use_to_vt() {
    let twice = file(&[phase(0, &[]), phase(0, &[])]);
    let said = found(&twice);
    let unreadable = "the schema takes this, but it cannot be read: ";
    let expected =
        format!("line 3, column 1, at /phases/1: {unreadable}phase 0 has two entries in this file");
    assert!(said.contains(&expected), "{said}");
    // To those who ask for the schema alone, it is a warning.
    let alone = crate::lines(&check(twice.as_bytes()).findings.kept);
    assert!(
        alone.contains(&format!("at /phases/1: warning: {unreadable}phase 0 has two entries")),
        "{alone}"
    );
    let negative = file(&[phase(0, &[task(&movable(1, 0)).replace("0.5", "-0.5")])]);
    let expected =
        format!("/phases/0/tasks/0/time: {unreadable}expected a number that is not negative, found -0.5");
    assert!(found(&negative).ends_with(&expected));
    // Subphases are checked though not every command asks for them.
    for (subphases, expected) in [
        (r#"[{"id":2,"time":0.1},{"id":2,"time":0.4}]"#, "the task has subphase 2 twice"),
        (r#"[{"id":2,"time":-0.1}]"#, "expected a number that is not negative, found -0.1"),
        (r#"[{"id":-1,"time":0.1}]"#, "found -1"),
        (r#"[{"id":4294967296,"time":0.1}]"#, "found 4294967296"),
    ] {
        let subphases = format!(r#""subphases":{subphases},"time":0.5"#);
        let text = file(&[phase(0, &[task(&movable(1, 0)).replace(r#""time":0.5"#, &subphases)])]);
        let said = found(&text);
        assert!(said.contains(unreadable) && said.ends_with(expected), "{said}");
        // Checks between files do without them.
        let rows = validate(text.as_bytes(), Checks { rows: true, ..ALL }, &mut Scratch::default()).rows;
        assert_eq!(rows.map(|rows| rows.phases[0].tasks.len()), Some(1));
    }
    let wrong = file(&[phase(0, &[task(&movable(1, 0)).replace("0.5", "\"0.5\"")])]);
    assert_eq!(lines_for_vt(&wrong).lines().count(), 1);
}

/// The ids that vt would give, to be compared between files.
#[test]
fn objects_are_known_by_their_packed_id() {
    let by_sequence = r#"{"collection_id":7,"home":2,"migratable":true,"seq_id":13,"type":"object"}"#;
    let fixed = r#"{"home":0,"id":1,"migratable":false,"type":"object"}"#;
    let text = file(&[phase(4, &[task(fixed), task(by_sequence), task(&movable(5, 1))])]);
    let vt = validate(text.as_bytes(), FOR_VT, &mut Scratch::default()).vt.expect("it was asked for");
    assert_eq!(vt.phases.len(), 1);
    assert_eq!(
        (vt.phases[0].id, &vt.phases[0].movable[..]),
        (4, &[(packed_id(13, 2, true), 1), (packed_id(5, 1, true), 2),][..])
    );
}
