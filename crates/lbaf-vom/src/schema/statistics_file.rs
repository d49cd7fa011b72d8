// SPDX-License-Identifier: MIT OR Apache-2.0
//! Schema of LB statistics files.

use super::{Member, Object, Schema, optional, required};

const TYPE: Member = optional("type", Schema::OneOf(&["LBStatsfile"]));

pub(super) static STATISTICS_FILE: Schema = Schema::Object(&DOCUMENT);

static DOCUMENT: Object = Object::new(
    "LBStatsfile",
    &[
        optional("metadata", Schema::Object(&METADATA)),
        required("phases", Schema::List(&Schema::Object(&PHASE))),
        TYPE,
    ],
    &[],
);

static METADATA: Object = Object::new("metadata", &[TYPE], &[]);

static PHASE: Object = Object::new(
    "phase",
    &[
        required("id", Schema::Integer),
        optional("migration count", Schema::Integer),
        optional("post-LB", Schema::Object(&GROUPS)),
        required("pre-LB", Schema::Object(&GROUPS)),
    ],
    &[],
);

static GROUPS: Object = Object::new(
    "groups",
    &[
        required("Object_comm", Schema::Object(&GROUP)),
        required("Object_load_modeled", Schema::Object(&GROUP)),
        required("Object_load_raw", Schema::Object(&GROUP)),
        optional("Object_strategy_specific_load_modeled", Schema::Object(&GROUP)),
        required("Rank_comm", Schema::Object(&GROUP)),
        required("Rank_load_modeled", Schema::Object(&GROUP)),
        required("Rank_load_raw", Schema::Object(&GROUP)),
        optional("Rank_strategy_specific_load_modeled", Schema::Object(&GROUP)),
    ],
    &[],
);

/// Moments of one quantity. Counts are also floats.
static GROUP: Object = Object::new(
    "group",
    &[
        required("avg", Schema::Float),
        required("car", Schema::Float),
        required("imb", Schema::Float),
        required("kur", Schema::Float),
        required("max", Schema::Float),
        required("min", Schema::Float),
        required("npr", Schema::Float),
        required("skw", Schema::Float),
        required("std", Schema::Float),
        required("sum", Schema::Float),
        required("var", Schema::Float),
    ],
    &[],
);
