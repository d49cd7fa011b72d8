// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of most kinds, with typical and unusual data.

use lbaf_plot::{
    Chart, Distribution, HeatMap, Histogram, Level, LevelKind, RankOrder, RankValues, Series, Side,
    StackedBars, State, TimeSeries, WorkParts,
};

type Named = (String, Box<dyn Chart>);

/// Returns loads like those of real applications: many light ranks, few heavy ones.
pub(crate) fn skewed(n_ranks: u32) -> Vec<f64> {
    (1..=n_ranks).map(|rank| 0.4 + 3.0 / (1.0 + f64::from(rank * 37 % n_ranks))).collect()
}

fn states(before: &[f64], after: &[f64]) -> Vec<Series<Vec<f64>>> {
    vec![Series::before(before.to_vec()), Series::after(after.to_vec())]
}

pub(crate) fn rank_values(before: &[f64], after: &[f64]) -> RankValues {
    let mean = before.iter().sum::<f64>() / before.len() as f64;
    let level = |kind, value, remark: &str| Level { kind, value, remark: remark.to_owned() };
    RankValues {
        order: RankOrder::Descending,
        series: states(before, after),
        levels: vec![
            level(LevelKind::Mean, mean, ""),
            level(LevelKind::LowerBound, mean * 1.01, "largest object"),
        ],
        quantity: "load".to_owned(),
        unit: "s".to_owned(),
        title: String::new(),
    }
}

pub(crate) fn by_rank(before: &[f64], after: &[f64]) -> RankValues {
    RankValues { order: RankOrder::ByNumber, ..rank_values(before, after) }
}

fn memory(before: &[f64], after: &[f64], limit: f64) -> RankValues {
    let remark = "per rank".to_owned();
    RankValues {
        levels: vec![Level { kind: LevelKind::UpperBound, value: limit, remark }],
        quantity: "memory".to_owned(),
        unit: "B".to_owned(),
        ..rank_values(before, after)
    }
}

pub(crate) fn histogram(before: &[f64], after: &[f64]) -> Histogram {
    Histogram {
        series: states(before, after),
        quantity: "load".to_owned(),
        unit: "s".to_owned(),
        title: String::new(),
    }
}

fn distribution(before: &[f64], after: &[f64]) -> Distribution {
    let once = |values: &[f64]| values.iter().map(|&value| (value, 1.0)).collect();
    Distribution {
        series: vec![Series::before(once(before)), Series::after(once(after))],
        of: "ranks".to_owned(),
        quantity: "load".to_owned(),
        unit: "s".to_owned(),
        title: String::new(),
    }
}

pub(crate) fn phases(numbers: &[u64], scale: f64) -> TimeSeries {
    let points = |factor: f64| {
        numbers.iter().map(|&phase| (phase, scale * factor * (1.0 + (phase % 7) as f64))).collect::<Vec<_>>()
    };
    TimeSeries {
        steps: "phase".to_owned(),
        series: vec![Series::before(points(1.0)), Series::after(points(1.0 / 9.0))],
        bound: points(1.0 / 20.0),
        bound_remark: String::new(),
        quantity: "load imbalance (max/mean \u{2212} 1)".to_owned(),
        unit: String::new(),
        title: "Imbalance".to_owned(),
    }
}

/// Work over the iterations of `n_runs` runs, each with a different rate of decrease.
fn iterations(n_runs: usize, fastest: f64) -> TimeSeries {
    let course = |run: usize| {
        (0..10).map(|i| (i, 3.0 + 40.0 * libm::pow(fastest / (run + 1) as f64, i as f64))).collect()
    };
    let names =
        ["gossip", "tempered 4 rounds", "hierarchical", "work stealing", "greedy", "rotate", "random"];
    let series = |run: usize| Series {
        name: names[run % names.len()].to_owned(),
        state: State::Run(run),
        values: course(run),
    };
    TimeSeries {
        steps: "iteration".to_owned(),
        series: (0..n_runs).map(series).collect(),
        bound: (0..10).map(|i| (i, 2.9)).collect(),
        bound_remark: String::new(),
        quantity: "maximum work".to_owned(),
        unit: "s".to_owned(),
        title: "Iterations".to_owned(),
    }
}

/// Communication between groups of ranks: groups that are one to three apart, and groups that are half the matrix
/// apart.
pub(crate) fn matrix(n_ranks: usize, size: usize, bytes: f64) -> HeatMap {
    let n = n_ranks.div_ceil(size);
    let near = |row: usize, column: usize| {
        let apart = row.abs_diff(column);
        (apart > 0 && apart < 4 || apart * 2 == n).then_some(bytes / (apart * apart) as f64)
    };
    HeatMap {
        x: Side::groups("to rank", n_ranks, size),
        y: Side::groups("from rank", n_ranks, size),
        values: (0..n * n).map(|at| near(at / n, at % n)).collect(),
        also: Vec::new(),
        quantity: "volume".to_owned(),
        unit: "B".to_owned(),
        remark: if size > 1 { format!("in groups of {size} ranks") } else { String::new() },
        title: "Volume".to_owned(),
    }
}

fn heat_map(n_ranks: usize, phases: Vec<u64>, scale: f64) -> HeatMap {
    let n = phases.len();
    let load = |rank: usize, phase: usize| scale * (1.0 + (rank * 7 + phase * 3) as f64 % 11.0);
    HeatMap {
        x: Side::listed("phase", phases),
        y: Side::groups("rank", n_ranks, 1),
        values: (0..n_ranks * n).map(|at| Some(load(at / n, at % n))).collect(),
        also: vec![scale * 20.0],
        quantity: "load".to_owned(),
        unit: "s".to_owned(),
        remark: String::new(),
        title: String::new(),
    }
}

fn parts(loads: &[f64]) -> WorkParts {
    let part = |factor: f64| loads.iter().map(|load| load * factor).collect::<Vec<f64>>();
    WorkParts {
        parts: vec![
            ("load".to_owned(), part(1.0)),
            ("communication".to_owned(), loads.iter().rev().map(|load| load * 0.3).collect()),
            ("homing".to_owned(), part(0.2)),
        ],
        also: Vec::new(),
        bound: Some(loads.iter().sum::<f64>() / loads.len() as f64),
        bound_remark: String::new(),
        unit: "s".to_owned(),
        title: "Work".to_owned(),
    }
}

/// One run in four scenarios, one with a name longer than the available width.
fn piles(scale: f64) -> StackedBars {
    let scaled = |values: [f64; 4]| values.map(|value| value * scale).to_vec();
    StackedBars {
        names: ["as recorded", "never", "as configured with a long name", "perfect"]
            .map(str::to_owned)
            .to_vec(),
        parts: vec![
            ("phases".to_owned(), scaled([9.0, 9.5, 5.5, 5.0])),
            ("strategy".to_owned(), scaled([0.0, 0.0, 0.01, 0.0])),
            ("migration".to_owned(), scaled([0.0, 0.0, 1.5, 0.0])),
        ],
        bound: Some(4.5 * scale),
        bound_remark: String::new(),
        quantity: "time".to_owned(),
        unit: "s".to_owned(),
        title: "Where the time went".to_owned(),
    }
}

/// Returns named charts of typical and unusual data.
pub(crate) fn gallery() -> Vec<Named> {
    let mut charts: Vec<Named> = Vec::new();
    let mut add = |name: &str, before: &[f64], after: &[f64]| {
        charts.push((format!("rank values, {name}"), Box::new(rank_values(before, after))));
        charts.push((format!("by rank, {name}"), Box::new(by_rank(before, after))));
        charts.push((format!("memory, {name}"), Box::new(memory(before, after, 2.0))));
        charts.push((format!("memory far below, {name}"), Box::new(memory(before, after, 8e9))));
        charts.push((format!("histogram, {name}"), Box::new(histogram(before, after))));
        charts.push((format!("distribution, {name}"), Box::new(distribution(before, after))));
        charts.push((format!("work parts, {name}"), Box::new(parts(before))));
    };
    for n_ranks in [1, 2, 4, 10, 12, 32, 48, 64, 65, 512, 4096] {
        let before = skewed(n_ranks);
        let mean = before.iter().sum::<f64>() / f64::from(n_ranks);
        add(&format!("{n_ranks} ranks"), &before, &vec![mean; before.len()]);
    }
    let many = skewed(100_000);
    add("100000 ranks", &many, &many);
    add("nothing moved", &skewed(12), &skewed(12));
    for scale in [0.0, 1e-320, 1e-9, 3e-5, 0.02, 7e3, 3e4, 1e12, 1e299] {
        let loads: Vec<f64> = skewed(32).iter().map(|load| load * scale).collect();
        add(&format!("scale {scale:e}"), &loads, &[scale; 32]);
    }
    let mut huge = vec![0.0; 100];
    huge[70] = 1e5;
    add("one huge", &huge, &[1e3; 100]);
    let wide: Vec<f64> = (0..64).map(|i| 1e-6 * libm::pow(1.4, f64::from(i))).collect();
    add("wide", &wide, &wide);
    let near: Vec<f64> = (0..64).map(|i| 1.0 + f64::from(i) * 1e-12).collect();
    add("near", &near, &[1.0; 64]);

    let consecutive: Vec<u64> = (0..5000).collect();
    let some: [&[u64]; 6] =
        [&[0], &[1_234_567], &[3, 4], &[0, 10, 20, 40], &[9_999_999, 10_000_001], &consecutive];
    for numbers in some {
        for scale in [0.0, 1e-9, 0.1, 1e6] {
            let name = format!("{} phases from {}, scale {scale:e}", numbers.len(), numbers[0]);
            charts.push((format!("course, {name}"), Box::new(phases(numbers, scale))));
            if numbers.len() < 100 {
                charts.push((format!("heat map, {name}"), Box::new(heat_map(9, numbers.to_vec(), scale))));
            }
        }
    }
    for n_runs in [1, 3, 7] {
        charts.push((format!("course of {n_runs} runs"), Box::new(iterations(n_runs, 0.7))));
    }
    charts.push(("course by ratio".to_owned(), Box::new(TimeSeries { bound: Vec::new(), ..falling() })));
    for (n_ranks, size) in [(1, 1), (4, 1), (32, 1), (500, 1), (4096, 8), (10, 4)] {
        let name = format!("matrix, {n_ranks} ranks by {size}");
        charts.push((name, Box::new(matrix(n_ranks, size, 3e7))));
    }
    for scale in [0.0, 1e-6, 1.0, 1e12] {
        charts.push((format!("piles, scale {scale:e}"), Box::new(piles(scale))));
    }
    charts.push(("matrix of nothing".to_owned(), Box::new(matrix(3, 1, 0.0))));
    charts
}

/// Values that decrease by a factor of ten in each step.
fn falling() -> TimeSeries {
    let points = (0..8).map(|i| (i, libm::pow(10.0, 2.0 - i as f64))).collect();
    TimeSeries {
        series: vec![Series { name: "gap".to_owned(), state: State::After, values: points }],
        ..iterations(1, 0.5)
    }
}
