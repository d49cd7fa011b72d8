// SPDX-License-Identifier: MIT OR Apache-2.0
//! Target load and load limit of each part.

use super::graph::Graph;

/// Assumed speed of a rank with `alpha` 0, relative to the fastest other rank.
const INSTANT: f64 = 1000.0;

/// Target loads and load limits of parts.
#[derive(Clone, Debug)]
pub(super) struct Shares {
    /// Target load of each part. All ranks then take the same time, except ranks whose anchored load takes longer.
    pub(super) targets: Vec<f64>,
    /// Largest permitted load of each part.
    pub(super) limits: Vec<f64>,
    /// Smallest difference between the limit of a part and its share of the load by speed, ignoring anchored loads.
    slack: f64,
}

impl Shares {
    /// Computes the shares of ranks with the given `alpha`. O(ranks log ranks + vertices).
    ///
    /// `tolerance` is the permitted excess over the mean load, as a fraction of the mean.
    pub(super) fn new(graph: &Graph, alpha: &[f64], tolerance: f64) -> Self {
        let fastest = alpha.iter().copied().filter(|&alpha| alpha > 0.0).fold(f64::INFINITY, f64::min);
        let fastest = if fastest.is_finite() { fastest } else { 1.0 };
        let speeds: Vec<f64> = alpha.iter().map(|alpha| fastest / alpha.max(fastest / INSTANT)).collect();
        let mut held = vec![0.0; alpha.len()];
        for (vertex, part) in graph.anchored() {
            held[part as usize] += graph.loads[vertex];
        }
        let total = graph.total_load();
        let mean = total / speeds.iter().sum::<f64>();
        let level = level(&speeds, &held, total);
        let targets = held.iter().zip(&speeds).map(|(held, speed)| held.max(level * speed)).collect();
        let limits: Vec<f64> = held
            .iter()
            .zip(&speeds)
            .map(|(held, speed)| held.max(mean * speed * (1.0 + tolerance)))
            .collect();
        let slack = speeds.iter().map(|speed| mean * speed * tolerance).fold(f64::INFINITY, f64::min);
        Shares { targets, limits, slack }
    }

    /// Returns the limits increased by the load of the largest vertex.
    pub(super) fn with_room(&self, graph: &Graph) -> Vec<f64> {
        let largest = largest(graph);
        self.limits.iter().map(|limit| limit + largest).collect()
    }

    /// True if a vertex has more load than the slack. Few moves are then possible.
    pub(super) fn is_tight(&self, graph: &Graph) -> bool {
        largest(graph) > self.slack
    }

    /// Returns the total load above limits, ignoring rounding errors.
    pub(super) fn excess(&self, graph: &Graph, parts: &[u32]) -> f64 {
        let mut loads = vec![0.0; self.limits.len()];
        for (&part, load) in parts.iter().zip(&graph.loads) {
            loads[part as usize] += load;
        }
        let over = loads.iter().zip(&self.limits).filter(|&(&load, &limit)| load > limit * (1.0 + 1e-9));
        over.map(|(load, limit)| load - limit).sum()
    }
}

/// Returns the largest load of a vertex that can move.
fn largest(graph: &Graph) -> f64 {
    graph.loads[..graph.n_free()].iter().copied().fold(0.0, f64::max)
}

/// Returns the load per unit of speed of the ranks that receive load, after an even distribution.
///
/// Ranks whose anchored load (`held`) exceeds this level receive none. `total` includes the anchored load.
fn level(speeds: &[f64], held: &[f64], total: f64) -> f64 {
    let mut ranks: Vec<usize> = (0..speeds.len()).collect();
    ranks.sort_by(|&a, &b| (held[b] / speeds[b]).total_cmp(&(held[a] / speeds[a])));
    let (mut load, mut speed) = (total, speeds.iter().sum::<f64>());
    for rank in ranks {
        if held[rank] <= speeds[rank] * load / speed {
            break;
        }
        load -= held[rank];
        speed -= speeds[rank];
    }
    (load / speed).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Part 2 has more anchored load than its share, so the other parts share the remaining load.
    #[test]
    fn anchored_load_reduces_the_targets_of_other_parts() {
        let graph = Graph::new(vec![1.0, 1.0, 1.0, 3.0], vec![2], &[]);
        let shares = Shares::new(&graph, &[1.0; 4], 0.1);
        assert_eq!(shares.targets, [1.0, 1.0, 3.0, 1.0]);
        assert_eq!(shares.limits, [1.5 * 1.1, 1.5 * 1.1, 3.0, 1.5 * 1.1]);
    }

    #[test]
    fn slow_ranks_get_less() {
        let graph = Graph::new(vec![3.0], vec![], &[]);
        assert_eq!(Shares::new(&graph, &[1.0, 2.0], 0.0).targets, [2.0, 1.0]);
        let shares = Shares::new(&graph, &[0.0, 1.0], 0.0);
        assert!(shares.targets[0] > 2.99 && shares.targets[1] > 0.0);
    }
}
