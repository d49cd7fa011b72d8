// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings and data of a run in the heading of the page.

use lbaf_config::{named_phases, ranges};
use lbaf_run::summary::{Named, Summary};
use lbaf_text::number::{bytes, counted};
use serde_json::Value;

use super::view::Fact;

/// Returns the settings and the data of a run.
pub(super) fn facts(summary: &Summary) -> Vec<Fact> {
    let input = &summary.input;
    let mut facts = vec![
        input_of(&input.stem),
        plain(
            "Data",
            &format!(
                "{}, {}, {} ({}), {}",
                counted(input.n_ranks, "rank"),
                counted(input.n_objects, "object"),
                counted(input.phases_read.len(), "phase"),
                ranges(&input.phases_read),
                bytes(input.document_bytes as f64),
            ),
        ),
        Fact {
            label: "Strategy".to_owned(),
            value: summary.strategy_label().to_owned(),
            settings: settings(&summary.strategy),
        },
        Fact {
            label: "Work model".to_owned(),
            value: summary.work_model.name.clone(),
            settings: settings(&summary.work_model),
        },
    ];
    if !summary.balancers.is_empty() {
        facts.push(balancers(summary));
    }
    facts.push(plain("Seed", &summary.seed.to_string()));
    let told = [&summary.configuration.files[..], &summary.configuration.overrides[..]].concat();
    if !told.is_empty() {
        facts.push(plain("Configuration", &told.join(", ")));
    }
    facts.push(plain("Computed by", &format!("lbaf {}", summary.lbaf)));
    facts
}

/// Returns the input as a path without leading `.` and `..`, because the page does not name the directory of the
/// configuration. If the path in the configuration differs, the entry also shows that path.
fn input_of(stem: &str) -> Fact {
    let mut path = stem;
    while let Some(rest) = path.strip_prefix("../").or_else(|| path.strip_prefix("./")) {
        path = rest.trim_start_matches('/');
    }
    let written = (path != stem).then(|| ("in the configuration".to_owned(), stem.to_owned()));
    Fact { label: "Input".to_owned(), value: path.to_owned(), settings: written.into_iter().collect() }
}

fn plain(label: &str, value: &str) -> Fact {
    Fact { label: label.to_owned(), value: value.to_owned(), settings: Vec::new() }
}

/// Returns the balancers of an LB configuration file and their phases.
fn balancers(summary: &Summary) -> Fact {
    let rule = |run: &lbaf_run::summary::BalancerRuns| {
        let balancer = run.balancer.clone().unwrap_or_else(|| "none".to_owned());
        (balancer, named_phases(&run.phases))
    };
    Fact {
        label: "Balancers".to_owned(),
        value: counted(summary.balancers.len(), "rule"),
        settings: summary.balancers.iter().map(rule).collect(),
    }
}

/// Returns parameters as names and values. The name of a nested parameter is its path.
fn settings(named: &Named) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    gather("", &named.parameters, &mut settings);
    settings
}

fn gather(path: &str, value: &Value, settings: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                gather(&path, value, settings);
            }
        }
        Value::Null if path.is_empty() => {}
        Value::Null => settings.push((path.to_owned(), "none".to_owned())),
        Value::String(text) => settings.push((path.to_owned(), text.clone())),
        value => settings.push((path.to_owned(), value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_have_no_leading_dots() {
        let shown = |stem| {
            let fact = input_of(stem);
            (fact.value, fact.settings.into_iter().map(|(_, written)| written).collect::<Vec<_>>())
        };
        assert_eq!(shown("../../runs/data"), ("runs/data".to_owned(), vec!["../../runs/data".to_owned()]));
        assert_eq!(shown("./data"), ("data".to_owned(), vec!["./data".to_owned()]));
        assert_eq!(shown("/scratch/data"), ("/scratch/data".to_owned(), Vec::new()));
        assert_eq!(shown("a/../data"), ("a/../data".to_owned(), Vec::new()));
    }
}
