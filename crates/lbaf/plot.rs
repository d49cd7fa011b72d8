// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf plot`: the charts of a run again, from its summary.

use lbaf_plot::Style;
use lbaf_writer::Staging;

use crate::cli::PlotArgs;
use crate::config::Plots;
use crate::error::Error;
use crate::report::charts;
use crate::report::number::counted;
use crate::report::summary::{Summary, VERSION};

/// Draws all charts into the directory of the run.
pub(crate) fn plot(args: &PlotArgs) -> Result<String, Error> {
    let path = args.run_dir.join("summary.json");
    let bytes = std::fs::read(&path)
        .map_err(|source| Error::Read(lbaf_reader::ReadError::Io { path: path.clone(), source }))?;
    let summary: Summary = serde_json::from_slice(&bytes)
        .map_err(|error| Error::Input(format!("{}: not the summary of a run: {error}", path.display())))?;
    if summary.version != VERSION {
        let message =
            format!("{}: version {} of the summary, not {VERSION}", path.display(), summary.version);
        return Err(Error::Input(message));
    }
    let style = Style { width: args.width, png_dpi: args.dpi };
    let plots = Plots { formats: args.formats.clone(), charts: None, style };
    let staging = Staging::new(&args.run_dir)?;
    let drawn = charts::draw(&summary, &plots)?;
    for (name, bytes) in &drawn {
        staging.put(name, bytes)?;
    }
    staging.publish(None, &[], &[])?;
    Ok(format!("{} in {}\n", counted(drawn.len(), "chart file"), args.run_dir.join("plots").display()))
}
