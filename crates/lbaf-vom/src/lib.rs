// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wire format of one VOM (Virtual Object Map) file, also called LB data file: the records of one rank of a vt
//! application about its objects, phase by phase.
//!
//! This crate reads, validates and prints single files, among them LB statistics files. It does not use other files,
//! phase graphs or the file system.
#![forbid(unsafe_code)]

mod collector;
mod compress;
mod content;
mod decompress;
mod direct;
mod entity;
mod error;
mod finding;
mod indices;
mod memory_facts;
mod metadata;
mod output;
mod packed;
mod parse;
mod parts;
mod print;
pub mod record;
mod record_position;
mod record_rows;
mod rows;
mod schema;
mod selection;
mod span;
mod statistics_file;
mod structure;
mod subphases;
mod survey;
mod tape;
mod text;
mod validate;
mod vt;
mod walker;

pub use compress::{Compressor, compress};
pub use content::{DocumentBuffer, Encoding, MAX_FILE_BYTES};
pub use decompress::is_granted;
pub use error::{Position, VomError};
pub use finding::{Finding, Findings, Severity};
pub use indices::Indices;
pub use metadata::{Metadata, OWN, PhaseRanges, RANK_WORKING_BYTES, SharedNode};
pub use output::Output;
pub use packed::{home_of_packed_id, packed_id, sequence_of_packed_id};
pub use parse::{ParsedFile, Scratch, parse};
pub use print::{print, print_to, value_of};
pub use record_position::{RecordList, RecordPath, record_positions};
pub use record_rows::parse_records;
pub use rows::{
    BlockRow, CommunicationKind, CommunicationRow, Endpoint, EndpointKind, FileRows, Generation, MemoryRow,
    NONE, PhaseRows, TaskPlace, TaskRow, UNKNOWN,
};
pub use schema::{DocumentType, json_schema};
pub use selection::FileParts;
pub use span::{Field, Span};
pub use statistics_file::{StatisticsFile, StatisticsGroup, StatisticsGroups, StatisticsPhase};
pub use subphases::SubphaseTimes;
pub use text::{LoadLine, print_communication_line, print_load_line, text_as_json, text_faults};
pub use validate::{Checks, Validated, WantedRows, document_type_of, validate};
pub use vt::{VtChecks, VtEnd, VtFile, VtPhase, VtTask};
