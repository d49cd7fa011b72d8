// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed parts of the page of a simulation.

use crate::page::assets::STYLE;
use crate::page::document::Frame;

/// Template, styles and scripts. Code that runs while a script is loaded uses only earlier scripts.
pub(super) const SIMULATION: Frame = Frame {
    template: include_str!("../../assets/simulation.html"),
    styles: &[STYLE, include_str!("../../assets/study/study.css")],
    scripts: &[
        include_str!("../../assets/number.js"),
        include_str!("../../assets/element.js"),
        include_str!("../../assets/selection.js"),
        include_str!("../../assets/simulation/state.js"),
        include_str!("../../assets/theme.js"),
        include_str!("../../assets/lazy.js"),
        include_str!("../../assets/download.js"),
        include_str!("../../assets/table.js"),
        include_str!("../../assets/chart.js"),
        include_str!("../../assets/axes.js"),
        include_str!("../../assets/ticks.js"),
        include_str!("../../assets/cells.js"),
        include_str!("../../assets/export_chart.js"),
        include_str!("../../assets/contents.js"),
        include_str!("../../assets/result_heading.js"),
        include_str!("../../assets/simulation/scenarios.js"),
        include_str!("../../assets/simulation/time_charts.js"),
        include_str!("../../assets/simulation/parts.js"),
        include_str!("../../assets/simulation/events.js"),
        include_str!("../../assets/simulation/load_models.js"),
        include_str!("../../assets/simulation/main.js"),
    ],
};

#[cfg(test)]
mod tests {
    use crate::page::document::check;

    #[test]
    fn scripts_follow_the_rules_of_pages() {
        check(&super::SIMULATION);
    }
}
