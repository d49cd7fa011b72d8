// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mapping from values to colours.

use lbaf_plot::Palette;

use crate::colour::{Colour, Ramp, of_objects, of_ranks, of_values};
use crate::measure::Measure;
use crate::ranges::Extent;
use crate::{ColourQuantity, Ranges};

/// Number of classes of a continuous scale in strips, which use few colours.
pub(crate) const N_CLASSES: usize = 5;

/// Colours of the values of a quantity.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    pub(crate) title: String,
    pub(crate) extent: Extent,
    pub(crate) measure: Measure,
    pub(crate) colours: Colours,
}

/// Assignment of colours to values.
#[derive(Clone, Debug)]
pub(crate) enum Colours {
    /// Colours along a ramp from the smallest to the largest value.
    Ramp(Ramp),
    /// Colour for each distinct value, in ascending order of values.
    Values(Vec<(f64, Colour)>),
}

impl Scale {
    /// Creates the scale of ranks.
    pub(crate) fn of_ranks(quantity: &ColourQuantity, ranges: &Ranges, palette: Palette) -> Self {
        Scale::new("Rank", quantity, ranges.ranks, Colours::Ramp(of_ranks(palette)))
    }

    /// Creates the scale of objects. It has a colour for each distinct value if there are at most 20 of them and
    /// `force_continuous` is false; otherwise it is a ramp.
    pub(crate) fn of_objects(
        quantity: &ColourQuantity,
        ranges: &Ranges,
        force_continuous: bool,
        palette: Palette,
    ) -> Self {
        let values = ranges.values().filter(|_| !force_continuous);
        let colours = values.map_or(Colours::Ramp(of_objects(palette)), |values| {
            let colours = of_values(palette, values.len());
            Colours::Values(values.into_iter().zip(colours).collect())
        });
        Scale::new("Object", quantity, ranges.objects, colours)
    }

    fn new(owner: &str, quantity: &ColourQuantity, extent: Extent, colours: Colours) -> Self {
        let shown = match &colours {
            Colours::Values(values) => values.iter().map(|&(value, _)| value).collect(),
            Colours::Ramp(_) if extent.is_empty() => Vec::new(),
            Colours::Ramp(_) => vec![extent.low, extent.high],
        };
        let measure = Measure::of(&quantity.unit, &shown);
        Scale { title: format!("{owner} {}", quantity.title()), extent, measure, colours }
    }

    /// Returns the colour of a value; `None` for nan.
    pub(crate) fn colour(&self, value: f64) -> Option<Colour> {
        if value.is_nan() {
            return None;
        }
        Some(match &self.colours {
            Colours::Ramp(ramp) => Colour::at(ramp, self.extent.place(value)),
            Colours::Values(values) => values[place_among(values, value)].1,
        })
    }

    /// Returns the number of classes, not counting the class of absent values.
    pub(crate) fn n_classes(&self) -> usize {
        match &self.colours {
            Colours::Ramp(_) => N_CLASSES,
            Colours::Values(values) => values.len(),
        }
    }

    /// Returns the class of a value, from 0; for nan, the number of classes.
    #[expect(clippy::cast_sign_loss, reason = "places are not negative")]
    pub(crate) fn class(&self, value: f64) -> usize {
        match &self.colours {
            _ if value.is_nan() => self.n_classes(),
            Colours::Ramp(_) => ((self.extent.place(value) * N_CLASSES as f64) as usize).min(N_CLASSES - 1),
            Colours::Values(values) => place_among(values, value),
        }
    }

    /// Returns the colour in the middle of a class; `None` for the class of absent values.
    pub(crate) fn class_colour(&self, class: usize) -> Option<Colour> {
        (class < self.n_classes()).then(|| match &self.colours {
            Colours::Ramp(ramp) => Colour::at(ramp, (class as f64 + 0.5) / N_CLASSES as f64),
            Colours::Values(values) => values[class].1,
        })
    }
}

/// Returns the position of a value in the list. If the value is absent, returns the position of the next larger value,
/// or the last position.
fn place_among(values: &[(f64, Colour)], value: f64) -> usize {
    values.partition_point(|&(other, _)| other < value).min(values.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(low: f64, high: f64, colours: Colours) -> Scale {
        let quantity = ColourQuantity { name: "shared_id".to_owned(), unit: String::new() };
        Scale::new("Object", &quantity, Extent { low, high, lacks: false }, colours)
    }

    #[test]
    fn values_have_colours_of_their_own() {
        let colours = of_values(Palette::Colour, 3);
        let values = [1.0, 4.0, 9.0].into_iter().zip(colours.clone()).collect();
        let scale = scale(1.0, 9.0, Colours::Values(values));
        assert_eq!(scale.title, "Object shared id");
        assert_eq!(scale.colour(4.0), Some(colours[1]));
        assert_eq!((scale.class(9.0), scale.class_colour(2)), (2, Some(colours[2])));
        assert_eq!((scale.class(f64::NAN), scale.class_colour(3)), (3, None));
        assert_eq!(scale.colour(f64::NAN), None);
    }

    #[test]
    fn ramps_are_cut_into_equal_classes() {
        let scale = scale(0.0, 10.0, Colours::Ramp(of_objects(Palette::Colour)));
        let classes = [0.0, 1.9, 2.1, 5.0, 10.0].map(|value| scale.class(value));
        assert_eq!(classes, [0, 0, 1, 2, 4]);
        assert_eq!(scale.class_colour(0), Some(Colour::at(of_objects(Palette::Colour), 0.1)));
    }

    #[test]
    fn equal_values_lie_in_the_middle() {
        let scale = scale(3.0, 3.0, Colours::Ramp(of_ranks(Palette::Colour)));
        assert_eq!(scale.colour(3.0), Some(Colour(221, 221, 221)));
        assert_eq!(scale.class(3.0), 2);
    }
}
