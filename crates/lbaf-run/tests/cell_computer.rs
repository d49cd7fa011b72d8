// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells of a [`CellComputer`], as in other processes, compared with those of [`Study::compute`].
#![allow(clippy::unwrap_used, reason = "the functions shared by the tests are tests too")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use lbaf_config::StudyConfig;
use lbaf_run::study::{CellComputer, ComputedCell, Shard, Study};
use lbaf_run::{Messages, RunError, Silent};
use lbaf_strategies::Cancel;

/// A study of 12 cells with two data sets. Cells of `unfit` fail when they are computed, because their permutation has
/// an object that the data lack. Cells of `invalid` have an invalid `min_imbalance`, and the files of `unread` do not
/// exist.
const STUDY: &str = "
configuration:
  from_samplers:
    n_ranks: 4
    n_objects: 40
    n_mapped_ranks: 4
    n_phases: 2
    load_sampler: {name: uniform, parameters: [0.5, 1.5]}
axes:
  from_samplers.n_objects: [40, 60]
  strategy:
    greedy: {algorithm: {name: Greedy}}
    random: {algorithm: {name: RandomLB}}
    again: {algorithm: {name: RandomLB}}
    unfit: {algorithm: {name: PrescribedPermutation, parameters: {permutation: {99: 0}}}}
    invalid: {algorithm: {name: Greedy, min_imbalance: -1}}
    unread: {algorithm: {name: Greedy}, from_samplers: null, from_data: {data_stem: nowhere/data}}
";

const N_CELLS: usize = 12;

fn config(output_dir: &Path) -> StudyConfig {
    StudyConfig::of_text("<study>", STUDY, Path::new(""), &[], Some(output_dir)).unwrap()
}

/// Returns the stored cells by file name.
fn stored(output_dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(output_dir.join("cells")).unwrap().map(|file| file.unwrap().path());
    files.map(|file| (file.file_name().unwrap().to_string_lossy().into(), fs::read(file).unwrap())).collect()
}

/// Receiver that collects warnings.
#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Messages for Warnings {
    fn warning(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }

    fn note(&self, _: &str) {}

    fn detail(&self, _: &str) {}

    fn log(&self, _: &str) {}
}

#[test]
fn cells_are_equal_to_those_of_a_study_to_the_byte() {
    let [expected, found] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let warnings = Warnings::default();
    let study = Study::open(config(expected.path()), &Silent).unwrap();
    study.compute(&warnings, &Cancel::new()).unwrap();

    let distributed = Study::open(config(found.path()), &Silent).unwrap();
    let of_distributed = Warnings::default();
    distributed.keep_failed(&of_distributed).unwrap();
    assert_eq!(*of_distributed.0.lock().unwrap(), *warnings.0.lock().unwrap());
    assert_eq!(stored(found.path()).len(), 4, "the invalid cells and those without data");
    assert_eq!(distributed.missing(), [vec![0, 1, 3], vec![6, 7, 9]]);

    let computer = CellComputer::new(config(Path::new("no/directory")));
    let mut n_failed = 0;
    for number in distributed.missing().concat() {
        let computed = computer.compute(number, &Cancel::new()).unwrap();
        let cell = ComputedCell::from_bytes(&computed.to_bytes()).unwrap();
        assert_eq!((cell.number(), cell.error()), (number, computed.error()));
        n_failed += usize::from(cell.error().is_some());
        distributed.keep(&cell).unwrap();
    }
    assert_eq!(n_failed, 2, "the unfit permutations");
    assert_eq!(stored(found.path()).len(), 10, "two cells are repetitions of others");
    assert_eq!(stored(found.path()), stored(expected.path()));
    assert!(distributed.results().is_ok());
    assert!(Study::open(config(found.path()), &Silent).unwrap().missing().is_empty());
}

/// Invalid cells are computed too. Stored cells equal those of the study.
#[test]
fn all_cells_can_be_computed_in_descending_order() {
    let [expected, found] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    Study::open(config(expected.path()), &Silent).unwrap().compute(&Silent, &Cancel::new()).unwrap();
    let distributed = Study::open(config(found.path()), &Silent).unwrap();
    let computer = CellComputer::new(config(found.path()));
    let failed = |number: usize| [3, 4, 5].contains(&(number % 6));
    for number in (0..N_CELLS).rev() {
        let cell = computer.compute(number, &Cancel::new()).unwrap();
        assert_eq!(cell.error().is_some(), failed(number), "{number}: {:?}", cell.error());
        distributed.keep(&cell).unwrap();
    }
    assert_eq!(stored(found.path()), stored(expected.path()));
}

#[test]
fn damaged_bytes_and_other_versions_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let computer = CellComputer::new(config(directory.path()));
    let bytes = computer.compute(0, &Cancel::new()).unwrap().to_bytes();
    let again = ComputedCell::from_bytes(&bytes).unwrap();
    assert_eq!(again.to_bytes(), bytes);
    for damaged in [&bytes[..bytes.len() - 1], b"", b"{\"number\": 1}", &[&bytes[..], b"}"].concat()] {
        let error = ComputedCell::from_bytes(damaged).unwrap_err();
        assert!(matches!(error, RunError::Input(_)), "{error}");
        assert!(error.to_string().starts_with("the bytes of a computed cell are damaged: "), "{error}");
    }
    let text = String::from_utf8(bytes).unwrap();
    let other = text.replacen("\"version\":", "\"version\":9", 1);
    let error = ComputedCell::from_bytes(other.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("use the same lbaf in all processes"), "{error}");
}

#[test]
fn cells_that_the_study_lacks_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let computer = CellComputer::new(config(directory.path()));
    let study = Study::open(config(directory.path()), &Silent).unwrap();
    let beyond = computer.compute(N_CELLS, &Cancel::new()).unwrap();
    let message = "there is no cell 12; the study has 12, numbered from 0";
    assert_eq!(beyond.error(), Some(message));
    let error = study.keep(&beyond).unwrap_err();
    assert!(matches!(&error, RunError::Input(text) if text == message), "{error}");
    assert_eq!(study.labels(N_CELLS), None);
    assert_eq!(study.labels(1), Some(vec!["40", "random"]));

    let shards = ["1/2", "2/2"].map(|shard| {
        Study::open_shard(config(directory.path()), shard.parse::<Shard>().unwrap(), &Silent).unwrap()
    });
    let cell = computer.compute(0, &Cancel::new()).unwrap();
    let kept = shards.each_ref().map(|shard| shard.keep(&cell).map_err(|error| error.to_string()));
    let refused: Vec<_> = kept.iter().filter_map(|kept| kept.as_ref().err()).collect();
    assert_eq!(refused, ["cell 0 is not in this shard"]);
}

#[test]
fn cancelled_computations_return_no_cell() {
    let computer = CellComputer::new(config(Path::new("no/directory")));
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(computer.compute(0, &cancel).is_err());
}
