// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layers: configuration files on top of each other, with the command line on top.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use lbaf_external::Processes;
use lbaf_reader::{is_pipe, is_there};
use lbaf_strategies::StrategyName;

use super::old_keys;
use crate::ConfigError;
use crate::OwnStrategies;
use crate::yaml::{self, Node, Sources, Value};

/// Changes of the configuration on the command line.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `key.path=value`, in order.
    pub set: Vec<String>,
    /// Directory of all outputs.
    pub output_dir: Option<PathBuf>,
    /// Seed of all random streams.
    pub seed: Option<u64>,
    /// Suffix of the data files.
    pub suffix: Option<String>,
    /// Phases to read, in the notation of the configuration.
    pub phases: Option<String>,
}

/// A configuration merged from layers, with the texts of its sources for error messages.
#[derive(Clone)]
pub struct Layers {
    /// The configuration as a tree.
    pub tree: Node,
    sources: Sources,
    /// All files, lowest layer first.
    pub files: Vec<PathBuf>,
    /// The `global.yaml` among them.
    pub global: Option<PathBuf>,
    /// Directory for relative paths in the configuration.
    pub directory: PathBuf,
    /// Keys of older LBAF versions that were converted: one sentence each.
    pub notes: Vec<String>,
    /// Processes of external strategies, shared by all configurations made from these layers.
    pub processes: Arc<Processes>,
    /// Strategies of the program for use in the configuration.
    pub(crate) own_strategies: OwnStrategies,
}

const GLOBAL: &str = "global.yaml";

impl Layers {
    /// Reads the files; later files override earlier ones. If there is a `global.yaml` next to the last file,
    /// or else in the working directory, it is the lowest layer. `set` is the highest layer.
    ///
    /// # Errors
    /// If a file cannot be read or is not valid YAML, or if an assignment is malformed.
    pub fn read(files: &[PathBuf], set: &[String]) -> Result<Self, ConfigError> {
        Self::read_with(files, set, Sources::default())
    }

    /// Makes strategies of the program available to the configuration.
    #[must_use]
    pub fn with_own_strategies(self, own_strategies: OwnStrategies) -> Self {
        Layers { own_strategies, ..self }
    }

    fn read_with(files: &[PathBuf], set: &[String], mut sources: Sources) -> Result<Self, ConfigError> {
        let directory = files.last().map_or(Path::new(""), |last| directory_of(last)).to_path_buf();
        let global = [directory.join(GLOBAL), PathBuf::from(GLOBAL)].into_iter().find(|path| is_there(path));
        let global = global.filter(|global| !files.contains(global));
        let mut notes = Vec::new();
        let mut tree: Option<Node> = None;
        for path in global.iter().chain(files) {
            let layer = read_file(path, &mut sources)?;
            tree = Some(match tree {
                Some(mut base) => {
                    forget(&mut base, &layer);
                    notes.extend(forget_gamma(&mut base, &layer));
                    yaml::merge(base, layer)
                }
                None => layer,
            });
        }
        let tree = tree.ok_or_else(|| ConfigError::Invalid("no configuration file was given".to_owned()))?;
        let files = global.iter().chain(files).cloned().collect();
        let processes = processes(&directory);
        let own_strategies = OwnStrategies::default();
        let layers = Layers { tree, sources, files, global, directory, notes, processes, own_strategies };
        let layers = set.iter().try_fold(layers, |layers, assignment| layers.set(assignment))?;
        layers.renewed()
    }

    /// Converts keys of older LBAF versions to the current ones.
    pub(super) fn renewed(mut self) -> Result<Self, ConfigError> {
        let mut tree = self.tree.clone();
        self.renew(&mut tree)?;
        self.tree = tree;
        Ok(self)
    }

    fn renew(&mut self, tree: &mut Node) -> Result<(), ConfigError> {
        let is_drawn = [&*tree, &self.tree].iter().any(|tree| tree.get("from_samplers").is_some());
        let notes = old_keys::renew(tree, is_drawn).map_err(|error| rendered(&self.sources, &error))?;
        self.notes.extend(notes);
        Ok(())
    }

    /// Adds an assignment `key.path=value` of the command line on top.
    pub(super) fn set(mut self, assignment: &str) -> Result<Self, ConfigError> {
        let Layers { tree, sources, notes, .. } = &mut self;
        let mut change = Node { value: Value::Mapping(Vec::new()), place: tree.place };
        yaml::set(&mut change, assignment, sources).map_err(|error| rendered(sources, &error))?;
        forget(tree, &change);
        notes.extend(forget_gamma(tree, &change).filter(|_| assignment.starts_with(MODEL)));
        yaml::set(tree, assignment, sources).map_err(|error| rendered(sources, &error))?;
        Ok(self)
    }

    /// Reads one file without any other layer.
    ///
    /// # Errors
    /// If the file cannot be read or is not valid YAML.
    pub fn alone(file: &Path) -> Result<Self, ConfigError> {
        let mut sources = Sources::default();
        let tree = read_file(file, &mut sources)?;
        let directory = directory_of(file).to_path_buf();
        let files = vec![file.to_path_buf()];
        let processes = processes(&directory);
        let own_strategies = OwnStrategies::default();
        let notes = Vec::new();
        Ok(Layers { tree, sources, files, global: None, directory, notes, processes, own_strategies })
    }

    /// Creates the base configuration of a study from the files that the study names, and adds the sources of
    /// the study. Paths in these files become relative to the study.
    pub(super) fn for_study(written: &[String], study: Layers) -> Result<Self, ConfigError> {
        let Layers { tree, sources, files: of_study, directory, processes, .. } = study;
        let files: Vec<PathBuf> = written.iter().map(|file| without_detours(&directory.join(file))).collect();
        let mut layers = if let Some(last) = written.last() {
            let mut layers = Self::read_with(&files, &[], sources)?;
            rebase(&mut layers.tree, last);
            layers
        } else {
            let tree = Node { value: Value::Mapping(Vec::new()), place: tree.place };
            let (directory, notes) = (PathBuf::new(), Vec::new());
            let processes = Arc::clone(&processes);
            let own_strategies = OwnStrategies::default();
            Layers { tree, sources, files, global: None, directory, notes, processes, own_strategies }
        };
        layers.files.extend(of_study);
        layers.directory = directory;
        layers.processes = processes;
        Ok(layers)
    }

    /// Adds a change on top, like a further file.
    pub(super) fn over(mut self, change: &Node) -> Result<Self, ConfigError> {
        // Keys are first converted to current names, so that the change also overrides a key that a lower layer
        // has under another name.
        let mut change = change.clone();
        self.renew(&mut change)?;
        forget(&mut self.tree, &change);
        self.notes.extend(forget_gamma(&mut self.tree, &change));
        let empty = Node { value: Value::Null, place: self.tree.place };
        self.tree = yaml::merge(std::mem::replace(&mut self.tree, empty), change);
        Ok(self)
    }

    /// Reads a further file of a study as a change. Paths in it become relative to the study. `node` is the
    /// value that names the file.
    pub(super) fn read_over(&mut self, written: &str, node: &Node) -> Result<Node, ConfigError> {
        let path = without_detours(&self.directory.join(written));
        if !is_there(&path) {
            let message = format!("there is no configuration {}", path.display());
            return Err(self.error(&yaml::Error::new(message, node.place)));
        }
        let mut tree = read_file(&path, &mut self.sources)?;
        self.renew(&mut tree)?;
        rebase(&mut tree, written);
        self.files.push(path);
        Ok(tree)
    }

    /// Renders an error with the faulty line of its source.
    pub fn error(&self, error: &yaml::Error) -> ConfigError {
        rendered(&self.sources, error)
    }

    /// Parses a text of arguments `key=value ..`.
    pub(super) fn arguments(&self, node: &Node) -> Result<Node, yaml::Error> {
        yaml::arguments(node, &self.sources)
    }

    /// Returns a path of the configuration relative to the working directory.
    pub fn path(&self, written: &str) -> PathBuf {
        without_detours(&self.directory.join(written))
    }
}

const NAME: &str = "algorithm.name";
const LB_CONFIG: &str = "algorithm.lb_config";
const SETTINGS: [&str; 2] = ["algorithm.parameters", "algorithm.args"];

/// Removes the parameters and arguments of a strategy from lower layers if a higher layer names another
/// strategy. A strategy for all phases in a higher layer replaces an LB configuration file in a lower one, and
/// vice versa.
fn forget(base: &mut Node, layer: &Node) {
    let strategy = |name: &Node| match &name.value {
        Value::String(name) => name.parse::<StrategyName>().ok(),
        _ => None,
    };
    let given = |path| layer.get(path).filter(|node| node.value != Value::Null);
    let (name, lb_config) = (given(NAME), given(LB_CONFIG));
    let another = |name: &Node| {
        let same = |base: &Node| {
            base.value == name.value || strategy(base).is_some() && strategy(base) == strategy(name)
        };
        base.get(NAME).is_some_and(|base| !same(base))
    };
    let gives_way = name.is_none() && lb_config.is_some();
    if gives_way || name.is_some_and(another) {
        for settings in SETTINGS {
            base.take(settings);
        }
    }
    if gives_way {
        base.take(NAME);
    } else if name.is_some() && lb_config.is_none() {
        base.take(LB_CONFIG);
    }
}

const MODEL: &str = "work_model.name";

/// Removes gamma from lower layers if a higher layer names another work model, because gamma is a constant in
/// one model and a factor on a volume in the other. Returns a note if it was removed. All other parameters have
/// the same meaning in all models.
fn forget_gamma(base: &mut Node, layer: &Node) -> Option<String> {
    const GAMMA: &str = "work_model.parameters.gamma";
    let model = |name: &Node| match &name.value {
        Value::String(name) => yaml::meant(name, &["AffineCombination", "CCM"]),
        _ => None,
    };
    let (above, below) = (layer.get(MODEL).and_then(model)?, base.get(MODEL).and_then(model)?);
    if above == below {
        return None;
    }
    base.take(GAMMA).filter(|_| layer.get(GAMMA).is_none())?;
    Some(format!("`{GAMMA}` is ignored: it was given for {below}, and has another meaning in {above}"))
}

fn read_file(path: &Path, sources: &mut Sources) -> Result<Node, ConfigError> {
    let bytes = lbaf_reader::read_file_or_pipe(path)
        .map_err(|source| ConfigError::File { path: path.to_path_buf(), source })?;
    let source = sources.add_bytes(path.display().to_string(), &bytes);
    source.and_then(|source| yaml::parse(source, sources)).map_err(|error| rendered(sources, &error))
}

/// Creates the manager of external processes. Their commands run in the directory of the configuration.
fn processes(directory: &Path) -> Arc<Processes> {
    Arc::new(Processes::new(without_detours(directory)))
}

/// Returns the directory for relative paths in a configuration: the directory of its file, or the working
/// directory for a pipe.
fn directory_of(file: &Path) -> &Path {
    file.parent().filter(|_| !is_pipe(file)).unwrap_or(Path::new(""))
}

fn rendered(sources: &Sources, error: &yaml::Error) -> ConfigError {
    ConfigError::Invalid(sources.render(error).trim_end().to_owned())
}

/// Keys with paths relative to the directory of the configuration.
const PATHS: [&str; 8] = [
    "from_data.data_stem",
    "log_to_file",
    LB_CONFIG,
    "algorithm.parameters.permutation",
    "algorithm.parameters.map",
    "algorithm.parameters.map.data_stem",
    "simulation.schedule.specification",
    "visualization.output_visualization_dir",
];

/// Prepends the directory of a configuration file to the paths in it, so that they are relative to the same
/// directory as the name of the file.
fn rebase(tree: &mut Node, file: &str) {
    let Some(directory) = Path::new(file).parent() else { return };
    for path in PATHS {
        if let Some(Node { value: Value::String(written), .. }) = tree.get_mut(path) {
            *written = without_detours(&directory.join(&*written)).display().to_string();
        }
    }
}

/// Removes detours from a path: shortens `configs/../output` to `output` if both are the same directory.
pub(super) fn without_detours(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        let detour = part == Component::ParentDir
            && matches!(straight.components().next_back(), Some(Component::Normal(_)))
            && !straight.is_symlink();
        match part {
            Component::CurDir => {}
            _ if detour => drop(straight.pop()),
            part => straight.push(part),
        }
    }
    if straight.as_os_str().is_empty() { PathBuf::from(".") } else { straight }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_are_left_out_of_paths() {
        let cases = [
            ("configs/../output", "output"),
            ("a/b/../../c", "c"),
            ("../data/x", "../data/x"),
            ("./a/./b", "a/b"),
            ("a/..", "."),
            ("/a/../b", "/b"),
        ];
        for (path, expected) in cases {
            assert_eq!(without_detours(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}
