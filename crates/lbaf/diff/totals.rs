// SPDX-License-Identifier: MIT OR Apache-2.0
//! Totals of differences.

use serde::Serialize;

use super::difference::{Difference, Pair};
use super::facts::{Edge, EdgeFacts, ObjectFacts};
use super::name::Name;

/// Numbers and sums of differences, in one phase or in several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Totals {
    /// Objects in both data sets.
    pub(super) in_both: usize,
    pub(super) only_in: Pair<Group>,
    /// Objects on another rank, with their loads and sizes in A.
    pub(super) moved: Group,
    pub(super) loads_changed: LoadChanges,
    /// Objects with changed memory.
    pub(super) memory_changed: usize,
    pub(super) edges_only_in: Pair<Volume>,
    pub(super) edges_changed: usize,
    /// Bytes of the changed edges.
    pub(super) changed_bytes: Pair<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Group {
    pub(super) count: usize,
    /// Seconds.
    pub(super) load: f64,
    pub(super) serialized_bytes: f64,
    pub(super) footprint_bytes: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct LoadChanges {
    pub(super) count: usize,
    /// Seconds.
    pub(super) largest: f64,
    /// As a fraction of the larger of the two loads.
    pub(super) largest_relative: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Volume {
    pub(super) count: usize,
    pub(super) bytes: f64,
}

impl Totals {
    /// Adds the differences of a phase in which A has `n_objects` objects. Linear in the number of differences.
    pub(super) fn add(
        &mut self,
        n_objects: usize,
        objects: &[Difference<Name, ObjectFacts>],
        edges: &[Difference<Edge, EdgeFacts>],
    ) {
        let n_only_in_a = objects.iter().filter(|object| object.b.is_none()).count();
        self.in_both += n_objects - n_only_in_a;
        for object in objects {
            self.add_object(object);
        }
        for edge in edges {
            self.add_edge(edge);
        }
    }

    fn add_object<K>(&mut self, object: &Difference<K, ObjectFacts>) {
        let (a, b) = match (&object.a, &object.b) {
            (Some(a), Some(b)) => (a, b),
            (Some(a), None) => return self.only_in.a.add(a),
            (None, b) => return b.iter().for_each(|b| self.only_in.b.add(b)),
        };
        if a.rank != b.rank {
            self.moved.add(a);
        }
        if a.load != b.load {
            self.loads_changed.add(a.load, b.load);
        }
        self.memory_changed += usize::from(a.memory != b.memory);
    }

    fn add_edge<K>(&mut self, edge: &Difference<K, EdgeFacts>) {
        match (&edge.a, &edge.b) {
            (Some(a), Some(b)) => {
                self.edges_changed += 1;
                self.changed_bytes.a += a.bytes;
                self.changed_bytes.b += b.bytes;
            }
            (Some(a), None) => self.edges_only_in.a.add(a),
            (None, b) => b.iter().for_each(|b| self.edges_only_in.b.add(b)),
        }
    }

    /// Returns the number of edges that differ between the data sets.
    pub(super) fn n_edges(&self) -> usize {
        self.edges_only_in.a.count + self.edges_only_in.b.count + self.edges_changed
    }
}

impl Group {
    fn add(&mut self, object: &ObjectFacts) {
        self.count += 1;
        self.load += object.load;
        self.serialized_bytes += object.memory.serialized_bytes;
        self.footprint_bytes += object.memory.footprint_bytes;
    }
}

impl LoadChanges {
    fn add(&mut self, a: f64, b: f64) {
        let difference = (b - a).abs();
        self.count += 1;
        self.largest = self.largest.max(difference);
        // Loads are non-negative and these differ, so the larger one is positive.
        self.largest_relative = self.largest_relative.max(difference / a.max(b));
    }
}

impl Volume {
    fn add(&mut self, edge: &EdgeFacts) {
        self.count += 1;
        self.bytes += edge.bytes;
    }
}
