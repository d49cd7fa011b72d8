// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a file is what its schema asks for: everything that is wrong, and not only the first.

mod fits;
mod violations;

use simd_json::Node;

use crate::collector::Collector;
use crate::parse::{on_tape, walk_tape};
use crate::text;
use crate::vt::{self, VtFile};
use crate::walker::Walker;
use crate::{DocumentType, FileParts, FileRows, Finding, Findings, Scratch, Severity, VomError, VtChecks};

/// What to check beside the schema.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// How many errors are kept, and how many warnings; the rest is counted.
    pub limit: usize,
    /// Which rows of the file are wanted too, for checks between files.
    pub rows: WantedRows,
    /// Whether the file is to be fit for vt itself.
    pub vt: Option<VtChecks>,
}

/// Rows for checks between files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WantedRows {
    /// None.
    #[default]
    Nothing,
    /// Those of tasks.
    Tasks,
    /// Those of tasks and communication.
    All,
}

/// What was found in a file.
#[derive(Debug, Default)]
pub struct Validated {
    /// Whose schema was applied, if the file says so or says nothing.
    pub document: Option<DocumentType>,
    /// Whether it is a text file.
    pub is_text: bool,
    /// Everything that is wrong.
    pub findings: Findings,
    /// The rows, where they were asked for and the file can be read.
    pub rows: Option<FileRows>,
    /// What checks for vt between files need, where they were asked for.
    pub vt: Option<VtFile>,
}

/// The type of a file by what it says, from its bytes: `None` for one that has no schema.
///
/// # Errors
/// When the file holds no document.
pub fn document_type_of(raw: &[u8], scratch: &mut Scratch) -> Result<Option<DocumentType>, VomError> {
    scratch.document.decode(raw)?;
    if scratch.document.is_text() {
        return Ok(Some(DocumentType::LbDatafile));
    }
    let walk = |nodes: &[Node<'_>], structurals: &[u32]| Ok(document_type(Walker::new(nodes, structurals)));
    on_tape(raw, false, scratch, walk)
}

/// Checks a file against the schema of its type, from its bytes.
///
/// The type stands in `type` at the top or in `metadata`; a file without one is an `LBDatafile`. What is no
/// document at all is one error.
pub fn validate(raw: &[u8], checks: Checks, scratch: &mut Scratch) -> Validated {
    match scratch.document.decode(raw) {
        Ok(_) if scratch.document.is_text() => return text_form(scratch.document.text(), checks),
        Ok(_) => {}
        Err(error) => return refused(error, checks),
    }
    let walk = |nodes: &[Node<'_>], structurals: &[u32]| Ok(walk(raw, nodes, structurals, checks));
    match on_tape(raw, false, scratch, walk) {
        Ok(validated) => validated,
        Err(error) => refused(error, checks),
    }
}

/// All that some command makes use of: what is wrong there is an error sooner or later.
const USED: FileParts<'static> =
    FileParts { phases: &|_| true, records: false, indices: false, subphases: true };

/// All that checks between files need.
const WITHOUT_SUBPHASES: FileParts<'static> = FileParts { subphases: false, ..USED };

/// The text form has a grammar instead of a schema.
fn text_form(document: &[u8], checks: Checks) -> Validated {
    let mut validated = Validated { is_text: true, ..Validated::default() };
    validated.document = Some(DocumentType::LbDatafile);
    for fault in text::text_faults(document) {
        validated.findings.add(checks.limit, Severity::Error, || finding(fault));
    }
    if checks.vt.is_some() {
        let message = "this is the text form, and vt reads JSON only; `lbaf convert --to lb-data --ids packed` \
                       writes it";
        validated.findings.add(checks.limit, Severity::Error, || Finding::error(message.to_owned()));
    }
    if checks.rows != WantedRows::Nothing {
        validated.rows = text::read(document, WITHOUT_SUBPHASES).ok();
    }
    validated
}

/// A file without a document.
fn refused(error: VomError, checks: Checks) -> Validated {
    let mut validated = Validated::default();
    validated.findings.add(checks.limit, Severity::Error, || finding(error));
    validated
}

fn finding(error: VomError) -> Finding {
    let (position, message) = match error {
        VomError::Syntax { position, message } => (Some(position), message),
        VomError::NotUtf8(position) => (Some(position), "the text is not UTF-8".to_owned()),
        error => (None, error.to_string()),
    };
    Finding { position, ..Finding::error(message) }
}

fn walk(raw: &[u8], nodes: &[Node<'_>], structurals: &[u32], checks: Checks) -> Validated {
    let plain = Walker::<false>::new(nodes, structurals);
    let placed = Walker::<true>::new(nodes, structurals);
    let mut collector = Collector::new(raw, checks.limit);
    let Some(document) = document_type(plain) else {
        let (walker, in_metadata) = stated_type(placed).expect("invariant: it was found before");
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
        validated.vt = Some(vt::walk(placed, checks, raw, fits_schema, &mut collector));
    }
    let walked = walk_tape(nodes, structurals, USED);
    match &walked {
        // What is wrong already is said. The schema takes a negative time and the like, and so does vt, but lbaf
        // cannot use it.
        Err(mismatch) if fits_schema && !collector.has_errors() => {
            let fits = if checks.vt.is_some() { "vt takes" } else { "the schema takes" };
            collector.unreadable(mismatch, fits);
        }
        _ => {}
    }
    validated.rows = match checks.rows {
        WantedRows::Nothing => None,
        WantedRows::Tasks => walked.ok().map(tasks_alone),
        WantedRows::All => walk_tape(nodes, structurals, WITHOUT_SUBPHASES).ok(),
    };
    validated.findings.merge(collector.into_findings(), checks.limit);
    validated
}

/// Communication and subphases are most of a file.
fn tasks_alone(mut rows: FileRows) -> FileRows {
    for phase in &mut rows.phases {
        (phase.communications, phase.subphases) = Default::default();
    }
    rows
}

/// The type that the document ahead states, if it has a schema. Without one it is an `LBDatafile`; what is no
/// string is left to the schema.
fn document_type(walker: Walker<'_, false>) -> Option<DocumentType> {
    match stated_type(walker).map(|(walker, _)| walker.ahead()) {
        Some(Node::String(name)) => name.parse().ok(),
        _ => Some(DocumentType::LbDatafile),
    }
}

/// A walker that stands before the type of the document, and whether it is in `metadata`.
fn stated_type<const PLACED: bool>(walker: Walker<'_, PLACED>) -> Option<(Walker<'_, PLACED>, bool)> {
    let at_the_top = walker.member("type").map(|walker| (walker, false));
    at_the_top.or_else(|| Some((walker.member("metadata")?.member("type")?, true)))
}
