// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed parts of the page of a study.

use crate::page::assets::STYLE;
use crate::page::document::Frame;

/// Template, styles and scripts. Code that runs while a script is loaded uses only earlier scripts.
pub(super) const STUDY: Frame = Frame {
    template: include_str!("../../assets/study.html"),
    styles: &[STYLE, include_str!("../../assets/study/study.css")],
    scripts: &[
        include_str!("../../assets/number.js"),
        include_str!("../../assets/element.js"),
        include_str!("../../assets/study/data.js"),
        include_str!("../../assets/selection.js"),
        include_str!("../../assets/study/state.js"),
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
        include_str!("../../assets/study/competitors.js"),
        include_str!("../../assets/study/ranking.js"),
        include_str!("../../assets/study/medians.js"),
        include_str!("../../assets/study/fronts.js"),
        include_str!("../../assets/study/heat_map.js"),
        include_str!("../../assets/study/failures.js"),
        include_str!("../../assets/study/cells.js"),
        include_str!("../../assets/study/cell.js"),
        include_str!("../../assets/study/controls.js"),
        include_str!("../../assets/study/main.js"),
    ],
};

#[cfg(test)]
mod tests {
    use crate::page::document::check;

    #[test]
    fn scripts_follow_the_rules_of_pages() {
        check(&super::STUDY);
    }
}
