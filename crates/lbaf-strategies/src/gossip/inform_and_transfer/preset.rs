// SPDX-License-Identifier: MIT OR Apache-2.0
//! Published settings, and parameters given in addition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{InformAndTransfer, TransferStrategy};
use crate::{Cmf, Concurrency, Criterion, DestLoad, End, Order, Rescan, SenderLoad};

/// Published settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Settings of the program used for the tables of SAND2019-5139: 10 iterations of 10 rounds, fanout 6, and
    /// `Original` transfers with criterion 6' (set `criterion: Grapevine` for criterion 6). The criterion uses the
    /// work of the sender at the beginning of its turn (`frozen`) and the current work of the destination (`live`).
    /// The list of objects restarts after every transfer (`restart`), and the probabilities of destinations are
    /// computed at the start of the iteration.
    Sand2019,
}

impl Preset {
    fn parameters(self) -> InformAndTransfer {
        match self {
            Preset::Sand2019 => InformAndTransfer {
                preset: Some(self),
                n_iterations: 10,
                n_rounds: 10,
                fanout: 6,
                transfer_strategy: TransferStrategy::Original,
                criterion: Criterion::ModifiedGrapevine,
                sender_load: SenderLoad::Frozen,
                rescan: Rescan::Restart,
                dest_load: DestLoad::Live,
                cmf: Cmf::Iteration,
                ..InformAndTransfer::default()
            },
        }
    }
}

macro_rules! given {
    ($($key:ident: $type:ty,)*) => {
        /// Parameters as given by the user. A missing parameter has the value of the preset, or its default if
        /// there is no preset.
        #[derive(Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub(super) struct Given {
            preset: Option<Preset>,
            max_knowledge: Option<u32>,
            max_objects_per_transfer: Option<u32>,
            max_subclusters: Option<u32>,
            $($key: Option<$type>,)*
        }

        impl From<Given> for InformAndTransfer {
            fn from(given: Given) -> Self {
                let base = given.preset.map_or_else(InformAndTransfer::default, Preset::parameters);
                InformAndTransfer {
                    preset: given.preset,
                    max_knowledge: given.max_knowledge.or(base.max_knowledge),
                    max_objects_per_transfer: given.max_objects_per_transfer.or(base.max_objects_per_transfer),
                    max_subclusters: given.max_subclusters.or(base.max_subclusters),
                    $($key: given.$key.unwrap_or(base.$key),)*
                }
            }
        }
    };
}

given! {
    n_iterations: u32,
    n_rounds: u32,
    fanout: u32,
    order_strategy: Order,
    order_from: End,
    transfer_strategy: TransferStrategy,
    criterion: Criterion,
    deterministic_transfer: bool,
    target_imbalance: f64,
    subclustering_threshold: f64,
    subclustering_minimum_improvement: f64,
    cluster_swap_rtol: f64,
    separate_subclustering: bool,
    concurrency: Concurrency,
    sender_load: SenderLoad,
    rescan: Rescan,
    dest_load: DestLoad,
    cmf: Cmf,
    homeward: bool,
    migration_weight: f64,
}
