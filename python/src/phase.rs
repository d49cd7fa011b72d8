// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases, as columns.

use std::sync::Arc;

use lbaf_model::{
    Assignment, DataSet, LowerBound, RankTotals, Slot, Vertex, infeasibility, lower_bounds, rank_totals,
    works,
};
use lbaf_run::summary::bounds::{Infeasibility, KnownBound};
use lbaf_strategies::Problem;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

use crate::columns;
use crate::failure::{exception, raised};
use crate::work_model::WorkModel;

/// A phase of a data set.
#[pyclass(frozen, module = "lbaf_rs._core")]
pub(crate) struct Phase {
    data: Arc<DataSet>,
    at: usize,
}

impl Phase {
    pub(crate) fn of(data: Arc<DataSet>, at: usize) -> Self {
        Phase { data, at }
    }

    pub(crate) fn phase(&self) -> &lbaf_model::Phase {
        &self.data.phases()[self.at]
    }

    pub(crate) fn data(&self) -> &Arc<DataSet> {
        &self.data
    }

    /// Checks and returns a placement; without one, returns the recorded placement.
    pub(crate) fn placement(
        &self,
        py: Python<'_>,
        ranks: Option<PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<Assignment> {
        let phase = self.phase();
        let Some(ranks) = ranks else { return Ok(phase.recorded_assignment().clone()) };
        let ranks = ranks.as_array();
        let model = WorkModel::default();
        let problem = Problem::recorded(phase, &*model.model, self.data.keys());
        let rank = |rank: &i64| u32::try_from(*rank).map_err(|_| rank.to_string());
        problem
            .placement("placement", ranks.iter().map(rank))
            .map_err(|error| raised(py, exception::PLACEMENT, &error.to_string()))
    }
}

#[pymethods]
impl Phase {
    #[getter]
    fn id(&self) -> u64 {
        self.phase().id().0
    }

    #[getter]
    fn n_objects(&self) -> usize {
        self.phase().n_objects()
    }

    #[getter]
    fn n_ranks(&self) -> usize {
        self.phase().n_ranks()
    }

    #[getter]
    fn n_edges(&self) -> usize {
        self.phase().communication().n_edges()
    }

    #[getter]
    fn loads<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        columns::column(slf.clone().into_any(), &slf.get().phase().columns().load)
    }

    #[getter]
    fn ranks<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<u32>> {
        columns::ranks(slf.clone().into_any(), slf.get().phase().recorded_assignment())
    }

    #[getter]
    fn migratable<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<bool>> {
        columns::column(slf.clone().into_any(), &slf.get().phase().columns().migratable)
    }

    #[getter]
    fn edge_bytes<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        columns::bytes(slf.clone().into_any(), slf.get().phase().communication().volumes())
    }

    #[getter]
    fn edge_messages<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<u64>> {
        columns::messages(slf.clone().into_any(), slf.get().phase().communication().volumes())
    }

    /// Returns the senders and receivers of edges: the position of an object, or `n_objects + r` for rank `r` itself.
    fn endpoints<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>) {
        let n_objects = self.phase().n_objects() as u32;
        let number = |vertex| match vertex {
            Vertex::Object(slot) => slot.0,
            Vertex::Rank(rank) => n_objects + rank.0,
        };
        let edges = self.phase().communication().edges();
        let (from, to): (Vec<u32>, Vec<u32>) = edges.map(|(from, to, _)| (number(from), number(to))).unzip();
        (from.into_pyarray(py), to.into_pyarray(py))
    }

    /// Returns the numbers of objects in files, and true for each number that is a sequence number.
    fn ids<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>) {
        let phase = self.phase();
        let keys = phase.slots().map(|slot| self.data.key(phase.object(slot)));
        let (ids, sequence): (Vec<u64>, Vec<bool>) = keys.map(|key| (key.number, key.is_sequence)).unzip();
        (ids.into_pyarray(py), sequence.into_pyarray(py))
    }

    /// Returns footprints, working memory and serialized sizes of objects in bytes, and the position of the block
    /// of each object, or -1.
    fn memory<'py>(&self, py: Python<'py>) -> ([Bound<'py, PyArray1<f64>>; 3], Bound<'py, PyArray1<i64>>) {
        let memory = &self.phase().columns().memory;
        let footprints: Vec<f64> = memory.iter().map(|memory| memory.footprint_bytes).collect();
        let working: Vec<f64> = memory.iter().map(|memory| memory.working_bytes).collect();
        let serialized: Vec<f64> = memory.iter().map(|memory| memory.serialized_bytes).collect();
        let blocks: Vec<i64> =
            memory.iter().map(|memory| memory.block.map_or(-1, |block| i64::from(block.0))).collect();
        ([footprints, working, serialized].map(|column| column.into_pyarray(py)), blocks.into_pyarray(py))
    }

    /// Returns numbers, sizes in bytes and homes of blocks.
    #[expect(clippy::type_complexity, reason = "a tuple of columns")]
    fn blocks<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<u32>>) {
        let blocks = self.phase().blocks();
        let ids: Vec<u64> = blocks.iter().map(|block| block.id).collect();
        let sizes: Vec<f64> = blocks.iter().map(|block| block.size_bytes).collect();
        let homes: Vec<u32> = blocks.iter().map(|block| block.home.0).collect();
        (ids.into_pyarray(py), sizes.into_pyarray(py), homes.into_pyarray(py))
    }

    /// Returns alphas, nodes and working memory in bytes of ranks.
    #[expect(clippy::type_complexity, reason = "a tuple of columns")]
    fn machine<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>) {
        let ranks = self.phase().ranks();
        let alphas: Vec<f64> = ranks.iter().map(|rank| rank.alpha).collect();
        let nodes: Vec<u32> = ranks.iter().map(|rank| rank.node.0).collect();
        let working: Vec<f64> = ranks.iter().map(|rank| rank.working_bytes).collect();
        (alphas.into_pyarray(py), nodes.into_pyarray(py), working.into_pyarray(py))
    }

    /// Returns the index of each object in its collection, `None` for an object without one. The whole list is `None`
    /// if indices were not read.
    fn coordinates(&self) -> Option<Vec<Option<Vec<i64>>>> {
        let phase = self.phase();
        let coordinates = phase.coordinates()?;
        Some(phase.slots().map(|slot: Slot| coordinates.of(slot).map(|(_, index)| index.to_vec())).collect())
    }

    /// Returns quantities of every rank by their names, under a placement (by default the recorded one).
    #[pyo3(signature = (model, placement=None))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        model: &WorkModel,
        placement: Option<PyReadonlyArray1<'py, i64>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let placement = self.placement(py, placement)?;
        let phase = self.phase();
        let totals = rank_totals(phase, &placement);
        let works = works(&*model.model, phase, &totals);
        let evaluated = PyDict::new(py);
        let costs: Vec<f64> = works.iter().map(|work| work.cost()).collect();
        let excesses: Vec<f64> = works.iter().map(|work| work.excess()).collect();
        evaluated.set_item("work", costs.into_pyarray(py))?;
        evaluated.set_item("excess", excesses.into_pyarray(py))?;
        for (name, quantity) in QUANTITIES {
            let column: Vec<f64> = totals.iter().map(quantity).collect();
            evaluated.set_item(name, column.into_pyarray(py))?;
        }
        for (name, count) in COUNTS {
            let column: Vec<u32> = totals.iter().map(count).collect();
            evaluated.set_item(name, column.into_pyarray(py))?;
        }
        Ok(evaluated)
    }

    /// Returns, as JSON, all lower bounds on the maximum work, the best of them, and the proof that no placement keeps
    /// the upper bounds, if there is one.
    fn bounds(&self, py: Python<'_>, model: &WorkModel) -> String {
        let phase = self.phase();
        py.detach(|| {
            let all = lower_bounds(phase, &*model.model);
            let proof = infeasibility(phase, &*model.model);
            let known = |bound: &LowerBound| KnownBound::new(bound, None);
            json!({
                "all": all.iter().map(known).collect::<Vec<_>>(),
                "best": LowerBound::best_of(all.iter().copied()).as_ref().map(known),
                "infeasibility": proof.map(|proof| Infeasibility::new(phase, self.data.keys(), &proof)),
            })
            .to_string()
        })
    }
}

/// A quantity of a rank with its name.
type Quantity<T> = (&'static str, fn(&RankTotals) -> T);

/// Quantities of ranks by name: loads in seconds, volumes and memory in bytes, and `alpha`.
const QUANTITIES: [Quantity<f64>; 13] = [
    ("load", |rank| rank.load),
    ("migratable_load", |rank| rank.migratable_load),
    ("sent_bytes", |rank| rank.sent_bytes),
    ("received_bytes", |rank| rank.received_bytes),
    ("on_rank_bytes", |rank| rank.on_rank_bytes),
    ("memory_bytes", RankTotals::memory_bytes),
    ("rank_working_bytes", |rank| rank.rank_working_bytes),
    ("footprint_bytes", |rank| rank.footprint_bytes),
    ("working_bytes", |rank| rank.working_bytes),
    ("serialized_bytes", |rank| rank.serialized_bytes),
    ("block_bytes", |rank| rank.block_bytes),
    ("homing_bytes", |rank| rank.homing_bytes),
    ("alpha", |rank| rank.alpha),
];

/// Counts of objects and blocks on a rank, by name.
const COUNTS: [Quantity<u32>; 4] = [
    ("n_objects", |rank| rank.n_objects),
    ("n_migratable", |rank| rank.n_migratable),
    ("n_blocks", |rank| rank.n_blocks),
    ("n_homed_blocks", |rank| rank.n_homed_blocks),
];
