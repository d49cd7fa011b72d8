// SPDX-License-Identifier: MIT OR Apache-2.0
//! What files say beside tasks, communication and ranks.

use std::collections::BTreeMap;

use lbaf_reader::Recorded;
use lbaf_vom::Field;

/// One sentence for each key that no table has, with how often it is there.
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
    let sentence = |(key, (noun, n))| format!("`{key}` is in no table ({noun} with it: {n})");
    counts.into_iter().map(sentence).collect()
}

/// A part of documents, and which of its members are in tables or show in the rows that there are.
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
    noun: "entries of phases",
    in_tables: &["communications", "id", "tasks", "user_defined"],
};
