// SPDX-License-Identifier: MIT OR Apache-2.0
//! Presentation of runs: charts, paper tables, pictures of objects on ranks, and HTML pages.
//!
//! [`illustrate`] adds charts, tables and pictures to the outputs of a run before publication;
//! [`simulation::illustrate`] and [`study::illustrate`] do so for simulations and studies.
//!
//! [`SavedRun`] is a finished run: [`redraw`](redraw::redraw) draws its charts again or compares runs, and
//! [`page::of_runs`] creates an HTML page. [`SavedResults`] is a finished study or simulation, for [`study_page`] and
//! [`simulation_page`].
//!
//! Charts and tables depend only on the [`Summary`](lbaf_run::summary::Summary) and the CSV tables of a run, so a
//! redrawn chart is the same. Functions add the files they read to [`Inputs`](lbaf_writer::Inputs), which outputs never
//! replace.
//!
//! ```
//! use lbaf_config::{Layers, Overrides, resolve};
//! use lbaf_report::{SavedRun, illustrate, page};
//! use lbaf_run::{Prepared, Silent};
//! use lbaf_strategies::Cancel;
//! use lbaf_writer::Inputs;
//!
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("run.yaml");
//! std::fs::write(&file, "
//! from_samplers:
//!   n_ranks: 4
//!   n_objects: 100
//!   n_mapped_ranks: 2
//!   load_sampler: {name: uniform, parameters: [0.5, 1.5]}
//! algorithm: {name: Greedy}
//! output_dir: output
//! plots: {formats: [svg], charts: [rank_loads]}
//! ")?;
//! let overrides = Overrides::default();
//! let layers = Layers::read(&[file], &overrides.set)?;
//! let config = resolve(&layers, &overrides)?;
//!
//! let mut prepared = Prepared::new(config, layers, &overrides, true, &Silent)?;
//! let staging = prepared.staging(&Silent)?;
//! let balanced = prepared.balance(&Silent, &Cancel::new())?;
//! let mut outputs = prepared.write(&balanced, staging, &Silent)?;
//! illustrate(&mut outputs, &Silent)?;
//! let mut inputs: Inputs = prepared.files().into_iter().collect();
//! outputs.publish(&inputs)?;
//!
//! let output_dir = directory.path().join("output");
//! assert!(std::fs::read_to_string(output_dir.join("plots/rank_loads.svg"))?.starts_with("<svg"));
//!
//! // The remaining code only reads the files of the run.
//! let runs = [SavedRun::read(&output_dir, &mut inputs)?];
//! let names = page::names(&runs);
//! let (page, _) = page::of_runs(&runs, names, &mut inputs, &Silent)?;
//! assert_eq!(page.runs[0].name, "Greedy");
//! assert!(page.to_html()?.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod charts;
mod csv_table;
mod error;
mod illustration;
mod output_kind;
pub mod page;
pub mod paper_tables;
pub mod pictures;
pub mod problem;
pub mod redraw;
mod saved_results;
mod saved_run;
pub mod simulation;
pub mod simulation_page;
mod statistics;
pub mod study;
pub mod study_page;

pub use error::ReportError;
pub use illustration::illustrate;
pub use output_kind::OutputKind;
pub use saved_results::SavedResults;
pub use saved_run::{SavedRun, directory_of};
pub use statistics::statistics;
