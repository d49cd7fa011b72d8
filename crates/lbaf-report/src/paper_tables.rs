// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paper tables, created only from summaries: before and after, phase by phase, and comparisons of runs.

mod before_after;
mod columns;
mod comparison;
mod phases;

pub use before_after::before_after;
pub use comparison::comparison;
use lbaf_config::work_unit;
use lbaf_plot::{Table, TableError, TableWidth};
use lbaf_run::summary::Summary;
use lbaf_run::summary::overall::Overall;
use lbaf_text::number::significant;
pub use phases::phases;

use crate::ReportError;

/// Subdirectory of the output directory for the tables.
pub use lbaf_run::PAPER_TABLES as DIRECTORY;

/// Sentence in captions of tables that sum over several phases.
const SUMS: &str =
    "Times, volumes and migrations are sums over phases; load imbalance is computed from the sums.";

/// Returns the sentence in captions on the bound under the restriction of a strategy; `None` without such a bound.
fn restriction(name: &str, summary: &Summary, run: &Overall) -> Option<String> {
    let (keeps, work) = run.restricted_bound.as_ref()?;
    let quantity = if run.work_is_load { "max load" } else { "max work" };
    let (work, unit) = (significant(*work), work_unit(&summary.work_model.parameters));
    Some(format!(" {name} {keeps}; the {quantity} of such placements is at least {work} {unit}."))
}

/// Returns the tables of a run as files: names and bytes.
///
/// # Errors
/// If a number cannot be printed.
pub fn files(summary: &Summary, width: Option<TableWidth>) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
    let mut tables = Vec::new();
    if !summary.phases.is_empty() {
        tables.push(("before_after", before_after(summary)));
    }
    // For a single phase, the table `before_after` already has all numbers.
    if summary.phases.len() > 1 {
        tables.push(("phases", phases(summary)));
    }
    tables.into_iter().flat_map(|table| printed(table, width)).collect()
}

/// Returns the comparison of several named runs as files: names and bytes.
///
/// # Errors
/// If a number cannot be printed.
pub fn comparison_files(
    runs: &[(String, &Summary)],
    width: Option<TableWidth>,
) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
    printed(("comparison", comparison(runs)), width).into_iter().collect()
}

/// Returns the files of a named table: LaTeX of this width, and Markdown.
pub fn printed(
    (name, table): (&str, Table),
    width: Option<TableWidth>,
) -> [Result<(String, Vec<u8>), ReportError>; 2] {
    let file = |(suffix, text): (&str, Result<String, TableError>)| {
        let text = text.map_err(|source| ReportError::Table { table: name.to_owned(), source })?;
        Ok((format!("{DIRECTORY}/{name}.{suffix}"), text.into_bytes()))
    };
    [("tex", table.to_latex(width)), ("md", table.to_markdown())].map(file)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;
    use lbaf_run::summary;
    use lbaf_run::summary::bounds::{Bound, RestrictedBound, Restriction};
    use lbaf_run::summary::fixture::{phase, summary};

    fn compare(runs: &[(&str, &Summary)]) -> String {
        let runs: Vec<(String, &Summary)> =
            runs.iter().map(|(name, summary)| ((*name).to_owned(), *summary)).collect();
        comparison(&runs).to_markdown().unwrap()
    }

    #[test]
    fn one_phase_is_before_and_after() {
        let files = files(&summary(vec![phase(3, (4.5, 3.3), 2)]), None).unwrap();
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["tables/before_after.tex", "tables/before_after.md"]);
        // The maximum is 4.5 and the mean 3; work is load, and there is no memory.
        assert_snapshot!(String::from_utf8(files[1].1.clone()).unwrap(), @r#"
        Phase 3 before and after load balancing with Greedy: 6 objects on 2 ranks.

        |                      |   before |     after | lower bound |
        | :------------------- | -------: | --------: | ----------: |
        | max load (s)         |    4.500 | **3.300** |       3.000 |
        | mean load (s)        |    3.000 |     3.000 |           – |
        | load imbalance       |    0.500 | **0.100** |           0 |
        | above bound (%)      |     50.0 |  **10.0** |           – |
        | off-rank volume (MB) | **1.00** |      2.50 |           – |
        | migrations           |        – |         2 |           – |
        | migrated volume (kB) |        – |      1.02 |           – |
        "#);
    }

    #[test]
    fn sums_are_of_times_and_volumes() {
        let summary =
            summary(vec![phase(0, (4.5, 3.3), 2), phase(1, (6.0, 3.0), 3), phase(7, (3.0, 3.0), 0)]);
        assert_eq!(files(&summary, None).unwrap().len(), 4);
        assert_snapshot!(phases(&summary).to_markdown().unwrap(), @r#"
        Phases before and after load balancing with Greedy on 2 ranks.

        | phase | max load (s), before | max load (s), after | max load (s), bound | load imbalance, before | load imbalance, after | off-rank volume (MB), before | off-rank volume (MB), after | migrations |
        | :---- | -------------------: | ------------------: | ------------------: | ---------------------: | --------------------: | ---------------------------: | --------------------------: | ---------: |
        | 0     |                4.500 |               3.300 |               3.000 |                  0.500 |                 0.100 |                         1.00 |                        2.50 |          2 |
        | 1     |                6.000 |               3.000 |               3.000 |                   1.00 |                     0 |                         1.00 |                        2.50 |          3 |
        | 7     |                3.000 |               3.000 |               3.000 |                      0 |                     0 |                         1.00 |                        2.50 |          0 |
        | all   |                13.50 |               9.300 |               9.000 |                      – |                     – |                         3.00 |                        7.50 |          5 |
        "#);
        // before: 13.5 / 9 - 1 = 0.5; after: 9.3 / 9 - 1 = 0.0333
        assert_snapshot!(before_after(&summary).to_markdown().unwrap(), @r#"
        3 phases before and after load balancing with Greedy on 2 ranks. Times, volumes and migrations are sums over phases; load imbalance is computed from the sums.

        |                      |   before |      after | lower bound |
        | :------------------- | -------: | ---------: | ----------: |
        | max load (s)         |    13.50 |  **9.300** |       9.000 |
        | mean load (s)        |    9.000 |      9.000 |           – |
        | load imbalance       |    0.500 | **0.0333** |           0 |
        | above bound (%)      |     50.0 |   **3.33** |           – |
        | off-rank volume (MB) | **3.00** |       7.50 |           – |
        | migrations           |        – |          5 |           – |
        | migrated volume (kB) |        – |       2.56 |           – |
        "#);
    }

    #[test]
    fn long_tables_are_thinned() {
        let long = |n: u64| phases(&summary((0..n).map(|number| phase(number, (4.5, 3.3), 2)).collect()));
        assert_eq!(long(40).entries.len(), 41);
        let table = long(81);
        // 27 rows of every third phase of 81, since 81 > 2 * 40, and the total.
        assert_eq!(table.entries.len(), 28);
        assert!(
            table.caption.ends_with("One phase in 3 is shown; the last row covers all 81."),
            "{}",
            table.caption
        );
        assert_eq!(table.quantities.last().unwrap().cells[27], lbaf_plot::Cell::Count(162));
    }

    #[test]
    fn phases_name_their_strategies_if_they_differ() {
        let mut summary = summary(vec![phase(0, (4.5, 3.3), 2), phase(1, (4.5, 4.5), 0)]);
        summary.phases[1].strategy = None;
        summary.balancers.push(summary::BalancerRuns {
            line: None,
            balancer: None,
            strategy: None,
            phases: vec![1],
        });
        let strategies = phases(&summary).quantities.remove(0);
        let text = |text: &str| lbaf_plot::Cell::Text(text.to_owned());
        assert_eq!(strategies.cells, [text("Greedy"), text("none"), lbaf_plot::Cell::Absent]);
    }

    #[test]
    fn runs_are_compared_from_one_start() {
        let (greedy, tempered) =
            (summary(vec![phase(0, (4.5, 3.0), 5)]), summary(vec![phase(0, (4.5, 3.3), 2)]));
        assert_snapshot!(compare(&[("greedy", &greedy), ("tempered", &tempered)]), @r#"
        Comparison of load balancing strategies.

        | run      | max load (s) | above bound (%) | load imbalance | off-rank volume (MB) | migrations | migrated volume (kB) |
        | :------- | -----------: | --------------: | -------------: | -------------------: | ---------: | -------------------: |
        | before   |        4.500 |            50.0 |          0.500 |                 1.00 |          – |                    – |
        | greedy   |    **3.000** |           **0** |          **0** |                 2.50 |          5 |                 2.56 |
        | tempered |        3.300 |            10.0 |          0.100 |                 2.50 |      **2** |             **1.02** |
        "#);
    }

    /// Without this rule, a run that ignores the upper bounds would be the best.
    #[test]
    fn runs_over_bounds_do_not_compete() {
        let mut over = phase(0, (4.5, 3.0), 5);
        over.after.n_ranks_over_bounds = 1;
        let (over, within) = (summary(vec![over]), summary(vec![phase(0, (4.5, 3.3), 2)]));
        let other = summary(vec![phase(0, (4.5, 3.6), 1)]);
        assert_snapshot!(compare(&[("over", &over), ("within", &within), ("other", &other)]), @r#"
        Comparison of load balancing strategies. over exceeds upper bounds of the work model.

        | run    | max load (s) | above bound (%) | load imbalance | off-rank volume (MB) | ranks over bounds | migrations | migrated volume (kB) |
        | :----- | -----------: | --------------: | -------------: | -------------------: | ----------------: | ---------: | -------------------: |
        | before |        4.500 |            50.0 |          0.500 |                 1.00 |                 0 |          – |                    – |
        | within |    **3.300** |        **10.0** |      **0.100** |                 2.50 |                 0 |          2 |                 1.02 |
        | other  |        3.600 |            20.0 |          0.200 |                 2.50 |                 0 |      **1** |            **0.512** |
        | over   |        3.000 |               – |              0 |                 2.50 |                 1 |          5 |                 2.56 |
        "#);
    }

    /// Each run is infeasible in one phase, and the lower bound of that phase holds only for feasible placements.
    #[test]
    fn runs_over_bounds_in_different_phases_have_no_gap() {
        let over = |at: u64| {
            let mut phases = [0, 1].map(|id| phase(id, (4.5, 3.3), 2));
            phases[at as usize].after.n_ranks_over_bounds = 1;
            summary(phases.into())
        };
        let table = compare(&[("first", &over(0)), ("second", &over(1))]);
        for name in ["first", "second"] {
            let row = table.lines().find(|line| line.contains(&format!("| {name} "))).unwrap();
            assert_eq!(row.split('|').nth(3).map(str::trim), Some("–"), "{table}");
        }
    }

    /// The lower bound is 4 s with whole blocks, and 3 s for all placements.
    #[test]
    fn a_bound_under_a_restriction_is_a_remark() {
        let mut whole = phase(0, (4.5, 4.0), 5);
        let bound = Bound { work: 4.0, ..whole.lower_bound.clone() };
        whole.restricted_bound =
            Some(RestrictedBound { restriction: Restriction::WholeBlocks, within_bounds: false, bound });
        let (whole, free) = (summary(vec![whole]), summary(vec![phase(0, (4.5, 3.3), 2)]));
        let table = compare(&[("swaps", &whole), ("free", &free)]);
        let caption = "swaps keeps blocks whole; the max load of such placements is at least 4 s.";
        assert!(table.contains(caption), "{table}");
        let distance = |name: &str| {
            let row = table.lines().find(|line| line.starts_with(&format!("| {name} ")));
            row.and_then(|row| row.split('|').nth(3)).map(str::trim).map(str::to_owned)
        };
        assert_eq!(
            [distance("swaps"), distance("free")],
            [Some("33.3".to_owned()), Some("**10.0**".to_owned())]
        );
        assert!(before_after(&whole).caption.contains("keeps blocks whole"));
    }

    #[test]
    fn only_ratios_are_compared_between_different_phases() {
        let (one, other) = (summary(vec![phase(0, (4.5, 3.0), 5)]), summary(vec![phase(1, (6.0, 3.3), 2)]));
        let mut model = summary(vec![phase(1, (6.0, 3.3), 2)]);
        assert_snapshot!(compare(&[("one", &one), ("other", &other)]), @r#"
        Comparison of load balancing strategies. The runs have different data or phases, so only ratios are comparable.

        | run   | max load (s) | above bound (%) | load imbalance | off-rank volume (MB) | migrations | migrated volume (kB) |
        | :---- | -----------: | --------------: | -------------: | -------------------: | ---------: | -------------------: |
        | one   |        3.000 |           **0** |          **0** |                 2.50 |          5 |                 2.56 |
        | other |        3.300 |            10.0 |          0.100 |                 2.50 |          2 |                 1.02 |
        "#);
        model.work_model.parameters = json!({ "beta": 1.0 });
        let text = compare(&[("model", &model), ("other", &other)]);
        assert!(text.contains("Work models differ, so bounds are not comparable."), "{text}");
    }

    #[test]
    fn without_a_lower_bound_there_is_no_gap() {
        let mut nothing = phase(0, (0.0, 0.0), 0);
        nothing.lower_bound.work = 0.0;
        let text = before_after(&summary(vec![nothing])).to_markdown().unwrap();
        // A maximum work of 0 is optimal, so the gap is 0.
        assert!(text.contains("| above bound (%)"), "{text}");
        let mut unknown = phase(0, (4.0, 3.5), 1);
        unknown.lower_bound.work = 0.0;
        assert!(!before_after(&summary(vec![unknown])).to_markdown().unwrap().contains("above bound"));
    }
}
