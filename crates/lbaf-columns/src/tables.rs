// SPDX-License-Identifier: MIT OR Apache-2.0
//! Set of tables.

/// One value for each table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tables<T> {
    /// Row for each object in each phase.
    pub tasks: T,
    /// Row for each subphase of each object in each phase.
    pub subphases: T,
    /// Row for each record of communication.
    pub communications: T,
    /// Row for each rank in each phase.
    pub ranks: T,
}

impl Tables<&'static str> {
    /// Names of the tables.
    pub const NAMES: Self =
        Tables { tasks: "tasks", subphases: "subphases", communications: "communications", ranks: "ranks" };
}

impl<T> Tables<T> {
    /// Applies `f` to the value of each table.
    ///
    /// # Errors
    /// If `f` returns an error for one of the tables.
    pub fn try_map<U, E>(self, mut f: impl FnMut(T) -> Result<U, E>) -> Result<Tables<U>, E> {
        Ok(Tables {
            tasks: f(self.tasks)?,
            subphases: f(self.subphases)?,
            communications: f(self.communications)?,
            ranks: f(self.ranks)?,
        })
    }

    /// Returns all values, in the order of tables.
    pub fn into_array(self) -> [T; 4] {
        [self.tasks, self.subphases, self.communications, self.ranks]
    }
}
