// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sections `plots`, on charts, and `tables`, on tables for papers.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use super::Selection;
use super::word_or_mapping::word_or_mapping;

/// `none`, or settings of charts.
#[derive(Debug)]
pub(in super::super) enum Plots {
    None,
    Some(PlotSettings),
}

impl Default for Plots {
    fn default() -> Self {
        Plots::Some(PlotSettings::default())
    }
}

word_or_mapping! {
    Plots: "`none`, or a mapping with the keys `formats`, `charts`, `phases`, `width`, `dpi`, `pgfplots` and `style`",
    {"none" => Plots::None},
    PlotSettings => Plots::Some
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in super::super) struct PlotSettings {
    /// Formats of the charts. Default: all.
    pub(in super::super) formats: Option<Vec<Format>>,
    /// Names of charts, or `all`.
    pub(in super::super) charts: Option<Charts>,
    /// Phases with charts of their own.
    pub(in super::super) phases: Option<Selection>,
    /// Width of the charts.
    pub(in super::super) width: Width,
    /// Resolution of PNG files in dots per inch.
    pub(in super::super) dpi: Option<u32>,
    /// Also write sources for pgfplots.
    pub(in super::super) pgfplots: bool,
    /// Style of the charts.
    pub(in super::super) style: ChartStyle,
}

/// Names of charts; in files, a single name or a list.
#[derive(Debug)]
pub(in super::super) struct Charts(pub(in super::super) Vec<String>);

impl<'de> Deserialize<'de> for Charts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Charts;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("names of charts, or `all`")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Charts, E> {
                Ok(Charts(vec![name.to_owned()]))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, list: A) -> Result<Charts, A::Error> {
                Vec::deserialize(serde::de::value::SeqAccessDeserializer::new(list)).map(Charts)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// Style of charts.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in super::super) struct ChartStyle {
    /// Colours.
    pub(in super::super) palette: Option<Palette>,
    /// Font size of axis labels in points, 5 to 16.
    pub(in super::super) font_size: Option<f64>,
    /// Height of the charts in millimetres, 30 to 250.
    pub(in super::super) height: Option<f64>,
    /// Show titles.
    pub(in super::super) titles: bool,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum Palette {
    #[serde(alias = "color")]
    Colour,
    #[serde(alias = "gray")]
    Grey,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum Format {
    Svg,
    Pdf,
    Png,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum Width {
    #[default]
    OneColumn,
    TwoColumn,
}

/// Tables for papers.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in super::super) struct Tables {
    /// Width of the tables for LaTeX. Default: a column for tables that fit into one, otherwise the page.
    pub(in super::super) width: Option<TableWidth>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum TableWidth {
    Column,
    Page,
}

impl Tables {
    pub(in super::super) fn width(&self) -> Option<lbaf_plot::TableWidth> {
        self.width.map(|width| match width {
            TableWidth::Column => lbaf_plot::TableWidth::Column,
            TableWidth::Page => lbaf_plot::TableWidth::Page,
        })
    }
}
