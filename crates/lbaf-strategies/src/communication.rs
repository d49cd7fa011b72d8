// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages and bytes that ranks exchange to compute a placement.

use crate::Problem;

/// Bytes of the record of an object: its number, and its load or new rank.
const RECORD: f64 = 16.0;

/// Bytes of the record of an edge: the numbers of two objects, and the volume.
const EDGE: f64 = 24.0;

/// Communication pattern by which ranks obtain a placement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Protocol {
    /// One rank gathers all migratable objects, and all edges if the work model uses communication, computes the
    /// placement, and broadcasts the migrations. Gather and broadcast use a binomial tree.
    #[default]
    Central,
    /// Ranks send each other messages, counted in [`IterationStats::n_messages`](crate::IterationStats::n_messages).
    /// Their lengths are unknown and count as 0.
    Peers,
    /// Each rank computes its part of the placement without a message.
    Silent,
    /// The strategy states the communication.
    Stated(Communication),
}

/// Messages and bytes that ranks exchange to obtain a placement, without the transport of migrating objects.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Communication {
    /// Number of messages, summed over all ranks.
    pub n_messages: u64,
    /// Bytes of all messages. With [`Protocol::Peers`]: 0.
    pub bytes: f64,
    /// Number of messages on the critical path. With [`Protocol::Peers`]: average number of messages per rank.
    pub serial_messages: f64,
    /// Bytes of the messages on the critical path. With [`Protocol::Peers`]: 0.
    pub serial_bytes: f64,
}

impl Communication {
    /// Computes the communication if one rank gathers the records of objects and edges, and broadcasts the
    /// migrations.
    pub(crate) fn central(problem: &Problem<'_>, n_migrations: usize) -> Self {
        let Problem { phase, model, .. } = *problem;
        let n_others = phase.n_ranks().saturating_sub(1);
        if n_others == 0 {
            return Communication::default();
        }
        let n_migratable = phase.slots().filter(|&slot| phase.is_migratable(slot)).count();
        let n_edges = if model.aspects().communication { phase.communication().n_edges() } else { 0 };
        let gathered = RECORD * n_migratable as f64 + EDGE * n_edges as f64;
        let decided = RECORD * n_migrations as f64;
        Communication {
            n_messages: 2 * n_others as u64,
            bytes: gathered + n_others as f64 * decided,
            serial_messages: f64::from(2 * steps(phase.n_ranks())),
            serial_bytes: gathered + decided,
        }
    }

    /// Computes the communication if peers send `n_messages` messages of unknown length.
    pub(crate) fn between_peers(n_ranks: usize, n_messages: u64) -> Self {
        let serial_messages = n_messages as f64 / n_ranks.max(1) as f64;
        Communication { n_messages, serial_messages, ..Communication::default() }
    }

    /// Adds a level of a tree in which ranks communicate with the first rank of their group. `groups` has, for each
    /// group, the number of members and the number of records that the members send up to the first. The same number of
    /// records is sent down again.
    pub(crate) fn add_level(&mut self, groups: impl Iterator<Item = (usize, usize)>) {
        let (mut most_members, mut most_records) = (1, 0);
        for (n_members, n_records) in groups {
            self.n_messages += 2 * n_members.saturating_sub(1) as u64;
            self.bytes += 2.0 * RECORD * n_records as f64;
            most_members = most_members.max(n_members);
            most_records = most_records.max(n_records);
        }
        self.serial_messages += f64::from(2 * steps(most_members));
        self.serial_bytes += 2.0 * RECORD * most_records as f64;
    }
}

/// Returns the number of steps of a binomial tree over ranks.
fn steps(n_ranks: usize) -> u32 {
    n_ranks.max(1).next_power_of_two().trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binomial_tree_doubles_its_reach_in_each_step() {
        assert_eq!([1, 2, 3, 4, 5, 8, 9, 1024].map(steps), [0, 1, 2, 2, 3, 3, 4, 10]);
    }

    /// The first level has groups of 3 and 2 ranks, whose members other than the first send 5 and 7 records. The
    /// second level has a group of 2 with 1 record.
    #[test]
    fn levels_of_a_tree_add_up() {
        let mut tree = Communication::default();
        tree.add_level([(3, 5), (2, 7)].into_iter());
        tree.add_level([(2, 1)].into_iter());
        let expected = Communication {
            n_messages: 2 * (2 + 1 + 1),
            bytes: 32.0 * 13.0,
            serial_messages: 2.0 * (2.0 + 1.0),
            serial_bytes: 32.0 * 8.0,
        };
        assert_eq!(tree, expected);
    }
}
