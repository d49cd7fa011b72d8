// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every span contains its value.

use std::collections::BTreeMap;

use lbaf_vom::{Field, FileRows, PhaseRows, Span};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::value::RawValue;

/// Compares spans with the bytes that `serde_json` borrows from the document.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a>(pub(crate) &'a str);

impl<'a> Places<'a> {
    /// Asserts that a span contains exactly the value, and after a scalar at most white space.
    fn check(self, span: Span, value: &RawValue) -> Result<(), TestCaseError> {
        let start = value.get().as_ptr() as usize - self.0.as_ptr() as usize;
        prop_assert_eq!(span.start as usize, start, "start of {}", value);
        let held = std::str::from_utf8(span.of(self.0.as_bytes())).unwrap();
        let exact = value.get().starts_with(['{', '[']);
        prop_assert_eq!(if exact { held } else { held.trim_end() }, value.get());
        Ok(())
    }

    /// Asserts that `fields` contains all members in document order.
    fn check_fields(self, fields: &[Field], members: &Members<'a>) -> Result<(), TestCaseError> {
        prop_assert_eq!(fields.len(), members.len());
        prop_assert!(fields.is_sorted_by_key(|field| field.value.start));
        for field in fields {
            let value = members.get(&field.key);
            prop_assert!(value.is_some(), "no member {:?}", field.key);
            self.check(field.value, value.unwrap())?;
        }
        Ok(())
    }

    fn check_phase(self, found: &PhaseRows, phase: &'a RawValue) -> Result<(), TestCaseError> {
        let members = members_of(phase);
        self.check_fields(&found.fields, &members)?;
        let tasks = elements_of(members.get("tasks"));
        prop_assert_eq!(found.task_places.len(), tasks.len());
        for (row, task) in found.task_places.iter().zip(tasks) {
            self.check(row.record, task)?;
            match members_of(task).get("node") {
                Some(node) => self.check(row.node, node)?,
                None => prop_assert!(row.node.is_empty()),
            }
        }
        for (row, entry) in found.communications.iter().zip(elements_of(members.get("communications"))) {
            self.check(row.record, entry)?;
        }
        Ok(())
    }

    pub(crate) fn check_file(self, found: &FileRows) -> Result<(), TestCaseError> {
        let top: &'a RawValue = serde_json::from_str(self.0).unwrap();
        let members = members_of(top);
        self.check_fields(&found.fields, &members)?;
        match members.get("metadata") {
            Some(metadata) => self.check_fields(&found.metadata_fields, &members_of(metadata))?,
            None => prop_assert!(found.metadata_fields.is_empty()),
        }
        for (at, phase) in elements_of(members.get("phases")).into_iter().enumerate() {
            let id = members_of(phase).get("id").map_or(at as u64, |id| id.get().parse().unwrap());
            if let Some(kept) = found.phases.iter().find(|kept| kept.id == id) {
                self.check_phase(kept, phase)?;
            }
        }
        Ok(())
    }
}

type Members<'a> = BTreeMap<String, &'a RawValue>;

fn members_of(value: &RawValue) -> Members<'_> {
    serde_json::from_str(value.get()).unwrap()
}

fn elements_of<'a>(value: Option<&&'a RawValue>) -> Vec<&'a RawValue> {
    value.map_or_else(Vec::new, |value| serde_json::from_str(value.get()).unwrap())
}
