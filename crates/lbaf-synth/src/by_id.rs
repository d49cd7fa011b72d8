// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entries with ids, given as a list or as a mapping.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Entries with ids. In a list, the id of an entry is its position, counted from 0. In a mapping, ids are the keys, in
/// any order. Null counts as an empty list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ById<T> {
    /// Ascending by id.
    entries: Vec<(u64, T)>,
}

impl<T> ById<T> {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entries with their ids, ascending by id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, &T)> + Clone {
        self.entries.iter().map(|(id, entry)| (*id, entry))
    }

    /// Returns the position of an id in [`ById::iter`]; `None` for an absent id. O(log n).
    pub fn position(&self, id: u64) -> Option<usize> {
        self.entries.binary_search_by_key(&id, |entry| entry.0).ok()
    }
}

impl<T> Default for ById<T> {
    fn default() -> Self {
        ById { entries: Vec::new() }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ById<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ByIdVisitor(PhantomData))
    }
}

struct ByIdVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ByIdVisitor<T> {
    type Value = ById<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list, or a mapping from ids")
    }

    fn visit_unit<E: Error>(self) -> Result<ById<T>, E> {
        Ok(ById::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<ById<T>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = list.next_element()? {
            entries.push((entries.len() as u64, entry));
        }
        Ok(ById { entries })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ById<T>, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(id) = map.next_key::<u64>()? {
            // Different keys, such as 1 and 01, can be the same number.
            if entries.contains_key(&id) {
                return Err(A::Error::custom(format_args!("the id {id} is given twice")));
            }
            entries.insert(id, map.next_value()?);
        }
        Ok(ById { entries: entries.into_iter().collect() })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: serde_json::Value) -> Result<ById<String>, String> {
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    #[test]
    fn a_list_and_a_mapping_in_any_order_are_the_same() {
        let list = read(json!(["a", "b", "c"])).unwrap();
        assert_eq!(read(json!({ "2": "c", "0": "a", "1": "b" })), Ok(list.clone()));
        let entries: Vec<_> = list.iter().map(|(id, entry)| (id, entry.as_str())).collect();
        assert_eq!(entries, [(0, "a"), (1, "b"), (2, "c")]);
        assert_eq!(read(json!(null)), Ok(ById::default()));
    }

    #[test]
    fn positions_are_not_ids() {
        let sparse = read(json!({ "70": "c", "3": "a", "18446744073709551615": "d" })).unwrap();
        assert_eq!(sparse.position(70), Some(1));
        assert_eq!(sparse.position(u64::MAX), Some(2));
        assert_eq!(sparse.position(0), None);
    }

    #[test]
    fn other_values_and_duplicate_ids_are_refused() {
        assert!(read(json!(3)).unwrap_err().contains("expected a list, or a mapping from ids"));
        let twice: Result<ById<u8>, _> = serde_json::from_str(r#"{"1": 0, "2": 0, "1": 0}"#);
        assert!(twice.unwrap_err().to_string().contains("the id 1 is given twice"));
    }
}
