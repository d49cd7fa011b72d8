// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data sets drawn from distributions.

use std::sync::Arc;

use lbaf_vom::record::{DataFile, Task, UserDefined};
use rand::RngExt;
use rand::distr::Distribution;
use rand::seq::index;

use crate::evolution::patterns;
use crate::grid::Grid;
use crate::links::Links;
use crate::population::{Object, Population, RankLayout, recorded};
use crate::sampler::ziggurat;
use crate::spec::SharedBlocks;
use crate::stream::{Purpose, stream};
use crate::{SampledSpec, SynthError};

/// Draws a data set, and returns one file per rank.
///
/// # Errors
/// If a setting of `spec` is invalid, or the data set needs more memory than available.
pub fn sample(spec: &SampledSpec, seed: u64) -> Result<Vec<DataFile>, SynthError> {
    Ok(populate(spec, seed)?.files())
}

/// Draws a data set without creating its files.
///
/// # Errors
/// If a setting of `spec` is invalid, or the data set needs more memory than available.
pub fn populate(spec: &SampledSpec, seed: u64) -> Result<Population, SynthError> {
    spec.validate()?;
    require_memory(spec)?;
    let mapped = mapped_ranks(spec, seed);
    let starts = starts(spec, seed, mapped.len() as u32);
    let objects = objects(spec, seed, &mapped, &starts)?;
    let loads = loads(spec, seed, &starts, mapped.len() as u32)?;
    let grid = Grid::new(&spec.grid);
    let links = match &grid {
        Some(grid) if spec.volume_sampler.is_some() => Links::beside(grid.clone(), seed, spec.volume_draw()?),
        _ => Links::drawn(seed, spec.n_objects, spec.communication_degree, spec.volume_draw()?),
    };
    let machine = RankLayout { n_ranks: spec.n_ranks, ranks_per_node: Some(spec.ranks_per_node) };
    let population = Population::new(machine, objects, loads, links);
    Ok(population.on_grid(grid).with_rank_working_bytes(spec.rank_working_bytes))
}

/// Returns an error unless there is memory for all objects and loads, and for the file of a rank with an average number
/// of objects.
fn require_memory(spec: &SampledSpec) -> Result<(), SynthError> {
    const OBJECT: u64 = (size_of::<Object>() + size_of::<u32>()) as u64;
    const LOAD: u64 = size_of::<f64>() as u64;
    const TASK: u64 = size_of::<Task>() as u64;
    let n_sentinels = u64::from(spec.n_ranks) * u64::from(spec.n_sentinels_per_rank);
    let n_objects = u64::from(spec.n_objects) + n_sentinels;
    let n_phases = u64::from(spec.n_phases);
    let population = n_objects.saturating_mul(OBJECT.saturating_add(n_phases * LOAD));
    let file = (n_objects / u64::from(spec.n_ranks)).saturating_mul(n_phases * TASK);
    let bytes = population.saturating_add(file);
    if usize::try_from(bytes).is_ok_and(lbaf_vom::is_granted) {
        Ok(())
    } else {
        Err(SynthError::NoMemory { n_objects, n_phases: spec.n_phases, bytes })
    }
}

/// Returns the ranks on which objects start, ascending.
fn mapped_ranks(spec: &SampledSpec, seed: u64) -> Vec<u32> {
    let n_mapped = if spec.n_mapped_ranks == 0 { spec.n_ranks } else { spec.n_mapped_ranks };
    let mut rng = stream(seed, Purpose::MappedRanks, 0);
    let chosen = index::sample(&mut rng, spec.n_ranks as usize, n_mapped as usize);
    let mut ranks: Vec<u32> = chosen.iter().map(|rank| rank as u32).collect();
    ranks.sort_unstable();
    ranks
}

/// Returns the start rank of each migratable object, as a position among the mapped ranks.
fn starts(spec: &SampledSpec, seed: u64, n_mapped: u32) -> Vec<u32> {
    if !spec.grid.is_empty() {
        let start = |object: u32| u64::from(object) * u64::from(n_mapped) / u64::from(spec.n_objects);
        return (0..spec.n_objects).map(|object| start(object) as u32).collect();
    }
    let mut placement = stream(seed, Purpose::Placement, 0);
    (0..spec.n_objects).map(|_| placement.random_range(0..n_mapped)).collect()
}

/// Returns the migratable objects, followed by the sentinels, rank by rank.
fn objects(spec: &SampledSpec, seed: u64, mapped: &[u32], starts: &[u32]) -> Result<Vec<Object>, SynthError> {
    let of_rank = UserDefined { rank_working_bytes: spec.rank_working_bytes, ..UserDefined::default() };
    let of_object = UserDefined {
        task_footprint_bytes: spec.task_footprint_bytes,
        task_serialized_bytes: spec.task_serialized_bytes,
        task_working_bytes: spec.task_working_bytes,
        ..of_rank.clone()
    };
    let blocks = spec.shared_blocks.as_ref();
    let blocks = blocks.map(|blocks| Blocks::new(blocks, mapped, &of_object, seed)).transpose()?;
    let (of_rank, of_object) = (recorded(of_rank), recorded(of_object));
    let mut block_use = stream(seed, Purpose::BlockUse, 0);
    let migratable = (0..).zip(starts).map(|(position, &start)| {
        // Every object draws a number, even without blocks at its start rank, so that the numbers of later objects do
        // not depend on the number of blocks.
        let lot = block_use.random::<u32>();
        let of_user = blocks.as_ref().and_then(|blocks| blocks.of_start(start, lot));
        Object::migratable(position, mapped[start as usize]).with(of_user.or_else(|| of_object.clone()))
    });
    let n_sentinels = spec.n_ranks as usize * spec.n_sentinels_per_rank as usize;
    let mut objects = Vec::with_capacity(spec.n_objects as usize + n_sentinels);
    objects.extend(migratable);
    for rank in 0..spec.n_ranks {
        let sentinels = 0..spec.n_sentinels_per_rank;
        objects.extend(sentinels.map(|position| Object::sentinel(position, rank).with(of_rank.clone())));
    }
    Ok(objects)
}

/// Returns loads in seconds by phase and object, in the order of [`objects`].
fn loads(spec: &SampledSpec, seed: u64, starts: &[u32], n_mapped: u32) -> Result<Vec<Vec<f64>>, SynthError> {
    let rng = stream(seed, Purpose::Loads, 0);
    let draw = spec.load_sampler.draw("load_sampler")?;
    let mut first: Vec<f64> = draw.sample_iter(rng).take(spec.n_objects as usize).collect();
    let sentinel_draw = spec.sentinel_draw()?;
    for rank in 0..spec.n_ranks {
        let rng = stream(seed, Purpose::SentinelLoads, rank);
        first.extend(sentinel_draw.sample_iter(rng).take(spec.n_sentinels_per_rank as usize));
    }
    let mut phases = vec![first];
    for phase in 1..spec.n_phases {
        let next = drifted(&phases[phase as usize - 1], spec.drift, seed, phase);
        phases.push(next);
    }
    for (phase, loads) in (0..).zip(&mut phases) {
        patterns((spec.hot_spot, spec.wave), phase, n_mapped, spec.n_objects)
            .for_each(|pattern| pattern.apply(loads, starts));
    }
    Ok(phases)
}

fn drifted(loads: &[f64], drift: f64, seed: u64, phase: u32) -> Vec<f64> {
    let mut rng = stream(seed, Purpose::Drift, phase);
    let mut factor = || libm::exp(drift * ziggurat::normal(&mut rng) - drift * drift / 2.0);
    loads.iter().map(|load| load * factor()).collect()
}

/// Values recorded with users of memory blocks. The home of block `b` is the start rank at position `b` modulo the
/// number of start ranks.
struct Blocks {
    of_user: Vec<Arc<UserDefined>>,
    n_starts: u32,
}

impl Blocks {
    /// Creates the blocks, whose users also record `of_object`.
    fn new(
        blocks: &SharedBlocks,
        mapped: &[u32],
        of_object: &UserDefined,
        seed: u64,
    ) -> Result<Self, SynthError> {
        let sizes = blocks.size_draw()?.sample_iter(stream(seed, Purpose::BlockSizes, 0));
        let blocks = (0..blocks.n_blocks).zip(mapped.iter().cycle()).zip(sizes);
        let of_user = blocks.map(|((id, &home), bytes)| {
            Arc::new(UserDefined {
                home_rank: Some(home),
                shared_bytes: Some(bytes),
                shared_id: Some(u64::from(id)),
                ..of_object.clone()
            })
        });
        Ok(Blocks { of_user: of_user.collect(), n_starts: mapped.len() as u32 })
    }

    /// Returns the values recorded with the user of a block whose home is the start rank at position `start`; `None` if
    /// there is no such block. The random number `lot` selects the block.
    fn of_start(&self, start: u32, lot: u32) -> Option<Arc<UserDefined>> {
        let n_blocks = self.of_user.len() as u32;
        let n_here = n_blocks.saturating_sub(start).div_ceil(self.n_starts);
        if n_here == 0 {
            return None;
        }
        // The fraction `lot` / 2^32 of the number of blocks.
        let turn = (u64::from(lot) * u64::from(n_here)) >> 32;
        let block = start + self.n_starts * turn as u32;
        Some(Arc::clone(&self.of_user[block as usize]))
    }
}
