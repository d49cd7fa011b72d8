// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work and memory, computed from the problem of a command as `docs/external.md` describes, equal those of the work
//! models.

use std::collections::BTreeSet;

use lbaf_external::External;
use lbaf_model::{
    Affine, AffineParameters, BoundScope, Ccm, CcmParameters, LoadOnly, OnRankVolume, RankQuantity,
    UpperBound, WorkModel, rank_totals, works,
};
use serde_json::Value;

use crate::lpt::machine;
use crate::made_phase::Posed;
use crate::requests::request;

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn entries<'a>(problem: &'a Value, key: &str) -> &'a [Value] {
    problem[key].as_array().expect("a list")
}

/// Returns the rank of an endpoint of an edge, and true if the endpoint is an object.
fn end(problem: &Value, edge: &Value, side: &str) -> (u64, bool) {
    let object = edge.get(format!("{side}_object")).and_then(Value::as_u64);
    let rank = |object: u64| problem["objects"][object as usize]["rank"].as_u64().unwrap();
    object.map_or_else(
        || (edge[format!("{side}_rank")].as_u64().unwrap(), false),
        |object| (rank(object), true),
    )
}

/// Returns the work of a rank under the start placement, computed as the document describes it.
fn work(problem: &Value, r: usize) -> f64 {
    let on_rank = |value: &Value| value["rank"] == r;
    let objects: Vec<&Value> = entries(problem, "objects").iter().filter(|object| on_rank(object)).collect();
    let load: f64 = objects.iter().map(|object| number(&object["load"])).sum();
    let (mut sent, mut received, mut within, mut to_rank, mut from_rank) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for edge in entries(problem, "edges") {
        let ((from, from_object), (to, to_object)) = (end(problem, edge, "from"), end(problem, edge, "to"));
        let bytes = number(&edge["bytes"]);
        match (from == r as u64, to == r as u64) {
            (true, false) => sent += bytes,
            (false, true) => received += bytes,
            (true, true) if from_object && to_object => within += bytes,
            (true, true) if from_object => to_rank += bytes,
            (true, true) if to_object => from_rank += bytes,
            _ => {}
        }
    }
    let cost = &problem["work_model"]["cost"];
    if cost["on_rank_volume"] == "vt" {
        within += f64::max(to_rank, from_rank);
    }
    let blocks: BTreeSet<u64> = objects.iter().filter_map(|object| object.get("block")?.as_u64()).collect();
    let blocks = blocks.into_iter().map(|block| &problem["blocks"][block as usize]);
    let away: f64 = blocks.filter(|block| block["home"] != r).map(|block| number(&block["size_bytes"])).sum();
    let factor = |key: &str| number(&cost[key]);
    factor("constant")
        + factor("alpha") * number(&problem["ranks"][r]["alpha"]) * load
        + factor("beta") * f64::max(sent, received)
        + factor("gamma") * within
        + factor("delta") * away
}

/// Returns the bytes of memory of a rank, computed as the document describes it.
fn memory(problem: &Value, r: usize) -> f64 {
    let objects = || entries(problem, "objects").iter().filter(|object| object["rank"] == r);
    let blocks: BTreeSet<u64> = objects().filter_map(|object| object.get("block")?.as_u64()).collect();
    let blocks = blocks.into_iter().map(|block| number(&problem["blocks"][block as usize]["size_bytes"]));
    number(&problem["ranks"][r]["working_bytes"])
        + blocks.sum::<f64>()
        + objects().map(|object| number(&object["footprint_bytes"])).sum::<f64>()
        + objects().map(|object| number(&object["working_bytes"])).fold(0.0, f64::max)
}

fn models() -> Vec<Box<dyn WorkModel>> {
    let bounds =
        vec![UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 1e9, scope: BoundScope::Rank }];
    let (alpha, beta, gamma, delta) = (0.5, 1e-3, 2e-3, 1e-7);
    let ccm =
        |on_rank_volume| CcmParameters { alpha, beta, gamma, delta, on_rank_volume, ..Default::default() };
    vec![
        Box::new(LoadOnly::default()),
        Box::new(Affine::new(AffineParameters { alpha, beta, gamma, delta, bounds }).unwrap()),
        Box::new(Ccm::new(ccm(OnRankVolume::Paper)).unwrap()),
        Box::new(Ccm::new(ccm(OnRankVolume::Vt)).unwrap()),
    ]
}

#[test]
fn a_command_can_compute_work_and_memory() {
    let recorded = machine();
    for small in [true, false] {
        for model in models() {
            let keys = recorded.data.keys().to_vec();
            let phase = recorded.data.phases()[3].clone();
            let large = Posed { phase, keys, model: Box::new(LoadOnly::default()) };
            let posed = Posed { model, ..if small { Posed::default() } else { large } };
            let totals = rank_totals(&posed.phase, posed.phase.recorded_assignment());
            let expected = works(&*posed.model, &posed.phase, &totals);
            let problem = request(&posed, External::default());
            // Only some ranks of large phases are checked, because each check visits all edges.
            for (rank, expected) in expected.iter().enumerate().step_by(if small { 1 } else { 9 }) {
                let (given, expected) = (work(&problem, rank), expected.cost());
                assert!(
                    (given - expected).abs() <= 1e-12 * expected,
                    "{}: {given}, {expected}",
                    posed.model.name()
                );
                let (given, expected) = (memory(&problem, rank), totals[rank].memory_bytes());
                assert!((given - expected).abs() <= 1e-12 * expected, "{given}, {expected}");
            }
        }
    }
}
