// SPDX-License-Identifier: MIT OR Apache-2.0
//! A study in a program: computes missing cells, compares them, and writes the results with charts.
#![allow(clippy::print_stdout, reason = "an example that prints")]

use lbaf::config::StudyConfig;
use lbaf::report;
use lbaf::run::study::Study;
use lbaf::run::{Silent, staging};
use lbaf::strategies::Cancel;
use lbaf::writer::Inputs;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = StudyConfig::read("examples/study.yaml".as_ref(), &[], None)?;
    let study = Study::open(config, &Silent)?;
    study.compute(&Silent, &Cancel::new())?;
    let results = study.results()?;
    if let Some(error) = results.cells.iter().find_map(|cell| cell.error.as_deref()) {
        return Err(error.into());
    }
    for (at, name) in results.competitors.iter().enumerate() {
        let median = results.group(0, at).and_then(|group| results.median(group, "load_imbalance"));
        if let Some(median) = median {
            println!("{name}: median imbalance {:.3} of {} cells", median.value, median.n);
        }
    }
    let mut outputs = results.write(staging(&study.config.output_dir, &Silent)?)?;
    report::study::illustrate(&mut outputs, &Silent)?;
    let inputs: Inputs = study.files().into_iter().collect();
    outputs.publish(&inputs)?;
    println!("tables and charts are in {}", study.config.output_dir.display());
    Ok(())
}
