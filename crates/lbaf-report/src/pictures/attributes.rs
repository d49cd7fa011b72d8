// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attributes of a phase that are in its records but not in the model: `attributes` and `user_defined` of ranks and
//! objects, and the collections of objects with their indices.

use std::collections::BTreeMap;

use lbaf_model::{ObjectQuantity, Phase, PhaseId, Slot};
use lbaf_picture::Attribute;
use lbaf_reader::{FileRecords, Recorded};
use lbaf_run::Noise;
use lbaf_vom::{Field, Span};
use lbaf_writer::RecordSource;
use rayon::prelude::*;
use serde_json::{Map, Value};

use crate::ReportError;

/// Attributes of ranks and objects: numbers by name.
#[derive(Clone, Default)]
pub(super) struct Attributes {
    pub(super) ranks: Vec<Attribute>,
    pub(super) objects: Vec<Attribute>,
}

/// Attributes of the rank and the objects of one file.
#[derive(Default)]
struct FileNumbers {
    rank: BTreeMap<String, f64>,
    objects: BTreeMap<String, Vec<(Slot, f64)>>,
}

const USER_DEFINED: &str = "user_defined";
const ATTRIBUTES: &str = "attributes";

impl Attributes {
    /// Reads the attributes of objects whose names `is_wanted` accepts, and all attributes of ranks.
    pub(super) fn read(
        recorded: &Recorded,
        phase: &Phase,
        is_wanted: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Self, ReportError> {
        // A phase that repeats another phase has the records of the other phase.
        let ids = [Some(phase.id()), recorded.findings.repeats.get(&phase.id()).copied()];
        let read = |file: &FileRecords| numbers(file, &ids, is_wanted);
        let files: Vec<FileNumbers> = match RecordSource::of(recorded) {
            Some(RecordSource::Kept(records)) => {
                let files: Vec<Result<_, ReportError>> = records.files.par_iter().map(read).collect();
                files.into_iter().collect::<Result<_, _>>()?
            }
            Some(RecordSource::Parked(records)) => records.visit(|_, file| read(&file))?,
            None => return Ok(Attributes::default()),
        };
        let (mut ranks, mut objects) = (BTreeMap::new(), BTreeMap::new());
        for (rank, file) in files.into_iter().enumerate() {
            for (name, value) in file.rank {
                ranks.entry(name).or_insert_with(|| vec![f64::NAN; phase.n_ranks()])[rank] = value;
            }
            for (name, values) in file.objects {
                let column = objects.entry(name).or_insert_with(|| vec![f64::NAN; phase.n_objects()]);
                for (slot, value) in values {
                    column[slot.index()] = value;
                }
            }
        }
        let columns = |columns: BTreeMap<String, Vec<f64>>| {
            columns.into_iter().map(|(name, values)| Attribute { name, values }).collect()
        };
        Ok(Attributes { ranks: columns(ranks), objects: columns(objects) })
    }

    /// Adds the results of `denoise` whose names `is_wanted` accepts. They replace recorded attributes of the same
    /// names.
    pub(super) fn add_noise(&mut self, noise: &Noise, phase: &Phase, is_wanted: &dyn Fn(&str) -> bool) {
        let mut columns: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for slot in phase.slots() {
            for (name, number) in noise.of_task(phase.id(), slot) {
                columns.entry(name).or_default().push(number);
            }
        }
        for (name, values) in columns.into_iter().filter(|(name, _)| is_wanted(name)) {
            self.objects.retain(|column| column.name != name);
            self.objects.push(Attribute { name: name.to_owned(), values });
        }
        self.objects.sort_by(|one, other| one.name.cmp(&other.name));
    }

    /// Returns an attribute of each rank; NaN for ranks that lack it.
    pub(super) fn of_ranks(&self, name: &str, n_ranks: usize) -> Vec<f64> {
        let column = self.ranks.iter().find(|column| column.name == name);
        column.map_or_else(|| vec![f64::NAN; n_ranks], |column| column.values.clone())
    }
}

fn numbers(
    file: &FileRecords,
    ids: &[Option<PhaseId>],
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<FileNumbers, ReportError> {
    let document = file.document.bytes()?;
    let mut found = FileNumbers::default();
    let entry = ids.iter().flatten().find_map(|id| file.phases.iter().find(|phase| phase.id == *id));
    let members = |fields: &[Field], key: &str| {
        // If a key occurs several times, the last field counts, as in the reader.
        let field = fields.iter().rfind(|field| field.key == key);
        field.map_or(Ok(Value::Null), |field| parsed(field.value, &document))
    };
    if let Some(entry) = entry {
        add_numbers(&mut found.rank, &members(&entry.fields, USER_DEFINED)?);
    }
    add_numbers(&mut found.rank, &members(&file.metadata_fields, ATTRIBUTES)?);
    for task in entry.iter().flat_map(|entry| &entry.tasks) {
        let record = parsed(task.record, &document)?;
        let mut of_task = BTreeMap::new();
        add_numbers(&mut of_task, &collection(&record["entity"]));
        add_numbers(&mut of_task, &record[USER_DEFINED]);
        add_numbers(&mut of_task, &record[ATTRIBUTES]);
        for (name, value) in of_task {
            if is_wanted(&name) {
                found.objects.entry(name).or_default().push((task.slot, value));
            }
        }
    }
    Ok(found)
}

fn parsed(span: Span, document: &[u8]) -> Result<Value, ReportError> {
    let value = serde_json::from_slice(span.of(document));
    value.map_err(|error| ReportError::Input(format!("cannot read a record for the pictures: {error}")))
}

/// Returns the collection of an object, and the index of the object in it if the index is a single number.
fn collection(entity: &Value) -> Value {
    let mut members = Map::new();
    if let Some(id) = entity.get("collection_id") {
        members.insert(ObjectQuantity::CollectionId.name().to_owned(), id.clone());
    }
    if let Some([index]) = entity.get("index").and_then(Value::as_array).map(Vec::as_slice) {
        members.insert(ObjectQuantity::Index.name().to_owned(), index.clone());
    }
    Value::Object(members)
}

/// Adds numbers and booleans whose names are not present yet.
fn add_numbers(numbers: &mut BTreeMap<String, f64>, members: &Value) {
    for (name, value) in members.as_object().into_iter().flatten() {
        let number = match value {
            Value::Bool(value) => Some(f64::from(u8::from(*value))),
            value => value.as_f64().filter(|number| number.is_finite()),
        };
        if let Some(number) = number {
            numbers.entry(name.clone()).or_insert(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_numbers_and_booleans_are_attributes() {
        let mut numbers = BTreeMap::new();
        add_numbers(&mut numbers, &json!({"a": 1, "b": true, "c": "word", "d": [1], "e": -0.5, "f": null}));
        add_numbers(&mut numbers, &json!({"a": 9, "g": 2}));
        add_numbers(&mut numbers, &Value::Null);
        let numbers: Vec<(&str, f64)> = numbers.iter().map(|(name, &value)| (&**name, value)).collect();
        assert_eq!(numbers, [("a", 1.0), ("b", 1.0), ("e", -0.5), ("g", 2.0)]);
    }

    #[test]
    fn an_index_with_one_number_is_an_attribute() {
        assert_eq!(
            collection(&json!({"collection_id": 7, "index": [3]})),
            json!({"collection_id": 7, "index": 3})
        );
        assert_eq!(collection(&json!({"index": [3, 4]})), json!({}));
        assert_eq!(collection(&Value::Null), json!({}));
    }
}
