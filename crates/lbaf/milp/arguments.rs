// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of `lbaf milp`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::arguments::{ConfigurationArgs, OverrideArgs, StepArgs};

#[derive(Debug, Args)]
pub(crate) struct MilpArgs {
    #[command(flatten)]
    pub(crate) files: ConfigurationArgs,
    /// Form of the file: the LP format of CPLEX, or free MPS. HiGHS, CBC, GLPK, SCIP and Gurobi read both. Default: as the
    /// name of the file ends, `.lp` or `.mps`; lp on standard output.
    #[arg(long, value_name = "FORMAT", conflicts_with = "solution")]
    pub(crate) format: Option<ProgramFormat>,
    /// How the problem is written down. Default: that of the strategy if it is `Milp`, else compact.
    #[arg(long, value_name = "FORMULATION")]
    pub(crate) formulation: Option<Formulation>,
    /// Objects of one block that may migrate stay together, as with `whole_clusters` of `Milp`.
    #[arg(long)]
    pub(crate) whole_clusters: bool,
    /// The phase. Default: the only one that the configuration balances.
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<u64>,
    /// Write the program to a file instead of printing it; it is not compressed.
    #[arg(short, long, value_name = "FILE", conflicts_with = "solution")]
    pub(crate) output: Option<PathBuf>,
    /// Write a start for the solver too: the placement that the strategy of the configuration finds, as lines `name
    /// value` (a `.mst` file for Gurobi).
    #[arg(long, value_name = "FILE", conflicts_with = "solution")]
    pub(crate) start: Option<PathBuf>,
    /// Replace the files if they are there.
    #[arg(long, conflicts_with = "solution")]
    pub(crate) force: bool,
    /// Read the answer of a solver and go on as `lbaf run` does: a solution file of HiGHS, CBC, GLPK (`-o` or `-w`),
    /// SCIP or Gurobi, or lines `name value`.
    #[arg(long, value_name = "FILE")]
    pub(crate) solution: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    #[command(flatten)]
    pub(crate) steps: StepArgs,
}

/// Forms of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgramFormat {
    /// The LP format of CPLEX.
    Lp,
    /// Free MPS.
    Mps,
}

/// Ways of writing a problem down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Formulation {
    /// Everything, with the fewest columns and a good relaxation.
    Compact,
    /// That of the CCM paper for load and memory alone.
    Comcp,
    /// That of the CCM paper with communication: columns for every edge and every two ranks.
    Fwmp,
}
