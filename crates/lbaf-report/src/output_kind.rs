// SPDX-License-Identifier: MIT OR Apache-2.0
//! Kinds of output directories: of a run, a study or a simulation.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use lbaf_reader::is_there;
use lbaf_run::{simulate, study, summary};
use lbaf_text::Shown as _;
use lbaf_text::number::counted;

use crate::ReportError;

/// Kind of an output directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Outputs of `lbaf run`.
    Run,
    /// Outputs of `lbaf study` or `lbaf compare`.
    Study,
    /// Outputs of `lbaf simulate`.
    Simulation,
}

/// Other files or folders that identify a directory, and the command that writes them.
const OTHERS: [(&str, &str); 2] =
    [("anomalies.json", "lbaf anomalies"), ("cells", "an unfinished `lbaf study`")];
/// Maximum number of files that a message names.
const MOST_NAMED: usize = 3;

impl OutputKind {
    /// All kinds, in the order in which they are looked for.
    pub const ALL: [OutputKind; 3] = [OutputKind::Run, OutputKind::Study, OutputKind::Simulation];

    /// Returns the name of the results file, which is written last.
    pub fn file(self) -> &'static str {
        match self {
            OutputKind::Run => summary::FILE,
            OutputKind::Study => study::FILE,
            OutputKind::Simulation => simulate::FILE,
        }
    }

    /// Returns the noun of the kind.
    pub fn noun(self) -> &'static str {
        match self {
            OutputKind::Run => "run",
            OutputKind::Study => "study",
            OutputKind::Simulation => "simulation",
        }
    }

    /// Returns the kind of an output directory, and its path. `path` is the directory or the results file in it. If
    /// `path` is a directory with several results files, the first kind in [`OutputKind::ALL`] counts.
    ///
    /// # Errors
    /// If there is no results file, or if `path` is a directory in which a replacement of files is unfinished.
    pub fn of(path: &Path) -> Result<(Self, PathBuf), ReportError> {
        let named =
            Self::ALL.into_iter().find(|kind| path.file_name().is_some_and(|name| name == kind.file()));
        if let Some(kind) = named.filter(|_| is_there(path)) {
            let parent = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
            return Ok((kind, parent.to_path_buf()));
        }
        let checked = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        if let Some(unfinished) = lbaf_writer::unfinished(checked) {
            return Err(ReportError::Unfinished(unfinished));
        }
        match Self::all_in(path).first() {
            Some(kind) => Ok((*kind, path.to_path_buf())),
            None => Err(ReportError::Input(format!(
                "{} is not the output directory of a run, a study or a simulation: {}",
                path.shown(),
                found(checked)
            ))),
        }
    }

    /// Returns the kinds whose results files are in a directory.
    pub fn all_in(directory: &Path) -> Vec<Self> {
        Self::ALL.into_iter().filter(|kind| is_there(&directory.join(kind.file()))).collect()
    }
}

/// Returns the end of a sentence on the content of a directory without a results file.
fn found(directory: &Path) -> String {
    if directory.is_file() {
        return "it is a file, but not a results file".to_owned();
    }
    let entries = match directory.read_dir() {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return "it does not exist".to_owned(),
        Err(_) => return "it cannot be listed".to_owned(),
    };
    let mut names: Vec<String> =
        entries.flatten().map(|entry| Path::new(&entry.file_name()).shown()).collect();
    names.sort();
    let missing = OutputKind::ALL.map(OutputKind::file);
    let lacks = format!("it has no {}, {} or {}", missing[0], missing[1], missing[2]);
    if let Some((_, command)) = OTHERS.iter().find(|(file, _)| names.iter().any(|name| name == file)) {
        return format!("{lacks}, but the outputs of {command}");
    }
    match names.len() {
        0 => "it is empty".to_owned(),
        n if n <= MOST_NAMED => format!("{lacks}, but {}", names.join(", ")),
        n => {
            let named = names[..MOST_NAMED].join(", ");
            format!("{lacks}, but {named} and {}", counted(n - MOST_NAMED, "other entry"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn refusal(path: &Path) -> String {
        OutputKind::of(path).unwrap_err().to_string()
    }

    #[test]
    fn directories_are_recognized_by_their_results_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        fs::write(path.join("simulation.json"), "{}").unwrap();
        assert_eq!(OutputKind::of(path).unwrap().0, OutputKind::Simulation);
        // A run and a simulation of the same configuration may share a directory.
        fs::write(path.join("summary.json"), "{}").unwrap();
        assert_eq!(OutputKind::of(path).unwrap().0, OutputKind::Run);
        let (kind, found) = OutputKind::of(&path.join("simulation.json")).unwrap();
        assert_eq!((kind, &*found), (OutputKind::Simulation, path));
    }

    #[test]
    fn other_directories_are_refused_with_their_content() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        assert!(refusal(path).ends_with("a run, a study or a simulation: it is empty"));
        for name in ["d", "b", "c", "a"] {
            fs::write(path.join(name), "").unwrap();
        }
        let lacks = "it has no summary.json, study.json or simulation.json, but ";
        assert!(refusal(path).ends_with(&format!("{lacks}a, b, c and 1 other entry")), "{}", refusal(path));
        assert!(refusal(&path.join("a")).ends_with("it is a file, but not a results file"));
        assert!(refusal(&path.join("none")).ends_with("it does not exist"));
        fs::create_dir(path.join("cells")).unwrap();
        assert!(refusal(path).ends_with(&format!("{lacks}the outputs of an unfinished `lbaf study`")));
    }
}
