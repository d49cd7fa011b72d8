// SPDX-License-Identifier: MIT OR Apache-2.0
//! Validation of a file against its schema, with all errors, not only the first.

mod fits;
mod violations;

use simd_json::Node;

use crate::collector::Collector;
use crate::direct::{self, Part, Passage};
use crate::parse::on_tape;
use crate::parts::{Joined, PartsReader};
use crate::tape::walk_tape;
use crate::text;
use crate::vt::{self, VtFile};
use crate::walker::Walker;
use crate::{
    DocumentType, FileParts, FileRows, Finding, Findings, Scratch, Severity, SubphaseTimes, VomError,
    VtChecks,
};

/// Options of a validation: limit of findings, rows to return, and checks in addition to the schema.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Maximum number of errors to keep; the same maximum applies to warnings. All are counted.
    pub limit: usize,
    /// Rows to return for checks between files.
    pub rows: WantedRows,
    /// Checks for compatibility with vt, if requested.
    pub vt: Option<VtChecks>,
}

/// Selection of rows for checks between files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WantedRows {
    /// No rows.
    #[default]
    Nothing,
    /// Rows of tasks.
    Tasks,
    /// Rows of tasks and communications.
    All,
}

/// Result of validating a file.
#[derive(Debug, Default)]
pub struct Validated {
    /// Stated type of the file, or the default. `None` if the stated type has no schema, or the file cannot be decoded
    /// or is not valid JSON.
    pub document: Option<DocumentType>,
    /// True for a text file.
    pub is_text: bool,
    /// True if the file or its decompressed document is empty, as the text file of a rank without objects.
    pub is_empty: bool,
    /// Errors and warnings. Those beyond the limit are only counted.
    pub findings: Findings,
    /// Rows, if requested and readable.
    pub rows: Option<FileRows>,
    /// Data for the vt checks between files, if requested; `None` for text files.
    pub vt: Option<VtFile>,
}

/// Returns the stated or default type of a file, or `None` if the stated type has no schema.
///
/// # Errors
/// If the file cannot be decoded, or has neither the text form nor valid JSON.
pub fn document_type_of(raw: &[u8], scratch: &mut Scratch) -> Result<Option<DocumentType>, VomError> {
    scratch.document.decode(raw)?;
    if scratch.document.is_text() {
        return Ok(Some(DocumentType::LbDatafile));
    }
    let walk = |nodes: &[Node<'_>], structurals: &[u32]| Ok(document_type(Walker::new(nodes, structurals)));
    on_tape(raw, false, scratch, walk)
}

/// Validates a file against the schema of its type.
///
/// The type is stated by `type` at the top level or in `metadata`; without it, a file is an `LBDatafile`. A text file
/// is checked against its grammar instead. A file that cannot be decoded or is not valid JSON yields a single error.
///
/// A file of the usual form without findings is read phase by phase. Other files are parsed as a whole.
pub fn validate(raw: &[u8], checks: Checks, scratch: &mut Scratch) -> Validated {
    // Phases of the document in memory would have the same findings as those of the stream.
    let mut has_findings = false;
    if let Some(passage) = scratch.document.passage(raw) {
        match by_phase(raw, passage, checks, &mut scratch.parts) {
            Ok(validated) => return validated,
            Err(refusal) => has_findings = refusal == NotByPhase::Content,
        }
    }
    match scratch.document.decode(raw) {
        Ok(_) if scratch.document.is_text() => return text_form(scratch.document.text(), checks),
        Ok(_) => {}
        Err(error) => return refused(error, checks),
    }
    let Scratch { document, parts, .. } = &mut *scratch;
    if !has_findings && let Ok(validated) = by_phase(raw, Passage::whole(document.text()), checks, parts) {
        return validated;
    }
    let walk = |nodes: &[Node<'_>], structurals: &[u32]| {
        let validated = walk(raw, nodes, structurals, checks, Extent::Whole);
        let rows = validated.rows.filter(|_| checks.rows != WantedRows::Nothing);
        Ok(Validated { rows: rows.map(|rows| wanted(rows, checks.rows)), ..validated })
    };
    match on_tape(raw, false, scratch, walk) {
        Ok(validated) => validated,
        Err(error) => refused(error, checks),
    }
}

/// Reason why a document cannot be validated phase by phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NotByPhase {
    /// Its content: findings, whose order and positions are those of the whole document, phases that depend on others,
    /// or another type.
    Content,
    /// Its text is unusual, or its stream is damaged or too long to be read piece by piece.
    Text,
}

/// Validates an `LBDatafile` of the usual form phase by phase.
fn by_phase(
    raw: &[u8],
    text: Passage<'_>,
    checks: Checks,
    parts: &mut PartsReader,
) -> Result<Validated, NotByPhase> {
    let (mut joined, mut vt) = (Joined::default(), VtFile::default());
    // Findings are only counted.
    let of_part = Checks { limit: 0, ..checks };
    let mut add = |part: &Part<'_>| {
        let walk =
            |nodes: &[Node<'_>], structurals: &[u32]| walk(raw, nodes, structurals, of_part, Extent::Part);
        let Validated { document, findings, rows, vt: vt_part, .. } = parts.on_tape(part, walk)?;
        let has_findings = findings.n_errors + findings.n_warnings > 0;
        (document == Some(DocumentType::LbDatafile) && !has_findings).then_some(())?;
        joined.add(part, wanted(rows?, checks.rows))?;
        if let Some(part) = vt_part {
            vt.phases.extend(part.phases);
            (vt.skipped, vt.identical_to_previous) = (part.skipped, part.identical_to_previous);
        }
        Some(())
    };
    let mut fits = true;
    let read = direct::split(text, |part| {
        fits = add(&part).is_some();
        fits.then_some(())
    });
    match read {
        Some(_) if vt::phases_fit(&vt) => Ok(Validated {
            document: Some(DocumentType::LbDatafile),
            rows: (checks.rows != WantedRows::Nothing).then_some(joined.rows),
            vt: checks.vt.map(|_| vt),
            ..Validated::default()
        }),
        None if fits => Err(NotByPhase::Text),
        _ => Err(NotByPhase::Content),
    }
}

/// Parts that the reader checks. Indices are left to the schema check.
const USED: FileParts<'static> =
    FileParts { phases: &|_| true, last: None, records: false, indices: false, subphases: true };

/// Parts that checks between files need.
const WITHOUT_SUBPHASES: FileParts<'static> = FileParts { subphases: false, ..USED };

/// Validates the text form, which has a grammar instead of a schema.
fn text_form(document: &[u8], checks: Checks) -> Validated {
    let mut validated = Validated { is_text: true, ..Validated::default() };
    validated.document = Some(DocumentType::LbDatafile);
    for fault in text::text_faults(document) {
        validated.findings.add(checks.limit, Severity::Error, || finding(fault));
    }
    if checks.vt.is_some() {
        let message = "the file has the text form, and vt reads only JSON; convert it with \
                       `lbaf convert --to lb-data --ids packed`";
        validated.findings.add(checks.limit, Severity::Error, || Finding::error(message.to_owned()));
    }
    if checks.rows != WantedRows::Nothing {
        validated.rows = text::read(document, WITHOUT_SUBPHASES).ok();
    }
    validated
}

/// Returns the result for a file that cannot be decoded or is not valid JSON.
fn refused(error: VomError, checks: Checks) -> Validated {
    let mut validated = Validated { is_empty: matches!(error, VomError::Empty), ..Validated::default() };
    validated.findings.add(checks.limit, Severity::Error, || finding(error));
    validated
}

fn finding(error: VomError) -> Finding {
    let (position, message) = match error {
        VomError::Syntax { position, message } => (Some(position), message),
        VomError::NotUtf8(position) => (Some(position), "the text is not valid UTF-8".to_owned()),
        error => (None, error.to_string()),
    };
    Finding { position, ..Finding::error(message) }
}

/// Extent of a parsed document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Document of a file.
    Whole,
    /// Part of it, with one phase or none. Conflicts between phases are not checked.
    Part,
}

/// Validates a parsed document. Returns all rows, which must be reduced to those that are wanted.
fn walk(raw: &[u8], nodes: &[Node<'_>], structurals: &[u32], checks: Checks, extent: Extent) -> Validated {
    let plain = Walker::<false>::new(nodes, structurals);
    let placed = Walker::<true>::new(nodes, structurals);
    let mut collector = Collector::new(raw, checks.limit);
    let Some(document) = document_type(plain) else {
        let (walker, in_metadata) = stated_type(placed).expect("invariant: the type was found before");
        violations::unknown_type(walker, in_metadata, &mut collector);
        return Validated { findings: collector.into_findings(), ..Validated::default() };
    };
    if !fits::fits(plain, document.schema()) {
        let place = violations::Place::document(checks.vt.is_some() && document == DocumentType::LbDatafile);
        violations::collect(&mut { placed }, document.schema(), place, &mut collector);
    }
    let mut validated =
        Validated { document: Some(document), findings: collector.into_findings(), ..Validated::default() };
    if document == DocumentType::LbStatsfile {
        return validated;
    }
    let fits_schema = validated.findings.n_errors == 0;
    let mut collector = Collector::new(raw, checks.limit);
    if let Some(checks) = checks.vt {
        let vt = vt::walk(placed, checks, raw, fits_schema, &mut collector);
        if extent == Extent::Whole {
            vt::check_phases(placed, &vt, checks, &mut collector);
        }
        validated.vt = Some(vt);
    }
    let walked = walk_tape(nodes, structurals, USED);
    match &walked {
        // The reader's error is reported only without other errors, because it could repeat one of them. The schema
        // and vt accept some values, such as negative times, that lbaf cannot use.
        Err(mismatch) if fits_schema && !collector.has_errors() => {
            let fits = if checks.vt.is_some() { "vt accepts" } else { "the schema accepts" };
            collector.unreadable(mismatch, fits);
        }
        _ => {}
    }
    validated.rows = match walked {
        Err(_) if checks.rows == WantedRows::All => walk_tape(nodes, structurals, WITHOUT_SUBPHASES).ok(),
        walked => walked.ok(),
    };
    validated.findings.merge(collector.into_findings(), checks.limit);
    validated
}

/// Drops rows that are not wanted.
fn wanted(mut file: FileRows, rows: WantedRows) -> FileRows {
    for phase in &mut file.phases {
        phase.subphases = SubphaseTimes::default();
        if rows != WantedRows::All {
            phase.communications = Vec::new();
        }
        if rows == WantedRows::Nothing {
            phase.tasks = Vec::new();
        }
    }
    file
}

/// Returns the stated type of the document, or `None` if it has no schema. Returns `LBDatafile` if no type is stated
/// or if the type is not a string, which the schema check reports.
fn document_type(walker: Walker<'_, false>) -> Option<DocumentType> {
    match stated_type(walker).map(|(walker, _)| walker.ahead()) {
        Some(Node::String(name)) => name.parse().ok(),
        _ => Some(DocumentType::LbDatafile),
    }
}

/// Returns a walker at the type of the document, and true if the type is in `metadata`; `None` if no type is stated.
fn stated_type<const PLACED: bool>(walker: Walker<'_, PLACED>) -> Option<(Walker<'_, PLACED>, bool)> {
    let at_the_top = walker.member("type").map(|walker| (walker, false));
    at_the_top.or_else(|| Some((walker.member("metadata")?.member("type")?, true)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress;
    use crate::decompress::Decompressor;

    #[test]
    fn streams_are_validated_by_phase_up_to_findings_or_unusual_text() {
        let checks = Checks { limit: 1, rows: WantedRows::Nothing, vt: Some(VtChecks::default()) };
        let entity = r#"{"home":0,"id":262147,"migratable":true,"type":"object"}"#;
        let task = format!(r#"{{"entity":{entity},"node":0,"resource":"cpu","time":1.5}}"#);
        let phase = |id: u64| format!(r#"{{"id":{id},"tasks":[{task}]}}"#);
        let text = format!(r#"{{"phases":[{},{}],"type":"LBDatafile"}}"#, phase(0), phase(1));
        let refusal = |from: &str, to: &str| {
            let stream = compress(text.replacen(from, to, 1).as_bytes(), 1);
            let passage = Passage::of_stream(Decompressor::default().begin(&stream), text.len() + 9);
            by_phase(&stream, passage, checks, &mut PartsReader::default()).err()
        };
        assert_eq!(refusal("", ""), None);
        for (from, to) in
            [("1.5", "1"), ("1.5", "01"), (r#""id":1,"#, r#""id":0,"#), (r#""id":1,"#, r#""id":2,"#)]
        {
            assert_eq!(refusal(from, to), Some(NotByPhase::Content), "{to}");
        }
        for (from, to) in [("cpu", "c\\u0070u"), ("}]},", "}]},,"), ("}]},", "}]},          ")] {
            assert_eq!(refusal(from, to), Some(NotByPhase::Text), "{to}");
        }
    }
}
