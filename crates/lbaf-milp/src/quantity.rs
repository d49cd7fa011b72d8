// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of ranks as expressions.

use lbaf_model::{Assignment, Phase, RankId, RankQuantity, Slot};

use crate::communication::Volumes;
use crate::error::FormulationError;
use crate::expression::Expression;
use crate::memory::{Blocks, Largest, Sizes};
use crate::program::{Program, VariableId};
use crate::units::Units;

/// Objects, blocks and volumes of every rank, from which its quantities are computed. Non-migratable objects contribute
/// constants; migratable objects contribute variables.
pub(crate) struct Contents<'a> {
    phase: &'a Phase,
    units: &'a Units,
    chi: &'a [Vec<VariableId>],
    /// Non-migratable objects, by rank.
    sentinels: Vec<Vec<Slot>>,
    /// Communication volumes by rank; empty unless the work model counts communication.
    volumes: Vec<Volumes>,
    /// Presence of blocks; `None` unless the work model counts memory or homing.
    blocks: Option<Blocks>,
    working: Largest,
    serialized: Largest,
}

impl<'a> Contents<'a> {
    pub(crate) fn new(
        phase: &'a Phase,
        initial: &Assignment,
        units: &'a Units,
        chi: &'a [Vec<VariableId>],
        volumes: Vec<Volumes>,
    ) -> Self {
        let mut sentinels = vec![Vec::new(); phase.n_ranks()];
        for slot in phase.slots().filter(|&slot| !phase.is_migratable(slot)) {
            sentinels[initial.rank_of(slot).index()].push(slot);
        }
        Contents {
            phase,
            units,
            chi,
            sentinels,
            volumes,
            blocks: None,
            working: Largest::new("working", phase.n_ranks()),
            serialized: Largest::new("serialized", phase.n_ranks()),
        }
    }

    /// Creates the variables for the presence of blocks.
    pub(crate) fn count_blocks(&mut self, program: &mut Program, is_binary: bool) {
        let sentinels = &self.sentinels;
        self.blocks = Some(Blocks::new(program, self.phase, self.units, self.chi, sentinels, is_binary));
    }

    pub(crate) fn load(&self, rank: RankId) -> Expression {
        self.sum(rank, |slot| self.phase.load(slot))
    }

    pub(crate) fn homing(&self, rank: RankId, most: f64) -> Expression {
        self.blocks(rank, |size_bytes, is_home| if is_home { 0.0 } else { size_bytes.min(most) })
    }

    pub(crate) fn volumes(&self, rank: RankId) -> Option<&Volumes> {
        self.volumes.get(rank.index())
    }

    /// Returns a quantity of a rank. The variable for the largest size on a rank is created when first needed.
    pub(crate) fn quantity(
        &mut self,
        program: &mut Program,
        quantity: RankQuantity,
        rank: RankId,
    ) -> Result<Expression, FormulationError> {
        let own = &self.phase.ranks()[rank.index()];
        let of_sentinels = |value: &dyn Fn(Slot) -> f64| {
            Expression::constant(self.sentinels[rank.index()].iter().map(|&slot| value(slot)).sum())
        };
        Ok(match quantity {
            RankQuantity::Load => self.load(rank),
            RankQuantity::MigratableLoad => self.movable(rank, |slot| self.phase.load(slot)),
            RankQuantity::SentinelLoad => of_sentinels(&|slot| self.phase.load(slot)),
            RankQuantity::NumObjects => self.sum(rank, |_| 1.0),
            RankQuantity::NumMigratableObjects => self.movable(rank, |_| 1.0),
            RankQuantity::NumSentinelObjects => of_sentinels(&|_| 1.0),
            RankQuantity::SentVolume => self.volumes(rank).map(|all| all.sent.clone()).unwrap_or_default(),
            RankQuantity::ReceivedVolume => {
                self.volumes(rank).map(|all| all.received.clone()).unwrap_or_default()
            }
            RankQuantity::Size => Expression::constant(own.working_bytes),
            RankQuantity::SharedMemory => self.blocks(rank, |size_bytes, _| size_bytes),
            RankQuantity::MaxObjectLevelMemory => self.object_level(program, rank),
            RankQuantity::MaxMemoryUsage => self.memory(program, rank),
            RankQuantity::SerializedSize => self.serialized(program, rank),
            RankQuantity::MemoryWithSerialized => {
                let mut memory = self.memory(program, rank);
                memory.add_multiple(1.0, &self.serialized(program, rank));
                memory
            }
            RankQuantity::NumSharedBlocks => self.blocks(rank, |_, _| 1.0),
            RankQuantity::NumHomedBlocks => self.blocks(rank, |_, is_home| f64::from(u8::from(is_home))),
            RankQuantity::NumUprootedBlocks => self.blocks(rank, |_, is_home| f64::from(u8::from(!is_home))),
            RankQuantity::Homing => self.homing(rank, f64::INFINITY),
            RankQuantity::Alpha => Expression::constant(own.alpha),
            RankQuantity::HomedBlocksRatio => {
                return Err(FormulationError::Quantity { quantity: quantity.name() });
            }
        })
    }

    fn memory(&mut self, program: &mut Program, rank: RankId) -> Expression {
        let mut memory = self.object_level(program, rank);
        memory.add_constant(self.phase.ranks()[rank.index()].working_bytes);
        memory.add_multiple(1.0, &self.blocks(rank, |size_bytes, _| size_bytes));
        memory
    }

    fn object_level(&mut self, program: &mut Program, rank: RankId) -> Expression {
        let mut memory = self.sum(rank, |slot| self.phase.memory(slot).footprint_bytes);
        let (largest, chi) = (&mut self.working, self.chi);
        let sizes = Sizes { phase: self.phase, units: self.units, of: |memory| memory.working_bytes };
        memory.add_multiple(1.0, largest.at(program, rank, &sizes, &self.sentinels[rank.index()], chi));
        memory
    }

    fn serialized(&mut self, program: &mut Program, rank: RankId) -> Expression {
        let (largest, chi) = (&mut self.serialized, self.chi);
        let sizes = Sizes { phase: self.phase, units: self.units, of: |memory| memory.serialized_bytes };
        largest.at(program, rank, &sizes, &self.sentinels[rank.index()], chi).clone()
    }

    /// Returns the sum of `value` over all objects of a rank.
    fn sum(&self, rank: RankId, value: impl Fn(Slot) -> f64) -> Expression {
        let mut sum = self.movable(rank, &value);
        sum.add_constant(self.sentinels[rank.index()].iter().map(|&slot| value(slot)).sum());
        sum
    }

    /// Returns the sum of `value` over the migratable objects of a rank.
    fn movable(&self, rank: RankId, value: impl Fn(Slot) -> f64) -> Expression {
        let mut sum = Expression::default();
        for (unit, variables) in self.units.units.iter().zip(self.chi) {
            sum.add(unit.slots.iter().map(|&slot| value(slot)).sum(), variables[rank.index()]);
        }
        sum
    }

    /// Returns the sum of `value` over the blocks on a rank. The arguments of `value` are the size of a block in bytes,
    /// and true if the block is at home.
    fn blocks(&self, rank: RankId, value: impl Fn(f64, bool) -> f64) -> Expression {
        let blocks = self.phase.blocks();
        let of_block = |at: usize| value(blocks[at].size_bytes, blocks[at].home == rank);
        self.blocks.as_ref().map(|all| all.sum(rank, of_block)).unwrap_or_default()
    }
}
