// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ways of writing the same problem down.

use std::fmt;

/// Formulation of a problem as a program. All formulations that can express a problem have the same optimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Load and memory alone, as in the CCM paper: `chi[i,k]` for object k on rank i, `phi[i,n]` for block n there.
    Comcp,
    /// The paper's with communication: `psi[i,j,m]` for message m from rank i to rank j, of which there are as many
    /// as ranks x ranks x edges. All variables but the objective are binary.
    Fwmp,
    /// Everything with fewer variables, of which fewer are binary, and a better relaxation: `psi[i,i,m]` alone says
    /// what stays on a rank, and what leaves it is what its objects send without that. Only `chi` is binary: the
    /// others are 0 or 1 wherever `chi` is. The work is not below what [`best_lower_bound`] knows.
    ///
    /// [`best_lower_bound`]: lbaf_model::best_lower_bound
    #[default]
    Compact,
}

impl Form {
    /// The name that users write.
    pub fn name(self) -> &'static str {
        match self {
            Form::Comcp => "comcp",
            Form::Fwmp => "fwmp",
            Form::Compact => "compact",
        }
    }

    /// True if variables that follow from `chi` are declared binary too.
    pub(crate) fn is_all_binary(self) -> bool {
        self != Form::Compact
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
