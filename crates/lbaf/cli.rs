// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::anomalies::AnomaliesArgs;
use crate::arguments::{CommonArgs, OverrideArgs};
use crate::convert::{ConvertArgs, ExtractArgs};
use crate::diff::DiffArgs;
use crate::info::InfoArgs;
use crate::make::MakeArgs;
use crate::milp::MilpArgs;
use crate::plot::PlotArgs;
use crate::progress::Verbosity;
use crate::provenance::ProvenanceArgs;
use crate::report::ReportArgs;
use crate::restore::RestoreArgs;
use crate::run::RunArgs;
use crate::simulate::SimulateArgs;
use crate::spec::SpecArgs;
use crate::strategies::StrategiesArgs;
use crate::study::StudyArgs;
use crate::tasks::TasksArgs;
use crate::validate::ValidateArgs;

/// What-if studies of load balancing on recorded task data.
#[derive(Debug, Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// LBAF's form of `lbaf run`: the configuration file. Default: conf.yaml in the working directory.
    #[arg(short = 'c', long = "configuration", value_name = "FILE")]
    pub(crate) configuration: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,

    /// List the quantities that a configuration can name before running it: 1 those of ranks, 2 those of objects
    /// too, 0 none. (`lbaf run -v` says what is being done instead.)
    #[arg(short = 'v', long = "verbosity", visible_alias = "verbose", value_name = "N", num_args = 0..=1, default_missing_value = "1")]
    pub(crate) verbosity: Option<u8>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

impl Cli {
    /// Whether the command polls the cancel token, and so ends by itself after an interrupt.
    pub(crate) fn polls_cancel(&self) -> bool {
        use Command::{Milp, Run, Simulate, Study};
        matches!(self.command, None | Some(Run(_) | Simulate(_) | Study(_) | Milp(_)))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Balance a recorded data set and write what comes of it: files, tables, charts.
    Run(RunArgs),
    /// Say what is in a data set or a statistics file: ranks, phases, objects, communication, imbalance, memory.
    Info(InfoArgs),
    /// Write a data set or a file in another form: text, any JSON generation, compressed or not; or its tables.
    Convert(ConvertArgs),
    /// Take phases out of a data set into a new one.
    Extract(ExtractArgs),
    /// List the objects of every rank, as YAML.
    Tasks(TasksArgs),
    /// Make a data set from a specification.
    Make(MakeArgs),
    /// Write a phase as a mixed-integer program for an exact solver, or read the answer of one.
    ///
    /// The program asks for the placement of least maximum work under the work model of the configuration, within its
    /// bounds. Its answer is judged as the result of a strategy is: outputs, tables and the distance from the bound are
    /// those of `lbaf run`. The program is the same for the same configuration, phase and options, so give the same
    /// ones with the answer. The strategy `Milp` solves small programs without another solver.
    Milp(MilpArgs),
    /// Draw the charts of a run again from its summary.
    Plot(PlotArgs),
    /// Make a page to explore a run: one HTML file that needs no network and can be sent to others.
    ///
    /// Several runs, for example of two strategies on the same data, are compared on one page.
    Report(ReportArgs),
    /// Say how much sooner a whole run ends: phase after phase with a placement that lasts until it is balanced again.
    ///
    /// The strategy is that of the configuration, as for `lbaf run`; its section `simulation` says how loads are predicted,
    /// when the run is balanced, and what it pays for that. Beside it stand the run as it was recorded, the run that is never
    /// balanced, the one that knows the next phase, and the bound.
    Simulate(SimulateArgs),
    /// Run a configuration over a grid of choices, in parallel, and compare: strategies, parameters, seeds, phases, data.
    ///
    /// Each cell is kept under the digest of all that decides it, so that a study goes on where it was interrupted, and
    /// grows without computing anything twice. Exit code 1 if some cells failed; the others have their results.
    Study(StudyArgs),
    /// Tell noise from imbalance that stays: anomalous times of tasks, slow ranks and nodes.
    ///
    /// Every time of every object is judged by what is usual for it. What anomalies add to the imbalance of a phase is noise,
    /// which no balancer can foresee; what the mean loads of a placement have is persistent, and can be balanced away.
    Anomalies(AnomaliesArgs),
    /// Write and read the provenance database of Chimbuko, say what is in one, and compare two.
    Provenance(ProvenanceArgs),
    /// Say which phases a specification or an LB configuration file of vt is about.
    Spec(SpecArgs),
    /// Say which strategies there are, or what one does: every parameter with its default and its meaning.
    Strategies(StrategiesArgs),
    /// Compare two data sets, or two placements of one: what moved and what changed.
    ///
    /// Objects are compared by their ids: ranks, loads and memory; communication by its two ends, all types
    /// added up; blocks (at home on the first rank that has them where files do not say), ranks, nodes and
    /// phases. Subphases, iterations and keys that are not used here are not compared. Exit codes: 0 equal, 1
    /// different, above 1 trouble.
    Diff(DiffArgs),
    /// Check files against their schema and say everything that is wrong, with its place.
    Validate(ValidateArgs),
    /// Put the old files of a directory back after a command was killed while it replaced them.
    ///
    /// Every command that writes into the directory does so first; commands that read there refuse until it is done. Nothing
    /// is to be done where no command was killed in these moments.
    Restore(RestoreArgs),
}

/// How much to say.
pub(crate) fn verbosity(quiet: bool, verbose: bool) -> Verbosity {
    match (quiet, verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    }
}
