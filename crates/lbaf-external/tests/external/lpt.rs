// SPDX-License-Identifier: MIT OR Apache-2.0
//! The template `examples/external/lpt.py` computes the same placements as the strategy `LPT`.

use std::path::{Path, PathBuf};
use std::process::Command;

use lbaf_external::External;
use lbaf_model::{Affine, AffineParameters, LoadOnly, WorkModel};
use lbaf_reader::{Recorded, Request, locate, read};
use lbaf_strategies::{Context, Lpt, NoObserver, Outcome, Problem, Strategy};

use crate::made_phase::strategy;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Returns the template as a command. Without Python, prints a sentence and returns `None`.
#[allow(clippy::print_stderr, reason = "a skipped test must be reported")]
fn template(persistent: bool) -> Option<External> {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("python3 is missing: the template was not tested");
        return None;
    }
    let script = examples().join("external/lpt.py");
    Some(External { persistent, ..External::of(["python3", script.to_str().unwrap()]) })
}

pub(crate) fn machine() -> Recorded {
    let files = locate(&examples().join("machine/data"), None).unwrap().files;
    read(&files, &Request::default(), &|_| {}).unwrap()
}

fn outcomes(strategy: &dyn Strategy, recorded: &Recorded, model: &dyn WorkModel) -> Vec<Outcome> {
    let phases = recorded.data.phases().iter();
    let outcome = |phase| {
        let problem =
            Problem { phase, initial: phase.recorded_assignment(), model, keys: recorded.data.keys() };
        let mut observer = NoObserver;
        let mut context = Context::new(0, phase.id().0, &mut observer);
        lbaf_strategies::run(strategy, &problem, &mut context).unwrap().outcome
    };
    phases.map(outcome).collect()
}

#[test]
fn the_template_equals_lpt_as_a_single_and_as_a_persistent_command() {
    let (recorded, model) = (machine(), LoadOnly::default());
    let ours = outcomes(&Lpt::default(), &recorded, &model);
    assert_eq!(ours.len(), 8);
    for persistent in [false, true] {
        let Some(template) = template(persistent) else { return };
        let theirs = outcomes(&strategy(template), &recorded, &model);
        assert!(
            ours.iter().zip(&theirs).all(|(ours, theirs)| ours.assignment == theirs.assignment),
            "{persistent}"
        );
        assert!(theirs.iter().all(|outcome| outcome.notes.is_empty()));
    }
}

/// Ties are frequent, because loads and speeds have few different values.
#[test]
fn the_template_breaks_ties_as_lpt_does() {
    let Some(template) = template(true) else { return };
    let strategy = strategy(template);
    let mut posed = crate::large::posed(3000);
    let columns = posed.phase.columns().clone();
    let n = columns.load.len();
    let load = (0..n).map(|at| (at % 5) as f64 / 10.0).collect();
    let migratable = (0..n).map(|at| at % 7 > 0).collect();
    let ranks = columns.ranks.iter().enumerate();
    let ranks =
        ranks.map(|(at, &rank)| lbaf_model::Rank { alpha: [1.0, 0.5, 1.5][at % 3], ..rank }).collect();
    posed.phase =
        posed.phase.with_columns(lbaf_model::PhaseColumns { load, migratable, ranks, ..columns }).unwrap();
    let theirs = posed.run(&strategy).unwrap().outcome.assignment;
    let ours =
        lbaf_strategies::run(&Lpt::default(), &posed.problem(), &mut Context::new(0, 7, &mut NoObserver));
    assert_eq!(theirs, ours.unwrap().outcome.assignment);
}

#[test]
fn the_template_reports_the_quantities_that_it_ignores() {
    let Some(template) = template(false) else { return };
    let model = Affine::new(AffineParameters { beta: 1e-10, ..AffineParameters::default() }).unwrap();
    let theirs = outcomes(&strategy(template), &machine(), &model);
    assert_eq!(theirs[0].notes, ["lpt.py considers load only, not bounds, communication or homing"]);
}
