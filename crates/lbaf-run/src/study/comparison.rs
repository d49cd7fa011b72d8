// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of competitors: costs, placings and Pareto fronts.

use lbaf_study::{Placing, on_front, placings};

use super::quantity::StudyQuantity;
use super::results::StudyResults;

impl StudyResults<'_> {
    /// Returns the placing of each competitor over all problems, by the median of the objective.
    pub fn placings(&self) -> Vec<Placing> {
        placings(&self.objectives(&self.reported.objective))
    }

    /// Returns the costs by problem and competitor: the median of the objective, where less is better. A cost is
    /// `None` if a cell is missing, failed or lacks the objective. It is infinite if the competitor exceeds upper
    /// bounds of the work model that another competitor satisfies.
    pub fn objectives(&self, objective: &StudyQuantity) -> Vec<Vec<Option<f64>>> {
        let of = |problem: usize, competitor: usize| {
            let group = self.group(problem, competitor).filter(|group| group.n_failed == 0)?;
            if self.exceeds_kept_bounds(group) {
                return Some(f64::INFINITY);
            }
            Some(objective.cost(self.median(group, objective.name)?.value))
        };
        let competitors = 0..self.competitors.len();
        (0..self.problems.len())
            .map(|problem| competitors.clone().map(|competitor| of(problem, competitor)).collect())
            .collect()
    }

    /// Returns a flag for each [`Group`](super::Group), the repetitions of a competitor on a problem: true
    /// if it is on the Pareto front of its problem. `points` has for each group the values of `quantities`, then
    /// further values that are better if smaller. Groups with failed cells are not on the front, nor those that
    /// exceed upper bounds that another competitor satisfies.
    pub fn on_fronts(&self, quantities: &[StudyQuantity], points: &[Vec<Option<f64>>]) -> Vec<bool> {
        let mut is_on = vec![false; points.len()];
        let mut by_problem: Vec<Vec<usize>> = vec![Vec::new(); self.problems.len()];
        for (place, group) in self
            .groups
            .iter()
            .enumerate()
            .filter(|(_, group)| group.n_failed == 0 && !self.exceeds_kept_bounds(group))
        {
            by_problem[group.problem].push(place);
        }
        let costs = |&place: &usize| -> Vec<Option<f64>> {
            let cost = |(at, value): (usize, &Option<f64>)| {
                let value = (*value)?;
                Some(quantities.get(at).map_or(value, |quantity| quantity.cost(value)))
            };
            points[place].iter().enumerate().map(cost).collect()
        };
        for places in by_problem {
            let of_problem: Vec<Vec<Option<f64>>> = places.iter().map(costs).collect();
            for (place, on) in places.into_iter().zip(on_front(&of_problem)) {
                is_on[place] = on;
            }
        }
        is_on
    }
}
