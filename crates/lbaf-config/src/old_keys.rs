// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys and values of older LBAF versions, which are converted to current names or accepted without effect. Each gives
//! a note, so that no key is ignored silently.

use crate::yaml::{self, Error, Node, Value};

/// Renamed or moved keys: old and current path.
const RENAMED: [(&str, &str); 6] = [
    ("LBAF_Viz", "visualization"),
    ("write_JSON.offline_LB_compatible", "write_JSON.offline_lb_compatible"),
    ("file_suffix", "from_data.suffix"),
    ("from_data.phase_id", "from_data.phase_ids"),
    ("from_samplers.time_sampler", "from_samplers.load_sampler"),
    ("log_file", "from_data.data_stem"),
];

/// Renamed values: path of the key, old and current value.
const REWORDED: [(&str, &str, &str); 3] = [
    ("algorithm.parameters.order_strategy", "increasing_times", "increasing_loads"),
    ("algorithm.parameters.order_strategy", "decreasing_times", "decreasing_loads"),
    ("algorithm.parameters.criterion", "StrictLocalizer", "StrictLocalizing"),
];

/// Old keys without effect, with the reason.
const WITHOUT_EFFECT: [(&str, &str); 9] = [
    (
        "brute_force_optimization",
        "every result has a proven lower bound instead of a search of all placements",
    ),
    ("terminal_background", "the terminal keeps its own colours"),
    ("generate_multimedia", NO_MESHES),
    ("generate_meshes", NO_MESHES),
    ("exodus", NO_MESHES),
    ("x_procs", NO_MESHES),
    ("y_procs", NO_MESHES),
    ("z_procs", NO_MESHES),
    ("show_traceback", "errors name the file and line"),
];

const NO_MESHES: &str = "use `visualization` for pictures and meshes";

/// Converts a configuration, or a change of one, to current names, and removes old keys without effect. Returns a note
/// on each of them. `is_drawn` is true for synthetic data, for which `n_ranks` moves to `from_samplers`.
///
/// # Errors
/// If a file has both the older and the current name of a key, or if a key moves below a value that is not a
/// mapping.
pub(super) fn renew(tree: &mut Node, is_drawn: bool) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    // Before `from_data` existed, the stem and the phases were at the top level.
    if tree.get("log_file").is_some() {
        rename(tree, "phase_id", "from_data.phase_ids", &mut notes)?;
    }
    for (old, new) in RENAMED {
        rename(tree, old, new, &mut notes)?;
    }
    let n_ranks = if is_drawn { "from_samplers.n_ranks" } else { "from_data.expected_ranks" };
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

/// Moves a value from its old to its current path. If a lower and a higher layer have one of these paths each, the
/// higher layer takes precedence.
fn rename(tree: &mut Node, old: &str, new: &str, notes: &mut Vec<String>) -> Result<(), Error> {
    let name = old.rsplit('.').next().unwrap_or(old);
    let both = tree.error_at_key(
        old,
        format!("`{name}` is the older name of `{new}`, which is also present; keep one of them"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Sources, parse};

    /// Returns the converted tree of two layers, and the notes without quotes around names.
    fn renewed(base: &str, over: &str) -> (Node, String) {
        let mut sources = Sources::default();
        let [base, over] = [("base", base), ("over", over)].map(|(name, text)| {
            let source = sources.add(name, text);
            parse(source, &sources).unwrap()
        });
        let mut tree = yaml::merge(base, over);
        let is_drawn = tree.get("from_samplers").is_some();
        let notes = renew(&mut tree, is_drawn).unwrap();
        (tree, notes.join("; ").replace('`', ""))
    }

    fn text(tree: &Node, path: &str) -> String {
        match tree.get(path).map(|node| &node.value) {
            Some(Value::String(text)) => text.clone(),
            other => panic!("{path}: {other:?}"),
        }
    }

    #[test]
    fn values_of_older_versions_get_their_current_names() {
        let base = "algorithm: {parameters: {order_strategy: Increasing_Times, criterion: StrictLocalizer}}";
        let (tree, notes) = renewed(base, "");
        assert_eq!(text(&tree, "algorithm.parameters.order_strategy"), "increasing_loads");
        assert_eq!(text(&tree, "algorithm.parameters.criterion"), "StrictLocalizing");
        let orders = "algorithm.parameters.order_strategy: increasing_times of an older LBAF is read as increasing_loads";
        let criteria =
            "algorithm.parameters.criterion: StrictLocalizer of an older LBAF is read as StrictLocalizing";
        assert_eq!(notes, format!("{orders}; {criteria}"));
        let (tree, notes) = renewed("algorithm: {parameters: {order_strategy: small_objects}}", "");
        assert_eq!(text(&tree, "algorithm.parameters.order_strategy"), "small_objects");
        assert_eq!(notes, "");
    }

    #[test]
    fn the_number_of_ranks_moves_to_the_origin_of_the_data() {
        let (tree, _) = renewed("n_ranks: four", "from_samplers: {n_objects: 3}");
        assert_eq!(text(&tree, "from_samplers.n_ranks"), "four");
        let (tree, _) = renewed("n_ranks: four", "from_data: {data_stem: x}");
        assert_eq!(text(&tree, "from_data.expected_ranks"), "four");
    }

    /// The higher layer overrides the lower one key by key, as if both used the same name.
    #[test]
    fn two_names_of_a_section_merge_by_layer() {
        for (base, over) in [
            ("visualization: {rank_qoi: a, object_qoi: b}", "LBAF_Viz: {rank_qoi: c}"),
            ("LBAF_Viz: {rank_qoi: a, object_qoi: b}", "visualization: {rank_qoi: c}"),
        ] {
            let (tree, notes) = renewed(base, over);
            assert_eq!(text(&tree, "visualization.rank_qoi"), "c", "{over}");
            assert_eq!(text(&tree, "visualization.object_qoi"), "b", "{over}");
            assert_eq!(notes, "LBAF_Viz of an older LBAF is read as visualization");
        }
    }

    #[test]
    fn a_key_that_moves_below_a_scalar_is_an_error() {
        let mut sources = Sources::default();
        let source = sources.add("a.yaml", "from_data: x\nfile_suffix: json\n");
        let mut tree = parse(source, &sources).unwrap();
        assert!(renew(&mut tree, false).unwrap_err().message.starts_with("no key `suffix` can be set here"));
    }
}
