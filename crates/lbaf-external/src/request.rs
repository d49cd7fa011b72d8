// SPDX-License-Identifier: MIT OR Apache-2.0
//! The problem on standard input of a command.

use lbaf_model::{BoundScope, OnRankVolume, Phase, RankId, Slot, Vertex, WorkTerms};
use lbaf_strategies::Problem;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Map, Value};

/// Version of the format.
const VERSION: u32 = 1;

/// Phase to be balanced: objects on ranks, and the cost and bounds of a placement. Loads are in seconds.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Problem of an External strategy")]
pub(crate) struct Request<'a> {
    /// Version of this format: 1. It increases if keys are renamed or removed or change their meaning, but not
    /// for new keys.
    version: u32,
    /// Number of the problem for this process, from 1. Only for persistent commands, whose answer must repeat
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turn: Option<u64>,
    /// Number of the phase in the run.
    phase: u64,
    /// Seed of the run. The same seed, phase and problem should give the same placement.
    seed: u64,
    /// Parameters of the command, as in the configuration.
    parameters: &'a Map<String, Value>,
    /// Cost and bounds of a placement.
    work_model: WorkModel,
    /// All ranks; the position in the list is the number of the rank.
    ranks: Vec<Rank>,
    /// All objects, ascending by id; other keys refer to objects by their position in this list, from 0.
    objects: Vec<Object<'a>>,
    /// All memory blocks; objects refer to blocks by their position in this list, from 0.
    blocks: Vec<Block>,
    /// Communication graph; parallel edges are summed.
    edges: Vec<Edge>,
}

/// Cost and bounds of a placement.
#[derive(Serialize, JsonSchema)]
struct WorkModel {
    /// Name in configurations: `LoadOnly`, `AffineCombination` or `CCM`.
    name: &'static str,
    /// Coefficients of the work of a rank in seconds: `constant + alpha x (alpha of the rank) x load + beta x
    /// max(bytes sent, bytes received) + gamma x (bytes on the rank) + delta x (bytes of blocks away from
    /// home)`. The objective is the largest work of a rank. `null` for a work model that is not such a sum.
    cost: Option<Cost>,
    /// Upper bounds on placements.
    bounds: Vec<Bound>,
}

/// Coefficients of the work of a rank.
#[derive(Serialize, JsonSchema)]
struct Cost {
    /// Seconds added to every rank (`gamma` of `AffineCombination`).
    constant: f64,
    /// Factor on load.
    alpha: f64,
    /// Seconds per byte of the larger of the volumes sent to and received from other ranks.
    beta: f64,
    /// Seconds per byte of on-rank volume (`gamma` of `CCM`).
    gamma: f64,
    /// Definition of on-rank volume, which `gamma` multiplies.
    on_rank_volume: Volume,
    /// Seconds per byte of blocks away from home; each such block of the rank's objects counts once.
    delta: f64,
}

/// Definition of on-rank volume.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Volume {
    /// Bytes between objects of the rank.
    Paper,
    /// Bytes between objects of the rank, plus the larger of the bytes that its objects send to the rank itself
    /// and the bytes that they receive from it.
    Vt,
}

/// Upper bound on a quantity.
#[derive(Serialize, JsonSchema)]
struct Bound {
    /// Name of the quantity, as in `upper_bounds` of configurations: `max_memory_usage`, `num_objects` and
    /// others.
    quantity: &'static str,
    /// Largest value allowed, in seconds, bytes or a count.
    limit: f64,
    /// Scope of the bound.
    scope: Scope,
}

/// Scope of a bound.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Scope {
    /// Each rank separately.
    Rank,
    /// Sum over the ranks of each node.
    Node,
}

/// Rank that objects can be placed on.
#[derive(Serialize, JsonSchema)]
struct Rank {
    /// Seconds of work per second of load: 1 for a rank of normal speed, 2 for a rank at half speed.
    alpha: f64,
    /// Number of the node of the rank.
    node: u32,
    /// Bytes of memory that the rank needs regardless of its objects.
    working_bytes: f64,
}

/// Object to be placed.
#[derive(Serialize, JsonSchema)]
struct Object<'a> {
    /// Packed id in the files; an object has this or `seq_id`. Non-migratable objects of several ranks may share
    /// an id.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    /// Sequence number in the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq_id: Option<u64>,
    /// Rank at the start.
    rank: u32,
    /// True if the object can migrate; others must stay on their rank.
    migratable: bool,
    /// Measured seconds.
    load: f64,
    /// Bytes of memory that the object always holds; the sum over the objects of a rank counts.
    footprint_bytes: f64,
    /// Additional bytes while the object runs; the largest value of the objects of a rank counts.
    working_bytes: f64,
    /// Bytes that are sent when the object migrates, 0 if unknown.
    serialized_bytes: f64,
    /// Position of its memory block in `blocks`. A block is in memory once on every rank with one of its
    /// objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<u32>,
    /// Rank that is the home of this block.
    #[serde(skip_serializing_if = "Option::is_none")]
    home: Option<u32>,
    /// Number of its collection in the files, with `indices: true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    collection: Option<u64>,
    /// Index in the collection, with `indices: true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<&'a [i64]>,
    /// Load in subphases, with `subphases: true`: number and seconds of each subphase with a load other than 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    subphases: Option<Vec<(u32, f64)>>,
}

/// Memory block that objects share.
#[derive(Serialize, JsonSchema)]
struct Block {
    /// Number in the files.
    id: u64,
    /// Size in bytes.
    size_bytes: f64,
    /// Rank that is the home of the block.
    home: u32,
}

/// Communication in one direction. Each endpoint is an object, or a rank itself if the partner has no task in
/// this phase.
#[derive(Serialize, JsonSchema)]
struct Edge {
    /// Position of the sender in `objects`; an edge has this or `from_rank`.
    #[serde(skip_serializing_if = "Option::is_none")]
    from_object: Option<u32>,
    /// Rank of a sender that is not an object of the phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    from_rank: Option<u32>,
    /// Position of the receiver in `objects`; an edge has this or `to_rank`.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_object: Option<u32>,
    /// Rank of a receiver that is not an object of the phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_rank: Option<u32>,
    /// Volume in bytes.
    bytes: f64,
    /// Number of messages.
    messages: u64,
}

/// Returns the JSON Schema (draft 2020-12) of the problem that a command reads on standard input.
pub fn request_schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<Request<'_>>().to_value()
}

impl<'a> Request<'a> {
    /// Creates the problem of a run with this seed. O(objects + edges).
    pub(crate) fn new(problem: &Problem<'a>, seed: u64, parameters: &'a Map<String, Value>) -> Self {
        let Problem { phase, model, .. } = *problem;
        let bounds = model.bounds().iter().map(|bound| Bound {
            quantity: bound.quantity.name(),
            limit: bound.limit,
            scope: match bound.scope {
                BoundScope::Rank => Scope::Rank,
                BoundScope::Node => Scope::Node,
            },
        });
        Request {
            version: VERSION,
            turn: None,
            phase: phase.id().0,
            seed,
            parameters,
            work_model: WorkModel {
                name: model.name(),
                cost: model.terms().as_ref().map(Cost::new),
                bounds: bounds.collect(),
            },
            ranks: ranks(phase),
            objects: phase.slots().map(|slot| Object::new(problem, slot)).collect(),
            blocks: blocks(phase),
            edges: edges(phase),
        }
    }
}

impl Cost {
    fn new(terms: &WorkTerms) -> Self {
        let WorkTerms { constant, load, off_rank, on_rank, on_rank_volume, homing } = *terms;
        let on_rank_volume = match on_rank_volume {
            OnRankVolume::Paper => Volume::Paper,
            OnRankVolume::Vt => Volume::Vt,
        };
        Cost { constant, alpha: load, beta: off_rank, gamma: on_rank, on_rank_volume, delta: homing }
    }
}

impl<'a> Object<'a> {
    fn new(problem: &Problem<'a>, slot: Slot) -> Self {
        let Problem { phase, initial, keys, .. } = *problem;
        let key = keys.get(phase.object(slot).index());
        let number =
            |is_sequence: bool| key.filter(|key| key.is_sequence == is_sequence).map(|key| key.number);
        let memory = phase.memory(slot);
        let coordinates = phase.coordinates();
        let subphases = phase.subphases();
        Object {
            id: number(false),
            seq_id: number(true),
            rank: initial.rank_of(slot).0,
            migratable: phase.is_migratable(slot),
            load: phase.load(slot),
            footprint_bytes: memory.footprint_bytes,
            working_bytes: memory.working_bytes,
            serialized_bytes: memory.serialized_bytes,
            block: memory.block.map(|block| block.0),
            home: memory.block.map(|block| phase.blocks()[block.index()].home.0),
            collection: coordinates.and_then(|coordinates| coordinates.collection(slot)),
            index: coordinates.and_then(|coordinates| Some(coordinates.of(slot)?.1)),
            subphases: subphases.map(|subphases| subphases.numbered(slot).collect()),
        }
    }
}

fn ranks(phase: &Phase) -> Vec<Rank> {
    let facts = phase.ranks().iter();
    facts
        .map(|rank| Rank { alpha: rank.alpha, node: rank.node.0, working_bytes: rank.working_bytes })
        .collect()
}

fn blocks(phase: &Phase) -> Vec<Block> {
    let facts = phase.blocks().iter();
    facts.map(|block| Block { id: block.id, size_bytes: block.size_bytes, home: block.home.0 }).collect()
}

fn edges(phase: &Phase) -> Vec<Edge> {
    let ends = |vertex: Vertex| match vertex {
        Vertex::Object(Slot(position)) => (Some(position), None),
        Vertex::Rank(RankId(rank)) => (None, Some(rank)),
    };
    let edge = |(from, to, volume): (Vertex, Vertex, lbaf_model::Volume)| {
        let ((from_object, from_rank), (to_object, to_rank)) = (ends(from), ends(to));
        Edge { from_object, from_rank, to_object, to_rank, bytes: volume.bytes, messages: volume.messages }
    };
    phase.communication().edges().map(edge).collect()
}
