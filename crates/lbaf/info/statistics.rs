// SPDX-License-Identifier: MIT OR Apache-2.0
//! Description of an LB statistics file.

use std::path::Path;

use lbaf_config::{Selection, named_phases};
use lbaf_reader::{ReadError, is_there};
use lbaf_text::Shown as _;
use lbaf_text::number::{counted, significant, significant_to};
use lbaf_vom::{DocumentType, Scratch, StatisticsFile, StatisticsGroup, StatisticsPhase};

use crate::console::{layout, new_table};
use crate::directories;
use crate::error::Error;
use crate::inputs;

/// Reads the statistics file at a path; `None` if the path is a directory or does not exist.
pub(super) fn read(path: &Path) -> Result<Option<StatisticsFile>, Error> {
    if !is_there(path) {
        return Ok(None);
    }
    directories::check_whole_beside(path)?;
    let raw = inputs::read(path).map_err(|source| ReadError::Io { path: path.into(), source })?;
    let wrong = |source| ReadError::Content { path: path.into(), source };
    let mut scratch = Scratch::default();
    if lbaf_vom::document_type_of(&raw, &mut scratch).map_err(wrong)? != Some(DocumentType::LbStatsfile) {
        return Err(Error::Input(format!(
            "{} is a single file but not an LB statistics file (`type: LBStatsfile`); for a data set, give the path of \
             its files up to the rank",
            path.shown()
        )));
    }
    Ok(Some(StatisticsFile::parse(&raw, &mut scratch).map_err(wrong)?))
}

/// Describes the selected phases, in tables or as JSON.
pub(super) fn describe(
    mut file: StatisticsFile,
    path: &Path,
    selection: &Selection,
    json: bool,
) -> Result<String, Error> {
    let mut recorded: Vec<u64> = file.phases.iter().map(|phase| phase.id).collect();
    recorded.sort_unstable();
    let missing = |phases: &str| {
        let recorded = named_phases(&recorded);
        Err(Error::Configuration(format!("--phases: {phases} in the file, which holds {recorded}")))
    };
    if let Some(phase) = selection.missing_from(|phase| recorded.binary_search(&phase).is_ok()) {
        return missing(&format!("phase {phase} is not"));
    }
    file.phases.retain(|phase| selection.contains(phase.id));
    if file.phases.is_empty() && !recorded.is_empty() {
        return missing("none of these phases is");
    }
    if json {
        let mut json = serde_json::to_string_pretty(&file).expect("invariant: plain data");
        json.push('\n');
        return Ok(json);
    }
    let n_phases = counted(file.phases.len(), "phase");
    let mut out = format!("{}: LB statistics of {n_phases}\n", path.shown());
    for phase in &file.phases {
        out += &describe_phase(phase);
    }
    Ok(out)
}

fn describe_phase(phase: &StatisticsPhase) -> String {
    let migrations = phase.migration_count.map_or_else(String::new, |count| {
        format!(", {}", counted(usize::try_from(count).unwrap_or(usize::MAX), "migration"))
    });
    let mut table =
        new_table(&["", "", "number", "sum", "mean", "max", "imbalance", "deviation", "skewness"]);
    let after = phase.post_lb.as_ref();
    for (name, before) in phase.pre_lb.named() {
        let after = after.and_then(|groups| groups.named().find(|(other, _)| *other == name));
        // The longest names are too long for one line.
        let (begin, end) =
            name.split_at(name.find("load_modeled").filter(|_| name.len() > 30).unwrap_or(name.len()));
        match after {
            Some((_, after)) => {
                table.add_row(row(begin, "before", before));
                table.add_row(row(end, "after", after));
            }
            None => {
                table.add_row(row(&[begin, end].join("\n"), "before", before));
            }
        }
    }
    format!("\nPhase {}{migrations}\n{}\n", phase.id, layout(&table))
}

/// Returns a table row with the statistics that fit on a line; `--json` prints all.
fn row(name: &str, when: &str, group: &StatisticsGroup) -> Vec<String> {
    let number = |number: f64| significant_to(number, 4);
    let StatisticsGroup { avg, car, imb, max, skw, std, sum, .. } = *group;
    let mut row = vec![name.trim_end().to_owned(), when.to_owned(), significant(car)];
    row.extend([sum, avg, max, imb, std, skw].map(number));
    row
}
