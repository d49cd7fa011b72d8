// SPDX-License-Identifier: MIT OR Apache-2.0
//! Balances every phase with LPT, prints the imbalance before and after, and writes files that vt can read.
#![allow(clippy::print_stdout, reason = "an example that prints")]

use lbaf::model::{Assignment, LoadOnly, Phase, Statistics, rank_totals};
use lbaf::reader::{Request, read_stem};
use lbaf::strategies::{Context, Lpt, NoObserver, Problem, run};
use lbaf::writer::{Inputs, Options, Placement, Reassigned, Staging, write};

fn imbalance(phase: &Phase, placement: &Assignment) -> f64 {
    Statistics::of(rank_totals(phase, placement).iter().map(|rank| rank.load)).imbalance()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let request = Request { records: true, ..Request::default() };
    let recorded = read_stem("examples/machine/data".as_ref(), &request)?;
    let (strategy, model) = (Lpt::default(), LoadOnly::default());
    let mut placements = Vec::new();
    for phase in recorded.data.phases() {
        let problem = Problem::recorded(phase, &model, recorded.data.keys());
        let balanced = run(&strategy, &problem, &mut Context::new(42, phase.id().0, &mut NoObserver))?;
        let placement = balanced.outcome.assignment;
        let [before, after] = [problem.initial, &placement].map(|placement| imbalance(phase, placement));
        println!("phase {}: imbalance {before:.3} before, {after:.3} after", phase.id());
        placements.push(Placement::new(phase.id(), placement));
    }
    let staging = Staging::new("output/balanced".as_ref())?;
    let reassigned = Reassigned::new(&recorded, &placements).expect("records were requested");
    write(&reassigned, &Options::default(), &staging, &|| ())?;
    staging.publish(None, &Inputs::none(), &[])?;
    Ok(())
}
