// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data sets drawn from distributions.

use lbaf_vom::record::{DataFile, UserDefined};
use rand::RngExt;
use rand::seq::index;
use rand_distr::{Binomial, Distribution, StandardNormal};

use crate::population::{Edge, Machine, Object, Population};
use crate::spec::SharedBlocks;
use crate::stream::{Purpose, stream};
use crate::{SampledSpec, SynthError};

/// Draws the data set of `spec` and `seed`; one file per rank.
///
/// # Errors
/// If a setting of `spec` makes no sense.
pub fn sample(spec: &SampledSpec, seed: u64) -> Result<Vec<DataFile>, SynthError> {
    Ok(populate(spec, seed)?.files())
}

/// Draws the data set of `spec` and `seed` without making its files yet.
///
/// # Errors
/// If a setting of `spec` makes no sense.
pub fn populate(spec: &SampledSpec, seed: u64) -> Result<Population, SynthError> {
    spec.validate()?;
    let mapped = mapped_ranks(spec, seed);
    let objects = objects(spec, seed, &mapped)?;
    let loads = loads(spec, seed)?;
    let edges = edges(spec, seed)?;
    let machine = Machine { n_ranks: spec.n_ranks, ranks_per_node: Some(spec.ranks_per_node) };
    Ok(Population::new(machine, objects, loads, edges))
}

/// The ranks that objects start on, ascending.
fn mapped_ranks(spec: &SampledSpec, seed: u64) -> Vec<u32> {
    let n_mapped = if spec.n_mapped_ranks == 0 { spec.n_ranks } else { spec.n_mapped_ranks };
    let mut rng = stream(seed, Purpose::MappedRanks, 0);
    let chosen = index::sample(&mut rng, spec.n_ranks as usize, n_mapped as usize);
    let mut ranks: Vec<u32> = chosen.iter().map(|rank| rank as u32).collect();
    ranks.sort_unstable();
    ranks
}

/// Migratable objects first, then the sentinels by rank.
fn objects(spec: &SampledSpec, seed: u64, mapped: &[u32]) -> Result<Vec<Object>, SynthError> {
    let n_mapped = mapped.len() as u32;
    let blocks = spec.shared_blocks.as_ref().map(|blocks| Blocks::new(blocks, n_mapped, seed)).transpose()?;
    let of_rank = UserDefined { rank_working_bytes: spec.rank_working_bytes, ..UserDefined::default() };
    let of_object = UserDefined {
        task_footprint_bytes: spec.task_footprint_bytes,
        task_serialized_bytes: spec.task_serialized_bytes,
        task_working_bytes: spec.task_working_bytes,
        ..of_rank.clone()
    };
    let mut placement = stream(seed, Purpose::Placement, 0);
    let mut block_use = stream(seed, Purpose::BlockUse, 0);
    let migratable = (0..spec.n_objects).map(|position| {
        let start = placement.random_range(0..n_mapped);
        let rank = mapped[start as usize];
        // One number per object, used or not, keeps the other objects' blocks when their number changes.
        let lot = block_use.random::<u32>();
        let block = blocks.as_ref().and_then(|blocks| blocks.of_start(start, lot));
        let facts = match block {
            None => of_object.clone(),
            Some((id, bytes)) => UserDefined {
                home_rank: Some(rank),
                shared_bytes: Some(bytes),
                shared_id: Some(u64::from(id)),
                ..of_object.clone()
            },
        };
        Object::migratable(position, rank, facts)
    });
    let mut objects: Vec<Object> = migratable.collect();
    for rank in 0..spec.n_ranks {
        objects.extend(
            (0..spec.n_sentinels_per_rank).map(|position| Object::sentinel(position, rank, of_rank.clone())),
        );
    }
    Ok(objects)
}

/// Loads in seconds by phase and object, in the order of [`objects`].
fn loads(spec: &SampledSpec, seed: u64) -> Result<Vec<Vec<f64>>, SynthError> {
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
    Ok(phases)
}

fn drifted(loads: &[f64], drift: f64, seed: u64, phase: u32) -> Vec<f64> {
    let steps = StandardNormal.sample_iter(stream(seed, Purpose::Drift, phase));
    let factor = |z: f64| (drift * z - drift * drift / 2.0).exp();
    loads.iter().zip(steps).map(|(load, z)| load * factor(z)).collect()
}

fn edges(spec: &SampledSpec, seed: u64) -> Result<Vec<Edge>, SynthError> {
    let volume = spec.volume_draw()?;
    let n_others = spec.n_objects.saturating_sub(1);
    let trials = u64::from(n_others).min(2 * u64::from(spec.communication_degree));
    if trials == 0 {
        return Ok(Vec::new());
    }
    let degree = Binomial::new(trials, 0.5).expect("invariant: one half is a probability");
    let mut edges = Vec::new();
    for from in 0..spec.n_objects {
        let mut rng = stream(seed, Purpose::Receivers, from);
        let n_receivers = degree.sample(&mut rng) as usize;
        let others = index::sample(&mut rng, n_others as usize, n_receivers);
        // The others are numbered without the sender itself.
        let mut receivers: Vec<u32> =
            others.iter().map(|other| other as u32 + u32::from(other >= from as usize)).collect();
        receivers.sort_unstable();
        let volumes = volume.sample_iter(stream(seed, Purpose::Volumes, from));
        edges.extend(receivers.into_iter().zip(volumes).map(|(to, bytes)| Edge { from, to, bytes }));
    }
    Ok(edges)
}

/// Sizes of the memory blocks; block `b` is at home on start rank `b` modulo their number.
struct Blocks {
    size_bytes: Vec<f64>,
    n_starts: u32,
}

impl Blocks {
    fn new(blocks: &SharedBlocks, n_starts: u32, seed: u64) -> Result<Self, SynthError> {
        let sizes = blocks.size_draw()?.sample_iter(stream(seed, Purpose::BlockSizes, 0));
        Ok(Blocks { size_bytes: sizes.take(blocks.n_blocks as usize).collect(), n_starts })
    }

    /// Id and size of the block that `lot`, any number, picks among those at home on a start rank.
    fn of_start(&self, start: u32, lot: u32) -> Option<(u32, f64)> {
        let n_blocks = self.size_bytes.len() as u32;
        let n_here = n_blocks.saturating_sub(start).div_ceil(self.n_starts);
        if n_here == 0 {
            return None;
        }
        // The lot as a fraction of 2^32 is scaled to the number of blocks.
        let turn = (u64::from(lot) * u64::from(n_here)) >> 32;
        let block = start + self.n_starts * turn as u32;
        Some((block, self.size_bytes[block as usize]))
    }
}
