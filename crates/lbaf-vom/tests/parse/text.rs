// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text form, line by line as documented.

use lbaf_vom::{
    CommunicationKind, EndpointKind, FileParts, FileRows, Generation, LoadLine, Scratch, VomError, parse,
    print_communication_line, print_load_line, text_as_json,
};

use proptest::collection::vec;
use proptest::prelude::*;

use crate::parse_all;

fn rows(text: &str) -> FileRows {
    let rows = parse_all(text.as_bytes(), false).unwrap().rows;
    assert_eq!(rows.generation, Generation::Text);
    rows
}

/// Returns the phase, object and load of the only task of a line.
fn load(line: &str) -> (u64, u64, f64) {
    let rows = rows(line);
    let [phase] = &rows.phases[..] else { panic!("{line}: not one phase") };
    let [task] = phase.tasks[..] else { panic!("{line}: not one task") };
    assert!(task.migratable && !task.is_sequence);
    assert!(phase.communications.is_empty());
    (phase.id, task.id, task.load)
}

/// Converts the records of a text to JSON.
fn records(text: &str) -> Vec<String> {
    let mut parsed = parse_all(text.as_bytes(), true).unwrap();
    let json = text_as_json(&mut parsed.rows, &parsed.document, 2, &|id| Some(id as u32 + 10)).unwrap();
    let phases = parsed.rows.phases.iter();
    let spans = phases.flat_map(|phase| {
        let tasks = phase.task_places.iter().map(|place| place.record);
        tasks.chain(phase.communications.iter().map(|row| row.record))
    });
    spans.map(|span| String::from_utf8(span.of(&json).to_vec()).unwrap()).collect()
}

fn error(text: &str) -> String {
    parse_all(text.as_bytes(), false).unwrap_err().to_string()
}

/// `<phase>, <object-id>, <time>`, as in real files.
#[test]
fn a_load_line_of_three_fields() {
    assert_eq!(load("0,55834574848,0.304038"), (0, 55_834_574_848, 0.304_038));
    assert_eq!(load("  7 ,\t3 , 1e-05  \r\n"), (7, 3, 1e-5));
    assert_eq!(load("\n\n4,18446744073709551615,0\n\n"), (4, u64::MAX, 0.0));
    assert_eq!(load("4611686018427387904,1,1e300"), (1 << 62, 1, 1e300));
}

/// `<phase>, <object-id>, <time> <#subphases> '[' .. ']'`, as documented, and with a comma.
#[test]
fn a_load_line_with_subphases() {
    let spellings = [
        "1, 3, 0.5 2 [ 0.25 0.125 ]",
        "1,3,0.5,2,[0.25,0.125]",
        "1, 3, 0.5, 2 [0.25, 0.125]",
        "1,3,0.5 2[0.25 , 0.125]",
        " 1 , 3 , 0.5 , 2 [ 0.25\t0.125 ] \r",
    ];
    for line in spellings {
        let expected = r#"{"entity":{"home":13,"id":3,"migratable":true,"type":"object"},"node":2,"resource":"cpu","subphases":[{"id":0,"time":0.25},{"id":1,"time":0.125}],"time":0.5}"#;
        assert_eq!(load(line), (1, 3, 0.5), "{line}");
        assert_eq!(records(line), [expected], "{line}");
    }
    for line in ["1,3,0.5 0 []", "1,3,0.5,0,[ ]"] {
        let expected = r#"{"entity":{"home":13,"id":3,"migratable":true,"type":"object"},"node":2,"resource":"cpu","time":0.5}"#;
        assert_eq!(records(line), [expected], "{line}");
    }
}

/// `<phase>, <to>, <from>, <bytes>, <type>`: the receiver precedes the sender. The type determines which of them is a
/// rank.
#[test]
fn a_communication_line_of_each_type() {
    let expected = [
        (CommunicationKind::SendRecv, EndpointKind::Object, EndpointKind::Object),
        (CommunicationKind::CollectionToNode, EndpointKind::Object, EndpointKind::Node),
        (CommunicationKind::NodeToCollection, EndpointKind::Node, EndpointKind::Object),
        (CommunicationKind::Broadcast, EndpointKind::Object, EndpointKind::Object),
        (CommunicationKind::CollectionToNodeBcast, EndpointKind::Object, EndpointKind::Node),
        (CommunicationKind::NodeToCollectionBcast, EndpointKind::Node, EndpointKind::Object),
    ];
    for (number, (kind, from, to)) in (1..).zip(expected) {
        let rows = rows(&format!("5, 7, 9, 128, {number}\n"));
        let row = rows.phases[0].communications[0];
        assert_eq!((rows.phases[0].id, row.kind, row.bytes, row.messages), (5, kind, 128.0, 1));
        assert_eq!((row.from.id, row.from.kind), (9, from), "type {number}");
        assert_eq!((row.to.id, row.to.kind), (7, to), "type {number}");
    }
    assert_eq!(
        records("5,7,9,1.5e3,1\n5,7,9,8,2"),
        [
            r#"{"bytes":1500.0,"from":{"id":9,"migratable":true,"type":"object"},"messages":1,"to":{"id":7,"migratable":true,"type":"object"},"type":"SendRecv"}"#,
            r#"{"bytes":8.0,"from":{"id":9,"migratable":true,"type":"object"},"messages":1,"to":{"id":7,"type":"node"},"type":"CollectionToNode"}"#,
        ]
    );
}

#[test]
fn lines_of_all_phases_and_kinds_may_have_any_order() {
    let rows = rows("3,1,0.5\n0,1,2,16,1\n3,2,1.5\n0,1,0.25\n");
    let phases: Vec<_> =
        rows.phases.iter().map(|phase| (phase.id, phase.tasks.len(), phase.communications.len())).collect();
    assert_eq!(phases, [(3, 2, 0), (0, 1, 1)]);
    assert_eq!(rows.phase_ids, [3, 0]);
    // The first phase of object 1 is 0, although its line of phase 3 comes first.
    assert_eq!(rows.first_phases, [(1, 0), (2, 3)]);
}

#[test]
fn phases_outside_the_selection_are_listed_without_rows() {
    let text = b"0,1,0.5\n1,1,0.5\n1,2,0.5\n2,1,0.5\n";
    let selection = FileParts {
        phases: &|phase| phase == 1,
        last: None,
        records: true,
        indices: false,
        subphases: false,
    };
    let parsed = parse(text, selection, &mut Scratch::default()).unwrap();
    let lines = parsed.rows.phases[0].task_places.iter().map(|place| place.record.of(&parsed.document));
    assert_eq!(lines.collect::<Vec<_>>(), [b"1,1,0.5", b"1,2,0.5"]);
    assert_eq!((parsed.rows.phases.len(), &parsed.rows.phase_ids[..]), (1, &[0, 1, 2][..]));
    assert_eq!(parsed.rows.first_phases, [(1, 0), (2, 1)]);
}

#[test]
fn every_error_is_reported_with_its_position() {
    let cases = [
        (
            "0,1",
            "line 1, column 1: expected 3 fields (phase, object, seconds), 5 (phase, receiver, sender, bytes, type) or subphases in brackets, found 2",
        ),
        (
            "0,1,2,3",
            "line 1, column 1: expected 3 fields (phase, object, seconds), 5 (phase, receiver, sender, bytes, type) or subphases in brackets, found 4",
        ),
        ("0,1,0.5\n\nx,1,0.5", "line 3, column 1: expected a phase, found `x`"),
        ("0,1,0.5\n-1,1,0.5", "line 2, column 1: expected a phase, found `-1`"),
        (
            "4611686018427387905,1,0.5",
            "line 1, column 1: expected a phase of at most 2^62, found 4611686018427387905",
        ),
        ("0, 1.5, 0.5", "line 1, column 4: expected the number of an object, found `1.5`"),
        (
            "0,18446744073709551616,0.5",
            "line 1, column 3: the number 18446744073709551616 does not fit into 64 bits",
        ),
        ("0,1,", "line 1, column 5: expected a time in seconds (at least 0), found the end of the line"),
        ("0,1,-0.5", "line 1, column 5: expected a time in seconds (at least 0), found `-0.5`"),
        ("0,1,nan", "line 1, column 5: expected a time in seconds (at least 0), found `nan`"),
        ("0,1,1e400", "line 1, column 5: the number 1e400 does not fit into 64 bits"),
        ("0,1,0.5 7", "line 1, column 9: expected the end of the line, found `7`"),
        ("0,1,0.5 [0.5]", "line 1, column 9: expected the number of subphases, found `[0.5]`"),
        ("0,1,0.5 1 [0.5", "line 1, column 15: expected `]` after the subphases, found the end of the line"),
        ("0,1,0.5 1 [0.5] 3", "line 1, column 17: expected the end of the line, found `3`"),
        (
            "0,1,0.5 3 [0.5 0.25]",
            "line 1, column 9: the number of subphases is 3, but the brackets contain 2",
        ),
        (
            "0,1,0.5 1 [x]",
            "line 1, column 12: expected the time of a subphase in seconds (at least 0), found `x`",
        ),
        (
            "0,1,0.5 1 [[]",
            "line 1, column 12: expected the time of a subphase in seconds (at least 0), found `[]`",
        ),
        ("0,1,0.5,9,1", "line 1, column 5: expected the number of the sender, found `0.5`"),
        ("0,1,2,many,1", "line 1, column 7: expected a number of bytes (at least 0), found `many`"),
        ("0,1,2,3,0", "line 1, column 9: unknown communication type 0; the text form has types 1 to 6"),
        ("0,1,2,3, 7", "line 1, column 10: unknown communication type 7; the text form has types 1 to 6"),
        ("0,1,2,3,SendRecv", "line 1, column 9: expected a communication type, found `SendRecv`"),
        (
            "0,4294967295,2,3,2",
            "line 1, column 3: this endpoint of a communication of type CollectionToNode must be a rank, but 4294967295 is not a valid rank",
        ),
        ("0 1,2,3", "line 1, column 3: expected `,`, found `1,2,3`"),
    ];
    for (text, message) in cases {
        // A valid line comes first, so that the document is recognised as text.
        let shifted = format!("0,1,0.5\n{text}");
        let expected = match message.strip_prefix("line 1,") {
            Some(rest) => format!("line 2,{rest}"),
            None => message.replacen("line 3,", "line 4,", 1).replacen("line 2,", "line 3,", 1),
        };
        assert_eq!(error(&shifted), expected, "{text}");
    }
    assert_eq!(error("0,x,0.5"), "line 1, column 3: expected the number of an object, found `x`");
    // Documents that begin with a digit, a sign or `#` count as text.
    for (text, expected) in [
        (
            "0 4294967296 1.5",
            "line 1, column 1: expected 3 fields (phase, object, seconds), 5 (phase, receiver, sender, bytes, type) or subphases in brackets, found 1",
        ),
        ("0;1;0.5", "line 1, column 1: expected a phase, found `0;1;0.5`"),
        ("# phase, object, seconds", "line 1, column 1: expected a phase, found `#`"),
        ("-1,4294967296,1", "line 1, column 1: expected a phase, found `-1`"),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn printed_lines_read_back_equal() {
    let mut text = Vec::new();
    let subphases = [0.1, 1e-300];
    print_load_line(&mut text, &LoadLine { phase: 3, object: u64::MAX, load: 1e300, subphases: &subphases });
    print_load_line(&mut text, &LoadLine { phase: 3, object: 0, load: 0.1 + 0.2, subphases: &[] });
    for (number, kind) in (1..).zip(CommunicationKind::NAMED) {
        let printed = print_communication_line(&mut text, 3, 8, 9, 2.5, kind);
        assert_eq!(printed, number <= 6, "{}", kind.name());
    }
    let expected = "3,18446744073709551615,1e+300,2,[0.1 1e-300]\n3,0,0.30000000000000004\n\
                    3,8,9,2.5,1\n3,8,9,2.5,2\n3,8,9,2.5,3\n3,8,9,2.5,4\n3,8,9,2.5,5\n3,8,9,2.5,6\n";
    assert_eq!(String::from_utf8(text.clone()).unwrap(), expected);
    let rows = rows(expected);
    assert_eq!(rows.phases[0].tasks.iter().map(|task| task.load).collect::<Vec<_>>(), [1e300, 0.1 + 0.2]);
    assert_eq!(rows.phases[0].communications.len(), 6);
}

#[test]
fn many_subphases_in_one_line() {
    let times = vec!["0.5"; 100_000].join(" ");
    let records = records(&format!("0,1,50000.0 100000 [{times}]\n"));
    assert_eq!(records[0].matches(r#""time":0.5}"#).count(), 100_000);
}

/// Tasks without subphases before, between and after those that have some.
#[test]
fn requested_subphases_of_lines_are_numbered() {
    let document = "0,1,0.5\n0,2,0.5,2,[0.25 0.25]\n0,3,0.5\n0,4,1 3 [0.5,0.25,0.25]\n0,5,1 0 []\n0,6,1\n";
    let parsed = |subphases: bool| {
        let selection =
            FileParts { phases: &|_| true, last: None, records: false, indices: false, subphases };
        parse(document.as_bytes(), selection, &mut Scratch::default()).unwrap().rows
    };
    let times = &parsed(true).phases[0].subphases;
    let of: Vec<&[(u32, f64)]> = (0..6).map(|task| times.of(task)).collect();
    assert_eq!(of, [&[][..], &[(0, 0.25), (1, 0.25)], &[], &[(0, 0.5), (1, 0.25), (2, 0.25)], &[], &[]]);
    assert!(parsed(false).phases[0].subphases.is_empty());
}

/// Content of a line.
#[derive(Clone, Debug)]
enum Said {
    Load(u64, f64, Vec<f64>),
    Communication(u64, u64, f64, usize),
}

fn magnitude() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.0..10.0, (0_u64..0x7ff0_0000_0000_0000).prop_map(f64::from_bits)]
}

fn said() -> impl Strategy<Value = Said> {
    prop_oneof![
        (any::<u64>(), magnitude(), vec(magnitude(), 0..4))
            .prop_map(|(object, load, subphases)| Said::Load(object, load, subphases)),
        (0_u64..1 << 31, 0_u64..1 << 31, magnitude(), 1_usize..=6)
            .prop_map(|(to, from, bytes, kind)| Said::Communication(to, from, bytes, kind)),
    ]
}

/// Prints a line with the given blanks and notation of numbers.
fn spelled(phase: u64, said: &Said, blanks: &str, exponent: bool, comma: &str) -> String {
    let number = |value: f64| if exponent { format!("{value:e}") } else { format!("{value:?}") };
    let fields: Vec<String> = match said {
        Said::Load(object, load, subphases) if subphases.is_empty() => {
            vec![phase.to_string(), object.to_string(), number(*load)]
        }
        Said::Load(object, load, subphases) => {
            let times: Vec<String> = subphases.iter().map(|time| number(*time)).collect();
            let n = subphases.len();
            let separator = if comma.is_empty() { " " } else { comma };
            let parts = format!("{comma} {n} {comma}[{blanks}{}]", times.join(separator));
            vec![phase.to_string(), object.to_string(), format!("{} {parts}", number(*load))]
        }
        Said::Communication(to, from, bytes, kind) => {
            vec![phase.to_string(), to.to_string(), from.to_string(), number(*bytes), kind.to_string()]
        }
    };
    format!("{blanks}{}{blanks}\n", fields.join(&format!("{blanks},{blanks}")))
}

proptest! {
    /// Content in every notation is read, and reads the same after printing.
    #[test]
    fn written_lines_are_read(
        lines in vec((0_u64..4, said()), 0..20),
        blanks in "[ \t]{0,2}",
        exponent in any::<bool>(),
        comma in prop_oneof![Just(""), Just(","), Just(" , ")],
    ) {
        let text: String = lines.iter()
            .map(|(phase, said)| spelled(*phase, said, &blanks, exponent, comma))
            .collect();
        prop_assume!(!lines.is_empty());
        let parsed = parse_all(text.as_bytes(), true).unwrap();
        let mut printed = Vec::new();
        for phase in 0..4 {
            let mine = || lines.iter().filter(move |(of, _)| *of == phase).map(|(_, said)| said);
            let rows = parsed.rows.phases.iter().find(|rows| rows.id == phase);
            prop_assert_eq!(rows.is_some(), mine().next().is_some());
            let Some(rows) = rows else { continue };
            let mut tasks = rows.tasks.iter();
            let mut entries = rows.communications.iter();
            for said in mine() {
                match said {
                    Said::Load(object, load, subphases) => {
                        let task = tasks.next().unwrap();
                        prop_assert_eq!((task.id, task.load.to_bits()), (*object, load.to_bits()));
                        let line = LoadLine { phase, object: *object, load: *load, subphases };
                        print_load_line(&mut printed, &line);
                    }
                    Said::Communication(to, from, bytes, kind) => {
                        let row = entries.next().unwrap();
                        prop_assert_eq!((row.to.id, row.from.id, row.bytes), (*to, *from, *bytes));
                        prop_assert_eq!(row.kind, CommunicationKind::NAMED[kind - 1]);
                        prop_assert!(print_communication_line(&mut printed, phase, *to, *from, *bytes, row.kind));
                    }
                }
            }
            prop_assert!(tasks.next().is_none() && entries.next().is_none());
        }
        let again = parse_all(&printed, false).unwrap();
        for rows in &parsed.rows.phases {
            let same = again.rows.phases.iter().find(|other| other.id == rows.id).unwrap();
            prop_assert_eq!(&same.tasks, &rows.tasks);
            prop_assert_eq!(same.communications.len(), rows.communications.len());
        }
    }

    /// The parser never panics, and every error refers to an existing line.
    #[test]
    fn any_text_is_read_or_refused(text in "[0-9]{1,2},[0-9 ,.\\[\\]eE\n\r\t+-]{0,80}") {
        if let Err(error) = parse_all(text.as_bytes(), true) {
            let VomError::Syntax { position, .. } = error else { panic!("{error}") };
            let line = text.split('\n').nth(position.line - 1).unwrap();
            prop_assert!(position.column <= line.chars().count() + 1);
        }
    }
}
