// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line.

mod anomalies;
mod files;
mod milp;
mod provenance;
mod shared;
mod study;

use std::path::PathBuf;

pub(crate) use anomalies::AnomaliesArgs;
use clap::{Args, Parser, Subcommand};
pub(crate) use files::{ConvertArgs, ExtractArgs, FileArgs, Form, IdForm};
use lbaf_config::Overrides;
use lbaf_reader::FileName;
pub(crate) use milp::{Formulation, MilpArgs, ProgramFormat};
pub(crate) use provenance::{
    CompareArgs, DumpArgs, ExportArgs, ImportArgs, ObjectKind, ProvenanceArgs, ProvenanceCommand,
};
pub(crate) use shared::CommonArgs;
use shared::{
    ConfigurationArgs, DataArgs, JsonArg, OutputDirArg, QualityArg, ReplaceFilesArg, ReplaceOutputArg,
    StemArg, StepArgs, SuffixArg,
};
pub(crate) use study::{MergeArgs, StudyArgs, StudyCommand, StudyOverrideArgs};

use crate::progress::Verbosity;

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

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// Directories of results or data.
    #[arg(value_name = "DIR", required = true)]
    pub(crate) directories: Vec<PathBuf>,
    /// Also if the command may still run (on another machine, or on a file system that cannot tell) or was another user's. A
    /// damaged journal is given up: all files stay, also those that it moved away.
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Changes to the configuration.
#[derive(Clone, Debug, Args)]
pub(crate) struct OverrideArgs {
    /// Change a key of the configuration, for example `--set algorithm.parameters.pool=excess`. Paths are
    /// relative to the last configuration file, as in it.
    #[arg(long, value_name = "KEY.PATH=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    output: OutputDirArg,
    /// Seed of everything that is random.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    data: SuffixArg,
    /// Phases to read, for example `3`, `0-10`, `0-3,7`, `%100 -3 3` or `all`.
    #[arg(long, value_name = "PHASES", allow_negative_numbers = true)]
    phases: Option<String>,
    /// Print the summary as JSON instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
}

impl From<&OverrideArgs> for Overrides {
    fn from(args: &OverrideArgs) -> Self {
        let OverrideArgs { set, output, seed, data, phases, .. } = args.clone();
        let (OutputDirArg { output_dir }, SuffixArg { suffix }) = (output, data);
        Overrides { set, output_dir, seed, suffix, phases }
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Configuration files; later ones override earlier ones.
    #[arg(required_unless_present = "more", value_name = "CONFIG")]
    pub(crate) configurations: Vec<PathBuf>,
    /// A further configuration file, in LBAF's form.
    #[arg(short = 'c', long = "configuration", value_name = "FILE", hide = true)]
    pub(crate) more: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    #[command(flatten)]
    pub(crate) steps: StepArgs,
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Path of the data files up to the rank: `dir/data` for `dir/data.0.json`, `dir/data.1.json`, ..; or an LB
    /// statistics file.
    #[arg(value_name = "STEM")]
    pub(crate) stem: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) output_form: JsonArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MakeArgs {
    /// The specification, a YAML or JSON file: `from_samplers` draws a data set, `tasks` and `ranks` list one
    /// as for LBAF's data maker.
    #[arg(value_name = "SPEC")]
    pub(crate) spec: PathBuf,
    /// Path of the files to make, up to the rank.
    #[arg(value_name = "STEM")]
    pub(crate) stem: PathBuf,
    /// Seed of the samples, 0 if not given.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) brotli_quality: QualityArg,
    /// Write plain JSON instead of brotli.
    #[arg(long)]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(crate) replace: ReplaceFilesArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) files: ConfigurationArgs,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    #[command(flatten)]
    pub(crate) steps: StepArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TasksArgs {
    #[command(flatten)]
    pub(crate) data_set: StemArg,
    /// The phase. Default: the last one.
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<u64>,
    /// The iteration of the phase, where its `lb_iterations` are recorded. Default: the last one; `none` takes the
    /// phase itself.
    #[arg(long, value_name = "N")]
    pub(crate) iteration: Option<String>,
    /// Leave out objects that may not migrate.
    #[arg(long)]
    pub(crate) migratable: bool,
    /// Write to a file instead of printing.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) replace: ReplaceOutputArg,
    #[command(flatten)]
    pub(crate) data: SuffixArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    /// The output directory of a run; of several, to lay their results over each other.
    #[arg(value_name = "RUN_DIR", required = true)]
    pub(crate) run_dirs: Vec<PathBuf>,
    /// What legends call several runs, in the same order. Default: their strategies.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) names: Option<Vec<String>>,
    /// Where charts of several runs go, under `plots` and `tables`.
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Formats to draw: svg, pdf, png. Default: as in the run.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',')]
    pub(crate) formats: Option<Vec<lbaf_plot::Format>>,
    /// Charts to draw, by name, or `all`. Default: as in the run.
    #[arg(long, value_name = "CHART", value_delimiter = ',')]
    pub(crate) charts: Option<Vec<String>>,
    /// Phases that get charts of their own, for example `0-3, 7`. Default: as in the run.
    #[arg(long, value_name = "PHASES")]
    pub(crate) phases: Option<String>,
    /// Width of a column or of two: `one_column` or `two_column`. Default: as in the run.
    #[arg(long, value_name = "WIDTH")]
    pub(crate) width: Option<lbaf_plot::Width>,
    /// Height in millimetres, 30 to 250. Default: as in the run.
    #[arg(long, value_name = "MM")]
    pub(crate) height: Option<f64>,
    /// Size of the labels of axes in points, 5 to 16. Default: as in the run.
    #[arg(long, value_name = "PT")]
    pub(crate) font_size: Option<f64>,
    /// `colour` or `grey`. Default: as in the run.
    #[arg(long, value_name = "PALETTE")]
    pub(crate) palette: Option<lbaf_plot::Palette>,
    /// Draw titles: what a caption would say.
    #[arg(long)]
    pub(crate) titles: bool,
    /// Write charts for LaTeX too, with the package pgfplots.
    #[arg(long)]
    pub(crate) pgfplots: bool,
    /// Dots per inch of PNG files. Default: as in the run.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(36..=1200))]
    pub(crate) dpi: Option<u32>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The output directory of a run; further ones are compared with it.
    #[arg(value_name = "RUN_DIR", required = true)]
    pub(crate) run_dirs: Vec<PathBuf>,
    /// Where the page goes. Default: report.html in the directory of the first run.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) replace: ReplaceOutputArg,
    /// What the runs are called, in their order. Default: their strategies, or their directories where those do not
    /// differ.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) names: Option<Vec<String>>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SpecArgs {
    /// The file: lines like `%100 -3 3`, when output is enabled, or `%10 GreedyLB`, which balancer runs when.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Phases to tell of, for example `0-500`. Default: from 0 to the last that the file names, to the end of two
    /// periods, and to 100 at least.
    #[arg(long, value_name = "PHASES", allow_negative_numbers = true)]
    pub(crate) phases: Option<String>,
    /// Print JSON instead of text, with all ranges.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StrategiesArgs {
    /// The strategy, by any of its names. Default: a list of all.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print a section for a configuration instead, with all defaults.
    #[arg(long, requires = "name", conflicts_with = "json")]
    pub(crate) yaml: bool,
    /// Print the parameters as a JSON Schema, with defaults; of all strategies with their names.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// One data set: path of its files up to the rank.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// The other, for example the output of a run: its directory and `output_file_stem`.
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// Phases to compare, for example `3`, `0-10`, `%100 -3 3` or `all`.
    #[arg(long, value_name = "PHASES", default_value = "all", allow_negative_numbers = true)]
    pub(crate) phases: String,
    /// Suffix of the data files of both, where several match a stem.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix: Option<String>,
    /// Suffix of the data files of A.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix_a: Option<String>,
    /// Suffix of the data files of B.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix_b: Option<String>,
    /// How many objects that differ to show, 0 for none.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    /// Print JSON with everything that differs instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command are independent")]
pub(crate) struct ValidateArgs {
    /// Files, directories, or paths of data files up to the rank.
    #[arg(value_name = "PATH", required_unless_present = "print_schema")]
    pub(crate) paths: Vec<PathBuf>,
    /// Check too that every object which communication names has a task in the same phase, in any file of its
    /// data set: those of one directory, stem and suffix.
    #[arg(long)]
    pub(crate) strict_links: bool,
    /// Check what vt itself would crash on or misread; what only breaks the schema is a warning then.
    #[arg(long)]
    pub(crate) vt: bool,
    /// Suffix of the files of directories and stems.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix: Option<String>,
    /// Show so many findings of each file. Default: 20, with --json all.
    #[arg(long, value_name = "N", conflicts_with = "all")]
    pub(crate) limit: Option<usize>,
    /// Show all findings.
    #[arg(long)]
    pub(crate) all: bool,
    /// Print JSON instead of lines.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the schema of a type, LBDatafile or LBStatsfile, as a JSON Schema, and check nothing.
    #[arg(long, value_name = "TYPE", conflicts_with = "paths")]
    pub(crate) print_schema: Option<lbaf_vom::DocumentType>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// What may stand behind the rank in the name of a file.
fn suffix(text: &str) -> Result<String, String> {
    let begins_well = text.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if begins_well && FileName::is_suffix(text) && !text.contains(['/', '\\']) {
        return Ok(text.to_owned());
    }
    Err("a suffix is a word like `json` or `json.br`, without the dot before it and without a number between dots"
        .to_owned())
}

/// How much to say.
pub(crate) fn verbosity(quiet: bool, verbose: bool) -> Verbosity {
    match (quiet, verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    }
}
