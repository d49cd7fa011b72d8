// SPDX-License-Identifier: MIT OR Apache-2.0
//! Content of a picture: the objects of a phase and their placement.

use std::fmt;

use crate::PictureError;

/// Named numbers of all ranks or all objects; nan for absent values.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Name of the numbers.
    pub name: String,
    /// One number for each rank or object.
    pub values: Vec<f64>,
}

/// Undirected edge between two objects that communicate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Both endpoints, as positions in the lists of objects.
    pub ends: [u32; 2],
    /// Volume in both directions together.
    pub bytes: f64,
}

/// Objects of a phase, independent of their placement. `number`, `load` and `migratable` have an entry for each object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Objects {
    /// Numbers of the objects in the files. They determine the order in which the objects of a rank are arranged, and
    /// the random displacements of objects.
    pub number: Vec<u64>,
    /// Measured loads in seconds.
    pub load: Vec<f64>,
    /// True for migratable objects.
    pub migratable: Vec<bool>,
    /// True for objects with an anomaly; empty if there are none.
    pub anomalous: Vec<bool>,
    /// Further numbers, for meshes.
    pub attributes: Vec<Attribute>,
    /// Communication graph, each pair of objects once.
    pub edges: Vec<Edge>,
}

/// Moment of a placement within a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before any transfer.
    Start,
    /// After an iteration, counted from 1.
    Iteration {
        /// Number of the iteration.
        iteration: usize,
        /// Number of iterations.
        of: usize,
    },
    /// Final placement, if it differs from that of the preceding moment.
    Result,
}

/// One placement of the objects of a phase.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// Number of the phase.
    pub phase: u64,
    /// Moment within the phase.
    pub moment: Moment,
    /// Imbalance of rank loads.
    pub load_imbalance: f64,
    /// Quantity that colours ranks: a value for each rank, or nan.
    pub rank_qoi: Vec<f64>,
    /// Further numbers of ranks, for meshes.
    pub rank_attributes: &'a [Attribute],
    /// Objects.
    pub objects: &'a Objects,
    /// Rank of each object.
    pub rank_of: Vec<u32>,
    /// Quantity that colours objects: a value for each object, or nan.
    pub object_qoi: Vec<f64>,
}

impl Objects {
    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.number.len()
    }

    /// True if there are no objects.
    pub fn is_empty(&self) -> bool {
        self.number.is_empty()
    }

    /// True if an object has an anomaly.
    pub fn is_anomalous(&self, object: usize) -> bool {
        self.anomalous.get(object).copied().unwrap_or(false)
    }
}

impl Frame<'_> {
    /// Returns the number of ranks.
    pub fn n_ranks(&self) -> usize {
        self.rank_qoi.len()
    }

    /// Checks that lists have an entry for each object or rank, that all ranks and objects exist, and that numbers can
    /// be drawn.
    pub(crate) fn check(&self) -> Result<(), PictureError> {
        let (n, n_ranks, objects) = (self.objects.len(), self.n_ranks(), self.objects);
        let mut lengths = vec![
            ("load", objects.load.len(), n),
            ("migratable", objects.migratable.len(), n),
            ("rank_of", self.rank_of.len(), n),
            ("object_qoi", self.object_qoi.len(), n),
        ];
        if !objects.anomalous.is_empty() {
            lengths.push(("anomalous", objects.anomalous.len(), n));
        }
        lengths.extend(objects.attributes.iter().map(|column| (&*column.name, column.values.len(), n)));
        lengths
            .extend(self.rank_attributes.iter().map(|column| (&*column.name, column.values.len(), n_ranks)));
        if let Some(&(list, found, expected)) = lengths.iter().find(|(_, found, expected)| found != expected)
        {
            return Err(PictureError::Length { list: list.to_owned(), found, expected });
        }
        if let Some(&rank) = self.rank_of.iter().find(|&&rank| rank as usize >= n_ranks) {
            return Err(PictureError::Rank { rank, n_ranks });
        }
        let ends = objects.edges.iter().flat_map(|edge| edge.ends);
        if let Some(object) = ends.into_iter().find(|&end| end as usize >= n) {
            return Err(PictureError::Object { object, n_objects: n });
        }
        let sizes = objects.load.iter().chain(objects.edges.iter().map(|edge| &edge.bytes));
        let bad_size = sizes.copied().find(|size| !(0.0..f64::INFINITY).contains(size));
        let mut values = self.rank_qoi.iter().chain(&self.object_qoi).copied();
        match bad_size.or_else(|| values.find(|value| value.is_infinite())) {
            Some(value) => Err(PictureError::Value { value }),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::Start => f.write_str("start"),
            Moment::Iteration { iteration, of } => write!(f, "iteration: {iteration}/{of}"),
            Moment::Result => f.write_str("result"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inconsistent_frames_are_rejected() {
        let objects = Objects {
            number: vec![1, 2],
            load: vec![1.0, 2.0],
            migratable: vec![true, true],
            edges: vec![Edge { ends: [0, 1], bytes: 1.0 }],
            ..Objects::default()
        };
        let frame = |objects| Frame {
            phase: 0,
            moment: Moment::Start,
            load_imbalance: 0.0,
            rank_qoi: vec![1.0, f64::NAN],
            rank_attributes: &[],
            objects,
            rank_of: vec![0, 1],
            object_qoi: vec![f64::NAN, 2.0],
        };
        frame(&objects).check().unwrap();
        let message = |frame: Frame<'_>| frame.check().unwrap_err().to_string();
        let message_of_length = message(Frame { rank_of: vec![0], ..frame(&objects) });
        assert_eq!(message_of_length, "the length of `rank_of` is 1 instead of 2");
        assert!(
            message(Frame { rank_of: vec![0, 2], ..frame(&objects) }).starts_with("an object is on rank 2")
        );
        assert!(message(Frame { object_qoi: vec![f64::INFINITY; 2], ..frame(&objects) }).contains("inf"));
        let wrong = Objects { edges: vec![Edge { ends: [0, 2], bytes: 1.0 }], ..objects.clone() };
        assert!(message(frame(&wrong)).starts_with("an edge names object 2"));
        let wrong = Objects { load: vec![-1.0, 0.0], ..objects.clone() };
        assert!(message(frame(&wrong)).contains("-1"));
    }
}
