// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed parts of every page: template, style, scripts and the chart library.

/// HTML template with placeholders `{{name}}`.
pub(super) const TEMPLATE: &str = include_str!("../../assets/page.html");

/// Style sheet for the light theme, the dark theme and paper.
pub(crate) const STYLE: &str = include_str!("../../assets/page.css");

/// Chart library, as published.
pub(super) const ECHARTS: &str = include_str!("../../assets/echarts/echarts.min.js");

/// Notice that the licence of the chart library requires.
pub(super) const ECHARTS_NOTICE: &str = include_str!("../../assets/echarts/NOTICE");

/// Scripts of the page of runs. Code that runs while a script is loaded uses only earlier scripts.
pub(super) const SCRIPTS: [&str; 29] = [
    include_str!("../../assets/number.js"),
    include_str!("../../assets/element.js"),
    include_str!("../../assets/data.js"),
    include_str!("../../assets/state.js"),
    include_str!("../../assets/theme.js"),
    include_str!("../../assets/lazy.js"),
    include_str!("../../assets/download.js"),
    include_str!("../../assets/table.js"),
    include_str!("../../assets/chart.js"),
    include_str!("../../assets/axes.js"),
    include_str!("../../assets/ticks.js"),
    include_str!("../../assets/cells.js"),
    include_str!("../../assets/export_chart.js"),
    include_str!("../../assets/controls.js"),
    include_str!("../../assets/contents.js"),
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

/// Returns several scripts as one script, which defines no global names.
pub(super) fn script(scripts: &[&str]) -> String {
    format!("(() => {{\n\"use strict\";\n{}}})();\n", scripts.concat())
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
    fn no_script_contains_its_end_tag() {
        for script in SCRIPTS.iter().chain([&ECHARTS]) {
            assert!(!script.contains("</script") && !script.contains("<!--"));
        }
    }

    #[test]
    fn every_script_has_a_licence_and_a_description() {
        for script in SCRIPTS {
            assert!(script.starts_with("// SPDX-License-Identifier: MIT OR Apache-2.0\n// "));
            assert!(script.lines().count() <= 300);
        }
    }

    /// Texts in the data must be inserted as text, never as markup.
    #[test]
    fn no_script_writes_markup() {
        for script in SCRIPTS {
            for way in
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("]
            {
                assert!(!script.contains(way), "{way}");
            }
        }
    }
}
