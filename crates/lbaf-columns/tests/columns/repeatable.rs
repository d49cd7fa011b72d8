// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output is reproducible byte for byte.

use lbaf_columns::{Format, Options};
use lbaf_reader::Request;

use crate::data_set::{EVERYTHING, everything, examples, files, read_as, write};

#[test]
fn bytes_do_not_depend_on_threads() {
    let request = Request { records: true, phases: &|phase| phase < 2, ..Request::default() };
    let recorded = read_as(&examples()[0], &request);
    for &format in Format::ALL {
        // 1000 rows give many batches, each with several parts.
        let options = Options { rows_at_a_time: 1000, ..Options::new(format) };
        let with = |n_threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| write(&recorded, options))
        };
        // Not `assert_eq`, which would print megabytes.
        assert!(with(1) == with(3), "{format:?}");
    }
}

#[test]
fn text_does_not_depend_on_the_size_of_batches() {
    let recorded = everything();
    let whole = write(&recorded, Options::new(Format::Csv));
    for rows_at_a_time in [0, 1, 2, 3, 7] {
        let parts = write(&recorded, Options { rows_at_a_time, ..Options::new(Format::Csv) });
        assert_eq!(parts, whole, "{rows_at_a_time} rows");
    }
}

#[test]
fn documents_on_disk_give_the_same_tables() {
    let directory = files(&EVERYTHING);
    let request = Request { records: true, record_memory_bytes: 0, ..Request::default() };
    let from_disk = read_as(&directory.path().join("d"), &request);
    for options in Format::ALL.iter().copied().map(Options::new) {
        assert_eq!(write(&from_disk, options), write(&everything(), options));
    }
}

/// A requested phase has the records of the phase that it repeats, even if the latter is not requested.
#[test]
fn only_requested_phases_are_written() {
    let directory = files(&EVERYTHING);
    let all = write(&everything(), Options::new(Format::Csv)).0.into_array();
    for phase in [0, 1] {
        let request = Request { records: true, phases: &|other| other == phase, ..Request::default() };
        let one = read_as(&directory.path().join("d"), &request);
        let one = write(&one, Options::new(Format::Csv)).0.into_array();
        for (one, all) in one.into_iter().zip(&all) {
            let wanted = |line: &&str| line.starts_with("phase,") || line.starts_with(&format!("{phase},"));
            let all = std::str::from_utf8(all).unwrap();
            let expected: Vec<&str> = all.lines().filter(wanted).collect();
            assert_eq!(std::str::from_utf8(&one).unwrap().lines().collect::<Vec<_>>(), expected);
        }
    }
}
