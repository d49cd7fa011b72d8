// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shares of parts: their target load and the most that they may have.

use super::graph::Graph;

/// A rank that takes no time for anything is so many times as fast as the fastest other.
const INSTANT: f64 = 1000.0;

/// Loads of parts.
#[derive(Clone, Debug)]
pub(super) struct Shares {
    /// What each should have: the same time on every rank, but where what cannot move takes longer.
    pub(super) targets: Vec<f64>,
    /// The most that each may have.
    pub(super) limits: Vec<f64>,
    /// The smallest difference of the two.
    slack: f64,
}

impl Shares {
    /// Shares of a graph's load. `alpha` is the seconds that each rank takes for a second of load, and `tolerance` says
    /// by which part of the mean a rank may take longer. O(ranks log ranks + vertices).
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

    /// Limits with room for one more of the largest vertices.
    pub(super) fn with_room(&self, graph: &Graph) -> Vec<f64> {
        let largest = largest(graph);
        self.limits.iter().map(|limit| limit + largest).collect()
    }

    /// Whether vertices are so large that keeping limits leaves hardly a move.
    pub(super) fn is_tight(&self, graph: &Graph) -> bool {
        largest(graph) > self.slack
    }

    /// How far parts are over their limits, beyond the rounding of sums.
    pub(super) fn excess(&self, graph: &Graph, parts: &[u32]) -> f64 {
        let mut loads = vec![0.0; self.limits.len()];
        for (&part, load) in parts.iter().zip(&graph.loads) {
            loads[part as usize] += load;
        }
        let over = loads.iter().zip(&self.limits).filter(|&(&load, &limit)| load > limit * (1.0 + 1e-9));
        over.map(|(load, limit)| load - limit).sum()
    }
}

/// The largest load that may move.
fn largest(graph: &Graph) -> f64 {
    graph.loads[..graph.n_free()].iter().copied().fold(0.0, f64::max)
}

/// The load for a unit of speed to which ranks are filled when `total` is shared out, given what they hold.
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

    /// What one of four ranks holds is more than its share: the others share the rest.
    #[test]
    fn what_cannot_move_leaves_less_to_others() {
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
