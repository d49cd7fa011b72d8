// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups of ranks whose files are written together, because the records of all ranks exceed the memory.

use std::ops::Range;

use lbaf_reader::{FileRecords, ParkedRecords, Place, ReadError, TemporaryFile};
use rayon::prelude::*;

use crate::WriteError;
use crate::excerpt::{pack, split, unpack};
use crate::targets::Targets;

/// Memory of a group per byte of its text: excerpts also have the places of their records, and the lengths of records
/// are estimates.
const BYTES_PER_TEXT_BYTE: u64 = 2;

/// Records of a data set in a temporary file, split by the group of ranks into whose files they are written.
pub(crate) struct Parts {
    /// Consecutive ranks of each group.
    ranges: Vec<Range<usize>>,
    file: TemporaryFile,
    /// Places of the excerpts, by file and group.
    places: Vec<Vec<Place>>,
}

impl Parts {
    /// Reads all files again, once, and splits their records by group of ranks. A group either keeps the limit in
    /// `records` or consists of a single rank. Calls `see` with the records and the document of each file, and returns
    /// its results by rank.
    pub(crate) fn new<T: Send>(
        records: &ParkedRecords,
        targets: &Targets<'_>,
        see: impl Fn(&FileRecords, &[u8]) -> T + Sync,
    ) -> Result<(Self, Vec<T>), WriteError> {
        let most_bytes = records.memory_bytes() / BYTES_PER_TEXT_BYTE;
        let ranges = ranges(&text_bytes(records, targets)?, most_bytes);
        let groups: Vec<usize> =
            ranges.iter().enumerate().flat_map(|(group, range)| range.clone().map(move |_| group)).collect();
        let file = TemporaryFile::default();
        let put = |rank: usize, records: FileRecords| -> Result<_, WriteError> {
            let document = records.document.bytes()?;
            let seen = see(&records, &document);
            let excerpts = split(&records, &document, rank, targets, &groups);
            let places = excerpts.into_iter().map(|excerpt| file.put(&pack(&excerpt)?));
            let places = places.collect::<Result<_, _>>().map_err(ReadError::Temporary)?;
            Ok((places, seen))
        };
        let (places, seen) = records.visit(put)?.into_iter().unzip();
        Ok((Parts { ranges, file, places }, seen))
    }

    /// Returns the number of groups.
    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns the ranks of a group, and the excerpts of all files for this group.
    pub(crate) fn part(&self, group: usize) -> Result<(Range<usize>, Vec<FileRecords>), WriteError> {
        let get = |places: &Vec<Place>| unpack(&self.file.get(places[group])?);
        let files =
            self.places.par_iter().map(get).collect::<Result<_, _>>().map_err(ReadError::Temporary)?;
        Ok((self.ranges[group].clone(), files))
    }
}

/// Estimates the text of the records in the file of each rank in bytes, from the number of its records and the mean
/// length of all records.
fn text_bytes(records: &ParkedRecords, targets: &Targets<'_>) -> Result<Vec<u64>, WriteError> {
    let n_ranks = records.n_files();
    let count = |mut counts: Vec<u64>, rank: usize| -> Result<Vec<u64>, ReadError> {
        for (source, owners) in records.owners(rank)?.into_iter().enumerate() {
            let owners = owners.tasks.into_iter().map(Some).chain(owners.communications);
            for target in owners.flat_map(|owner| targets.of(source, owner, rank)) {
                counts[target] += 1;
            }
        }
        Ok(counts)
    };
    let counts = (0..n_ranks).try_fold(vec![0; n_ranks], count)?;
    let n_records: u64 = counts.iter().sum();
    let mean = records.document_bytes() / n_records.max(1) + 1;
    Ok(counts.into_iter().map(|count| count * mean).collect())
}

/// Splits the ranks into groups of consecutive ranks with at most `most_bytes`, or of a single rank with more.
fn ranges(bytes: &[u64], most_bytes: u64) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut sum = u64::MAX;
    for (rank, &bytes) in bytes.iter().enumerate() {
        sum = sum.saturating_add(bytes);
        match ranges.last_mut() {
            Some(range) if sum <= most_bytes => range.end = rank + 1,
            _ => {
                ranges.push(rank..rank + 1);
                sum = bytes;
            }
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_as_large_as_the_limit_permits() {
        let bounds = |most| -> Vec<(usize, usize)> {
            ranges(&[2, 1, 5, 0, 3, 3], most).into_iter().map(|range| (range.start, range.end)).collect()
        };
        assert_eq!(bounds(14), [(0, 6)]);
        assert_eq!(bounds(8), [(0, 4), (4, 6)]);
        assert_eq!(bounds(3), [(0, 2), (2, 3), (3, 5), (5, 6)]);
        assert_eq!(bounds(0), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]);
    }
}
