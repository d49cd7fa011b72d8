// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results files: JSON files of `lbaf` whose names could be those of data files.

use std::path::Path;

use lbaf_run::{simulate, study, summary};
use serde::Deserialize;

use crate::anomalies;

/// A results file.
struct ResultsFile {
    name: &'static str,
    /// Value of its key `schema`.
    schema: &'static str,
    /// Name of a file beside it without this key.
    companion: Option<&'static str>,
}

/// All results files.
const ALL: [ResultsFile; 4] = [
    ResultsFile { name: summary::FILE, schema: summary::SCHEMA, companion: Some(summary::TIMINGS) },
    ResultsFile { name: study::FILE, schema: study::SCHEMA, companion: None },
    ResultsFile { name: simulate::FILE, schema: simulate::SCHEMA, companion: None },
    ResultsFile { name: anomalies::FILE, schema: anomalies::SCHEMA, companion: None },
];

/// True if a file is a results file, or the companion of one in the same directory.
pub(super) fn is_one(file: &Path) -> bool {
    #[derive(Deserialize)]
    struct Head {
        schema: String,
    }
    let Some(name) = file.file_name() else { return false };
    let found = ALL.iter().find(|known| name == known.name || known.companion.is_some_and(|own| name == own));
    let Some(ResultsFile { name, schema, .. }) = found else { return false };
    let head = lbaf_reader::read_file(&file.with_file_name(name));
    let head = head.ok().and_then(|bytes| serde_json::from_slice::<Head>(&bytes).ok());
    head.is_some_and(|head| head.schema == *schema)
}
