// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data sets whose objects are listed.

mod blocks;
mod facts;
mod membership;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::by_id::ById;
use crate::error::{require, require_magnitude};
use crate::links::{Edge, Links};
use crate::population::{COLLECTION, Object, Population, RankLayout, recorded};
use crate::{MAX_RANKS, Owner, SynthError};

use blocks::add_blocks;
use facts::facts;
use membership::owners;

/// Number of bits of the sequence number, the highest bits of a packed id.
const SEQUENCE_BITS: u32 = 46;

/// A data set that lists its objects, in the format of LBAF's data maker. It has one phase, number 0.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedSpec {
    /// The objects.
    pub tasks: ById<TaskSpec>,
    /// Memory blocks, default none.
    #[serde(default)]
    pub shared_blocks: ById<BlockSpec>,
    /// Communication between objects, default none.
    #[serde(default)]
    pub communications: ById<CommunicationSpec>,
    /// The ranks, from 0 without a gap, and the objects on each.
    #[serde(default)]
    pub ranks: ById<RankSpec>,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskSpec {
    /// Load in seconds.
    pub time: f64,
    /// Sequence number in the packed id; default the id of the entry.
    #[serde(default)]
    pub seq_id: Option<u64>,
    /// Collection of the object; default 7 if it is migratable, else none.
    #[serde(default)]
    pub collection_id: Option<u64>,
    /// True if the object is migratable; default true.
    #[serde(default = "yes")]
    pub migratable: bool,
    /// Home rank; by default, or if negative, the rank of the object.
    #[serde(default)]
    pub home: Option<i64>,
    /// Rank of the object, which must agree with `ranks`. Negative numbers are ignored.
    #[serde(default)]
    pub node: Option<i64>,
    /// Memory in bytes, and further values to record with the object.
    #[serde(default)]
    pub user_defined: BTreeMap<String, Value>,
}

/// A memory block.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockSpec {
    /// Size in bytes.
    pub size: f64,
    /// Home rank; by default, or if negative, the lowest rank with an object of the block.
    #[serde(default)]
    pub home_rank: Option<i64>,
    /// Objects that use the block. A block without objects is not written.
    #[serde(default)]
    pub tasks: Vec<u64>,
}

/// Bytes from one object to another, in one message.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommunicationSpec {
    /// Bytes.
    pub size: f64,
    /// The object that sends.
    pub from: u64,
    /// The object that receives.
    pub to: u64,
}

/// A rank.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankSpec {
    /// The objects on the rank.
    #[serde(default)]
    pub tasks: Vec<u64>,
}

impl ListedSpec {
    /// Creates the data set.
    ///
    /// # Errors
    /// For the first invalid entry, or the first that contradicts another.
    pub fn population(&self) -> Result<Population, SynthError> {
        let n_ranks = self.n_ranks()?;
        let on_ranks = self.ranks.iter().map(|(id, rank)| (id, &rank.tasks[..]));
        let ranks = owners(&self.tasks, Owner::Rank, on_ranks)?;
        let in_blocks = self.shared_blocks.iter().map(|(id, block)| (id, &block.tasks[..]));
        let blocks = owners(&self.tasks, Owner::Block, in_blocks)?;
        let mut objects = Vec::with_capacity(self.tasks.len());
        for (position, (id, task)) in self.tasks.iter().enumerate() {
            let rank = ranks[position].ok_or(SynthError::TaskOnNoRank { task: id })? as u32;
            objects.push(task.object(id, rank, n_ranks)?);
        }
        self.refuse_twins(&objects)?;
        add_blocks(&self.shared_blocks, &blocks, &mut objects, n_ranks)?;
        let loads = self.tasks.iter().map(|(_, task)| task.time).collect();
        let machine = RankLayout { n_ranks, ranks_per_node: None };
        let links = Links::listed(objects.len(), self.edges()?);
        Ok(Population::new(machine, objects, vec![loads], links))
    }

    /// Ids of the blocks that no object uses, ascending.
    pub fn unused_blocks(&self) -> Vec<u64> {
        self.shared_blocks.iter().filter(|(_, block)| block.tasks.is_empty()).map(|(id, _)| id).collect()
    }

    fn n_ranks(&self) -> Result<u32, SynthError> {
        for (missing, (found, _)) in (0..).zip(self.ranks.iter()) {
            if found != missing {
                return Err(SynthError::MissingRank { missing, found });
            }
        }
        match self.ranks.len() {
            0 => Err(SynthError::NoRanks),
            n if n > MAX_RANKS as usize => Err(SynthError::TooManyRanks { n_ranks: n }),
            n => Ok(n as u32),
        }
    }

    /// Returns an error if two objects have the same packed id.
    fn refuse_twins(&self, objects: &[Object]) -> Result<(), SynthError> {
        let ids = objects.iter().zip(self.tasks.iter());
        let mut ids: Vec<(u64, u64)> = ids.map(|(object, (task, _))| (object.id(), task)).collect();
        ids.sort_unstable();
        match ids.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(twins) => Err(SynthError::SameObject { first: twins[0].1, second: twins[1].1 }),
            None => Ok(()),
        }
    }

    fn edges(&self) -> Result<Vec<Edge>, SynthError> {
        let edge = |(id, entry): (u64, &CommunicationSpec)| {
            let end = |end: &str, task: u64| {
                let key = format!("communications.{id}.{end}");
                let entry = || format!("communication {id}");
                self.tasks.position(task).ok_or_else(|| SynthError::UnknownTask { key, entry: entry(), task })
            };
            let (from, to) = (end("from", entry.from)? as u32, end("to", entry.to)? as u32);
            require_magnitude(&format!("communications.{id}.size"), entry.size)?;
            Ok(Edge { from, to, bytes: entry.size })
        };
        self.communications.iter().map(edge).collect()
    }
}

impl TaskSpec {
    /// Creates the object of entry `id` without its block.
    fn object(&self, id: u64, rank: u32, n_ranks: u32) -> Result<Object, SynthError> {
        let key = |setting: &str| format!("tasks.{id}.{setting}");
        require_magnitude(&key("time"), self.time)?;
        let home = stated_rank(&key("home"), self.home, n_ranks)?.unwrap_or(rank);
        if let Some(node) = self.node.filter(|&node| node >= 0 && node != i64::from(rank)) {
            return Err(SynthError::TaskElsewhere { task: id, rank, node });
        }
        let sequence = self.seq_id.unwrap_or(id);
        if sequence >> SEQUENCE_BITS > 0 {
            return Err(SynthError::SequenceTooLarge { task: id, sequence });
        }
        let collection = self.collection_id.or(self.migratable.then_some(COLLECTION));
        let object = Object::new(sequence, home, self.migratable, rank)
            .with(recorded(facts(&key("user_defined"), &self.user_defined)?));
        Ok(match collection {
            Some(collection) => object.element_of(collection, sequence.cast_signed()),
            None => object,
        })
    }
}

/// Returns the rank in setting `key`; `None` if the setting is missing or negative, an error if there is no such rank.
fn stated_rank(key: &str, rank: Option<i64>, n_ranks: u32) -> Result<Option<u32>, SynthError> {
    let Some(stated) = rank.filter(|&rank| rank >= 0) else { return Ok(None) };
    let rank = u32::try_from(stated).ok().filter(|&rank| rank < n_ranks);
    require(rank.is_some(), key, stated, "there is no such rank")?;
    Ok(rank)
}

fn yes() -> bool {
    true
}
