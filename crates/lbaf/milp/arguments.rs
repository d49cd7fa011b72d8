// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of `lbaf milp`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::arguments::{ConfigurationArgs, OverrideArgs, StepArgs};

#[derive(Debug, Args)]
pub(crate) struct MilpArgs {
    #[command(flatten)]
    pub(crate) files: ConfigurationArgs,
    /// Format of the program: the LP format of CPLEX, or free MPS. HiGHS, CBC, GLPK, SCIP and Gurobi read both.
    /// Default: that of the extension, `.lp` or `.mps`; lp on standard output.
    #[arg(long, value_name = "FORMAT", conflicts_with = "solution")]
    pub(crate) format: Option<ProgramFormat>,
    /// Formulation of the problem. Default: that of the strategy if it is `Milp`, else compact.
    #[arg(long, value_name = "FORMULATION")]
    pub(crate) formulation: Option<Formulation>,
    /// Keep the migratable objects of each block together, as with `whole_clusters` of `Milp`.
    #[arg(long)]
    pub(crate) whole_clusters: bool,
    /// Phase of the program. Default: the only one that the configuration balances.
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<u64>,
    /// Write the program to a file, uncompressed, instead of printing it.
    #[arg(short, long, value_name = "FILE", conflicts_with = "solution")]
    pub(crate) output: Option<PathBuf>,
    /// Also write start values for the solver: the placement found by the strategy of the configuration, as lines
    /// `name value` (a `.mst` file for Gurobi).
    #[arg(long, value_name = "FILE", conflicts_with = "solution")]
    pub(crate) start: Option<PathBuf>,
    /// Replace the files if they exist.
    #[arg(long, conflicts_with = "solution")]
    pub(crate) force: bool,
    /// Read the solution of a solver and continue as `lbaf run` does: a solution file of HiGHS, CBC, GLPK (`-o` or
    /// `-w`), SCIP or Gurobi, or lines `name value`.
    #[arg(long, value_name = "FILE")]
    pub(crate) solution: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    #[command(flatten)]
    pub(crate) steps: StepArgs,
}

/// Formats of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgramFormat {
    /// The LP format of CPLEX.
    Lp,
    /// Free MPS.
    Mps,
}

/// Formulations of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Formulation {
    /// The full work model, with the fewest columns and a good relaxation.
    Compact,
    /// Formulation of the CCM paper for load and memory only.
    Comcp,
    /// Formulation of the CCM paper with communication: columns for every edge and every pair of ranks.
    Fwmp,
}
