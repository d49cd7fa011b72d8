// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of a phase in pictures, in each of their placements.

use std::borrow::Cow;

use lbaf_config::{Qoi, RunConfig, Visualization};
use lbaf_model::{
    Assignment, CommGraph, ObjectKey, ObjectQuantity, Phase, RankTotals, Slot, Statistics, Vertex, Work,
    rank_totals, works,
};
use lbaf_picture::{Edge, Frame, Moment, Objects};
use lbaf_reader::Recorded;
use lbaf_run::Balanced;
use lbaf_run::{ANOMALY, Noise};

use super::attributes::Attributes;
use crate::ReportError;

/// Properties of a phase that do not depend on the placement.
#[derive(Clone)]
pub(super) struct Population {
    objects: Objects,
    attributes: Attributes,
}

/// A placement of a phase, and its moment: start, iteration or result.
#[derive(Clone, Copy)]
pub(super) struct View<'b> {
    phase: &'b Balanced<'b>,
    assignment: &'b Assignment,
    moment: Moment,
    /// Mean fraction of the other ranks that a rank has heard of; `None` at the start and without gossip.
    knowledge: Option<f64>,
}

/// Returns the placements of a phase to draw, in the order of their moments. `of_iterations` includes intermediate
/// placements. The result is omitted if it equals the placement before it in this list.
pub(super) fn views<'b>(phase: &'b Balanced<'b>, of_iterations: bool) -> Vec<View<'b>> {
    let view = |assignment, moment, knowledge| View { phase, assignment, moment, knowledge };
    let (initial, last) = (&*phase.initial, &phase.after.outcome.assignment);
    let mut views = vec![view(initial, Moment::Start, None)];
    let iterations = &phase.iterations[..];
    // A strategy with a single iteration has no intermediate placements.
    if of_iterations && iterations.len() > 1 {
        let stats = &phase.after.outcome.iterations;
        views.extend(iterations.iter().enumerate().map(|(i, assignment)| {
            let moment = Moment::Iteration { iteration: i + 1, of: iterations.len() };
            view(assignment, moment, stats.get(i).and_then(|stats| stats.knowledge))
        }));
    }
    let shown = views.last().map_or(initial, |view| view.assignment);
    if shown != last {
        let knowledge = phase.after.outcome.iterations.last().and_then(|stats| stats.knowledge);
        views.push(view(last, Moment::Result, knowledge));
    }
    views
}

impl Population {
    pub(super) fn new(
        visualization: &Visualization,
        (recorded, noise): (&Recorded, Option<&Noise>),
        phase: &Phase,
    ) -> Result<Self, ReportError> {
        // Some quantities occur only in the records.
        let qoi = match &visualization.object_qoi {
            Qoi::Quantity(quantity) => quantity.name(),
            Qoi::Attribute(name) => name,
        };
        let is_wanted = |name: &str| visualization.save_meshes || name == ANOMALY || name == qoi;
        let mut attributes = Attributes::read(recorded, phase, &is_wanted)?;
        if let Some(noise) = noise {
            attributes.add_noise(noise, phase, &is_wanted);
        }
        let anomalous = attributes.objects.iter().find(|column| column.name == ANOMALY);
        let anomalous = anomalous.map(|column| column.values.iter().map(|&value| value == 1.0).collect());
        let keys = recorded.data.keys();
        let objects = Objects {
            number: phase.slots().map(|slot| keys[phase.object(slot).index()].number).collect(),
            load: phase.columns().load.clone(),
            migratable: phase.columns().migratable.to_vec(),
            anomalous: anomalous.unwrap_or_default(),
            attributes: std::mem::take(&mut attributes.objects),
            edges: edges(phase),
        };
        Ok(Population { objects, attributes })
    }

    /// Returns the frame of one placement.
    pub(super) fn frame(
        &self,
        run: &RunConfig,
        visualization: &Visualization,
        keys: &[ObjectKey],
        view: View<'_>,
    ) -> Frame<'_> {
        let View { phase: balanced, assignment, moment, knowledge } = view;
        let phase = balanced.phase;
        let (totals, works) = standing(run, view);
        Frame {
            phase: phase.id().0,
            moment,
            load_imbalance: Statistics::of(totals.iter().map(|rank| rank.load)).imbalance(),
            rank_qoi: match &visualization.rank_qoi {
                Qoi::Quantity(qoi) => {
                    let value = |rank: lbaf_model::RankId| {
                        qoi.of(rank, &totals[rank.index()], works[rank.index()], knowledge)
                            .unwrap_or(f64::NAN)
                    };
                    phase.rank_ids().map(value).collect()
                }
                Qoi::Attribute(name) => self.attributes.of_ranks(name, phase.n_ranks()),
            },
            rank_attributes: &self.attributes.ranks,
            objects: &self.objects,
            rank_of: assignment.as_slice().iter().map(|rank| rank.0).collect(),
            object_qoi: match &visualization.object_qoi {
                Qoi::Quantity(quantity @ (ObjectQuantity::CollectionId | ObjectQuantity::Index)) => {
                    self.attribute(quantity.name())
                }
                Qoi::Quantity(quantity) => {
                    let value = |slot| quantity.of(slot, phase, assignment, keys).unwrap_or(f64::NAN);
                    phase.slots().map(value).collect()
                }
                Qoi::Attribute(name) => self.attribute(name),
            },
        }
    }

    /// Returns an attribute of each object; NaN if the data lack it.
    fn attribute(&self, name: &str) -> Vec<f64> {
        let column = self.objects.attributes.iter().find(|column| column.name == name);
        column.map_or_else(|| vec![f64::NAN; self.objects.len()], |column| column.values.clone())
    }
}

/// Returns the totals and the work of ranks, computed only if unknown.
fn standing<'b>(run: &RunConfig, view: View<'b>) -> (Cow<'b, [RankTotals]>, Cow<'b, [Work]>) {
    let View { phase, assignment, moment, .. } = view;
    match moment {
        Moment::Start => ((&phase.totals[..]).into(), (&phase.works[..]).into()),
        Moment::Result => ((&phase.after.totals[..]).into(), (&phase.after.works[..]).into()),
        Moment::Iteration { .. } => {
            let totals = rank_totals(phase.phase, assignment);
            let works = works(&*run.model, phase.phase, &totals);
            (totals.into(), works.into())
        }
    }
}

/// Returns the communication between objects: each pair once, with the volume in both directions.
fn edges(phase: &Phase) -> Vec<Edge> {
    let graph: &CommGraph = phase.communication();
    let later = |slot: Slot, (vertex, volume): (Vertex, lbaf_model::Volume)| match vertex {
        Vertex::Object(other) if other > slot => Some((other, volume.bytes)),
        _ => None,
    };
    let mut edges = Vec::new();
    for slot in phase.slots() {
        let sent = graph.outgoing(slot).filter_map(|edge| later(slot, edge));
        let received = graph.incoming(slot).filter_map(|edge| later(slot, edge));
        let first = edges.len();
        edges.extend(sent.chain(received).map(|(other, bytes)| Edge { ends: [slot.0, other.0], bytes }));
        edges[first..].sort_by_key(|edge| edge.ends);
    }
    edges.dedup_by(|next, kept| {
        let same = next.ends == kept.ends;
        if same {
            kept.bytes += next.bytes;
        }
        same
    });
    edges
}
