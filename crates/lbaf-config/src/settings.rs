// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of a strategy, and the equivalent arguments in vt's syntax.

use super::Layers;
use crate::ConfigError;
use crate::yaml::{self, Node, Value};

pub(super) const PARAMETERS: &str = "algorithm.parameters";
const ARGUMENTS: &str = "algorithm.args";

/// `algorithm.parameters` and `algorithm.args`, as written.
pub(super) struct Settings {
    parameters: Option<Node>,
    arguments: Option<Node>,
}

impl Settings {
    /// Removes parameters and arguments from a configuration. Returns them.
    pub(super) fn take(tree: &mut Node) -> Self {
        Settings { parameters: tree.take(PARAMETERS), arguments: tree.take(ARGUMENTS) }
    }

    /// Returns the parameters merged with the arguments, and the arguments. If a parameter and an argument have the
    /// same key, the one in the higher layer takes precedence.
    ///
    /// # Errors
    /// If the arguments are invalid, or a layer gives a key both as parameter and as argument.
    pub(super) fn merged(self, layers: &Layers) -> Result<(Option<Node>, Node), ConfigError> {
        let Settings { parameters, arguments } = self;
        let Some(written) = arguments else {
            let none = Node { value: Value::Mapping(Vec::new()), place: layers.tree.place };
            return Ok((parameters, none));
        };
        let refused = |error: yaml::Error| layers.error(&error.within(ARGUMENTS));
        let arguments = layers.arguments(&written).map_err(refused)?;
        let merged = match parameters {
            Some(parameters) => over(parameters, &arguments).map_err(refused)?,
            None => arguments.clone(),
        };
        Ok((Some(merged), arguments))
    }

    /// Refuses parameters and arguments, because an LB configuration file contains its own arguments.
    pub(super) fn refuse(self, layers: &Layers) -> Result<(), ConfigError> {
        for (path, node) in [(PARAMETERS, self.parameters), (ARGUMENTS, self.arguments)] {
            if node.is_some() {
                let message =
                    "with `lb_config`, write the arguments of each balancer after its name in that file";
                return Err(layers.error(&layers.tree.error_at_key(path, message)));
            }
        }
        Ok(())
    }
}

/// Merges the arguments into the parameters.
fn over(mut parameters: Node, arguments: &Node) -> Result<Node, yaml::Error> {
    if parameters.value == Value::Null {
        return Ok(arguments.clone());
    }
    // Values that are not mappings are rejected when they are read.
    let Value::Mapping(entries) = &mut parameters.value else { return Ok(parameters) };
    let Value::Mapping(more) = &arguments.value else { return Ok(parameters) };
    for argument in more {
        let Some(entry) = entries.iter_mut().find(|entry| entry.key.text == argument.key.text) else {
            entries.push(argument.clone());
            continue;
        };
        let (below, above) = (entry.key.place.source, argument.key.place.source);
        if below == above {
            let message = format!("`{}` is also given under `parameters`; keep one of them", entry.key.text);
            return Err(yaml::Error::new(message, argument.key.place));
        }
        if below < above {
            *entry = argument.clone();
        }
    }
    Ok(parameters)
}

/// Returns the section that contains the key or value of an error.
pub(super) fn section(error: &yaml::Error, arguments: &Node) -> &'static str {
    let Value::Mapping(entries) = &arguments.value else { return PARAMETERS };
    let is_there = |place| entries.iter().any(|entry| place == entry.key.place || place == entry.value.place);
    if error.place.is_some_and(is_there) { ARGUMENTS } else { PARAMETERS }
}
