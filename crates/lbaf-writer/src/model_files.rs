// SPDX-License-Identifier: MIT OR Apache-2.0
//! VOM files of a model without recorded files, such as one built from arrays.

mod by_rank;
mod checks;
mod error;
mod metadata;
mod phase;
mod subphases;

use lbaf_model::{DataSet, Rank};
use lbaf_vom::record::{DataFile, Metadata, PhaseGaps, SharedNode};

pub use error::ModelFilesError;

use phase::PhaseFiles;

/// VOM files of all ranks of a model, created one by one on request. Unlike [`write()`](crate::write), this needs no
/// records.
///
/// [`lbaf_vom::print`] prints a file and [`lbaf_vom::compress`] compresses it; [`write_model`](crate::write_model)
/// does both for all ranks. [`lbaf_reader::read`] reads the same model from the files. All numbers keep their bits,
/// except that a size of -0 may be read as 0. A model that files cannot hold is an error. Some limits of readers are
/// not checked: 2^31 tasks in a phase, 4 GiB for a file, and a million phases in which a rank without objects has
/// working memory.
///
/// # Keys
/// Keys with sequence numbers are recommended: `ObjectKey::new(true, position, rank)`, where `position` numbers the
/// objects from 0, and `rank` is the rank of a non-migratable object, or `None` for a migratable object. Every 64-bit
/// number can be read back; vt needs numbers below 2^46. Files state `seq_id`, `home` and `migratable`. The home of
/// an object is its rank in its first phase, also in later phases.
///
/// Keys without sequence numbers are written as `id`. vt derives the home and the migratability of the object from
/// this number, so it must come from [`lbaf_vom::packed_id`] or from files of vt: the two lowest bits are 3 for
/// migratable objects only, and the packed home is an existing rank. Other numbers are refused, so positions counted
/// from 0 are not suitable as ids of migratable objects. The number 0 is possible for non-migratable objects.
///
/// # Reading
/// The default [`Request`](lbaf_reader::Request) ignores some of the values. To read them:
///
/// - `communication_kinds` must contain `SendRecv` for communication between objects, `CollectionToNode` for
///   communication from objects to ranks, and `NodeToCollection` for communication from ranks to objects.
/// - `nodes` must be [`NodeRule::FromFiles`](lbaf_reader::NodeRule::FromFiles). Readers number nodes in the order of
///   their first rank.
/// - `coordinates` and `subphases` must be true. Without coordinates in the model, all objects are elements of
///   collection 7, because the schema requires a collection for migratable objects with sequence numbers.
///
/// Readers list blocks, and the subphases of an object, by ascending number. The number of self-edges
/// ([`CommGraph::n_self_edges`](lbaf_model::CommGraph::n_self_edges)) is not written, because the graph does not
/// contain them.
///
/// ```
/// use lbaf_model::{DataSet, ObjectKey, Phase};
/// use lbaf_writer::ModelFiles;
///
/// let phase = Phase::builder(2).objects([(2.0, 0), (1.0, 1)]).communications([(0, 1, 64.0)]).build()?;
/// let keys = (0..2).map(|number| ObjectKey::new(true, number, None)).collect();
/// let data = DataSet::new(keys, 2, vec![phase]);
///
/// let files = ModelFiles::new(&data)?;
/// let printed = lbaf_vom::print(&files.file(1));
/// assert_eq!(
///     String::from_utf8(printed)?,
///     r#"{"metadata":{"phases":{"identical_to_previous":{"list":[],"range":[]},"skipped":{"list":[],"range":[]}},"rank":1,"shared_node":{"id":1,"num_nodes":2,"rank":0,"size":1},"type":"LBDatafile"},"phases":[
/// {"id":0,"tasks":[
/// {"entity":{"collection_id":7,"home":1,"migratable":true,"seq_id":1,"type":"object"},"node":1,"resource":"cpu","time":1.0}
/// ]}
/// ]}
/// "#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ModelFiles<'a> {
    n_ranks: u32,
    /// Properties of the ranks, equal in every phase apart from working memory; empty without phases.
    ranks: &'a [Rank],
    /// Node of each rank; empty without phases.
    nodes: Vec<SharedNode>,
    gaps: PhaseGaps,
    /// Home of each object, by index.
    homes: Vec<u32>,
    phases: Vec<PhaseFiles<'a>>,
}

impl<'a> ModelFiles<'a> {
    /// Prepares the files: checks the model, and lists the objects of each rank in every phase, which takes 4 bytes
    /// for each object and phase. O(phases x objects + edges).
    ///
    /// # Errors
    /// If files cannot hold the model.
    ///
    /// # Panics
    /// If a phase has an object without a key, which contradicts the requirements of [`DataSet::new`].
    pub fn new(data: &'a DataSet) -> Result<Self, ModelFilesError> {
        checks::check(data)?;
        let ranks = data.phases().first().map_or(&[][..], |phase| phase.ranks());
        Ok(ModelFiles {
            n_ranks: data.n_ranks() as u32,
            ranks,
            nodes: metadata::nodes(ranks),
            gaps: metadata::gaps(data),
            homes: homes(data),
            phases: data.phases().iter().map(|phase| PhaseFiles::new(phase, data.keys())).collect(),
        })
    }

    /// Returns the number of ranks and thus of files.
    pub fn n_ranks(&self) -> u32 {
        self.n_ranks
    }

    /// Creates the file of a rank: the objects on it in every phase, the communication that they send, and the
    /// communication that they receive from ranks.
    ///
    /// # Panics
    /// If the rank does not exist.
    pub fn file(&self, rank: u32) -> DataFile {
        assert!(rank < self.n_ranks, "rank {rank} does not exist; there are {} ranks", self.n_ranks);
        let at = rank as usize;
        let alpha = self.ranks.get(at).map(|rank| rank.alpha);
        let metadata = Metadata {
            attributes: metadata::attributes(rank, &self.phases),
            phases: Some(self.gaps.clone()),
            rank,
            rank_alpha: alpha.filter(|&alpha| alpha != 1.0),
            shared_node: self.nodes.get(at).copied(),
            ..Metadata::default()
        };
        let phases = self.phases.iter().map(|phase| phase.record(rank, &self.homes));
        DataFile { metadata, phases: phases.collect() }
    }
}

/// Returns the home of each object: the home in its packed id, or else its rank in its first phase. vt identifies
/// objects by number and home, so the home is the same in all phases.
fn homes(data: &DataSet) -> Vec<u32> {
    let mut homes = vec![0; data.n_objects()];
    for phase in data.phases().iter().rev() {
        for slot in phase.slots() {
            homes[phase.object(slot).index()] = phase.recorded_assignment().rank_of(slot).0;
        }
    }
    for (home, key) in homes.iter_mut().zip(data.keys()).filter(|(_, key)| !key.is_sequence) {
        *home = lbaf_vom::home_of_packed_id(key.number).unwrap_or(*home);
    }
    homes
}
