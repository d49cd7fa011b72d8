// SPDX-License-Identifier: MIT OR Apache-2.0
//! Totals of ranks, updated with every transfer.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::holders::Holders;
use crate::sizes::{SizeCounts, size_key, take_one};
use crate::totals::slots_by_rank;
use crate::work::ranks_by_node;
use crate::{Assignment, BlockIdx, Phase, RankId, RankTotals, Slot, View, rank_totals};

/// An assignment with the totals of every rank, kept up to date under transfers.
///
/// A transfer (see [`View`]) takes O(degree of the moved objects), plus logarithmic time to update memory. The
/// serialized sizes of a rank are collected when first needed.
///
/// Rounding errors accumulate, so reported values are computed with [`rank_totals`]; see [`Totals::renew`].
#[derive(Clone, Debug)]
pub struct Totals<'p> {
    phase: &'p Phase,
    assignment: Assignment,
    ranks: Vec<RankTotals>,
    /// Holders of each block.
    holders: Vec<Holders>,
    working: Vec<SizeCounts>,
    /// Serialized sizes by rank, collected when first needed.
    serialized: Vec<OnceLock<SizeCounts>>,
    /// Objects of each rank, in any order. `position` holds the position of each object in the list of its rank.
    members: Vec<Vec<Slot>>,
    position: Vec<u32>,
    nodes: Vec<Vec<usize>>,
}

impl<'p> Totals<'p> {
    /// Computes the totals of an assignment. O(objects log objects + edges).
    pub fn new(phase: &'p Phase, assignment: Assignment) -> Self {
        let ranks = rank_totals(phase, &assignment);
        let mut holders = vec![Holders::default(); phase.blocks().len()];
        let mut working = vec![BTreeMap::new(); phase.n_ranks()];
        let mut members: Vec<Vec<Slot>> =
            ranks.iter().map(|rank| Vec::with_capacity(rank.n_objects as usize)).collect();
        let mut position = vec![0; phase.n_objects()];
        for slot in slots_by_rank(&assignment, phase.n_ranks()) {
            let rank = assignment.rank_of(slot);
            let memory = phase.memory(slot);
            *working[rank.index()].entry(size_key(memory.working_bytes)).or_insert(0) += 1;
            if let Some(block) = memory.block {
                holders[block.index()].add(rank);
            }
            position[slot.index()] = members[rank.index()].len() as u32;
            members[rank.index()].push(slot);
        }
        Totals {
            phase,
            assignment,
            ranks,
            holders,
            working,
            serialized: vec![OnceLock::new(); phase.n_ranks()],
            members,
            position,
            nodes: ranks_by_node(phase),
        }
    }

    /// Returns the phase. The reference may outlive these totals.
    pub fn phase(&self) -> &'p Phase {
        self.phase
    }

    /// Returns the current assignment.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// Returns the current assignment.
    pub fn into_assignment(self) -> Assignment {
        self.assignment
    }

    /// Returns the totals of all ranks.
    pub fn ranks(&self) -> &[RankTotals] {
        &self.ranks
    }

    /// Returns the ranks that own objects of a block, ascending, and the number of these objects.
    pub fn holders(&self, block: BlockIdx) -> impl Iterator<Item = (RankId, u32)> + '_ {
        self.holders[block.index()].iter()
    }

    /// True if a rank owns an object of a block.
    pub fn holds(&self, rank: RankId, block: BlockIdx) -> bool {
        self.holders[block.index()].count(rank) > 0
    }

    /// Returns the objects of a rank in an arbitrary, but reproducible order.
    pub fn members(&self, rank: RankId) -> &[Slot] {
        &self.members[rank.index()]
    }

    /// Recomputes all totals from the assignment, without accumulated rounding errors. Cost as for [`rank_totals`].
    pub fn renew(&mut self) {
        self.ranks = rank_totals(self.phase, &self.assignment);
    }
}

impl View for Totals<'_> {
    fn phase(&self) -> &Phase {
        self.phase
    }

    #[inline]
    fn rank_of(&self, slot: Slot) -> RankId {
        self.assignment.rank_of(slot)
    }

    #[inline]
    fn rank(&self, rank: RankId) -> &RankTotals {
        &self.ranks[rank.index()]
    }

    fn objects(&self, rank: RankId) -> Vec<Slot> {
        let mut objects = self.members[rank.index()].clone();
        objects.sort_unstable();
        objects
    }

    fn n_holding(&self, block: BlockIdx, rank: RankId) -> u32 {
        self.holders[block.index()].count(rank)
    }

    fn working(&self, rank: RankId) -> &SizeCounts {
        &self.working[rank.index()]
    }

    fn serialized(&self, rank: RankId) -> &SizeCounts {
        self.serialized[rank.index()].get_or_init(|| {
            let mut counts = SizeCounts::new();
            for &slot in &self.members[rank.index()] {
                *counts.entry(size_key(self.phase.memory(slot).serialized_bytes)).or_insert(0) += 1;
            }
            counts
        })
    }

    fn node_of(&self, rank: RankId) -> &[usize] {
        &self.nodes[self.phase.ranks()[rank.index()].node.index()]
    }

    fn hand_over(&mut self, slot: Slot, giver: RankId, taker: RankId) {
        self.assignment.set(slot, taker);
        let memory = self.phase.memory(slot);
        let key = size_key(memory.working_bytes);
        take_one(&mut self.working[giver.index()], key);
        *self.working[taker.index()].entry(key).or_insert(0) += 1;
        let key = size_key(memory.serialized_bytes);
        if let Some(counts) = self.serialized[giver.index()].get_mut() {
            take_one(counts, key);
        }
        if let Some(counts) = self.serialized[taker.index()].get_mut() {
            *counts.entry(key).or_insert(0) += 1;
        }
        if let Some(block) = memory.block {
            let holders = &mut self.holders[block.index()];
            holders.remove(giver);
            holders.add(taker);
        }
        let place = self.position[slot.index()] as usize;
        let giving = &mut self.members[giver.index()];
        giving.swap_remove(place);
        if let Some(&last) = giving.get(place) {
            self.position[last.index()] = place as u32;
        }
        self.position[slot.index()] = self.members[taker.index()].len() as u32;
        self.members[taker.index()].push(slot);
    }

    fn set_totals(&mut self, rank: RankId, totals: RankTotals) {
        self.ranks[rank.index()] = totals;
    }
}
