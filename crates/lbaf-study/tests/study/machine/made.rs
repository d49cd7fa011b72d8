// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data sets with indices, blocks and messages, and simulations of them.

use lbaf_model::{
    Block, BlockIdx, Communication, Coordinates, DataSet, LoadOnly, NodeId, ObjectIdx, ObjectKey,
    ObjectMemory, Phase, PhaseId, Rank, RankId, Slot, Vertex, Volume, rank_totals,
};
use lbaf_strategies::{Cancel, Context, Lpt, NoObserver, Problem, run};
use lbaf_study::{
    Costs, Forecast, LoadModel, Machine, PhaseBound, Placements, Schedule, Simulated, Simulation,
};
use proptest::prelude::*;

/// An object of a synthetic data set.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) rank: u32,
    pub(super) is_sentinel: bool,
    pub(super) index: Option<Vec<i64>>,
    pub(super) block: Option<u32>,
    pub(super) footprint_bytes: f64,
    /// Load in each phase; `None` if the object is absent.
    pub(super) loads: Vec<Option<f64>>,
}

/// A migratable object that is present in all phases.
pub(super) fn object(rank: u32, loads: &[f64]) -> Object {
    let loads = loads.iter().copied().map(Some).collect();
    Object { rank, is_sentinel: false, index: None, block: None, footprint_bytes: 8.0, loads }
}

/// Sender, receiver, bytes and messages. Sender and receiver are numbers of objects or, below 0, of ranks: -1
/// is rank 0.
pub(super) type Message = (i32, i32, f64, u64);

/// A data set on ranks of alpha 1, two per node. Rank `r` has `r` bytes of working memory. Block `b` has `16
/// (b + 1)` bytes, and its home is rank `b` modulo the number of ranks.
pub(super) fn data(n_ranks: usize, objects: &[Object], messages: &[Message]) -> DataSet {
    let n_phases = objects.first().map_or(1, |object| object.loads.len());
    let key = |(number, object): (u64, &Object)| {
        ObjectKey::new(false, number, object.is_sentinel.then_some(RankId(object.rank)))
    };
    let keys = (0..).zip(objects).map(key).collect();
    let phases = (0..n_phases).map(|id| phase(id, n_ranks, objects, messages)).collect();
    DataSet::new(keys, n_ranks, phases)
}

fn phase(id: usize, n_ranks: usize, objects: &[Object], messages: &[Message]) -> Phase {
    let there: Vec<(usize, &Object)> =
        objects.iter().enumerate().filter(|(_, object)| object.loads[id].is_some()).collect();
    let vertex = |number: i32| match usize::try_from(number) {
        Ok(number) => there.iter().position(|(at, _)| *at == number).map(|at| Vertex::Object(Slot::from(at))),
        Err(_) => Some(Vertex::Rank(RankId(number.unsigned_abs() - 1))),
    };
    let communication = |&(from, to, bytes, messages): &Message| {
        Some(Communication { from: vertex(from)?, to: vertex(to)?, volume: Volume { bytes, messages } })
    };
    let made = |&(_, object): &(usize, &Object)| lbaf_model::Object {
        load: object.loads[id].unwrap(),
        rank: RankId(object.rank),
        migratable: !object.is_sentinel,
        memory: ObjectMemory {
            footprint_bytes: object.footprint_bytes,
            working_bytes: object.footprint_bytes / 2.0,
            serialized_bytes: 0.0,
            block: object.block.map(BlockIdx),
        },
    };
    let n_blocks = objects.iter().filter_map(|object| object.block).max().map_or(0, |last| last + 1);
    let block = |id: u32| Block {
        id: u64::from(id),
        size_bytes: 16.0 * f64::from(id + 1),
        home: RankId(id % n_ranks as u32),
    };
    let rank = |rank: usize| Rank { alpha: 1.0, node: NodeId::from(rank / 2), working_bytes: rank as f64 };
    let places: Coordinates =
        there.iter().map(|(_, object)| object.index.as_ref().map(|index| (Some(7), &index[..]))).collect();
    Phase::builder(n_ranks)
        .id(PhaseId(id as u64))
        .ranks((0..n_ranks).map(rank))
        .blocks((0..n_blocks).map(block))
        .objects(there.iter().map(made))
        .indices(there.iter().map(|&(at, _)| ObjectIdx::from(at)))
        .communications(messages.iter().filter_map(communication))
        .coordinates(places)
        .build()
        .unwrap()
}

/// Up to 8 objects on up to 4 ranks in up to 3 phases: some are sentinels, some have an index, some use
/// blocks, some are absent from some phases; up to 15 messages connect objects and ranks.
pub(super) fn random() -> impl Strategy<Value = DataSet> {
    (1_usize..5, 1_usize..9, 1_usize..4).prop_flat_map(|(n_ranks, n_objects, n_phases)| {
        let load = prop::option::weighted(0.8, (0_u32..64).prop_map(|eighths| f64::from(eighths) / 8.0));
        let object = (
            0..n_ranks as u32,
            prop::bool::weighted(0.2),
            prop::option::weighted(0.8, -1_i64..2),
            prop::option::of(0_u32..3),
            (0_u32..64).prop_map(f64::from),
            prop::collection::vec(load, n_phases),
        );
        let [ranks, objects] = [n_ranks, n_objects].map(|n| i32::try_from(n).unwrap());
        let end = || -ranks..objects;
        let message = (end(), end(), (0_u32..64).prop_map(f64::from), 0_u64..9);
        let all = (prop::collection::vec(object, n_objects), prop::collection::vec(message, 0..16));
        all.prop_map(move |(objects, messages)| {
            type Drawn = (u32, bool, Option<i64>, Option<u32>, f64, Vec<Option<f64>>);
            let made =
                |(at, (rank, is_sentinel, index, block, footprint_bytes, loads)): (i64, Drawn)| Object {
                    rank,
                    is_sentinel,
                    // No two objects have the same index.
                    index: index.map(|index| vec![index, at]),
                    block,
                    footprint_bytes,
                    loads,
                };
            let objects: Vec<Object> = (0..).zip(objects).map(made).collect();
            data(n_ranks, &objects, &messages)
        })
    })
}

/// Returns the data of an assumed machine.
pub(super) fn assumed(machine: &Machine, data: &DataSet) -> DataSet {
    machine.assumed(data).unwrap().0
}

/// Returns the loads of ranks in the recorded placement of a phase.
pub(super) fn loads(phase: &Phase) -> Vec<f64> {
    rank_totals(phase, phase.recorded_assignment()).iter().map(|rank| rank.load).collect()
}

/// Returns all contents of a phase as text.
pub(super) fn facts(phase: &Phase) -> String {
    let columns = phase.columns();
    let objects: Vec<_> = phase.slots().map(|slot| (phase.object(slot), *phase.memory(slot))).collect();
    let edges: Vec<_> = phase.communication().edges().collect();
    let places: Vec<_> = phase.slots().map(|slot| phase.coordinates().and_then(|all| all.of(slot))).collect();
    format!(
        "{:?} {objects:?} {:?} {:?} {:?} {:?} {:?} {edges:?} {places:?}",
        phase.id(),
        columns.load,
        columns.migratable,
        columns.recorded,
        columns.ranks,
        columns.blocks
    )
}

/// Simulates a run whose work is load alone.
pub(super) fn simulated(
    data: &DataSet,
    placements: Placements,
    schedule: Schedule<'_>,
    costs: Costs,
) -> Simulated {
    let model = LoadOnly::default();
    let forecast = Forecast::Predicted(LoadModel::naive());
    let bounds = PhaseBound::of_all(data, &model);
    let simulation = Simulation {
        data,
        believed: None,
        bounds: &bounds,
        model: &model,
        placements,
        forecast,
        schedule,
        costs,
        subphases: false,
        cancel: Cancel::new(),
    };
    let balancer = |_: PhaseId, problem: &Problem<'_>| {
        let mut observer = NoObserver;
        let mut context = Context::new(0, problem.phase.id().0, &mut observer);
        Ok(Some((run(&Lpt::default(), problem, &mut context)?, 0.0)))
    };
    simulation.run(&balancer).unwrap()
}

/// Returns the seconds of each phase of a run that is never balanced.
pub(super) fn never(data: &DataSet) -> Vec<f64> {
    let run = simulated(data, Placements::Carried, Schedule::Never, Costs::default());
    run.phases.iter().map(|phase| phase.seconds).collect()
}
