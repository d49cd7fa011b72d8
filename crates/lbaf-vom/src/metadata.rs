// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `metadata` of a file: its rank, the compute node it ran on, and the phases without entries.

use crate::Field;
use crate::walker::{Walked, Walker};

/// Longer ranges would take for ever to enumerate and no run has them.
const MAX_RANGE: u64 = 10_000_000;

/// What a file says of its rank and phases. Everything is optional.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// The rank that wrote the file.
    pub rank: Option<u64>,
    /// Seconds of work per second of load on this rank.
    pub rank_alpha: Option<f64>,
    /// The compute node the rank ran on.
    pub shared_node: Option<SharedNode>,
    /// Phases without data.
    pub skipped: PhaseRanges,
    /// Phases that repeat the last entry before them.
    pub identical_to_previous: PhaseRanges,
}

/// A compute node as its ranks describe it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedNode {
    /// Number of the node.
    pub id: u64,
    /// Ranks on the node.
    pub size: u64,
    /// Position of the rank on the node.
    pub rank: u64,
    /// Nodes of the run.
    pub num_nodes: u64,
}

/// Single phases and inclusive ranges of phases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseRanges {
    /// Single phases and ranges as inclusive pairs, in the order of the file.
    pub ranges: Vec<(u64, u64)>,
}

impl PhaseRanges {
    /// Whether `phase` is listed.
    pub fn contains(&self, phase: u64) -> bool {
        self.ranges.iter().any(|&(first, last)| (first..=last).contains(&phase))
    }

    /// Whether nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

impl Metadata {
    /// Reads the metadata object ahead, and notes its members where `fields` is given.
    pub(crate) fn walk<const PLACED: bool>(
        walker: &mut Walker<'_, PLACED>,
        mut fields: Option<&mut Vec<Field>>,
    ) -> Walked<Self> {
        let mut metadata = Metadata::default();
        walker.object(|walker, key| {
            if let Some(fields) = &mut fields {
                fields.push(Field { key: key.to_owned(), value: { *walker }.skip_spanned() });
            }
            match key {
                "rank" => metadata.rank = Some(walker.unsigned()?),
                "rank_alpha" => metadata.rank_alpha = Some(walker.magnitude()?),
                "shared_node" => metadata.shared_node = Some(walk_shared_node(walker)?),
                "phases" => {
                    walker.object(|walker, key| {
                        match key {
                            "skipped" => metadata.skipped = walk_ranges(walker)?,
                            "identical_to_previous" => metadata.identical_to_previous = walk_ranges(walker)?,
                            _ => walker.skip(),
                        }
                        Ok(())
                    })?;
                }
                _ => walker.skip(),
            }
            Ok(())
        })?;
        Ok(metadata)
    }
}

fn walk_shared_node<const PLACED: bool>(walker: &mut Walker<'_, PLACED>) -> Walked<SharedNode> {
    let mut node = SharedNode::default();
    walker.object(|walker, key| {
        match key {
            "id" => node.id = walker.unsigned()?,
            "size" => node.size = walker.unsigned()?,
            "rank" => node.rank = walker.unsigned()?,
            "num_nodes" => node.num_nodes = walker.unsigned()?,
            _ => walker.skip(),
        }
        Ok(())
    })?;
    Ok(node)
}

fn walk_ranges<const PLACED: bool>(walker: &mut Walker<'_, PLACED>) -> Walked<PhaseRanges> {
    let mut ranges = Vec::new();
    walker.object(|walker, key| {
        match key {
            "list" => {
                walker.array(|walker, _| {
                    let phase = walker.unsigned()?;
                    ranges.push((phase, phase));
                    Ok(())
                })?;
            }
            "range" => {
                walker.array(|walker, _| {
                    let here = *walker;
                    let mut bounds = Vec::with_capacity(2);
                    walker.array(|walker, _| {
                        bounds.push(walker.unsigned()?);
                        Ok(())
                    })?;
                    match bounds[..] {
                        [first, last] if last.checked_sub(first).is_some_and(|n| n < MAX_RANGE) => {
                            ranges.push((first, last));
                        }
                        _ => {
                            return Err(
                                here.mismatch("a pair of phases, the smaller first, less than 10^7 apart")
                            );
                        }
                    }
                    Ok(())
                })?;
            }
            _ => walker.skip(),
        }
        Ok(())
    })?;
    Ok(PhaseRanges { ranges })
}
