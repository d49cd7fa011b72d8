// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparison of two runs by function, from their dumps.

mod histogram_difference;
mod models;
mod rebinning;
mod run_of_function;

use std::collections::BTreeMap;

use serde::Serialize;

pub use histogram_difference::{BinDifference, HistogramDifference};
pub use models::{ModelDifference, Moments, MomentsDifference};
pub use rebinning::MOST_BINS;
pub use run_of_function::RunOfFunction;

use crate::dump_report::largest_first;
use crate::record::ModelRecord;
use crate::{Dump, DumpReport, DumpTotals};

/// Comparison of two runs of the same programs. Differences are second minus first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DumpComparison {
    /// Totals of the first run.
    pub first: DumpTotals,
    /// Totals of the second run.
    pub second: DumpTotals,
    /// Functions by the larger accumulated severity of both runs, largest first; those without a severity last; ties
    /// by program and name.
    pub functions: Vec<FunctionComparison>,
}

/// Function in two runs, matched by program and name: numbers of functions can differ between runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FunctionComparison {
    /// Program.
    pub pid: i64,
    /// Name of the function.
    pub name: String,
    /// Data of the first run; `None` if it lacks this function.
    pub first: Option<RunOfFunction>,
    /// Data of the second run; `None` if it lacks this function.
    pub second: Option<RunOfFunction>,
    /// Difference of the models of both runs, if comparable.
    pub model: Option<ModelDifference>,
}

/// Data of a function in one run.
#[derive(Default)]
struct Run<'a> {
    function: Option<RunOfFunction>,
    model: Option<&'a ModelRecord>,
}

impl DumpComparison {
    /// Compares two dumps. The first of several models of a function counts. O(n log n) for n records, and at most
    /// [`MOST_BINS`] bins for each pair of histograms.
    pub fn of(first: &Dump, second: &Dump) -> Self {
        let mut functions: BTreeMap<(i64, String), [Run; 2]> = BTreeMap::new();
        let totals = [first, second].map(|dump| DumpReport::of(dump, 0));
        let reports = totals.each_ref();
        for (which, (dump, report)) in [first, second].into_iter().zip(reports).enumerate() {
            for summary in &report.functions {
                let runs = functions.entry((summary.pid, summary.name.clone())).or_default();
                runs[which].function.get_or_insert_default().add(summary);
            }
            for record in &dump.ad_model {
                let runs = functions.entry((record.pid, record.func_name.clone())).or_default();
                runs[which].function.get_or_insert_default();
                runs[which].model.get_or_insert(&record.model);
            }
        }
        let functions = functions.into_iter().map(|((pid, name), [first, second])| FunctionComparison {
            pid,
            name,
            model: first
                .model
                .zip(second.model)
                .and_then(|(first, second)| ModelDifference::of(first, second)),
            first: first.function,
            second: second.function,
        });
        let mut functions: Vec<FunctionComparison> = functions.collect();
        // The sort is stable: ties remain ordered by program and name.
        functions.sort_by(|one, other| largest_first(one.severity(), other.severity()));
        let [first, second] = totals.map(|report| report.totals);
        DumpComparison { first, second, functions }
    }
}

impl FunctionComparison {
    /// Returns the larger accumulated severity of both runs, in microseconds; `None` if both are unknown.
    fn severity(&self) -> Option<f64> {
        let runs = [&self.first, &self.second].into_iter().flatten();
        runs.filter_map(|run| run.accumulated_severity_us).max_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dump::made::{event, function};
    use crate::record::{AdModel, Event, FunctionStats, HistogramRecord};

    /// Creates a function with 20 executions in 1000 microseconds; `anomalies` are their number and total severity.
    fn profiled(app: i64, fid: i64, fname: &str, anomalies: Option<(u32, f64)>) -> FunctionStats {
        let metrics = anomalies.map_or_else(
            || "null".to_owned(),
            |(count, severity)| {
                format!(
                    r#"{{"anomaly_count": {{"accumulate": {count}, "count": 1, "mean": {count}}},
                    "first_io_step": 0, "last_io_step": 0, "max_timestamp": 0, "min_timestamp": 0,
                    "score": {{"accumulate": 1, "count": {count}, "mean": 1}},
                    "severity": {{"accumulate": {severity}, "count": {count}, "mean": 1}}}}"#
                )
            },
        );
        function(&format!(
            r#"{{"app": {app}, "fid": {fid}, "fname": "{fname}", "anomaly_metrics": {metrics}, "runtime_profile": {{
            "exclusive_runtime": {{"accumulate": 1000, "count": 20, "mean": 50}},
            "inclusive_runtime": {{"accumulate": 1000, "count": 20, "mean": 50}}}}}}"#
        ))
    }

    #[test]
    fn runs_are_matched_by_program_and_name() {
        let first =
            [profiled(0, 1, "a", Some((2, 100.0))), profiled(0, 2, "b", None), profiled(1, 3, "a", None)];
        // Other numbers for the same functions.
        let second = [profiled(0, 2, "a", Some((1, 300.0))), profiled(0, 3, "c", Some((4, 200.0)))];
        let first = Dump { func_stats: first.iter().collect(), ..Dump::default() };
        let second = Dump { func_stats: second.iter().collect(), ..Dump::default() };
        let run = |severity: Option<f64>, count: u64, percent: f64, relative: f64| {
            Some(RunOfFunction {
                accumulated_severity_us: severity,
                anomaly_count: Some(count),
                execution_count: Some(20),
                total_exclusive_us: Some(1000.0),
                anomaly_frequency_percent: Some(percent),
                relative_anomalous_time: Some(relative),
            })
        };
        let compared = |pid: i64, name: &str, first: Option<RunOfFunction>, second: Option<RunOfFunction>| {
            FunctionComparison { pid, name: name.to_owned(), first, second, model: None }
        };
        let expected = [
            compared(0, "a", run(Some(100.0), 2, 10.0, 0.1), run(Some(300.0), 1, 5.0, 0.3)),
            compared(0, "c", None, run(Some(200.0), 4, 20.0, 0.2)),
            compared(0, "b", run(None, 0, 0.0, 0.0), None),
            compared(1, "a", run(None, 0, 0.0, 0.0), None),
        ];
        assert_eq!(DumpComparison::of(&first, &second).functions, expected);
    }

    #[test]
    fn the_larger_severity_of_both_runs_determines_the_order() {
        let first = [
            profiled(0, 1, "in the first", Some((1, 9.0))),
            profiled(0, 2, "tie b", Some((1, 5.0))),
            profiled(0, 3, "in the second", Some((1, 1.0))),
            profiled(1, 4, "tie a", Some((1, 5.0))),
            profiled(0, 5, "none", None),
        ];
        let second = [
            profiled(0, 1, "in the second", Some((1, 8.0))),
            profiled(0, 2, "tie c", Some((1, 5.0))),
            profiled(0, 3, "in the first", Some((1, 2.0))),
            profiled(0, 4, "zero", Some((1, 0.0))),
        ];
        let first = Dump { func_stats: first.iter().collect(), ..Dump::default() };
        let second = Dump { func_stats: second.iter().collect(), ..Dump::default() };
        let names = |first: &Dump, second: &Dump| -> Vec<String> {
            let functions = DumpComparison::of(first, second).functions;
            functions.into_iter().map(|function| function.name).collect()
        };
        let expected = ["in the first", "in the second", "tie b", "tie c", "tie a", "zero", "none"];
        assert_eq!(names(&first, &second), expected);
        assert_eq!(names(&second, &first), expected);
    }

    #[test]
    fn empty_dumps_do_not_differ() {
        let comparison = DumpComparison::of(&Dump::default(), &Dump::default());
        assert!(comparison.functions.is_empty());
        assert_eq!((comparison.first, comparison.second), Default::default());
    }

    #[test]
    fn events_alone_give_severities_but_no_frequencies() {
        let seen = event("0:0:0", 0, 0, 1, 30.0);
        let dump = Dump { anomalies: vec![&seen], ..Dump::default() };
        let comparison = DumpComparison::of(&dump, &Dump::default());
        let expected = RunOfFunction {
            accumulated_severity_us: Some(30.0),
            anomaly_count: Some(1),
            ..RunOfFunction::default()
        };
        assert_eq!(comparison.functions[0].first, Some(expected));
        assert_eq!(comparison.functions[0].second, None);
        assert_eq!((comparison.first.anomaly_count, comparison.second.anomaly_count), (1, 0));
    }

    #[test]
    fn models_are_compared_without_statistics() {
        let model = |pid: i64, fid: i64, name: &str, counts: &[u64]| AdModel {
            fid,
            func_name: name.to_owned(),
            model: ModelRecord::Histogram {
                histogram: HistogramRecord::new(counts.to_vec(), 0.0, 1.0, [0.0, counts.len() as f64]),
                internal_global_threshold: 1.0,
            },
            pid,
        };
        let first = [model(0, 1, "a", &[1, 1]), model(0, 2, "b", &[1]), model(0, 1, "a", &[9, 9])];
        let second = [model(0, 5, "a", &[1, 3]), model(1, 5, "b", &[1])];
        let first = Dump { ad_model: first.iter().collect(), ..Dump::default() };
        let second = Dump { ad_model: second.iter().collect(), ..Dump::default() };
        let functions = DumpComparison::of(&first, &second).functions;
        let keys: Vec<_> = functions.iter().map(|function| (function.pid, function.name.as_str())).collect();
        assert_eq!(keys, [(0, "a"), (0, "b"), (1, "b")]);
        let Some(ModelDifference::Histogram(difference)) = &functions[0].model else { panic!("histograms") };
        let json = serde_json::to_value(&functions[0]).expect("plain data");
        assert_eq!(json["model"]["histogram"]["total_variation"], 0.25);
        // Shares are 1/2 and 1/2 against 1/4 and 3/4, so the distance is half of 1/4 + 1/4.
        assert_eq!(difference.total_variation, 0.25);
        assert_eq!(functions[0].first, Some(RunOfFunction::default()), "a model without other data");
        assert!(functions[1].model.is_none() && functions[1].second.is_none());
    }

    #[test]
    fn a_dump_does_not_differ_from_itself() {
        let records = [profiled(0, 1, "a", Some((2, 100.0))), profiled(0, 2, "b", None)];
        let seen: Event = event("0:0:0", 0, 0, 1, 30.0);
        let histogram = HistogramRecord::new(vec![3, 0, 7], 0.1, 0.3, [0.2, 1.0]);
        let model = AdModel {
            fid: 1,
            func_name: "a".to_owned(),
            model: ModelRecord::Histogram { histogram, internal_global_threshold: 0.0 },
            pid: 0,
        };
        let dump = Dump {
            anomalies: vec![&seen],
            func_stats: records.iter().collect(),
            ad_model: vec![&model],
            ..Dump::default()
        };
        let comparison = DumpComparison::of(&dump, &dump);
        assert!(comparison.functions.iter().all(|function| function.first == function.second));
        let Some(ModelDifference::Histogram(difference)) = &comparison.functions[0].model else {
            panic!("histograms")
        };
        assert_eq!(difference.total_variation, 0.0);
        let zero = |bin: &BinDifference| bin.difference == 0.0 && bin.relative_difference == Some(0.0);
        assert!(difference.bins.len() == 2 && difference.bins.iter().all(zero));
    }
}
