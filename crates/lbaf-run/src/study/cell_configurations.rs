// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configurations of cells as text, for `lbaf run` or `lbaf simulate` of a single cell.

use std::collections::{BTreeMap, BTreeSet};

use lbaf_config::StudyConfig;
use lbaf_config::yaml::sections;
use serde::{Deserialize, Serialize};

/// Key that the command for a single cell sets.
const OUTPUT_DIR: &str = "output_dir";

/// Configurations of the cells of a study in YAML. The configuration of a cell is the text `common`, followed by its
/// parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellConfigurations {
    /// Directory to which paths are relative; empty for the working directory.
    pub directory: String,
    /// Keys with the same values in all valid cells.
    pub common: String,
    /// Distinct texts of all other keys.
    pub parts: Vec<String>,
    /// Positions of the parts of each cell in `parts`; `None` if a choice has keys of older LBAF versions that cannot be
    /// converted.
    pub of_cells: Vec<Option<Vec<usize>>>,
}

impl CellConfigurations {
    /// Returns the configurations of all cells.
    pub(super) fn of(study: &StudyConfig) -> Self {
        let (mut numbers, mut texts) = (BTreeMap::new(), Vec::new());
        let mut of_cells: Vec<Option<Vec<usize>>> = Vec::with_capacity(study.cells.len());
        for cell in &study.cells {
            of_cells.push(study.layers(cell).ok().map(|mut layers| {
                layers.tree.take(OUTPUT_DIR);
                let mut parts = Vec::new();
                for (_, text) in sections(&layers.tree) {
                    let number = *numbers.entry(text.clone()).or_insert(texts.len());
                    if number == texts.len() {
                        texts.push(text);
                    }
                    parts.push(number);
                }
                parts
            }));
        }
        let mut valid = of_cells.iter().flatten();
        let first: BTreeSet<usize> = valid.next().into_iter().flatten().copied().collect();
        let common = valid.fold(first, |common, parts| {
            parts.iter().copied().filter(|part| common.contains(part)).collect()
        });
        // Positions among the texts that are not common.
        let mut kept = Vec::new();
        let places: Vec<Option<usize>> = (0..texts.len())
            .map(|number| {
                (!common.contains(&number)).then(|| kept.push(texts[number].clone())).map(|()| kept.len() - 1)
            })
            .collect();
        let of_cells = of_cells
            .into_iter()
            .map(|parts| Some(parts?.into_iter().filter_map(|number| places[number]).collect()))
            .collect();
        CellConfigurations {
            directory: study.base.directory.display().to_string(),
            common: common.into_iter().map(|number| &*texts[number]).collect(),
            parts: kept,
            of_cells,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_configuration_is_the_common_text_and_the_parts_of_the_cell() {
        let text = "configuration: {work_model: {name: LoadOnly}, output_dir: x, algorithm: {name: Refine, \
                    parameters: {tolerance: 0.1}}}\naxes: {strategy: {same: {}, LPT: {algorithm: {name: LPT}}}, seed: \
                    [3, 4]}\n";
        let study = StudyConfig::of_text("study", text, Path::new("a"), &[], Some(Path::new("out"))).unwrap();
        let found = CellConfigurations::of(&study);
        assert_eq!((&*found.directory, &*found.common), ("a", "work_model:\n  name: LoadOnly\n"));
        let of = |cell: usize| {
            let parts = found.of_cells[cell].iter().flatten();
            parts.map(|&part| &*found.parts[part]).collect::<String>()
        };
        let refine = "algorithm:\n  name: Refine\n  parameters:\n    tolerance: 0.1\n";
        assert_eq!([of(0), of(1)], [format!("{refine}seed: 3\n"), format!("{refine}seed: 4\n")]);
        // Parameters of another strategy are dropped.
        assert_eq!(of(3), "algorithm:\n  name: LPT\nseed: 4\n");
    }

    #[test]
    fn a_cell_with_only_common_keys_is_not_taken_for_an_invalid_one() {
        let text =
            "configuration: {algorithm: {name: LPT}}\naxes: {choice: {plain: {}, seeded: {seed: 3}}}\n";
        let study = StudyConfig::of_text("study", text, Path::new("a"), &[], Some(Path::new("out"))).unwrap();
        let found = CellConfigurations::of(&study);
        assert_eq!(found.of_cells, [Some(Vec::new()), Some(vec![0])]);
    }
}
