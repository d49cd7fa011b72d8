// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writing of the files of a model without records.

use lbaf_model::DataSet;
use rayon::prelude::*;

use crate::{ModelFiles, Options, Staging, WriteError};

/// Writes the files of all ranks of a model into `staging`, in parallel, as `<stem>.<rank>.json`. With a brotli
/// quality from 0 to 11 in `compressed`, the files are compressed and named `<stem>.<rank>.json.br`.
///
/// ```
/// use lbaf_model::{DataSet, ObjectKey, Phase};
/// use lbaf_writer::{Inputs, Staging, write_model};
///
/// # let temporary = tempfile::tempdir()?;
/// # let output_dir = temporary.path();
/// let phase = Phase::builder(2).objects([(2.0, 0), (1.0, 1)]).build()?;
/// let keys = (0..2).map(|number| ObjectKey::new(true, number, None)).collect();
/// let staging = Staging::new(output_dir)?;
/// write_model(&DataSet::new(keys, 2, vec![phase]), "data", Some(9), &staging)?;
/// staging.publish(None, &Inputs::none(), &[])?;
///
/// let recorded = lbaf_reader::read_stem(&output_dir.join("data"), &lbaf_reader::Request::default())?;
/// assert_eq!(recorded.data.phases()[0].columns().load, [2.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If files cannot hold the model, or a file cannot be written.
///
/// # Panics
/// As for [`ModelFiles::new`].
pub fn write_model(
    data: &DataSet,
    stem: &str,
    compressed: Option<u32>,
    staging: &Staging,
) -> Result<(), WriteError> {
    let files = ModelFiles::new(data)?;
    let suffix = if compressed.is_some() { "json.br" } else { "json" };
    let names = Options { stem: stem.to_owned(), suffix: suffix.to_owned(), ..Options::default() };
    let put = |rank: u32| {
        let file = files.file(rank);
        staging.print(&names.file_name(rank as usize), compressed, |out| lbaf_vom::print_to(out, &file))
    };
    // Of several errors, the one of the lowest rank is returned.
    let outcomes: Vec<_> = (0..files.n_ranks()).into_par_iter().map(put).collect();
    outcomes.into_iter().collect()
}
