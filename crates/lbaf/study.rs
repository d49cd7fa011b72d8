// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf study`: runs over a grid of choices, and what they say together.

mod bounds;
mod cell;
mod compute;
mod console;
mod identity;
mod paper;
mod plan;
mod quantity;
mod results;
mod standing;
mod store;
mod summary;
mod tables;

use std::path::Path;

use cell::{Cell, Timing};
use lbaf_config::{StudyCommand, StudyConfig};
use lbaf_run::Messages as _;
use lbaf_text::Shown as _;
use lbaf_text::number::counted;
use plan::{Planned, State};
use quantity::Reported;
use results::Results;
use store::Store;

use crate::cli::{MergeArgs, StudyArgs, StudyOverrideArgs};
use crate::error::Error;
use crate::inputs;
use crate::progress::Messages;
use crate::restore;

/// What a study ends with.
pub(crate) struct Done {
    pub(crate) text: String,
    /// Cells that failed, if any did.
    pub(crate) failed: Option<Error>,
}

/// Which part of the cells one of several processes computes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shard {
    number: usize,
    of: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;

    /// `2/8`: the second of eight.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected a part of several such as 2/8, found {text:?}");
        let (number, of) = text.split_once('/').ok_or_else(expected)?;
        let (number, of): (usize, usize) =
            (number.parse().map_err(|_| expected())?, of.parse().map_err(|_| expected())?);
        if number == 0 || number > of {
            return Err(format!("parts of {of} are numbered from 1 to {of}, not {number}"));
        }
        Ok(Shard { number, of })
    }
}

impl Shard {
    /// Cells are dealt by their identity, a hexadecimal digest, modulo the number of shards: cells of one choice go to all
    /// shards, cells that are the same to one, and a cell stays where it is when the study grows.
    fn has(self, identity: &str) -> bool {
        let digits = identity.chars().filter_map(|digit| digit.to_digit(16));
        let rest = digits.fold(0, |rest, digit| (rest * 16 + u128::from(digit)) % self.of as u128);
        rest == (self.number - 1) as u128
    }
}

/// Computes what is missing and, unless it is a part of the cells only, says what all of them came to.
pub(crate) fn study(args: &StudyArgs, messages: Messages) -> Result<Done, Error> {
    let study = read(args.study(), &args.overrides)?;
    let reported = Reported::new(&study)?;
    let store = Store::open(&study.output_dir)?;
    let planned = plan::plan(&study, &store, |identity| args.shard.is_none_or(|shard| shard.has(identity)));
    let n_missing = plan::n_different(planned.iter().filter(|cell| !matches!(cell.state, State::Kept)));
    let n_different = plan::n_different(planned.iter());
    if n_missing > 0 {
        let (all, directory) = (counted(n_different, "cell"), study.output_dir.shown());
        messages.note(&format!("computing {n_missing} of {all}; what is done is kept in {directory}"));
    }
    if let Some(sentence) = plan::wrong(&planned) {
        messages.warning(&sentence);
    }
    compute::compute(&study, &planned, &store, messages)?;
    if let Some(shard) = args.shard {
        let (cells, failed) = load(&planned, &store)?;
        let counts = console::Counts { all: cells.len(), different: n_different, computed: n_missing };
        let text = console::shard(&study, shard, counts);
        return Ok(Done { text, failed: failure(&cells, failed) });
    }
    conclude(&study, &reported, &planned, &store, n_missing, args.overrides.json)
}

/// Gathers the cells of parts that were computed elsewhere, and says what all of them came to.
pub(crate) fn merge(args: &MergeArgs) -> Result<Done, Error> {
    let study = read(&args.study, &args.overrides)?;
    let reported = Reported::new(&study)?;
    let store = Store::open(&study.output_dir)?;
    let planned = plan::plan(&study, &store, |_| true);
    args.parts.iter().try_for_each(|part| inputs::check_whole(part))?;
    let parts: Vec<Store> = args.parts.iter().map(|part| Store::at(part)).collect();
    let mut missing = Vec::new();
    for cell in planned.iter().filter(|cell| !matches!(cell.state, State::Kept)) {
        let found = parts.iter().find_map(|part| Some((part.cell(&cell.identity)?, part)));
        let Some((found, part)) = found else {
            missing.push(cell);
            continue;
        };
        store.keep(&cell.identity, &found, &part.timing(&cell.identity).unwrap_or_default())?;
    }
    if let Some(first) = missing.first() {
        let labels = study.labels(&study.cells[first.number]).join(", ");
        let why = match &first.state {
            State::Wrong(error) => {
                let error = error.lines().next().unwrap_or_default();
                format!("it is not known by which name to look for it, for here {error}")
            }
            _ => format!(
                "compute them first, or name their directories too (`lbaf study {}` computes what is missing)",
                study.file.shown()
            ),
        };
        return Err(Error::Input(format!(
            "{} of {} cells are in none of the parts, the first of them cell {} ({labels}); {why}",
            missing.len(),
            study.cells.len(),
            first.number,
        )));
    }
    conclude(&study, &reported, &planned, &store, 0, args.overrides.json)
}

fn read(file: &Path, overrides: &StudyOverrideArgs) -> Result<StudyConfig, Error> {
    let study = StudyConfig::read(file, &overrides.set, overrides.output_dir.as_deref())?;
    inputs::note_all(&study.base.files);
    Ok(study)
}

/// The results of cells that are all kept by now.
fn load(planned: &[Planned], store: &Store) -> Result<(Vec<Cell>, usize), Error> {
    let cell = |planned: &Planned| {
        store.cell(&planned.identity).ok_or_else(|| {
            Error::Input(format!(
                "cell {} was kept and is gone; did something else clean up the output directory?",
                planned.number
            ))
        })
    };
    let cells: Vec<Cell> = planned.iter().map(cell).collect::<Result<_, _>>()?;
    let n_failed = cells.iter().filter(|cell| cell.error.is_some()).count();
    Ok((cells, n_failed))
}

fn failure(cells: &[Cell], n_failed: usize) -> Option<Error> {
    let first = cells.iter().find_map(|cell| cell.error.clone())?;
    Some(Error::FailedCells { n_failed, n_cells: cells.len(), first })
}

fn conclude(
    study: &StudyConfig,
    reported: &Reported,
    planned: &[Planned],
    store: &Store,
    n_computed: usize,
    json: bool,
) -> Result<Done, Error> {
    let (cells, n_failed) = load(planned, store)?;
    let failed = failure(&cells, n_failed);
    let timings: Vec<Timing> =
        planned.iter().map(|cell| store.timing(&cell.identity).unwrap_or_default()).collect();
    let results = Results::new(study, planned, cells);
    let mut notes = plan::without_effect(study, planned);
    notes.extend(results.other_objective(&reported.objective));
    let staging = restore::staging(&study.output_dir)?;
    let timed_front = || tables::timed_front(&results, &reported.front(), &timings);
    let tables = [
        tables::cells(&results),
        tables::steps(&results),
        tables::medians(&results),
        tables::ranking(&results, reported),
        tables::front(&results, &reported.front()),
        tables::timings(&results, &timings),
    ];
    // In a run in time strategies cost what is assumed, which is a part of the total.
    for table in tables.into_iter().chain((study.command == StudyCommand::Run).then(timed_front)) {
        for (name, bytes) in tables::printed(table) {
            staging.put(&name, &bytes)?;
        }
    }
    let printed = paper::files(&results, reported)?;
    for (name, bytes) in &printed.files {
        staging.put(name, bytes)?;
    }
    let notes = [notes, printed.refused].concat();
    let stale = summary::stale(&study.output_dir);
    let summary = summary::summary(&results, planned, reported, &notes, &staging);
    staging.put(summary::FILE, &summary)?;
    staging.publish(Some(summary::FILE), &inputs::all(), &stale)?;
    store.tidy();
    let text = if json {
        String::from_utf8_lossy(&summary).into_owned()
    } else {
        let different = plan::n_different(planned.iter());
        let counts = console::Counts { all: planned.len(), different, computed: n_computed };
        console::report(&results, reported, counts, &notes)
    };
    Ok(Done { text, failed })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 0x1f = 31 = 7 x 4 + 3, and a digest of 32 times `f` is 2^128 - 1, which leaves 3 of 4 and 0 of 5.
    #[test]
    fn shards_hold_the_identities_that_leave_their_number() {
        let shard = |text: &str| text.parse::<Shard>().unwrap();
        let holders = |identity: &str, of: usize| -> Vec<usize> {
            (1..=of).filter(|number| shard(&format!("{number}/{of}")).has(identity)).collect()
        };
        assert_eq!(holders("1f", 4), [4]);
        assert_eq!((holders(&"f".repeat(32), 4), holders(&"f".repeat(32), 5)), (vec![4], vec![1]));
        assert_eq!(holders("a0", 1), [1]);
        assert!(shard("18446744073709551615/18446744073709551615").has("fffffffffffffffe"));
    }
}
