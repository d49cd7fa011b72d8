// SPDX-License-Identifier: MIT OR Apache-2.0
//! Formulations of a placement problem as a program.

use std::fmt;

/// Formulation of a problem as a program. All formulations that can express a problem have the same optimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Load and memory only, as in the CCM paper that [`Formulated`](crate::Formulated) cites: `chi[i,k]` for object k
    /// on rank i, `phi[i,n]` for block n on rank i.
    Comcp,
    /// The program of the paper with communication: `psi[i,j,m]` for message m from rank i to rank j, at most ranks x
    /// ranks x edges variables. All variables are binary except the objective and the largest sizes of objects on
    /// ranks.
    Fwmp,
    /// Every work model that is a sum of terms, with fewer variables, fewer of them binary, and a tighter relaxation.
    /// Only `psi[i,i,m]` is used, for the on-rank volume; the volume that leaves a rank is the volume that its objects
    /// send, minus the on-rank volume. Only `chi` is declared binary: if every `chi` is 0 or 1, every `phi` and the
    /// best value of every `psi` are 0 or 1 too. The lower bound of the objective variable is [`best_lower_bound`],
    /// reduced by a margin for rounding errors.
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

    /// True if `phi` and `psi`, which follow from `chi`, are declared binary.
    pub(crate) fn is_all_binary(self) -> bool {
        self != Form::Compact
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
