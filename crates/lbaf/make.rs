// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf make`: a data set from a specification.

mod specification;

use std::path::Path;

use lbaf_writer::Staging;
use rayon::prelude::*;

use crate::cli::MakeArgs;
use crate::config::Layers;
use crate::error::Error;
use crate::progress::Messages;
use crate::report::number::{bytes, counted};

/// Makes the files and says what they are.
pub(crate) fn make(args: &MakeArgs, messages: Messages) -> Result<String, Error> {
    let population = specification::population(&Layers::alone(&args.spec)?, args.seed, messages)?;
    let Some(name) = args.stem.file_name().and_then(|name| name.to_str()) else {
        return Err(Error::Input(format!("{} does not name files", args.stem.display())));
    };
    let directory = match args.stem.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let present = files_of(directory, name);
    if let Some(first) = present.first().filter(|_| !args.force) {
        return Err(Error::Present(directory.join(first)));
    }
    let staging = Staging::new(directory)?;
    let put = |rank: u32| {
        let printed = lbaf_vom::print(&population.file(rank));
        let file = if args.plain { printed } else { lbaf_vom::compress(&printed, args.quality) };
        staging.put(&format!("{name}.{rank}.json"), &file)
    };
    let outcomes: Vec<_> = (0..population.n_ranks()).into_par_iter().map(put).collect();
    outcomes.into_iter().collect::<Result<(), _>>()?;
    let size: u64 = staging.written().values().map(|written| written.bytes).sum();
    staging.publish(None, &[], &present)?;
    let sentinels = match population.n_sentinels() {
        0 => String::new(),
        n_sentinels => format!(" and {n_sentinels} that may not migrate"),
    };
    Ok(format!(
        "{}.<rank>.json: {}, {}{sentinels}, {}; {}\n",
        args.stem.display(),
        counted(population.n_ranks() as usize, "rank"),
        counted(population.n_migratable(), "object"),
        counted(population.n_phases(), "phase"),
        bytes(size as f64),
    ))
}

/// Files of ranks that a stem has already.
fn files_of(directory: &Path, stem: &str) -> Vec<String> {
    let is_one = |name: &String| {
        let rest = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.'));
        let number = rest.and_then(|rest| rest.split_once('.')).map(|(number, _)| number);
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let entries = directory.read_dir().into_iter().flatten().flatten();
    let mut files: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_one).collect();
    files.sort();
    files
}
