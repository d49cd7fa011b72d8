// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed parts of pages: template, style, the chart library, scripts of all pages, and scripts of the page of runs.

/// HTML of all pages with placeholders `{{name}}`.
pub(super) const TEMPLATE: &str = include_str!("../../assets/frame.html");

/// Controls and sections of the page of runs.
pub(super) const BODY: &str = include_str!("../../assets/runs.html");

/// Style sheet for the light theme, the dark theme and paper.
pub(crate) const STYLE: &str = include_str!("../../assets/page.css");

/// Chart library, as published.
pub(super) const ECHARTS: &str = include_str!("../../assets/echarts/echarts.min.js");

/// Notice that the licence of the chart library requires.
pub(super) const ECHARTS_NOTICE: &str = include_str!("../../assets/echarts/NOTICE");

/// First scripts of every page: numbers as text, elements, and the selection in the address.
pub(crate) const BASICS: [&str; 3] = [
    include_str!("../../assets/number.js"),
    include_str!("../../assets/element.js"),
    include_str!("../../assets/selection.js"),
];

/// Scripts of every page that come after the data and the state: theme, tables, charts, downloads and contents.
pub(crate) const CHARTS: [&str; 10] = [
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
];

/// Data and state of the page of runs.
pub(super) const STATE: [&str; 2] =
    [include_str!("../../assets/data.js"), include_str!("../../assets/state.js")];

/// Sections of the page of runs.
pub(super) const SECTIONS: [&str; 15] = [
    include_str!("../../assets/controls.js"),
    include_str!("../../assets/heading.js"),
    include_str!("../../assets/headline.js"),
    include_str!("../../assets/phase_table.js"),
    include_str!("../../assets/rank_chart.js"),
    include_str!("../../assets/phase_chart.js"),
    include_str!("../../assets/heat_map.js"),
    include_str!("../../assets/iteration_chart.js"),
    include_str!("../../assets/front_chart.js"),
    include_str!("../../assets/ranks_table.js"),
    include_str!("../../assets/between_ranks.js"),
    include_str!("../../assets/rank_detail.js"),
    include_str!("../../assets/objects_table.js"),
    include_str!("../../assets/comparison.js"),
    include_str!("../../assets/main.js"),
];

/// Returns groups of scripts as one script, which defines no global names.
pub(super) fn script(groups: &[&[&str]]) -> String {
    format!("(() => {{\n\"use strict\";\n{}}})();\n", groups.concat().concat())
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_chart_library_is_the_published_one() {
        let readme = include_str!("../../assets/echarts/README.md");
        let bytes = Sha256::digest(ECHARTS);
        let digest = bytes.iter().fold(String::new(), |digest, byte| digest + &format!("{byte:02x}"));
        assert!(readme.contains(&digest), "{digest}");
    }

    #[test]
    fn the_chart_library_does_not_end_its_script_element() {
        assert!(!ECHARTS.contains("</script") && !ECHARTS.contains("<!--"));
    }
}
