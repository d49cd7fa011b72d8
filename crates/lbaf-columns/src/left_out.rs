// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of data files without a place in the tables.

use std::collections::BTreeMap;

use lbaf_reader::Recorded;
use lbaf_vom::Field;

/// Returns a sentence for each key without a place in the tables, with the number of its occurrences.
pub(crate) fn left_out(recorded: &Recorded) -> Vec<String> {
    let mut counts: BTreeMap<String, (&str, usize)> = BTreeMap::new();
    let mut count = |Place { prefix, noun, in_tables }: &Place, fields: &[Field]| {
        for field in fields.iter().filter(|field| !in_tables.contains(&field.key.as_str())) {
            counts.entry(format!("{prefix}{}", field.key)).or_insert((noun, 0)).1 += 1;
        }
    };
    for file in recorded.records.iter().flat_map(|records| &records.files) {
        count(&DOCUMENT, &file.fields);
        count(&METADATA, &file.metadata_fields);
        file.phases.iter().for_each(|phase| count(&PHASE, &phase.fields));
    }
    let sentence = |(key, (noun, n))| format!("`{key}` is not in any table (number of {noun} with it: {n})");
    counts.into_iter().map(sentence).collect()
}

/// Part of a document, and those keys of its members that are not reported: their values are in tables, determine the
/// rows of tables, or are always the same.
struct Place {
    prefix: &'static str,
    noun: &'static str,
    in_tables: &'static [&'static str],
}

const DOCUMENT: Place = Place { prefix: "", noun: "files", in_tables: &["metadata", "phases", "type"] };
const METADATA: Place = Place {
    prefix: "metadata.",
    noun: "files",
    in_tables: &["attributes", "phases", "rank", "rank_alpha", "shared_node", "type"],
};
const PHASE: Place = Place {
    prefix: "phases.",
    noun: "phase entries",
    in_tables: &["communications", "id", "tasks", "user_defined"],
};
