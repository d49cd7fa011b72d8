// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results of `lbaf anomalies` for files.

use std::collections::BTreeMap;

use lbaf_config::labelling_in_json;
use lbaf_model::{NodeId, ObjectIdx};
use lbaf_noise::{
    Anomaly, CoAnomaly, Labelling, NodeSlowness, Parts, PhaseParts, RankSlowness, SlowSpell, Tally,
    worst_anomalies,
};
use lbaf_run::summary::FileDigest;
use lbaf_run::summary::doubt;
use lbaf_text::number::counted;
use serde::Serialize;
use serde_json::Value;

use super::arguments::AnomaliesArgs;
use super::{Findings, SCHEMA, hints, host_names};

/// All results. Times are in seconds.
#[derive(Debug, Serialize)]
pub(super) struct Results {
    schema: &'static str,
    version: u32,
    lbaf: &'static str,
    stem: String,
    /// Settings of anomaly detection.
    pub(super) labelling: Value,
    pub(super) n_ranks: usize,
    pub(super) n_objects: usize,
    /// Numbers of measured phases, and of phases that repeat one of them.
    pub(super) n_phases: usize,
    pub(super) n_phases_repeated: usize,
    /// Tasks not judged, because too few times of their object, or of their collection, are known.
    pub(super) n_unlabelled: usize,
    /// Tasks that the detector tested, and tasks that it flagged, including permanent changes of times.
    pub(super) n_tested: usize,
    n_flagged: usize,
    /// Sentence with the reason why the noise is unknown.
    pub(super) doubt: Option<String>,
    /// Objects whose times changed permanently.
    pub(super) n_objects_changed: usize,
    pub(super) overall: TallyOf,
    pub(super) imbalance: Imbalance,
    /// The anomalies with the largest excess, as many as `--worst` states.
    pub(super) worst: Vec<AnomalyOf>,
    /// Objects with anomalies, by descending excess.
    pub(super) objects: Vec<Named<String>>,
    pub(super) ranks: Vec<RankOf>,
    pub(super) nodes: Vec<NodeOf>,
    pub(super) phases: Vec<PhaseOf>,
    /// Ranks on which the fraction of anomalous tasks in a phase exceeds `--together`, with at least two anomalies.
    pub(super) together: Vec<TogetherOf>,
    /// Ranks that are slow in a part of the run.
    pub(super) slow_spells: Vec<SlowSpellOf>,
    /// Tasks that the estimate of slowness cannot use.
    pub(super) n_incomparable: usize,
    /// Tasks of objects that ran on several ranks, as a fraction of the tasks with a positive time. Tasks left out by
    /// `--skip-first` do not count.
    pub(super) migrated_share: f64,
    /// Hints on slow ranks, one sentence each.
    pub(super) hints: Vec<String>,
    /// Names of slow nodes.
    pub(super) exclude_hosts: Vec<String>,
    /// Other notes, one sentence each.
    pub(super) notes: Vec<String>,
    /// Digests of all other output files.
    pub(super) outputs: BTreeMap<String, FileDigest>,
}

/// Components of the imbalance, and the seconds of critical ranks.
#[derive(Debug, Serialize)]
pub(super) struct Imbalance {
    /// Means over the phases without tasks that `--skip-first` leaves out, or over all phases if each has such tasks.
    pub(super) overall: PartsOf,
    /// Fraction of these phases in which another rank is critical if anomalies are left out.
    pub(super) critical_rank_changes: f64,
    /// Sums over these phases of the largest load of a rank: as measured, and without anomalies.
    pub(super) seconds: f64,
    pub(super) denoised_seconds: f64,
    /// Groups of consecutive phases with the same placement and no lasting change of times.
    pub(super) segments: Vec<SegmentOf>,
}

#[derive(Debug, Serialize)]
pub(super) struct PartsOf {
    pub(super) imbalance: f64,
    pub(super) denoised: f64,
    pub(super) noise: f64,
    pub(super) persistent: f64,
    pub(super) jitter: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct SegmentOf {
    first_phase: u64,
    last_phase: u64,
    n_phases: usize,
    persistent: f64,
}

/// Counts and times of anomalies in a set of tasks.
#[derive(Debug, Serialize)]
pub(super) struct TallyOf {
    pub(super) n_tasks: usize,
    pub(super) n_anomalies: usize,
    pub(super) rate: f64,
    pub(super) anomalous_seconds: f64,
    pub(super) excess_seconds: f64,
    pub(super) largest_score: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Named<T> {
    pub(super) name: T,
    #[serde(flatten)]
    pub(super) tally: TallyOf,
}

#[derive(Debug, Serialize)]
pub(super) struct RankOf {
    pub(super) rank: u32,
    pub(super) host: String,
    #[serde(flatten)]
    pub(super) tally: TallyOf,
    /// Times of objects on this rank, as a multiple of their times on the median rank of its group. A group consists of
    /// ranks that are connected, directly or through other ranks, by objects that ran on two of them.
    pub(super) slowness: Option<f64>,
    /// Standard error of the slowness, as a fraction of it.
    pub(super) slowness_error: Option<f64>,
    /// Number of objects that ran on this rank and on others.
    pub(super) n_compared: usize,
    /// Number of tasks of such objects on this rank.
    pub(super) n_migrated: usize,
    /// Times of objects that never migrated, as a multiple of the times of their siblings; divided by this multiple for
    /// the median rank.
    pub(super) sibling_slowness: Option<f64>,
    /// Number of tasks of these objects.
    pub(super) n_siblings: usize,
    pub(super) is_slow: bool,
    pub(super) may_be_slow: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct NodeOf {
    pub(super) node: u32,
    pub(super) host: String,
    pub(super) n_ranks: usize,
    #[serde(flatten)]
    pub(super) tally: TallyOf,
    pub(super) slowness: Option<f64>,
    pub(super) n_slow_ranks: usize,
    pub(super) is_slow: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct PhaseOf {
    pub(super) phase: u64,
    #[serde(flatten)]
    pub(super) tally: TallyOf,
    #[serde(flatten)]
    pub(super) parts: PartsOf,
    pub(super) seconds: f64,
    pub(super) denoised_seconds: f64,
    pub(super) critical_rank: u32,
    pub(super) denoised_critical_rank: u32,
    pub(super) critical_noise_seconds: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct AnomalyOf {
    pub(super) phase: u64,
    pub(super) rank: u32,
    pub(super) object: String,
    pub(super) seconds: f64,
    pub(super) typical_seconds: Option<f64>,
    pub(super) excess_seconds: f64,
    pub(super) score: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct TogetherOf {
    pub(super) phase: u64,
    pub(super) rank: u32,
    pub(super) host: String,
    #[serde(flatten)]
    pub(super) tally: TallyOf,
}

#[derive(Debug, Serialize)]
pub(super) struct SlowSpellOf {
    pub(super) rank: u32,
    pub(super) host: String,
    pub(super) first_phase: u64,
    pub(super) last_phase: u64,
    pub(super) factor: f64,
    pub(super) n_objects: usize,
}

impl Results {
    pub(super) fn new(args: &AnomaliesArgs, labelling: &Labelling, findings: &Findings<'_>) -> Self {
        let Findings { recorded, labels, summary, decomposition, slowness, slow_spells, doubt, hosts: names } =
            findings;
        let tested = labels.tested();
        let has_changed = |object: &usize| labels.n_changes(ObjectIdx::from(*object)) > 0;
        let data = &recorded.data;
        let n_phases = (0..data.phases().len()).filter(|&at| labels.is_measured(at)).count();
        let judgements =
            (0..data.phases().len()).filter(|&at| labels.is_measured(at)).flat_map(|at| labels.of_phase(at));
        let n_unlabelled =
            judgements.filter(|judgement| judgement.label == lbaf_noise::Label::Unlabelled).count();
        let host_of_node = |node: NodeId| {
            let rank = slowness.ranks.iter().position(|rank| rank.node == node);
            rank.map_or_else(String::new, |rank| names[rank].clone())
        };
        let mut notes = recorded.findings.warnings.clone();
        if n_unlabelled > 0 {
            notes.push(format!(
                "{n_unlabelled} of {} not judged, because --min-samples requires at least {} samples of the same {}",
                counted(summary.overall.n_tasks, "task") + if n_unlabelled == 1 { " is" } else { " are" },
                labelling.detector.guards.min_samples,
                labelling.grouping.name(),
            ));
        }
        Results {
            schema: SCHEMA,
            version: 3,
            lbaf: env!("CARGO_PKG_VERSION"),
            stem: args.data_set.stem.display().to_string(),
            labelling: labelling_in_json(labelling),
            n_ranks: data.n_ranks(),
            n_objects: data.n_objects(),
            n_phases,
            n_phases_repeated: data.phases().len() - n_phases,
            n_unlabelled,
            n_tested: tested.n_tested,
            n_flagged: tested.n_flagged,
            doubt: doubt
                .map(|why| doubt::sentence(why, labelling, decomposition.overall().imbalance))
                .map(|sentence| doubt::capitalized(&sentence)),
            n_objects_changed: (0..data.n_objects()).filter(has_changed).count(),
            overall: (&summary.overall).into(),
            imbalance: Imbalance::new(decomposition),
            worst: worst_anomalies(labels, args.worst)
                .iter()
                .map(|worst| AnomalyOf::new(worst, findings))
                .collect(),
            objects: objects(findings),
            ranks: slowness
                .ranks
                .iter()
                .zip(&summary.ranks)
                .map(|(rank, tally)| RankOf::new(rank, tally, &names[rank.rank.index()]))
                .collect(),
            nodes: slowness
                .nodes
                .iter()
                .map(|node| NodeOf::new(node, summary.nodes.get(&node.node), host_of_node(node.node)))
                .collect(),
            phases: decomposition
                .phases
                .iter()
                .zip(&summary.phases)
                .map(|(parts, tally)| PhaseOf::new(parts, tally))
                .collect(),
            together: summary
                .co_anomalies(labels, args.together)
                .iter()
                .map(|found| TogetherOf::new(found, &names[found.rank.index()]))
                .collect(),
            slow_spells: slow_spells
                .iter()
                .map(|spell| SlowSpellOf::new(spell, &names[spell.rank.index()]))
                .collect(),
            n_incomparable: slowness.n_incomparable,
            migrated_share: slowness.n_migrated as f64 / slowness.n_tasks.max(1) as f64,
            hints: hints::hints(slowness, names),
            exclude_hosts: host_names::named(recorded, slowness.slow_nodes().map(host_of_node)),
            notes,
            outputs: BTreeMap::new(),
        }
    }
}

fn objects(findings: &Findings<'_>) -> Vec<Named<String>> {
    let keys = findings.recorded.data.keys();
    let mut objects: Vec<(usize, &Tally)> = findings.summary.objects.iter().enumerate().collect();
    objects.retain(|(_, tally)| tally.n_anomalies > 0);
    objects.sort_by(|(_, one), (_, other)| other.excess_seconds.total_cmp(&one.excess_seconds));
    let named =
        |(object, tally): (usize, &Tally)| Named { name: keys[object].to_string(), tally: tally.into() };
    objects.into_iter().map(named).collect()
}

impl From<&Tally> for TallyOf {
    fn from(tally: &Tally) -> Self {
        let Tally { n_tasks, n_anomalies, anomalous_seconds, excess_seconds, largest_score } = *tally;
        TallyOf { n_tasks, n_anomalies, rate: tally.rate(), anomalous_seconds, excess_seconds, largest_score }
    }
}

impl From<Parts> for PartsOf {
    fn from(parts: Parts) -> Self {
        let Parts { imbalance, denoised, noise, persistent, residual } = parts;
        PartsOf { imbalance, denoised, noise, persistent, jitter: residual }
    }
}

impl Imbalance {
    fn new(decomposition: &lbaf_noise::Decomposition) -> Self {
        let sum = |of: fn(&PhaseParts) -> f64| decomposition.counted().map(of).fold(0.0, |sum, of| sum + of);
        let segment = |of: &lbaf_noise::Segment| SegmentOf {
            first_phase: of.first.0,
            last_phase: of.last.0,
            n_phases: of.n_phases,
            persistent: of.persistent,
        };
        Imbalance {
            overall: decomposition.overall().into(),
            critical_rank_changes: decomposition.critical_rank_changes(),
            seconds: sum(|phase| phase.seconds),
            denoised_seconds: sum(|phase| phase.denoised_seconds),
            segments: decomposition.segments.iter().map(segment).collect(),
        }
    }
}

impl RankOf {
    fn new(rank: &RankSlowness, tally: &Tally, host: &str) -> Self {
        RankOf {
            rank: rank.rank.0,
            host: host.to_owned(),
            tally: tally.into(),
            slowness: rank.factor,
            slowness_error: rank.error,
            n_compared: rank.n_objects,
            n_migrated: rank.n_migrated,
            sibling_slowness: rank.sibling_factor,
            n_siblings: rank.n_siblings,
            is_slow: rank.is_slow,
            may_be_slow: rank.may_be_slow,
        }
    }
}

impl NodeOf {
    fn new(node: &NodeSlowness, tally: Option<&Tally>, host: String) -> Self {
        NodeOf {
            node: node.node.0,
            host,
            n_ranks: node.n_ranks,
            tally: tally.unwrap_or(&Tally::default()).into(),
            slowness: node.factor,
            n_slow_ranks: node.n_slow_ranks,
            is_slow: node.is_slow,
        }
    }
}

impl PhaseOf {
    fn new(of: &PhaseParts, tally: &Tally) -> Self {
        PhaseOf {
            phase: of.phase.0,
            tally: tally.into(),
            parts: of.parts.into(),
            seconds: of.seconds,
            denoised_seconds: of.denoised_seconds,
            critical_rank: of.critical_rank.0,
            denoised_critical_rank: of.denoised_critical_rank.0,
            critical_noise_seconds: of.critical_noise_seconds,
        }
    }
}

impl AnomalyOf {
    pub(super) fn new(anomaly: &Anomaly, findings: &Findings<'_>) -> Self {
        AnomalyOf {
            phase: anomaly.phase.0,
            rank: anomaly.rank.0,
            object: findings.recorded.data.key(anomaly.object).to_string(),
            seconds: anomaly.seconds,
            typical_seconds: anomaly.typical_seconds,
            excess_seconds: anomaly.excess_seconds(),
            score: anomaly.score,
        }
    }
}

impl SlowSpellOf {
    pub(super) fn new(spell: &SlowSpell, host: &str) -> Self {
        SlowSpellOf {
            rank: spell.rank.0,
            host: host.to_owned(),
            first_phase: spell.first.0,
            last_phase: spell.last.0,
            factor: spell.factor,
            n_objects: spell.n_objects,
        }
    }
}

impl TogetherOf {
    fn new(found: &CoAnomaly, host: &str) -> Self {
        TogetherOf {
            phase: found.phase.0,
            rank: found.rank.0,
            host: host.to_owned(),
            tally: (&found.tally).into(),
        }
    }
}
