// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::anomalies::AnomaliesArgs;
use crate::arguments::{CommonArgs, OverrideArgs};
use crate::compare::CompareArgs;
use crate::config::ConfigArgs;
use crate::convert::{ConvertArgs, ExtractArgs};
use crate::diff::DiffArgs;
use crate::info::InfoArgs;
use crate::init::InitArgs;
use crate::make::MakeArgs;
use crate::milp::MilpArgs;
use crate::plot::PlotArgs;
use crate::progress::Verbosity;
use crate::provenance::ProvenanceArgs;
use crate::report::ReportArgs;
use crate::restore::RestoreArgs;
use crate::run::RunArgs;
use crate::shell::{CompletionsArgs, ManArgs};
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

    /// Configuration file to run, as with LBAF; the same as `lbaf run FILE`. Default: conf.yaml in the working
    /// directory.
    #[arg(short = 'c', long = "configuration", value_name = "FILE")]
    pub(crate) configuration: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,

    /// Before the run, list the quantities that a configuration can name: 0 none, 1 those of ranks, 2 those of
    /// ranks and objects. (`lbaf run -v` reports each step instead.)
    #[arg(short = 'v', long = "verbosity", visible_alias = "verbose", value_name = "N", num_args = 0..=1, default_missing_value = "1")]
    pub(crate) verbosity: Option<u8>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

impl Cli {
    /// True if the command polls the cancel token and thus ends on its own after an interrupt.
    pub(crate) fn polls_cancel(&self) -> bool {
        use Command::{Compare, Milp, Run, Simulate, Study};
        matches!(self.command, None | Some(Run(_) | Simulate(_) | Study(_) | Compare(_) | Milp(_)))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Balance a recorded data set and write the results: data files, tables and charts.
    Run(RunArgs),
    /// Describe a data set or a statistics file: ranks, phases, objects, communication, imbalance, memory.
    Info(InfoArgs),
    /// Print a commented configuration that fits a data set, or write it to a file.
    Init(InitArgs),
    /// Convert a data set or a file to text, to any JSON generation, or to tables; or change the compression.
    Convert(ConvertArgs),
    /// Extract phases of a data set into a new one.
    Extract(ExtractArgs),
    /// List the objects of every rank as YAML.
    Tasks(TasksArgs),
    /// Generate a data set from a specification.
    Make(MakeArgs),
    /// Write a phase as a mixed-integer program for an exact solver, or read the solution of a solver.
    ///
    /// The program minimizes the maximum work under the work model of the configuration and its upper bounds. The
    /// solution is evaluated like the result of a strategy, with the outputs, tables and gap of `lbaf run`. The
    /// program depends on the configuration, the phase and the options, so use the same ones to read the solution.
    /// The strategy `Milp` solves small programs without another solver.
    Milp(MilpArgs),
    /// Redraw the charts and tables of a run from its outputs, or overlay those of several runs.
    Plot(PlotArgs),
    /// Write a page for exploring a run, a study or a simulation: one HTML file that needs no network and can be sent to
    /// others.
    ///
    /// Several runs, for example of two strategies on the same data, are compared on one page. The page of a study has
    /// the ranking, medians, Pareto fronts, a heat map over two axes and all cells; that of a simulation has the times
    /// of its scenarios over the phases.
    Report(ReportArgs),
    /// Simulate the time of a whole run, in which each placement lasts until the next balancing.
    ///
    /// The strategy is that of the configuration, as for `lbaf run`. The section `simulation` of the configuration
    /// sets the prediction of loads, the phases after which the run is balanced, and the cost of balancing. The result
    /// is compared with the run as recorded, the run without balancing, the run with perfect knowledge of the next
    /// phase, and the lower bound.
    Simulate(SimulateArgs),
    /// Run a configuration over a grid of strategies, parameters, seeds, phases or data, in parallel, and compare the
    /// results.
    ///
    /// Each cell is cached under a hash of all its inputs. An interrupted study therefore resumes, and an extended
    /// study computes only its new cells. The exit code is 1 if some cells failed; the results of all other
    /// cells are written.
    ///
    /// Several processes may compute the same study in the same output directory, also on several machines with a
    /// common file system: they share the cells, compute those of killed processes, and one writes the results.
    Study(StudyArgs),
    /// Compare strategies on a data set: a study that needs no configuration.
    ///
    /// Tables and charts are those of `lbaf study`. The exit code is 1 if a strategy failed or reached the time limit;
    /// the results of all other strategies are written.
    Compare(CompareArgs),
    /// Find anomalous times of tasks, slow ranks and slow nodes, and separate noise from persistent imbalance.
    ///
    /// Each time of an object is compared with the typical time of that object. The imbalance due to anomalies is
    /// noise, which no balancer can foresee. The imbalance of the mean loads is persistent, and balancing can
    /// remove it.
    Anomalies(AnomaliesArgs),
    /// Write, read, summarize and compare provenance databases of Chimbuko.
    Provenance(ProvenanceArgs),
    /// List the phases that a specification or an LB configuration file of vt selects.
    Spec(SpecArgs),
    /// List the strategies, or describe one with the default and the meaning of every parameter.
    Strategies(StrategiesArgs),
    /// Compare two data sets, or two placements of one, and list moves and changes.
    ///
    /// Objects are matched by their ids, and their ranks, loads and memory are compared. Communication is compared
    /// by its two endpoints, summed over all types. Memory blocks, ranks, nodes and phases are compared too; the
    /// home of a block without a recorded home is the lowest rank with a task of the block. Subphases, iterations and
    /// keys that lbaf does not use are not compared. Exit codes: 0 equal, 1 different, above 1 error.
    Diff(DiffArgs),
    /// Check configurations, and data files against their schema, and report errors with their positions.
    Validate(ValidateArgs),
    /// Print the JSON Schemas of configurations, with which editors complete and check them.
    Config(ConfigArgs),
    /// Print completions for a shell; in bash, `source <(lbaf completions bash)` activates them.
    Completions(CompletionsArgs),
    /// Print the manual page of lbaf, or write those of all commands into a directory.
    Man(ManArgs),
    /// Restore the old files of a directory after a command was killed while it replaced them.
    ///
    /// A command that writes into the directory restores them first; a command that reads there ends with an error
    /// until they are restored. In all other cases there is nothing to restore.
    Restore(RestoreArgs),
}

/// Returns the verbosity that the options select.
pub(crate) fn verbosity(quiet: bool, verbose: bool) -> Verbosity {
    match (quiet, verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    }
}
