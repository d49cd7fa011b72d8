// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf make`: a data set from a specification.

mod specification;

use lbaf_config::Layers;
use lbaf_text::Shown as _;
use lbaf_text::number::{bytes, counted};

use crate::cli::MakeArgs;
use crate::error::Error;
use crate::inputs;
use crate::new_files::NewFiles;
use crate::progress::Messages;

/// Makes the files and says what they are.
pub(crate) fn make(args: &MakeArgs, messages: Messages) -> Result<String, Error> {
    let layers = Layers::alone(&args.spec)?;
    inputs::note(&args.spec);
    let population = specification::population(&layers, args.seed, messages)?;
    let new = NewFiles::of_stem(&args.stem, "json", args.replace.force)?;
    new.put_ranks("json", population.n_ranks() as usize, |rank| {
        let printed = lbaf_vom::print(&population.file(rank as u32));
        Ok(if args.plain { printed } else { lbaf_vom::compress(&printed, args.brotli_quality.quality) })
    })?;
    let size = new.publish()?;
    let sentinels = match population.n_sentinels() {
        0 => String::new(),
        n_sentinels => format!(" and {n_sentinels} that may not migrate"),
    };
    Ok(format!(
        "{}.<rank>.json: {}, {}{sentinels}, {}; {}\n",
        args.stem.shown(),
        counted(population.n_ranks() as usize, "rank"),
        counted(population.n_migratable(), "object"),
        counted(population.n_phases(), "phase"),
        bytes(size as f64),
    ))
}
