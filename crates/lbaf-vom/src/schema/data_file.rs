// SPDX-License-Identifier: MIT OR Apache-2.0
//! Schema of LB data files: the documented schema of the generation with `seq_id`, and the later key `rank_alpha`. It
//! also admits files without `seq_id`, but not NodeStats files, which lack `migratable`.

use super::{Member, Object, Rule, Schema, optional, required};

const TYPE: Member = optional("type", Schema::OneOf(&["LBDatafile"]));
const INTEGERS: Schema = Schema::List(&Schema::Integer);

pub(super) static DATA_FILE: Schema = Schema::Object(&DOCUMENT);

static DOCUMENT: Object = Object::new(
    "LBDatafile",
    &[
        optional("metadata", Schema::Object(&METADATA)),
        required("phases", Schema::List(&Schema::Object(&PHASE))),
        TYPE,
    ],
    &[],
);

static METADATA: Object = Object::new(
    "metadata",
    &[
        optional("attributes", Schema::Free),
        optional("phases", Schema::Object(&PHASES_WITHOUT_ENTRY)),
        optional("rank", Schema::Integer),
        optional("rank_alpha", Schema::Float),
        optional("shared_node", Schema::Object(&SHARED_NODE)),
        TYPE,
    ],
    &[],
);

static PHASES_WITHOUT_ENTRY: Object = Object::new(
    "phases_without_entry",
    &[
        optional("count", Schema::Integer),
        required("identical_to_previous", Schema::Object(&RANGES)),
        required("skipped", Schema::Object(&RANGES)),
    ],
    &[],
);

static RANGES: Object =
    Object::new("ranges", &[required("list", INTEGERS), required("range", Schema::List(&INTEGERS))], &[]);

static SHARED_NODE: Object = Object::new(
    "shared_node",
    &[
        required("id", Schema::Integer),
        required("num_nodes", Schema::Integer),
        required("rank", Schema::Integer),
        required("size", Schema::Integer),
    ],
    &[],
);

static PHASE: Object = Object::new(
    "phase",
    &[
        optional("communications", Schema::List(&Schema::Object(&COMMUNICATION))),
        required("id", Schema::Integer),
        optional("lb_iterations", Schema::List(&Schema::Object(&ITERATION))),
        required("tasks", Schema::List(&Schema::Object(&TASK))),
        optional("user_defined", Schema::Free),
    ],
    &[],
);

static ITERATION: Object = Object::new(
    "iteration",
    &[
        optional("communications", Schema::List(&Schema::Object(&COMMUNICATION))),
        required("id", Schema::Integer),
        required("tasks", Schema::List(&Schema::Object(&TASK))),
        optional("user_defined", Schema::Free),
    ],
    &[],
);

static TASK: Object = Object::new(
    "task",
    &[
        optional("attributes", Schema::Free),
        required("entity", Schema::Object(&ENTITY)),
        required("node", Schema::Integer),
        required("resource", Schema::String),
        optional("subphases", Schema::List(&Schema::Object(&SUBPHASE))),
        required("time", Schema::Float),
        optional("user_defined", Schema::Free),
    ],
    &[],
);

static SUBPHASE: Object =
    Object::new("subphase", &[required("id", Schema::Integer), required("time", Schema::Float)], &[]);

static COMMUNICATION: Object = Object::new(
    "communication",
    &[
        required("bytes", Schema::Float),
        required("from", Schema::Object(&ENDPOINT)),
        required("messages", Schema::Integer),
        required("to", Schema::Object(&ENDPOINT)),
        required("type", Schema::String),
    ],
    &[],
);

/// Object of a task.
static ENTITY: Object = Object::new(
    "entity",
    &[
        optional("collection_id", Schema::Integer),
        required("home", Schema::Integer),
        optional("id", Schema::Integer),
        optional("index", INTEGERS),
        required("migratable", Schema::Boolean),
        optional("objgroup_id", Schema::Integer),
        optional("seq_id", Schema::Integer),
        required("type", Schema::String),
    ],
    IDS,
);

/// Endpoint of a communication, which may also be a rank or a block.
static ENDPOINT: Object = Object::new(
    "endpoint",
    &[
        optional("collection_id", Schema::Integer),
        optional("home", Schema::Integer),
        optional("id", Schema::Integer),
        optional("index", INTEGERS),
        optional("migratable", Schema::Boolean),
        optional("objgroup_id", Schema::Integer),
        optional("seq_id", Schema::Integer),
        required("type", Schema::String),
    ],
    IDS,
);

const IDS: &[Rule] = &[
    Rule::AnyOf(&["id", "seq_id"]),
    Rule::NeededWith { flag: "migratable", with: "seq_id", needed: "collection_id" },
];
