// SPDX-License-Identifier: MIT OR Apache-2.0
//! LB statistics files (`LBStatsfile`): moments of loads and communication before and after balancing, in vt's
//! format.

use serde::Serialize;
use simd_json::Node;

use crate::parse::on_tape;
use crate::walker::{Walked, Walker};
use crate::{DocumentType, Scratch, VomError};

/// Statistics file. Serialization yields its JSON document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatisticsFile {
    metadata: Metadata,
    /// One entry for each phase, in the order of the file.
    pub phases: Vec<StatisticsPhase>,
    /// Type at the top level, for readers that expect it there, as in older files.
    #[serde(rename = "type")]
    kind: &'static str,
}

/// Metadata, where vt states the type of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Metadata {
    #[serde(rename = "type")]
    kind: &'static str,
}

/// Statistics of one phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatisticsPhase {
    /// Number of the phase.
    pub id: u64,
    /// Number of objects that changed rank, if stated.
    #[serde(rename = "migration count", skip_serializing_if = "Option::is_none")]
    pub migration_count: Option<u64>,
    /// Statistics after balancing, if the phase was balanced.
    #[serde(rename = "post-LB", skip_serializing_if = "Option::is_none")]
    pub post_lb: Option<StatisticsGroups>,
    /// Statistics before balancing.
    #[serde(rename = "pre-LB")]
    pub pre_lb: StatisticsGroups,
}

/// Moments of all quantities of a phase. `None` for groups that a file may omit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StatisticsGroups {
    /// Bytes of communication, over objects.
    #[serde(rename = "Object_comm")]
    pub object_comm: StatisticsGroup,
    /// Loads computed by the load model, over objects.
    #[serde(rename = "Object_load_modeled")]
    pub object_load_modeled: StatisticsGroup,
    /// Measured loads, over objects.
    #[serde(rename = "Object_load_raw")]
    pub object_load_raw: StatisticsGroup,
    /// Loads of objects after adjustment by the strategy.
    #[serde(rename = "Object_strategy_specific_load_modeled", skip_serializing_if = "Option::is_none")]
    pub object_strategy_specific: Option<StatisticsGroup>,
    /// Bytes of communication, over ranks.
    #[serde(rename = "Rank_comm")]
    pub rank_comm: StatisticsGroup,
    /// Loads computed by the load model, over ranks.
    #[serde(rename = "Rank_load_modeled")]
    pub rank_load_modeled: StatisticsGroup,
    /// Measured loads, over ranks.
    #[serde(rename = "Rank_load_raw")]
    pub rank_load_raw: StatisticsGroup,
    /// Loads of ranks after adjustment by the strategy.
    #[serde(rename = "Rank_strategy_specific_load_modeled", skip_serializing_if = "Option::is_none")]
    pub rank_strategy_specific: Option<StatisticsGroup>,
}

/// Moments of one quantity. Counts are floats too, as in files of vt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StatisticsGroup {
    /// Mean.
    pub avg: f64,
    /// Number of values.
    pub car: f64,
    /// Imbalance: `max / avg - 1`.
    pub imb: f64,
    /// Excess kurtosis.
    pub kur: f64,
    /// Largest value.
    pub max: f64,
    /// Smallest value.
    pub min: f64,
    /// Number of nonzero values.
    pub npr: f64,
    /// Skewness.
    pub skw: f64,
    /// Standard deviation.
    pub std: f64,
    /// Sum.
    pub sum: f64,
    /// Variance.
    pub var: f64,
}

impl StatisticsFile {
    /// Creates a file with these phases.
    pub fn new(phases: Vec<StatisticsPhase>) -> Self {
        let kind = DocumentType::LbStatsfile.name();
        StatisticsFile { metadata: Metadata { kind }, phases, kind }
    }

    /// Reads a statistics file, plain or brotli. Integers are accepted as floats, and unknown keys are ignored;
    /// [`crate::validate()`] is strict.
    ///
    /// # Errors
    /// If the file cannot be decoded, is not valid JSON, or lacks a required member or has one of another type.
    pub fn parse(raw: &[u8], scratch: &mut Scratch) -> Result<Self, VomError> {
        scratch.document.decode(raw)?;
        let walk = |nodes: &[Node<'_>], structurals: &[u32]| walk_file(Walker::new(nodes, structurals));
        on_tape(raw, false, scratch, walk)
    }

    /// Returns the bytes of the file: one line.
    ///
    /// # Panics
    /// Never panics: the structure is plain data. Values that are not finite are written as `null`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).expect("invariant: plain data");
        bytes.push(b'\n');
        bytes
    }
}

impl StatisticsGroups {
    /// Returns all present groups with their names in files.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &StatisticsGroup)> {
        let groups = [
            Some(&self.object_comm),
            Some(&self.object_load_modeled),
            Some(&self.object_load_raw),
            self.object_strategy_specific.as_ref(),
            Some(&self.rank_comm),
            Some(&self.rank_load_modeled),
            Some(&self.rank_load_raw),
            self.rank_strategy_specific.as_ref(),
        ];
        GROUPS.into_iter().zip(groups).filter_map(|(name, group)| Some((name, group?)))
    }
}

/// Names of groups in files, in the order of the fields.
const GROUPS: [&str; 8] = [
    "Object_comm",
    "Object_load_modeled",
    "Object_load_raw",
    "Object_strategy_specific_load_modeled",
    "Rank_comm",
    "Rank_load_modeled",
    "Rank_load_raw",
    "Rank_strategy_specific_load_modeled",
];

/// Names of moments in files, in the order of the fields.
const MOMENTS: [&str; 11] = ["avg", "car", "imb", "kur", "max", "min", "npr", "skw", "std", "sum", "var"];

type Placed<'a> = Walker<'a, true>;

fn walk_file(mut walker: Placed<'_>) -> Walked<StatisticsFile> {
    let here = walker;
    let mut phases = None;
    walker.object(|walker, key| {
        if key == "phases" {
            let mut list = Vec::with_capacity(walker.len());
            walker.array(|walker, _| {
                list.push(walk_phase(walker)?);
                Ok(())
            })?;
            phases = Some(list);
        } else {
            walker.skip();
        }
        Ok(())
    })?;
    let missing = || here.complain("the statistics file has no `phases`".to_owned());
    Ok(StatisticsFile::new(phases.ok_or_else(missing)?))
}

fn walk_phase(walker: &mut Placed<'_>) -> Walked<StatisticsPhase> {
    let here = *walker;
    let (mut id, mut migration_count, mut post_lb, mut pre_lb) = (None, None, None, None);
    walker.object(|walker, key| {
        match key {
            "id" => id = Some(walker.unsigned()?),
            "migration count" => migration_count = Some(walker.unsigned()?),
            "post-LB" => post_lb = Some(walk_groups(walker)?),
            "pre-LB" => pre_lb = Some(walk_groups(walker)?),
            _ => walker.skip(),
        }
        Ok(())
    })?;
    let missing = |key: &str| here.complain(format!("the phase has no `{key}`"));
    Ok(StatisticsPhase {
        id: id.ok_or_else(|| missing("id"))?,
        migration_count,
        post_lb,
        pre_lb: pre_lb.ok_or_else(|| missing("pre-LB"))?,
    })
}

fn walk_groups(walker: &mut Placed<'_>) -> Walked<StatisticsGroups> {
    let here = *walker;
    let mut groups: [Option<StatisticsGroup>; 8] = [None; 8];
    walker.object(|walker, key| {
        match GROUPS.iter().position(|&name| name == key) {
            Some(position) => groups[position] = Some(walk_group(walker)?),
            None => walker.skip(),
        }
        Ok(())
    })?;
    let [object_comm, object_load_modeled, object_load_raw, object_strategy_specific, ..] = groups;
    let [.., rank_comm, rank_load_modeled, rank_load_raw, rank_strategy_specific] = groups;
    let required = |position: usize, group: Option<StatisticsGroup>| {
        group.ok_or_else(|| here.complain(format!("the group `{}` is missing", GROUPS[position])))
    };
    Ok(StatisticsGroups {
        object_comm: required(0, object_comm)?,
        object_load_modeled: required(1, object_load_modeled)?,
        object_load_raw: required(2, object_load_raw)?,
        object_strategy_specific,
        rank_comm: required(4, rank_comm)?,
        rank_load_modeled: required(5, rank_load_modeled)?,
        rank_load_raw: required(6, rank_load_raw)?,
        rank_strategy_specific,
    })
}

fn walk_group(walker: &mut Placed<'_>) -> Walked<StatisticsGroup> {
    let here = *walker;
    let mut moments = [None; 11];
    walker.object(|walker, key| {
        if let Some(position) = MOMENTS.iter().position(|&name| name == key) {
            moments[position] = Some(walker.number_ahead()?);
        }
        walker.skip();
        Ok(())
    })?;
    if let Some(missing) = moments.iter().position(Option::is_none) {
        return Err(here.complain(format!("the group has no `{}`", MOMENTS[missing])));
    }
    let [avg, car, imb, kur, max, min, npr, skw, std, sum, var] = moments.map(Option::unwrap_or_default);
    Ok(StatisticsGroup { avg, car, imb, kur, max, min, npr, skw, std, sum, var })
}
