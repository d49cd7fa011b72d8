// SPDX-License-Identifier: MIT OR Apache-2.0
//! Formulations of a placement problem as a program.

use std::fmt;

/// Formulation of a problem as a program. All formulations that can express a problem have the same optimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Load and memory only, as in the CCM paper: `chi[i,k]` for object k on rank i, `phi[i,n]` for block n on
    /// rank i.
    Comcp,
    /// The program of the paper with communication: `psi[i,j,m]` for message m from rank i to rank j, in total
    /// ranks x ranks x edges variables. All variables except the objective are binary.
    Fwmp,
    /// Every work model, with fewer variables, fewer of them binary, and a tighter relaxation. Only `psi[i,i,m]`
    /// is used: it expresses the volume that stays on a rank; the volume that leaves a rank is the rest of
    /// the volume that its objects send. Only `chi` is binary; the other variables are 0 or 1 if `chi` is. The
    /// work is at least [`best_lower_bound`].
    ///
    /// [`best_lower_bound`]: lbaf_model::best_lower_bound
    #[default]
    Compact,
}

impl Form {
    /// Returns the name in configurations and arguments.
    pub fn name(self) -> &'static str {
        match self {
            Form::Comcp => "comcp",
            Form::Fwmp => "fwmp",
            Form::Compact => "compact",
        }
    }

    /// True if variables that follow from `chi` are also declared binary.
    pub(crate) fn is_all_binary(self) -> bool {
        self != Form::Compact
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
