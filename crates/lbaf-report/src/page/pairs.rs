// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sums of communication and migrations between ranks or groups of ranks.

use std::collections::BTreeMap;

use lbaf_run::summary::tables::ranks_per_group;

use super::migration_table::Migrated;
use super::view::{PackedNumbers, PairMigrations, PairVolumes, RankPairs};
use super::volume_table::Volume;
use crate::error::PageError;

/// Returns the number of ranks in a group for at most `most_groups` groups: a multiple of the group size in
/// `rank_volumes.csv`.
pub(super) fn group_size(n_ranks: usize, most_groups: usize) -> usize {
    n_ranks.div_ceil(most_groups).next_multiple_of(ranks_per_group(n_ranks))
}

/// Returns the sums for pairs of groups of ranks in a phase. `size` is the number of ranks in a group.
///
/// Returns `None` if a row names an absent rank, because the table then belongs to another run.
pub(super) fn pairs(
    n_ranks: usize,
    size: usize,
    volumes: Option<&[Volume]>,
    moved: &[Migrated],
) -> Result<Option<RankPairs>, PageError> {
    let n_groups = n_ranks.div_ceil(size);
    let number = |from: usize, to: usize| {
        (from.max(to) < n_ranks).then(|| (from / size * n_groups + to / size) as u64)
    };
    let volumes = match volumes.map(|volumes| of_volumes(volumes, number)) {
        None => None,
        Some(Some(columns)) => Some(columns?),
        Some(None) => return Ok(None),
    };
    let Some(migrations) = of_migrations(moved, number) else { return Ok(None) };
    Ok(Some(RankPairs { ranks_per_group: size, volumes, migrations: migrations? }))
}

fn of_volumes(
    volumes: &[Volume],
    number: impl Fn(usize, usize) -> Option<u64>,
) -> Option<Result<PairVolumes, PageError>> {
    let mut sums: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
    for volume in volumes {
        let sum = sums.entry(number(volume.from, volume.to)?).or_default();
        sum[0] += volume.before;
        sum[1] += volume.after;
    }
    let column = |at: usize| column(sums.values().map(|sum| sum[at]));
    let packed =
        || Ok(PairVolumes { pair: integers(sums.keys().copied()), before: column(0)?, after: column(1)? });
    Some(packed())
}

fn of_migrations(
    moved: &[Migrated],
    number: impl Fn(usize, usize) -> Option<u64>,
) -> Option<Result<PairMigrations, PageError>> {
    let mut sums: BTreeMap<u64, (u64, f64, f64)> = BTreeMap::new();
    for one in moved {
        let (count, load, bytes) = sums.entry(number(one.from.index(), one.to.index())?).or_default();
        *count += 1;
        *load += one.load;
        *bytes += one.bytes;
    }
    let packed = || {
        Ok(PairMigrations {
            pair: integers(sums.keys().copied()),
            count: integers(sums.values().map(|sum| sum.0)),
            load: column(sums.values().map(|sum| sum.1))?,
            bytes: column(sums.values().map(|sum| sum.2))?,
        })
    };
    Some(packed())
}

fn integers(numbers: impl Iterator<Item = u64>) -> PackedNumbers {
    PackedNumbers::of_integers(&numbers.collect::<Vec<_>>())
}

fn column(numbers: impl Iterator<Item = f64>) -> Result<PackedNumbers, PageError> {
    PackedNumbers::of_floats(&numbers.collect::<Vec<_>>(), "sum between ranks")
}

#[cfg(test)]
mod tests {
    use lbaf_model::RankId;

    use super::*;

    fn volume((from, to): (usize, usize), before: f64, after: f64) -> Volume {
        Volume { from, to, before, after }
    }

    fn moved(from: u32, to: u32, load: f64) -> Migrated {
        let (from, to) = (RankId(from), RankId(to));
        Migrated { is_sequence: false, number: 0, from, to, load, bytes: 10.0 * load }
    }

    fn floats(numbers: &[f64]) -> PackedNumbers {
        PackedNumbers::of_floats(numbers, "").unwrap()
    }

    /// Five ranks form groups 0-1, 2-3 and 4. Pair 3 goes from the second group to the first.
    #[test]
    fn groups_have_the_sums_of_their_ranks() {
        let volumes = [volume((0, 1), 1.0, 0.0), volume((2, 0), 2.0, 4.0), volume((3, 1), 3.0, 5.0)];
        let found = pairs(5, 2, Some(&volumes), &[moved(4, 0, 1.5), moved(4, 1, 2.5)]).unwrap().unwrap();
        let of_volumes = found.volumes.unwrap();
        assert_eq!(of_volumes.pair, PackedNumbers::of_integers(&[0, 3]));
        assert_eq!((of_volumes.before, of_volumes.after), (floats(&[1.0, 5.0]), floats(&[0.0, 9.0])));
        assert_eq!(found.migrations.pair, PackedNumbers::of_integers(&[6]));
        assert_eq!(found.migrations.count, PackedNumbers::of_integers(&[2]));
        assert_eq!((found.migrations.load, found.migrations.bytes), (floats(&[4.0]), floats(&[40.0])));
    }

    #[test]
    fn rows_of_absent_ranks_are_refused() {
        assert_eq!(pairs(2, 1, Some(&[volume((0, 2), 1.0, 1.0)]), &[]).unwrap(), None);
        assert_eq!(pairs(2, 1, None, &[moved(2, 0, 1.0)]).unwrap(), None);
    }

    /// `rank_volumes.csv` has no groups up to 512 ranks, groups of 2 for 700 ranks, and groups of 8 for 4096 ranks.
    #[test]
    fn groups_consist_of_whole_groups_of_the_table() {
        assert_eq!([256, 257, 700, 4096].map(|n_ranks| group_size(n_ranks, 256)), [1, 2, 4, 16]);
    }
}
