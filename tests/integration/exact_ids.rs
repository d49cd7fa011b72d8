// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ids are 64-bit integers; many above 2^53 have no exact double.

use crate::vom::{list, one_phase, phase, send, task};
use crate::workspace::Workspace;

/// 2^64 - 1, 2^64 - 3, 2^53 + 3 and 2^53 + 1. No double is equal to any of them.
const IDS: [u64; 4] =
    [18_446_744_073_709_551_615, 18_446_744_073_709_551_613, 9_007_199_254_740_995, 9_007_199_254_740_993];

const CONFIGURATION: &str = "
from_data: {data_stem: data}
algorithm: {name: RotateLB}
output_dir: out
write_JSON: {compressed: false}
plots: none
";

#[test]
fn ids_above_2_to_the_53_are_exact() {
    let workspace = Workspace::new();
    let tasks: Vec<_> = IDS.into_iter().map(|id| task(id, 0, 1.0)).collect();
    let edges = [send((IDS[0], 0), (IDS[1], 0), 4.0), send((IDS[2], 0), (IDS[3], 0), 8.0)];
    workspace.write("data.0.json", one_phase(0, &tasks, &edges));
    workspace.write("data.1.json", one_phase(1, &[], &[]));
    workspace.write("run.yaml", CONFIGURATION);
    workspace.succeed(&["run", "run.yaml"]);

    // Four objects and two edges: no two ids were confused.
    let result = &workspace.json("out/summary.json")["phases"][0];
    assert_eq!((&result["n_objects"], &result["n_edges"]), (&4.into(), &2.into()));

    let migrations = workspace.text("out/migrations.csv");
    let mut migrated: Vec<u64> = migrations
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(2).expect("the third column is the object").parse().expect("a number"))
        .collect();
    migrated.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(migrated, IDS);

    let written = workspace.json("out/output_file.1.json");
    let ids: Vec<_> = list(phase(&written, 0), "tasks").iter().map(|task| &task["entity"]["id"]).collect();
    assert_eq!(ids, IDS);
    let senders: Vec<_> =
        list(phase(&written, 0), "communications").iter().map(|entry| &entry["from"]["id"]).collect();
    assert_eq!(senders, [IDS[0], IDS[2]]);
}
