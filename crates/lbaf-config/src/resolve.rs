// SPDX-License-Identifier: MIT OR Apache-2.0
//! Resolution of configurations: from written keys to settings of a run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lbaf_model::{DataSet, WorkModel};
use lbaf_plot::Style;
use lbaf_reader::{AbsentEndpoints, FileName, NodeRule};
use lbaf_strategies::WorkByArguments;
use lbaf_synth::SynthError;
use lbaf_text::number::counted;
use lbaf_vom::CommunicationKind;

use super::all_errors::{Kind, all_errors};
use super::error::{Keyed, Listed};
use super::logging::Logging;
use super::raw::{self, Configuration, RanksPerNode};
use super::settings::Settings;
use super::strategies::{Strategies, map_stem, permutation_file, strategies};
use super::{
    Balancing, Invocation, Layers, MachineConfig, Origin, Overrides, Plots, RunConfig, Selection,
    SimulationConfig, Stem, Visualization, machine, plots, work_model,
};
use crate::ConfigError;
use crate::yaml::{self, Node, Value};

const SAMPLERS: &str = "from_samplers";

/// Checks layers and converts them to the settings of a run. Errors show the file, line and column.
///
/// # Errors
/// If keys or values are invalid, or a file that the configuration names cannot be read. One error lists up to 20
/// invalid keys and values.
pub fn resolve(layers: &Layers, overrides: &Overrides) -> Result<RunConfig, ConfigError> {
    let resolved = |layers: &Layers| resolve_tree(layers, overrides);
    resolved(layers).map_err(|error| all_errors(error, layers, resolved, Kind::Run).0)
}

/// Resolves the tree, or returns its first error.
fn resolve_tree(layers: &Layers, overrides: &Overrides) -> Result<RunConfig, ConfigError> {
    let mut tree = layers.tree.clone();
    let settings = Settings::take(&mut tree);
    check_stem(&tree).map_err(|error| layers.error(&error))?;
    let raw: Configuration = yaml::from_node(&tree).map_err(|error| layers.error(&error))?;
    let at = |path: &str, message: String| layers.error(&tree.error_at(path, message));
    let in_list = |path: &str, (position, message): (usize, String)| {
        let place = tree.nearest_place(&format!("{path}.{position}"));
        layers.error(&yaml::Error::new(message, place).within(&format!("{path}[{position}]")))
    };
    let origin = origin(&raw, &tree, layers, overrides).map_err(|error| layers.error(&error))?;
    let mut notes = layers.notes.clone();
    let plots = match &raw.plots {
        raw::Plots::None => None,
        raw::Plots::Some(settings) => {
            let charts = plots::charts(settings).map_err(|error| in_list("plots.charts", error))?;
            let plots = plots::plots(settings, charts, raw.tables.width());
            Some(plots.map_err(|(key, message)| at(&format!("plots.{key}"), message))?)
        }
    };
    let visualization = raw.visualization.as_ref();
    let visualization = visualization
        .map(|section| picture(section, &raw, plots.as_ref(), layers, &mut notes))
        .transpose()
        .map_err(|(key, message)| at(&format!("visualization.{key}"), message))?;
    let seed = overrides.seed.or(raw.seed);
    let strategies = strategies(&raw.algorithm, settings, seed, layers, &tree)?;
    let mut other_inputs: Vec<PathBuf> =
        strategies.all().into_iter().filter_map(permutation_file).map(|file| layers.path(file)).collect();
    other_inputs.extend(strategies.balancers().map(|balancers| balancers.file.clone()));
    other_inputs.extend(SimulationConfig::schedule_file(&raw.simulation).map(|file| layers.path(file)));
    let map = strategies.all().into_iter().find_map(|strategy| map_stem(strategy, layers));
    let mut stems: Vec<&Path> = map.iter().map(|stem| &*stem.path).collect();
    if let Origin::Files(stem) = &origin {
        stems.push(&stem.path);
    }
    let logging = Logging::new(raw.logging_level, raw.log_to_file.as_deref(), &stems, &other_inputs, layers)
        .map_err(|message| at("log_to_file", message))?;
    // For synthetic data, the defaults of the absent section `from_data` apply.
    let reading = raw.from_data.clone().unwrap_or_default();
    let nodes = match (&origin, reading.ranks_per_node) {
        (Origin::Samplers(spec), _) => NodeRule::RanksPerNode(spec.ranks_per_node),
        (Origin::Files(_), RanksPerNode::Number(ranks)) => NodeRule::RanksPerNode(ranks),
        (Origin::Files(_), RanksPerNode::FromFiles) => NodeRule::FromFiles,
    };
    let mut warnings = without_effect(&raw, overrides);
    let (model, model_parameters) = work(&raw.work_model, &strategies, nodes, &mut warnings, layers, &tree)?;
    let machine = MachineConfig::new(&raw.simulation.machine, &raw.work_model, nodes, &strategies)
        .map_err(|(key, message)| layers.error(&machine::at(&tree, &key, message)))?;
    let phases = match &overrides.phases {
        Some(text) => Selection::parse(text)
            .map_err(|message| ConfigError::Invalid(format!("--phases: {message}").into()))?,
        None => reading.phase_ids.clone(),
    };
    Ok(RunConfig {
        origin,
        check_schema: raw.check_schema,
        phases,
        memory_bytes: overrides.memory_bytes.unwrap_or(lbaf_reader::DEFAULT_MEMORY_BYTES),
        communication_kinds: communication_kinds(&reading)
            .map_err(|error| in_list("from_data.communication_types", error))?,
        absent_endpoints: match reading.absent_endpoints {
            raw::AbsentEndpoints::Drop => AbsentEndpoints::Drop,
            raw::AbsentEndpoints::Home => AbsentEndpoints::Home,
        },
        subphases: reading.subphases,
        nodes,
        rank_alpha: raw.work_model.parameters.rank_alpha.clone(),
        model,
        model_parameters,
        strategies,
        map,
        other_inputs,
        output_file_stem: raw.output_file_stem.clone(),
        balancing: Balancing::new(&raw.algorithm).map_err(|(path, message)| at(&path, message))?,
        seed: seed.unwrap_or(0),
        output_dir: match (&overrides.output_dir, &raw.output_dir) {
            (Some(directory), _) => directory.clone(),
            (None, Some(written)) => layers.path(written),
            (None, None) => Path::new(".").to_path_buf(),
        },
        object_quantities: raw.write_json.as_ref().is_some_and(|write| write.object_quantities),
        files: raw
            .write_json
            .as_ref()
            .map(|write| files(write, &raw.output_file_stem))
            .transpose()
            .map_err(|(key, message)| at(&format!("write_JSON.{key}"), message))?,
        plots,
        visualization,
        denoise: raw.denoise.labelling().map_err(|(key, message)| at(&format!("denoise.{key}"), message))?,
        simulation: SimulationConfig::new(&raw.simulation, machine, layers)
            .map_err(|(key, message)| at(&format!("simulation.{key}"), message))?,
        logging,
        invocation: invocation(layers, overrides),
        notes,
        warnings,
        summary_notes: Vec::new(),
    })
}

/// Returns the configured work model, and its parameters for the summary.
fn work(
    raw: &raw::WorkModel,
    strategies: &Strategies,
    nodes: NodeRule,
    warnings: &mut Vec<String>,
    layers: &Layers,
    tree: &Node,
) -> Result<work_model::Described, ConfigError> {
    let at = |path: &str, message: String| layers.error(&tree.error_at(path, message));
    for (&rank, &alpha) in &raw.parameters.rank_alpha {
        if !(alpha >= 0.0 && alpha.is_finite()) {
            let message = format!("rank {rank}: alpha must be a finite number from 0, not {alpha}");
            return Err(at("work_model.parameters.rank_alpha", message));
        }
    }
    if names_model(tree) {
        warnings.extend(overruled(strategies));
    }
    let bounds = work_model::upper_bounds(raw, nodes).map_err(|(name, message)| {
        let path = format!("work_model.parameters.upper_bounds.{name}");
        layers.error(&tree.error_at_key(&path, message))
    })?;
    work_model::work_model(raw, bounds, nodes, warnings)
        .map_err(|(key, message)| at(&format!("work_model.parameters.{key}"), message))
}

/// True if the configuration defines a work model.
fn names_model(tree: &Node) -> bool {
    tree.get("work_model").is_some_and(|node| node.value != Value::Null)
}

/// Returns warnings about arguments of strategies that `work_model` overrides.
fn overruled(strategies: &Strategies) -> Vec<String> {
    let mut sentences = Vec::new();
    for strategy in strategies.all() {
        let Ok(Some(WorkByArguments { given, .. })) = strategy.work_by_arguments() else { continue };
        if !given.is_empty() {
            let keys: Vec<&str> = given.iter().map(|&(key, _)| key).collect();
            sentences.push(format!(
                "ignored arguments of {}: {}; `work_model` defines work, and its `upper_bounds` limit the memory \
                 of a rank",
                strategy.name(),
                keys.join(", ")
            ));
        }
    }
    sentences.dedup();
    sentences
}

/// Applies the work model that arguments of the strategies for `phases` define, unless the configuration has a
/// `work_model`. Returns a note on the applied model; `None` if the work model stays.
///
/// # Errors
/// If coefficients are invalid, or the arguments for two phases define different models.
pub fn work_by_arguments(
    run: &mut RunConfig,
    phases: impl Iterator<Item = u64>,
    layers: &Layers,
) -> Result<Option<String>, ConfigError> {
    let mut found: Option<(WorkByArguments, &str)> = None;
    for phase in phases.filter(|_| !names_model(&layers.tree)) {
        let Some(strategy) = run.strategies.at(phase) else { continue };
        let model =
            strategy.work_by_arguments().map_err(|error| run.strategies.refused(phase, error, layers))?;
        let Some(work) = model else { continue };
        match &found {
            Some((other, _)) if other.parameters != work.parameters => {
                let message = "these arguments and those of an earlier phase define different work models, so \
                               results are not comparable; add a section `work_model`";
                return Err(run.strategies.error_at(phase, message, layers));
            }
            Some(_) => {}
            None => found = Some((work, strategy.name())),
        }
    }
    let Some((WorkByArguments { parameters, given }, name)) =
        found.filter(|(work, _)| !work.given.is_empty())
    else {
        return Ok(None);
    };
    (run.model, run.model_parameters) = work_model::of_arguments(parameters);
    let machine = &mut run.simulation.machine;
    let bounds_nothing = if machine.model.take().is_some() {
        machine.node_bytes = None;
        "; `ranks_per_node` and `node_memory` of `simulation.machine` have no effect without a section `work_model`"
    } else {
        ""
    };
    let given: Vec<String> = given.iter().map(|(key, value)| format!("{key} {value}")).collect();
    Ok(Some(format!(
        "work is defined by the arguments of {name}, in all phases: CCM with {} (the configuration has no work model){bounds_nothing}",
        given.join(", ")
    )))
}

/// Checks that the work of a rank cannot overflow in any placement.
///
/// # Errors
/// If the work can overflow: an error at the section `work_model` or, without this section, about the data.
pub fn check_work(model: &dyn WorkModel, data: &DataSet, layers: &Layers) -> Result<(), ConfigError> {
    let check = |phase| lbaf_model::check_work(phase, model).err();
    let Some(error) = data.phases().iter().find_map(check) else { return Ok(()) };
    let message = error.to_string();
    Err(if names_model(&layers.tree) {
        layers.error(&layers.tree.error_at("work_model", message))
    } else {
        ConfigError::Data(message)
    })
}

/// Returns the files and the options of the command line, as written, without `--output-dir`.
fn invocation(layers: &Layers, overrides: &Overrides) -> Invocation {
    let Overrides { set, output_dir: _, seed, suffix, phases, memory_bytes: _ } = overrides;
    let flags = [
        seed.map(|seed| format!("--seed {seed}")),
        suffix.as_ref().map(|suffix| format!("--suffix {suffix}")),
        phases.as_ref().map(|phases| format!("--phases {phases}")),
    ];
    let set = set.iter().map(|assignment| format!("--set {assignment}"));
    Invocation {
        files: layers.files.iter().map(|file| file.display().to_string()).collect(),
        overrides: set.chain(flags.into_iter().flatten()).collect(),
    }
}

/// Returns the origin of the data: exactly one of `from_data` and `from_samplers`.
fn origin(
    raw: &Configuration,
    tree: &Node,
    layers: &Layers,
    overrides: &Overrides,
) -> Result<Origin, yaml::Error> {
    match (&raw.from_data, &raw.from_samplers) {
        (Some(from_data), None) => Ok(Origin::Files(Stem {
            as_written: from_data.data_stem.clone(),
            path: layers.path(&from_data.data_stem),
            suffix: overrides.suffix.clone().or_else(|| from_data.suffix.clone()),
            expected_ranks: from_data.expected_ranks,
        })),
        (None, Some(spec)) => match spec.validate() {
            Ok(()) => Ok(Origin::Samplers(Box::new(spec.clone()))),
            Err(error) => Err(refused(tree.get(SAMPLERS).unwrap_or(tree), &error).within(SAMPLERS)),
        },
        (Some(_), Some(_)) => Err(tree.error_at(
            SAMPLERS,
            format!("`from_data` and `{SAMPLERS}` exclude each other; keep one of them"),
        )),
        (None, None) => {
            let message = format!("`from_data` (recorded data) or `{SAMPLERS}` (synthetic data) is missing");
            Err(tree.error_at("", message))
        }
    }
}

/// Returns an error about a specification of a data set, at the invalid value or, if that is absent, the nearest
/// enclosing value.
pub fn refused(specification: &Node, error: &SynthError) -> yaml::Error {
    yaml::Error::new(error.to_string(), specification.nearest_place(&error.key()))
}

/// Returns warnings about keys and options that have no effect on synthetic data.
fn without_effect(raw: &Configuration, overrides: &Overrides) -> Vec<String> {
    let is_drawn = raw.from_samplers.is_some();
    let mut warnings = Vec::new();
    if is_drawn && raw.check_schema {
        warnings.push("`check_schema` has no effect: synthetic data have no files to check".to_owned());
    }
    if is_drawn && overrides.suffix.is_some() {
        warnings.push("--suffix has no effect: synthetic data have no files to find".to_owned());
    }
    warnings
}

fn communication_kinds(raw: &raw::FromData) -> Listed<Vec<CommunicationKind>> {
    let names = match &raw.communication_types {
        raw::CommunicationTypes::All => return Ok(CommunicationKind::NAMED.to_vec()),
        raw::CommunicationTypes::Named(names) => names,
    };
    let known: Vec<&str> = CommunicationKind::NAMED.into_iter().map(CommunicationKind::name).collect();
    let kind = |(position, name): (usize, &String)| {
        let found = yaml::meant(name, &known).map(CommunicationKind::from_name);
        found.ok_or_else(|| {
            let instead = yaml::instead(name, &known);
            (position, format!("`{name}` is not a communication type (`all` means all of them){instead}"))
        })
    };
    names.iter().enumerate().map(kind).collect()
}

/// Rejects file names with path separators or NUL, and invalid suffixes of data files.
fn check_stem(tree: &Node) -> Result<(), yaml::Error> {
    for path in ["output_file_stem", "write_JSON.suffix"] {
        if let Some(Node { value: Value::String(name), .. }) = tree.get(path)
            && name.contains(['/', '\\', '\0'])
        {
            let why = if name.contains('\0') {
                ", which cannot contain NUL"
            } else {
                ", which cannot contain `/` or `\\`; set the directory with `output_dir`"
            };
            return Err(tree.error_at(path, format!("{name:?} is used in file names{why}")));
        }
    }
    let suffix = tree.get("write_JSON.suffix").and_then(|node| match &node.value {
        Value::String(suffix) => Some(suffix.trim_start_matches('.')),
        _ => None,
    });
    if let Some(suffix) = suffix.filter(|suffix| !FileName::is_suffix(suffix)) {
        let why = "a number between dots would be read as the rank, and no part between dots may be empty";
        return Err(tree.error_at(
            "write_JSON.suffix",
            format!("{suffix:?} is not a valid suffix of data files: {why}"),
        ));
    }
    Ok(())
}

fn files(raw: &raw::WriteJson, stem: &str) -> Keyed<lbaf_writer::Options> {
    const DEFAULT_QUALITY: u32 = 5;
    if raw.quality.is_some_and(|quality| quality > 11) {
        return Err(("quality".to_owned(), "brotli quality must be from 0 to 11".to_owned()));
    }
    Ok(lbaf_writer::Options {
        stem: stem.to_owned(),
        suffix: raw.suffix.as_deref().unwrap_or("json").trim_start_matches('.').to_owned(),
        brotli_quality: raw.compressed.then(|| raw.quality.unwrap_or(DEFAULT_QUALITY)),
        communications: raw.communications.unwrap_or(true),
        offline_lb_compatible: raw.offline_lb_compatible,
        empty_ranks: match raw.empty_ranks {
            raw::EmptyRanks::Insert => lbaf_writer::EmptyRanks::Insert,
            raw::EmptyRanks::Refuse => lbaf_writer::EmptyRanks::Refuse,
            raw::EmptyRanks::Warn => lbaf_writer::EmptyRanks::Warn,
        },
        lb_iterations: raw.lb_iterations,
    })
}

/// Returns the settings of LBAF's picture of objects. Configured formats and resolution of charts also apply to it.
fn picture(
    raw: &raw::Visualization,
    all: &Configuration,
    plots: Option<&Plots>,
    layers: &Layers,
    notes: &mut Vec<String>,
) -> Keyed<Visualization> {
    let names_formats = matches!(&all.plots, raw::Plots::Some(settings) if settings.formats.is_some());
    let formats = plots.filter(|_| names_formats).map(|plots| &plots.formats[..]);
    let dpi = plots.map_or(Style::default().png_dpi, |plots| plots.style.png_dpi);
    let mut visualization = Visualization::new(raw, formats, dpi, &all.output_file_stem, notes)?;
    // Both directories are as configured: if `--output-dir` moves the outputs, the pictures move with them.
    let output_dir =
        all.output_dir.as_ref().map_or_else(|| PathBuf::from("."), |written| layers.path(written));
    let directory = raw.output_visualization_dir.as_ref();
    let directory = directory.map_or_else(|| output_dir.clone(), |written| layers.path(written));
    notes.extend(visualization.put_into(&directory, &output_dir));
    Ok(visualization)
}

/// Checks that the ranks in `rank_alpha` exist.
///
/// # Errors
/// At the first rank that is not in the data.
pub fn check_rank_alpha(
    rank_alpha: &BTreeMap<u32, f64>,
    n_ranks: usize,
    layers: &Layers,
) -> Result<(), ConfigError> {
    match rank_alpha.keys().find(|&&rank| rank as usize >= n_ranks) {
        Some(rank) => {
            let message = format!(
                "there is no rank {rank}; the data have {}, numbered from 0",
                counted(n_ranks, "rank")
            );
            let path = format!("work_model.parameters.rank_alpha.{rank}");
            Err(layers.error(&layers.tree.error_at(&path, message)))
        }
        None => Ok(()),
    }
}
