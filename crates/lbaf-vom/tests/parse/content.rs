// SPDX-License-Identifier: MIT OR Apache-2.0
//! Detection of the encoding of a document from its bytes.

use std::io::Write;

use brotli::CompressorWriter;
use lbaf_vom::{DocumentBuffer, Encoding, VomError, compress};

use crate::parse_all;

const DOCUMENT: &str = r#"{"phases":[{"id":0,"tasks":[{"entity":{"id":3},"node":0,"time":0.5}]}]}"#;

fn decoded_bytes(raw: &[u8]) -> Result<(Encoding, Vec<u8>), VomError> {
    let mut document = DocumentBuffer::default();
    document.decode(b"{content of an earlier file}").unwrap();
    let encoding = document.decode(raw)?;
    Ok((encoding, document.into_text()))
}

fn decoded(raw: &[u8]) -> Result<(Encoding, String), VomError> {
    decoded_bytes(raw).map(|(encoding, document)| (encoding, String::from_utf8(document).unwrap()))
}

#[test]
fn plain_documents_may_begin_with_a_mark_and_blanks() {
    for before in ["", "\u{feff}", " ", "\r\n\t  ", "\u{feff}\n\n"] {
        let raw = format!("{before}{DOCUMENT}\n");
        let without_mark = raw.trim_start_matches('\u{feff}').to_owned();
        assert_eq!(decoded(raw.as_bytes()), Ok((Encoding::Plain, without_mark)));
        let parsed = parse_all(raw.as_bytes(), true).unwrap();
        let phase = &parsed.rows.phases[0];
        assert_eq!(phase.tasks[0].load, 0.5);
        assert_eq!(phase.task_places[0].node.of(&parsed.document), b"0");
    }
}

#[test]
fn brotli_of_every_quality_is_recognised() {
    for quality in 0..=11 {
        let long = DOCUMENT.replace(',', &format!(",{}", " ".repeat(50_000)));
        for document in [DOCUMENT.to_owned(), format!("\n  {DOCUMENT}"), long] {
            let raw = compress(document.as_bytes(), quality);
            assert_eq!(decoded(&raw), Ok((Encoding::Brotli, document)), "quality {quality}");
        }
    }
    let parsed = parse_all(&compress(DOCUMENT.as_bytes(), 5), true).unwrap();
    assert_eq!(parsed.encoding, Encoding::Brotli);
    assert_eq!(parsed.document, DOCUMENT.as_bytes());
    assert_eq!(parsed.rows.phases[0].tasks[0].load, 0.5);
}

#[test]
fn brotli_streams_may_begin_with_a_printable_line() {
    // With small windows, the first bytes depend on the length of the document.
    let mut beginnings = Vec::new();
    for length in 66_000..67_000 {
        let document = format!("{DOCUMENT}{}", " ".repeat(length));
        let mut raw = Vec::new();
        CompressorWriter::new(&mut raw, 4096, 1, 18).write_all(document.as_bytes()).unwrap();
        assert_eq!(decoded(&raw), Ok((Encoding::Brotli, document)), "{length} blanks");
        beginnings.push(raw[..2].to_vec());
    }
    assert!(beginnings.contains(&b"#\n".to_vec()), "{beginnings:?}");
}

#[test]
fn text_with_binary_bytes_is_not_taken_for_brotli() {
    for raw in [&b"+\n\x80\xff\x01"[..], b"0,1,2.5\n\x00\x00", "# a\n# caf\u{e9}".as_bytes()] {
        assert_eq!(decoded_bytes(raw), Ok((Encoding::Plain, raw.to_vec())), "{raw:?}");
    }
}

#[test]
fn empty_files_are_reported_as_empty() {
    for raw in ["", " ", "\n\n\t", "\u{feff}", "\u{feff} \n"] {
        assert_eq!(decoded(raw.as_bytes()), Err(VomError::Empty), "{raw:?}");
        assert_eq!(decoded(&compress(raw.as_bytes(), 5)), Err(VomError::Empty), "{raw:?}, compressed");
    }
}

#[test]
fn a_stream_cut_short_is_damaged_and_not_unknown() {
    let document = format!("{{\"phases\":[],\"x\":{:?}}}", (0..9000).collect::<Vec<u32>>());
    let raw = compress(document.as_bytes(), 5);
    for kept in [raw.len() / 2, raw.len() - 1] {
        // A new buffer and a used one give the same error.
        assert_eq!(DocumentBuffer::default().decode(&raw[..kept]), Err(VomError::TruncatedBrotli));
        assert_eq!(decoded(&raw[..kept]), Err(VomError::TruncatedBrotli));
    }
}

/// Regression, found by fuzzing: the error contained the number of decompressed bytes, which depends on memory of an
/// earlier stream.
#[test]
fn the_error_of_a_damaged_stream_does_not_depend_on_earlier_streams() {
    let damaged = b"\x0b\x01\x00\x00\x22\x6a\x2a\xd6\xb6\x2a\x2a\xff\xff\xff\xff\xd5\x2a\x2a\x7d\xa1";
    let mut used = DocumentBuffer::default();
    used.decode(&compress(of_length(300_000).as_bytes(), 5)).unwrap();
    assert_eq!(used.decode(damaged), DocumentBuffer::default().decode(damaged));
    let text = compress("0,1,0.5\n".repeat(5000).as_bytes(), 1);
    assert_eq!(decoded(&text[..text.len() - 1]), Err(VomError::TruncatedBrotli));
}

#[test]
fn trailing_data_after_a_stream_are_refused() {
    for quality in [1, 5, 11] {
        let mut raw = compress(DOCUMENT.as_bytes(), quality);
        raw.extend(b"{}");
        assert_eq!(decoded(&raw), Err(VomError::TrailingData { bytes: 2 }), "quality {quality}");
    }
}

/// Returns a document of this length in bytes without repetitions.
fn of_length(length: usize) -> String {
    let digits: String = (0_u32..).map(|n| n.to_string()).take(length / 2 + 9).collect();
    format!("{{\"x\":\"{}\"}}", &digits[..length - 8])
}

#[test]
fn documents_about_as_long_as_the_window_are_decoded_completely() {
    // One buffer for all documents, because memory of an earlier document is reused.
    let mut document = DocumentBuffer::default();
    let window = 1 << 22;
    for length in [90_000, 9, window - 1, window, 40_000, window + 1, 2 * window + 17, 300_000] {
        let text = of_length(length);
        assert_eq!(document.decode(&compress(text.as_bytes(), 1)), Ok(Encoding::Brotli));
        assert!(document.text() == text.as_bytes(), "length {length}");
        let (padded, parsed) = document.padded();
        assert!(parsed == length && padded.len() >= length + simd_json::INPUT_PADDING);
    }
}

/// 200 MiB of blanks in less than four kilobytes, detected long before their end.
#[test]
fn a_stream_made_to_exhaust_memory_is_refused() {
    let bomb = compress(format!("{{{}", " ".repeat(200 << 20)).as_bytes(), 5);
    assert!(bomb.len() < 4096);
    let usual = 16 << 20;
    let refused = |decoded| matches!(decoded, Err(VomError::Inflated { bytes, length }) if bytes == bomb.len() && length < 2 * usual);
    assert!(refused(decoded(&bomb)));
    // An equally regular but smaller document is accepted.
    let small = compress(format!("{{{}}}", " ".repeat(usual - 2)).as_bytes(), 5);
    assert!(decoded(&small).is_ok_and(|(_, document)| document.len() == usual));
}

/// 32 MiB of opening brackets after the key `phases`.
#[test]
fn a_stream_that_nests_too_deeply_is_refused_for_that_reason() {
    let bomb = compress(format!("{{\"phases\":{}", "[".repeat(32 << 20)).as_bytes(), 5);
    assert!(bomb.len() < 4096);
    let refused = decoded(&bomb).expect_err("the stream nests too deeply");
    assert!(matches!(refused, VomError::DeeplyNested { bytes, .. } if bytes == bomb.len()), "{refused}");
    let message = refused.to_string();
    assert!(message.contains("nests more than 1024 levels deep") && !message.contains("values"), "{message}");
}

/// All loads are equal, so the document is more than a thousand times as long as the stream.
#[test]
fn repetitive_data_are_decoded_completely_after_another_stream() {
    let record = r#"{"entity":{"home":0,"id":3,"migratable":true},"node":0,"time":1.0},"#;
    let document =
        format!(r#"{{"phases":[{{"id":0,"tasks":[{}]}}]}}"#, record.repeat(300_000).trim_end_matches(','));
    let stream = compress(document.as_bytes(), 5);
    assert!(document.len() > 1000 * stream.len() && document.len() > 16 << 20);
    let mut buffer = DocumentBuffer::default();
    buffer.decode(&compress(DOCUMENT.as_bytes(), 5)).unwrap();
    assert_eq!(buffer.decode(&stream), Ok(Encoding::Brotli));
    assert!(buffer.text() == document.as_bytes());
    let (padded, length) = buffer.padded();
    assert!(length == document.len() && padded.len() >= length + simd_json::INPUT_PADDING);
    assert_eq!(buffer.decode(&compress(DOCUMENT.as_bytes(), 5)), Ok(Encoding::Brotli));
    assert_eq!(buffer.text(), DOCUMENT.as_bytes());
    // Errors after more than `TYPICAL_BYTES` of text are still identified.
    assert_eq!(decoded(&stream[..stream.len() - 1]), Err(VomError::TruncatedBrotli));
    let more = [stream.as_slice(), b"{}"].concat();
    assert_eq!(decoded(&more), Err(VomError::TrailingData { bytes: 2 }));
}

/// A rejected document is parsed again to locate the error. Neither parser may exhaust the stack.
#[test]
fn deep_nesting_is_refused() {
    for open in ["[", "{\"a\":"] {
        let document = format!("{{\"phases\":[],\"x\":{}", open.repeat(1 << 20));
        let error = parse_all(document.as_bytes(), false).unwrap_err().to_string();
        assert!(error.starts_with("line 1, column "), "{error}");
        let closed = format!("{{\"phases\":[],\"x\":{}{}}}", "[".repeat(1 << 20), "]".repeat(1 << 20));
        let error = parse_all(closed.as_bytes(), false).unwrap_err().to_string();
        assert!(error.contains("nest"), "{error}");
    }
}

#[test]
fn lines_of_text_are_not_taken_for_brotli() {
    for text in ["0, 3407875, 1.25e-3\n0, 5, 3407875, 40, 1\n", "12,7,0.5 1 [0.5]", "\r\n  3 ,4,5", "7,x"] {
        assert_eq!(decoded(text.as_bytes()), Ok((Encoding::Plain, text.to_owned())));
        assert_eq!(decoded(&compress(text.as_bytes(), 5)), Ok((Encoding::Brotli, text.to_owned())));
    }
}

#[test]
fn other_contents_are_identified() {
    assert_eq!(decoded(b"\x1f\x8b\x08\x00\x00\x00"), Err(VomError::Gzip));
    assert_eq!(decoded(b"<html></html>"), Err(VomError::UnknownContent { first_byte: b'<' }));
    let array = parse_all(b"[1, 2, 3]", false).unwrap_err().to_string();
    assert_eq!(
        array,
        "line 1, column 1, at the top level of the document: expected an object, found an array"
    );
}
