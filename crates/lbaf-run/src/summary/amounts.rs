// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of a bounded quantity in sentences.

use lbaf_model::RankQuantity;
use lbaf_text::number::{bytes, significant};

/// Formats values of a quantity: sizes as in `1.6 GB`, or as whole numbers of bytes if different values would look
/// equal.
pub(super) fn amounts<const N: usize>(quantity: &str, values: [f64; N]) -> [String; N] {
    if !quantity.parse().is_ok_and(|quantity: RankQuantity| quantity.unit() == "B") {
        return values.map(significant);
    }
    let readable = values.map(bytes);
    let pairs = (0..N).flat_map(|one| (0..one).map(move |other| (one, other)));
    let looks_equal =
        |(one, other): (usize, usize)| values[one] != values[other] && readable[one] == readable[other];
    if pairs.into_iter().any(looks_equal) { values.map(|value| format!("{value} B")) } else { readable }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: sizes were numbers without a unit, such as 1600000000.
    #[test]
    fn sizes_have_units_and_different_ones_look_different() {
        assert_eq!(amounts("max_memory_usage", [1.6e9, 1e9]), ["1.6 GB", "1 GB"]);
        assert_eq!(amounts("homing", [1e9 + 1.0, 1e9]), ["1000000001 B", "1000000000 B"]);
        assert_eq!(amounts("homing", [1e9, 1e9]), ["1 GB", "1 GB"]);
        assert_eq!(amounts("num_objects", [2000.0, 1.0]), ["2000", "1"]);
        assert_eq!(amounts("load", [2.5, 1.0]), ["2.5", "1"]);
    }
}
