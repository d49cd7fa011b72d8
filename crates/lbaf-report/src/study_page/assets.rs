// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed parts of the page of a study.

use crate::page::assets::{BASICS, CHARTS, STYLE};
use crate::page::document::Frame;

/// Heading, styles and scripts.
pub(super) const STUDY: Frame = Frame {
    heading: "Study",
    layout: "",
    body: include_str!("../../assets/study.html"),
    styles: &[STYLE, include_str!("../../assets/study/study.css")],
    scripts: &[
        &BASICS,
        &[include_str!("../../assets/study/data.js"), include_str!("../../assets/study/state.js")],
        &CHARTS,
        &[
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
