// SPDX-License-Identifier: MIT OR Apache-2.0
//! Problems as commands receive them.

use std::fs;

use lbaf_external::External;
use lbaf_model::{
    Affine, AffineParameters, BoundScope, Ccm, CcmParameters, Coordinates, OnRankVolume, RankQuantity,
    UpperBound,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::made_phase::{Posed, phase, strategy};

/// Returns the bytes that a command receives.
pub(crate) fn bytes(posed: &Posed, parameters: External) -> Vec<u8> {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("problem");
    let script = "cat > \"$1\"; printf '%s' \"$2\"";
    let stays: Vec<u32> = posed.problem().initial.as_slice().iter().map(|rank| rank.0).collect();
    let answer = json!({"placement": stays}).to_string();
    let parameters = External {
        command: ["sh", "-c", script, "sh", file.to_str().unwrap(), &answer].map(str::to_owned).to_vec(),
        ..parameters
    };
    posed.ask(&strategy(parameters)).unwrap();
    fs::read(file).unwrap()
}

pub(crate) fn request(posed: &Posed, parameters: External) -> Value {
    serde_json::from_slice(&bytes(posed, parameters)).unwrap()
}

#[test]
fn a_problem_has_all_keys() {
    let parameters = json!({"depth": 3, "names": ["a", null]});
    let parameters = External { parameters: parameters.as_object().unwrap().clone(), ..External::default() };
    let cost = json!({"constant": 0.0, "alpha": 1.0, "beta": 0.0, "gamma": 0.0, "on_rank_volume": "paper", "delta": 0.0});
    let object = |id: u64, rank: u32, migratable: bool, load: f64| {
        json!({
            "id": id, "rank": rank, "migratable": migratable, "load": load, "footprint_bytes": 100.0,
            "working_bytes": 10.0, "serialized_bytes": 50.0
        })
    };
    let in_block = |mut object: Value| {
        object["block"] = json!(0);
        object["home"] = json!(1);
        object
    };
    let mut last = object(13, 1, true, 4.0);
    last["seq_id"] = last.as_object_mut().unwrap().remove("id").unwrap();
    let rank = |alpha: f64, node: u32| json!({"alpha": alpha, "node": node, "working_bytes": 1000.0});
    assert_eq!(
        request(&Posed::default(), parameters),
        json!({
            "version": 1,
            "phase": 7,
            "seed": 42,
            "parameters": {"depth": 3, "names": ["a", null]},
            "work_model": {"name": "LoadOnly", "cost": cost, "bounds": []},
            "ranks": [rank(1.0, 0), rank(1.0, 0), rank(0.5, 1)],
            "objects": [
                object(10, 0, false, 1.0),
                in_block(object(11, 0, true, 2.0)),
                in_block(object(12, 1, true, 0.1 + 0.2)),
                last
            ],
            "blocks": [{"id": 9, "size_bytes": 200.0, "home": 1}],
            "edges": [
                {"from_object": 1, "to_object": 2, "bytes": 64.0, "messages": 2},
                {"from_object": 3, "to_rank": 1, "bytes": 16.0, "messages": 2},
                {"from_rank": 0, "to_rank": 2, "bytes": 4.0, "messages": 2},
                {"from_rank": 2, "to_object": 3, "bytes": 8.0, "messages": 2}
            ]
        })
    );
}

#[test]
fn a_problem_is_one_line_and_always_the_same() {
    let posed = Posed::default();
    let first = bytes(&posed, External::default());
    assert_eq!(first.split(|&byte| byte == b'\n').count(), 2);
    assert!(first.ends_with(b"}\n"));
    assert_eq!(first, bytes(&posed, External::default()));
}

/// `gamma` has another meaning in each work model, but only one in `cost`.
#[test]
fn coefficients_have_one_meaning() {
    let bounds = |scope| vec![UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 5e3, scope }];
    let affine =
        AffineParameters { alpha: 2.0, beta: 0.5, gamma: 3.0, delta: 0.25, bounds: bounds(BoundScope::Rank) };
    let posed = Posed { model: Box::new(Affine::new(affine).unwrap()), ..Posed::default() };
    assert_eq!(
        request(&posed, External::default())["work_model"],
        json!({
            "name": "AffineCombination",
            "cost": {"constant": 3.0, "alpha": 2.0, "beta": 0.5, "gamma": 0.0, "on_rank_volume": "paper", "delta": 0.25},
            "bounds": [{"quantity": "max_memory_usage", "limit": 5000.0, "scope": "rank"}]
        })
    );
    let (gamma, on_rank_volume, bounds) = (3.0, OnRankVolume::Vt, bounds(BoundScope::Node));
    let ccm = CcmParameters { gamma, on_rank_volume, bounds, ..CcmParameters::default() };
    let posed = Posed { model: Box::new(Ccm::new(ccm).unwrap()), ..Posed::default() };
    assert_eq!(
        request(&posed, External::default())["work_model"],
        json!({
            "name": "CCM",
            "cost": {"constant": 0.0, "alpha": 1.0, "beta": 0.0, "gamma": 3.0, "on_rank_volume": "vt", "delta": 0.0},
            "bounds": [{"quantity": "max_memory_usage", "limit": 5000.0, "scope": "node"}]
        })
    );
}

#[test]
fn indices_and_subphases_are_present_if_they_were_read() {
    let index = [1, -2];
    let indices = [None, Some((Some(6), &index[..])), Some((Some(6), &[][..])), Some((None, &index[..1]))];
    let subphases = [vec![(0, 1.0)], vec![(2, 0.5), (0, 1.5)], vec![], vec![(2, 4.0)]];
    let coordinates: Coordinates = indices.into_iter().collect();
    let phase = phase().with_coordinates(coordinates).unwrap();
    let phase = phase.with_subphases(subphases.into_iter().collect()).unwrap();
    let request = request(&Posed { phase, ..Posed::default() }, External::default());
    let of =
        |key: &str| request["objects"].as_array().unwrap().iter().map(|object| object[key].clone()).collect();
    let [collections, indices, subphases]: [Vec<Value>; 3] = ["collection", "index", "subphases"].map(of);
    assert_eq!(collections, [json!(null), json!(6), json!(6), json!(null)]);
    assert_eq!(indices, [json!(null), json!([1, -2]), json!(null), json!([1])]);
    assert_eq!(subphases, [json!([[0, 1.0]]), json!([[2, 0.5], [0, 1.5]]), json!([]), json!([[2, 4.0]])]);
}
