// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looks of competitors in the charts of a study.

use std::collections::BTreeMap;
use std::path::Path;

use super::workspace;

/// Nine competitors, of which three have iterations, on two problems.
const STUDY: &str = "
configuration:
  from_samplers:
    n_ranks: 8
    n_objects: 120
    n_mapped_ranks: 3
    communication_degree: 0
    load_sampler: {name: uniform, parameters: [0.5, 1.5]}
    volume_sampler: {name: uniform, parameters: [0, 1]}
  algorithm: {name: TemperedLB, parameters: {iters: 3}}
axes:
  from_samplers.n_objects: [120, 60]
  strategy:
    LPT: {algorithm: {name: LPT}}
    Greedy: {algorithm: {name: Greedy}}
    GreedyRefine: {algorithm: {name: GreedyRefine}}
    Refine: {algorithm: {name: Refine}}
    MULTIFIT: {algorithm: {name: MULTIFIT}}
    Rotate: {algorithm: {name: RotateLB}}
    one round: {algorithm: {parameters: {knowledge: UserDefined, fanout: 2, rounds: 1}}}
    two rounds: {algorithm: {parameters: {knowledge: UserDefined, fanout: 2, rounds: 2}}}
    Tempered: {}
  seed: 0-2
output_dir: out
report: {quantities: [max_work, load_imbalance]}
plots: {formats: [svg]}
";

const COMPETITORS: [&str; 9] =
    ["LPT", "Greedy", "GreedyRefine", "Refine", "MULTIFIT", "Rotate", "one round", "two rounds", "Tempered"];

/// Returns colour and shape of the marker of each name in a legend.
/// A shape is the list of its elements, moved to the left end of the sample, without their line.
fn samples(svg: &str) -> BTreeMap<String, (String, String)> {
    let mut samples = BTreeMap::new();
    let mut shapes: Vec<&str> = Vec::new();
    let mut lines = svg.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("<text") {
            shapes.push(line);
            continue;
        }
        let name = lines.next().unwrap_or_default().to_owned();
        let value = |shape: &str, key: &str| {
            let rest = shape.split(&format!(" {key}=\"")).nth(1)?;
            Some(rest.split('"').next().unwrap_or_default().to_owned())
        };
        let color = shapes.last().and_then(|shape| {
            let of = |key| value(shape, key).filter(|color| color.starts_with('#'));
            of("stroke").or_else(|| of("fill"))
        });
        // The shape as the differences of the positions of its corners.
        let corners = |shape: &&str| -> String {
            let points = value(shape, "points").unwrap_or_default();
            let points: Vec<(i32, i32)> = points
                .split_whitespace()
                .filter_map(|pair| pair.split_once(','))
                .map(|(x, y)| (x.parse().expect("a number"), y.parse().expect("a number")))
                .collect();
            let moved = |&(x, y): &(i32, i32)| format!("{},{} ", x - points[0].0, y - points[0].1);
            let tag = shape.split(' ').next().unwrap_or_default().to_owned();
            tag + &points.iter().map(moved).collect::<String>()
        };
        let shape = shapes.iter().rev().take(2).map(corners).collect::<Vec<String>>().join(" ");
        if let Some(color) = color {
            samples.entry(name).or_insert((color, shape));
        }
        shapes.clear();
    }
    samples
}

/// Regression: colours of iterations and fronts followed the order in the chart.
#[test]
fn a_competitor_has_one_look_in_all_charts() {
    let workspace = workspace(STUDY);
    workspace.succeed(&["study", "study.yaml"]);
    let names = workspace.names("out/plots");
    let charts = names.iter().filter(|name| Path::new(name).extension() == Some("svg".as_ref()));
    let mut looks: BTreeMap<&str, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for chart in charts {
        let samples = samples(&workspace.text(&format!("out/plots/{chart}")));
        for name in COMPETITORS {
            if let Some((color, _)) = samples.get(name) {
                looks.entry(name).or_default().entry(color.clone()).or_default().push(chart.clone());
            }
        }
        // In a chart, shapes differ as well, for grey print.
        let shapes: Vec<&String> =
            COMPETITORS.iter().filter_map(|name| Some(&samples.get(*name)?.1)).collect();
        for (at, shape) in shapes.iter().enumerate() {
            assert!(!shapes[..at].contains(shape), "{chart}: {shape}");
        }
    }
    assert_eq!(looks.len(), COMPETITORS.len(), "{looks:?}");
    assert!(looks.values().all(|colors| colors.len() == 1), "{looks:#?}");
    let colors: Vec<&String> = looks.values().flat_map(BTreeMap::keys).collect();
    assert!(colors.iter().enumerate().all(|(at, color)| !colors[..at].contains(color)), "{colors:?}");
    // Medians, fronts and iterations.
    let n_charts = |name: &str| looks[name].values().flatten().count();
    assert!(n_charts("Tempered") > n_charts("LPT") && n_charts("LPT") >= 4, "{looks:#?}");
}
