// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys and values of older LBAF versions: read as what they are called today, or accepted without effect. One
//! sentence for each, so that nothing is silently ignored.

use crate::yaml::{self, Error, Node, Value};

/// Keys that have another name or place today.
const RENAMED: [(&str, &str); 6] = [
    ("LBAF_Viz", "visualization"),
    ("write_JSON.offline_LB_compatible", "write_JSON.offline_lb_compatible"),
    ("file_suffix", "from_data.suffix"),
    ("from_data.phase_id", "from_data.phase_ids"),
    ("from_samplers.time_sampler", "from_samplers.load_sampler"),
    ("log_file", "from_data.data_stem"),
];

/// Values that have another name today.
const REWORDED: [(&str, &str, &str); 3] = [
    ("algorithm.parameters.order_strategy", "increasing_times", "increasing_loads"),
    ("algorithm.parameters.order_strategy", "decreasing_times", "decreasing_loads"),
    ("algorithm.parameters.criterion", "StrictLocalizer", "StrictLocalizing"),
];

/// Keys without effect, and why.
const WITHOUT_EFFECT: [(&str, &str); 9] = [
    (
        "brute_force_optimization",
        "a proven lower bound beside every result stands for the search of all placements",
    ),
    ("terminal_background", "the terminal keeps its own colours"),
    ("generate_multimedia", NO_MESHES),
    ("generate_meshes", NO_MESHES),
    ("exodus", NO_MESHES),
    ("x_procs", NO_MESHES),
    ("y_procs", NO_MESHES),
    ("z_procs", NO_MESHES),
    ("show_traceback", "errors name the file, the line and what to do"),
];

const NO_MESHES: &str = "no meshes are written; charts are under plots/";

/// Brings a configuration to the names of today, and says so.
///
/// # Errors
/// If a file has both the older and the present name of a key.
pub(super) fn renew(tree: &mut Node) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    // Before there was `from_data`, its two keys stood at the top.
    if tree.get("log_file").is_some() {
        rename(tree, "phase_id", "from_data.phase_ids", &mut notes)?;
    }
    for (old, new) in RENAMED {
        rename(tree, old, new, &mut notes)?;
    }
    let n_ranks = if tree.get("from_samplers").is_some() {
        "from_samplers.n_ranks"
    } else {
        "from_data.expected_ranks"
    };
    rename(tree, "n_ranks", n_ranks, &mut notes)?;
    for (path, old, new) in REWORDED {
        let Some(node) = tree.get_mut(path) else { continue };
        if matches!(&node.value, Value::String(written) if yaml::meant(written, &[old]).is_some()) {
            node.value = Value::String(new.to_owned());
            notes.push(format!("`{path}: {old}` of an older LBAF is read as `{new}`"));
        }
    }
    for (path, why) in WITHOUT_EFFECT {
        if tree.take(path).is_some() {
            notes.push(format!("`{path}` of an older LBAF has no effect: {why}"));
        }
    }
    Ok(notes)
}

/// Moves a value. Of two, that of the higher layer counts, as with keys of one name.
fn rename(tree: &mut Node, old: &str, new: &str, notes: &mut Vec<String>) -> Result<(), Error> {
    let name = old.rsplit('.').next().unwrap_or(old);
    let both = tree.error_at_key(
        old,
        format!("`{name}` is the older name of `{new}`, which is there too; keep one of them"),
    );
    let Some(value) = tree.take(old) else { return Ok(()) };
    let source = value.place.source;
    let value = match tree.take(new) {
        Some(present) if present.place.source > source => yaml::merge(value, present),
        Some(present) if present.place.source < source => yaml::merge(present, value),
        Some(_) => return Err(both),
        None => value,
    };
    yaml::put(tree, new, value)?;
    notes.push(format!("`{old}` of an older LBAF is read as `{new}`"));
    Ok(())
}
