// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layers: configuration files, each over the previous one, with the command line on top.

mod paths;
mod precedence;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lbaf_external::Processes;
use lbaf_reader::{is_pipe, is_there};

use self::paths::rebase;
pub(super) use self::paths::without_detours;
use self::precedence::{MODEL, forget, forget_gamma};
use super::old_keys;
use crate::ConfigError;
use crate::OwnStrategies;
use crate::error::Invalid;
use crate::yaml::{self, Node, Place, Sources, Value};

/// Changes of the configuration on the command line.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Assignments `key.path=value`; later ones take precedence.
    pub set: Vec<String>,
    /// Directory of all outputs.
    pub output_dir: Option<PathBuf>,
    /// Seed that replaces the configured one.
    pub seed: Option<u64>,
    /// Suffix of the data files.
    pub suffix: Option<String>,
    /// Phases to read, in the notation of the configuration.
    pub phases: Option<String>,
    /// Limit on the memory of the run in bytes, if the caller knows one.
    pub memory_bytes: Option<u64>,
}

/// Configuration merged from layers, with the texts of its sources for error messages.
#[derive(Clone)]
pub struct Layers {
    /// Configuration as a tree.
    pub tree: Node,
    sources: Sources,
    /// All files, lowest layer first, then those of a study; empty for a configuration from a text.
    pub files: Vec<PathBuf>,
    /// The `global.yaml` among `files`.
    pub global: Option<PathBuf>,
    /// Directory for relative paths in the configuration.
    pub directory: PathBuf,
    /// Notes on converted keys of older LBAF versions, one sentence each.
    pub notes: Vec<String>,
    /// Processes of external strategies, shared by all configurations from these layers.
    pub processes: Arc<Processes>,
    /// Strategies of the program.
    pub(crate) own_strategies: OwnStrategies,
}

const GLOBAL: &str = "global.yaml";

impl Layers {
    /// Reads files; later ones override earlier ones. A `global.yaml` next to the last file, or else in the working
    /// directory, is the lowest layer unless it is one of `files`. `set` is the highest layer.
    ///
    /// # Errors
    /// If no file is given, if a file cannot be read or is not valid YAML, if an assignment is malformed, or if a key
    /// of an older LBAF version cannot be converted.
    pub fn read(files: &[PathBuf], set: &[String]) -> Result<Self, ConfigError> {
        Self::read_with(files, set, Sources::default())
    }

    /// Parses a configuration in YAML or JSON. `name` replaces the file name in error messages. Relative paths are
    /// relative to `directory`. No `global.yaml` is read. `set` is the highest layer.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use lbaf_config::{Layers, Overrides, resolve};
    ///
    /// let text = r#"{"from_data": {"data_stem": "data"}, "algorithm": {"name": "Gready"}}"#;
    /// let layers = Layers::of_text("<dict>", text, Path::new("runs"), &[])?;
    /// let error = resolve(&layers, &Overrides::default()).err().expect("misspelt").to_string();
    /// assert!(error.starts_with("<dict>:1:60: "), "{error}");
    /// # Ok::<(), lbaf_config::ConfigError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not valid YAML, if an assignment is malformed, or if a key of an older LBAF version cannot be
    /// converted.
    pub fn of_text(name: &str, text: &str, directory: &Path, set: &[String]) -> Result<Self, ConfigError> {
        Self::text_alone(name, text, directory)?.completed(set)
    }

    /// Creates a configuration from options of the command line, given as name, key of the configuration and value.
    /// Errors show the options. `set` is the highest layer.
    ///
    /// ```
    /// use lbaf_config::{Layers, Overrides, resolve};
    ///
    /// let options = [("--data", "from_data.data_stem", "data"), ("--strategy", "algorithm.name", "Gready")];
    /// let layers = Layers::of_options(&options, &[])?;
    /// let error = resolve(&layers, &Overrides::default()).err().expect("misspelt").to_string();
    /// assert!(error.starts_with("--strategy:1:1: "), "{error}");
    /// # Ok::<(), lbaf_config::ConfigError>(())
    /// ```
    ///
    /// # Errors
    /// If a key is inside the value of an earlier option, an assignment is malformed, or a key of an older LBAF version
    /// cannot be converted.
    pub fn of_options(options: &[(&str, &str, &str)], set: &[String]) -> Result<Self, ConfigError> {
        let mut layers = Self::text_alone("command line", "{}", Path::new(""))?;
        let Layers { tree, sources, .. } = &mut layers;
        for &(option, key, value) in options {
            let source = sources.add(option, value);
            let place = Place { source, line: 1, column: 1, length: value.chars().count() };
            let value = Node { value: Value::String(value.to_owned()), place };
            yaml::put(tree, key, value).map_err(|error| rendered(sources, &error))?;
        }
        layers.completed(set)
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
        let tree =
            tree.ok_or_else(|| ConfigError::Invalid("no configuration file was given".to_owned().into()))?;
        let files = global.iter().chain(files).cloned().collect();
        let layers = Layers { global, notes, ..Self::assembled(tree, sources, files, directory) };
        layers.completed(set)
    }

    /// Returns the layers of a single tree.
    fn assembled(tree: Node, sources: Sources, files: Vec<PathBuf>, directory: PathBuf) -> Self {
        let processes = processes(&directory);
        let own_strategies = OwnStrategies::default();
        let notes = Vec::new();
        Layers { tree, sources, files, global: None, directory, notes, processes, own_strategies }
    }

    /// Adds assignments of the command line, and converts keys of older LBAF versions.
    fn completed(self, set: &[String]) -> Result<Self, ConfigError> {
        set.iter().try_fold(self, |layers, assignment| layers.set(assignment))?.renewed()
    }

    /// Converts keys of older LBAF versions.
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

    /// Adds an assignment `key.path=value` of the command line.
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
        Ok(Self::assembled(tree, sources, vec![file.to_path_buf()], directory_of(file).to_path_buf()))
    }

    /// Parses a text without any other layer.
    pub(super) fn text_alone(name: &str, text: &str, directory: &Path) -> Result<Self, ConfigError> {
        let mut sources = Sources::default();
        let tree = parsed(name.to_owned(), text.as_bytes(), &mut sources)?;
        Ok(Self::assembled(tree, sources, Vec::new(), directory.to_path_buf()))
    }

    /// Creates the base configuration of a study from the files that the study names. Paths in these files become
    /// relative to the directory of the study. The text of the study is kept for error messages.
    pub(super) fn for_study(written: &[String], study: Layers) -> Result<Self, ConfigError> {
        let Layers { tree, sources, files: of_study, directory, processes, .. } = study;
        let files: Vec<PathBuf> = written.iter().map(|file| without_detours(&directory.join(file))).collect();
        let mut layers = if let Some(last) = written.last() {
            let mut layers = Self::read_with(&files, &[], sources)?;
            rebase(&mut layers.tree, last);
            layers
        } else {
            let tree = Node { value: Value::Mapping(Vec::new()), place: tree.place };
            Self::assembled(tree, sources, files, PathBuf::new())
        };
        layers.files.extend(of_study);
        layers.directory = directory;
        layers.processes = processes;
        Ok(layers)
    }

    /// Adds a change, like a further file.
    pub(super) fn over(mut self, change: &Node) -> Result<Self, ConfigError> {
        // Older names in the change are converted first, so that it overrides the values under the current names.
        let mut change = change.clone();
        self.renew(&mut change)?;
        forget(&mut self.tree, &change);
        self.notes.extend(forget_gamma(&mut self.tree, &change));
        let empty = Node { value: Value::Null, place: self.tree.place };
        self.tree = yaml::merge(std::mem::replace(&mut self.tree, empty), change);
        Ok(self)
    }

    /// Reads a further file of a study as a change. Paths in the file become relative to the directory of the study.
    /// `node` is the value that names the file.
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

fn read_file(path: &Path, sources: &mut Sources) -> Result<Node, ConfigError> {
    let bytes = lbaf_reader::read_file_or_pipe(path)
        .map_err(|source| ConfigError::File { path: path.to_path_buf(), source })?;
    parsed(path.display().to_string(), &bytes, sources)
}

fn parsed(name: String, bytes: &[u8], sources: &mut Sources) -> Result<Node, ConfigError> {
    let source = sources.add_bytes(name, bytes);
    source.and_then(|source| yaml::parse(source, sources)).map_err(|error| rendered(sources, &error))
}

/// Creates the manager of external processes, which run in the directory of the configuration.
fn processes(directory: &Path) -> Arc<Processes> {
    Arc::new(Processes::new(without_detours(directory)))
}

/// Returns the directory for relative paths in a configuration: that of its file, or the working directory for a pipe.
fn directory_of(file: &Path) -> &Path {
    file.parent().filter(|_| !is_pipe(file)).unwrap_or(Path::new(""))
}

fn rendered(sources: &Sources, error: &yaml::Error) -> ConfigError {
    ConfigError::Invalid(Invalid::in_tree(sources, error))
}
