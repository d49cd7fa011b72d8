// SPDX-License-Identifier: MIT OR Apache-2.0
//! pyarrow, if installed, reads the same cells from Parquet and CSV files.

use std::process::Command;

use lbaf_columns::{Format, Options, Tables};

use crate::data_set::{everything, examples, read, skip, write};

#[test]
fn pyarrow_reads_the_same_cells() {
    let has_pyarrow = Command::new("python3").args(["-c", "import pyarrow.parquet"]).output();
    if !has_pyarrow.is_ok_and(|output| output.status.success()) {
        return skip("there is no python3 with the module pyarrow (pip install pyarrow)");
    }
    let [machine, quartet] = examples().map(|stem| read(&stem));
    for (recorded, rows_at_a_time) in
        [(everything(), 3), (everything(), 100), (machine, 5000), (quartet, 100)]
    {
        let directory = tempfile::tempdir().unwrap();
        for &format in Format::ALL {
            let (tables, _) = write(&recorded, Options { rows_at_a_time, ..Options::new(format) });
            for (name, table) in Tables::NAMES.into_array().into_iter().zip(tables.into_array()) {
                let name = format!("out.{name}.{}", format.extension());
                std::fs::write(directory.path().join(name), table).unwrap();
            }
        }
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/columns/read_back.py");
        let said = Command::new("python3").arg(script).arg(directory.path().join("out")).output().unwrap();
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    }
}
