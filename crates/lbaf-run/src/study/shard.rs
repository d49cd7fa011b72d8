// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shards of a study: subsets of its cells, each for one of several processes.

use std::str::FromStr;

/// A subset of the cells, such as 2/8, the second of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    /// Parses a shard such as `2/8`.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected a shard such as 2/8, found {text:?}");
        let (number, of) = text.split_once('/').ok_or_else(expected)?;
        let (number, of): (usize, usize) =
            (number.parse().map_err(|_| expected())?, of.parse().map_err(|_| expected())?);
        if number == 0 || number > of {
            return Err(format!("expected a shard number from 1 to {of}, found {number}"));
        }
        Ok(Shard { number, of })
    }
}

impl Shard {
    /// Returns the number of this shard, from 1.
    pub fn number(self) -> usize {
        self.number
    }

    /// Returns the number of shards.
    pub fn of(self) -> usize {
        self.of
    }

    /// True if a cell is in this shard. The identity of the cell (a hexadecimal digest) modulo the number of shards
    /// determines the shard. This spreads the cells of a choice over shards, puts equal cells into one shard, and
    /// keeps a cell in its shard when the study grows.
    pub(super) fn has(self, identity: &str) -> bool {
        let digits = identity.chars().filter_map(|digit| digit.to_digit(16));
        let rest = digits.fold(0, |rest, digit| (rest * 16 + u128::from(digit)) % self.of as u128);
        rest == (self.number - 1) as u128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 0x1f = 31 = 7 x 4 + 3; a digest of 32 times `f` is 2^128 - 1, which is 3 modulo 4 and 0 modulo 5.
    #[test]
    fn shards_hold_the_identities_with_their_remainder() {
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
