// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers that a run writes about a placement: `ranks.csv` and the moments in `summary.json`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::workspace::Workspace;

pub(super) type Phases = BTreeMap<u64, Figures>;

/// Numbers of one phase by name. Numbers of ranks are named `<rank> <column>`.
#[derive(Default)]
pub(super) struct Figures(BTreeMap<String, f64>);

const MOMENTS: [&str; 5] = ["sum", "min", "mean", "max", "imbalance"];

impl Figures {
    /// Reads the numbers of the results of strategies.
    pub(super) fn after(workspace: &Workspace, directory: &str) -> Phases {
        phases(workspace, directory, "after")
    }

    /// Reads the numbers of initial placements.
    pub(super) fn before(workspace: &Workspace, directory: &str) -> Phases {
        phases(workspace, directory, "before")
    }

    /// Returns a number of a rank, by the name of its column without the side.
    pub(super) fn of_rank(&self, rank: usize, column: &str) -> f64 {
        self.0[&format!("{rank} {column}")]
    }

    /// Returns the first number that differs, except numbers whose names contain an ignored word.
    /// Sums over edges, and work, may differ in their last bits, which depend on the order of files.
    pub(super) fn difference(&self, other: &Figures, ignored: &[&str]) -> Option<String> {
        assert!(self.0.keys().eq(other.0.keys()), "the same ranks and columns");
        let scale = |name: &str| {
            let of_ranks = |name: &String| name.ends_with("work") || name.ends_with("_bytes");
            let size = |(_, value): (&String, &f64)| value.abs();
            if name.contains("work")
                || name.contains("sent")
                || name.contains("received")
                || name.contains("excess")
            {
                let largest = self.0.iter().filter(|(name, _)| of_ranks(name)).map(size).fold(1.0, f64::max);
                1e-12 * largest
            } else {
                0.0
            }
        };
        let is_compared = |name: &str| !ignored.iter().any(|word| name.contains(word));
        let differs = |(name, value): &(&String, &f64)| (*value - other.0[*name]).abs() > scale(name);
        let first = self.0.iter().filter(|(name, _)| is_compared(name)).find(differs);
        first.map(|(name, value)| {
            format!("{name} is {value} as printed and {} when read again", other.0[name])
        })
    }
}

fn phases(workspace: &Workspace, directory: &str, side: &str) -> Phases {
    let mut phases = Phases::new();
    let table = workspace.text(&format!("{directory}/ranks.csv"));
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().expect("a header").split(',').collect();
    for line in lines {
        let phase = line.split(',').next().and_then(|cell| cell.parse().ok()).expect("the number of a phase");
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        let figures = &mut phases.entry(phase).or_default().0;
        for (column, cell) in columns.iter().zip(&cells).skip(2) {
            let name = match (column.rsplit_once('_'), *column) {
                (Some((name, time)), _) if time == side => name,
                (_, "node" | "alpha") => column,
                _ => continue,
            };
            figures.insert(format!("{} {name}", cells[1]), *cell);
        }
    }
    let summary = workspace.json(&format!("{directory}/summary.json"));
    for phase in summary["phases"].as_array().expect("a list") {
        let figures = &mut phases.entry(phase["phase"].as_u64().expect("a number")).or_default().0;
        for (quantity, value) in phase[side].as_object().expect("an object") {
            let mut add = |name: String, value: &Value| {
                figures.extend(value.as_f64().map(|value| (name, value)));
            };
            match value.as_object() {
                Some(moments) => {
                    for moment in MOMENTS {
                        add(format!("{quantity} {moment}"), &moments[moment]);
                    }
                }
                None => add(quantity.clone(), value),
            }
        }
    }
    phases
}
