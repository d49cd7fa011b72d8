// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf simulate`: settings that are refused at their place.

use crate::simulate::workspace;

#[test]
fn invalid_settings_are_refused_at_their_place() {
    let workspace = workspace("");
    workspace.write("wrong.txt", "0 0 1\n5 -1 x\n");
    workspace.write("empty.txt", "# nothing\n");
    workspace.write("balancers.txt", "%10 GreedyLB\n");
    for (section, expected) in [
        ("{load_model: {name: LinearModel}}", "LinearModel needs the key `n`, a number of phases"),
        (
            "{load_model: {name: NaivePersistence, n: 3}}",
            "simulation.load_model.n: NaivePersistence has no key `n`; expected `of`",
        ),
        ("{load_model: Oracle}", "simulation.load_model"),
        ("{schedule: {every: 0}}", "simulation.schedule.every: the period must be 1 or more, not 0"),
        (
            "{schedule: {every: 2, threshold: 1}}",
            "simulation.schedule: expected exactly one of the keys `every`, `phases`, `specification`, `threshold`, `adaptive`, `menon`, `procassini`, `zhai` and `boulmier`",
        ),
        ("{costs: {bandwidth: 0}}", "simulation.costs.bandwidth: expected bytes per second above 0, not 0"),
        (
            "{costs: {strategy_seconds: -1}}",
            "simulation.costs.strategy_seconds: expected seconds from 0, not -1",
        ),
        (
            "{schedule: {}}",
            "simulation.schedule: expected exactly one of the keys `every`, `phases`, `specification`, `threshold`, `adaptive`, `menon`, `procassini`, `zhai` and `boulmier`",
        ),
        (
            "{schedule: sometimes}",
            "expected `never`, `algorithm` or `best`, or one of the keys `every`, `phases`, `specification`, `threshold`",
        ),
        ("{schedule: {evry: 2}}", "evry"),
        ("{schedule: {zhai: -1}}", "simulation.schedule.zhai: expected seconds from 0, not -1"),
        ("{schedule: {zhai: 1, menon: 1}}", "simulation.schedule.zhai: give either this key or `menon`"),
        ("{schedule: {zhai: 1, factor: 1}}", "simulation.schedule.factor: this key requires `procassini`"),
        (
            "{schedule: {procassini: 1, factor: 0}}",
            "simulation.schedule.factor: expected a number above 0, not 0",
        ),
        (
            "{schedule: best, costs: {strategy_seconds: measured}}",
            "simulation.costs.strategy_seconds: measured seconds vary; the best schedule needs",
        ),
        ("{schedule: {every: -1}}", "simulation.schedule.every"),
        ("{schedule: {threshold: -0.1}}", "an imbalance must be a finite number from 0, not -0.1"),
        ("{schedule: {adaptive: .inf}}", "simulation.schedule.adaptive: expected seconds from 0, not inf"),
        (
            "{schedule: {phases: 7}}",
            "simulation.schedule.phases: phase 7 is not in the run, which contains phases 0-2",
        ),
        ("{schedule: {phases: 3-1}}", "the range 3-1 goes backwards; did you mean 1-3?"),
        (
            "{schedule: {phases: 200 5 5}}",
            "the window \"200 5 5\": the first offset must be 0 or negative, not 5; did you mean -5?",
        ),
        (
            "{schedule: {specification: gone.txt}}",
            "simulation.schedule.specification: cannot read gone.txt: ",
        ),
        (
            "{schedule: {specification: wrong.txt}}",
            "wrong.txt: line 2, column 6: expected the offset of the last phase",
        ),
        (
            "{schedule: {specification: empty.txt}}",
            "empty.txt: line 1, column 1: the file has only blank lines and comments",
        ),
        (
            "{schedule: {specification: balancers.txt}}",
            "balancers.txt is an LB configuration file: give it as `algorithm.lb_config`",
        ),
        (
            "{load_model: {name: PerCollection}}",
            "simulation.load_model: PerCollection needs the key `collections`, which maps the numbers of collections to load models",
        ),
        (
            "{load_model: {name: PerCollection, collections: {7: LinearModel}}}",
            "simulation.load_model.collections.7: LinearModel needs the key `n`, a number of phases",
        ),
        (
            "{load_model: {name: LinearModel, n: 2, default: NaivePersistence}}",
            "simulation.load_model.default: LinearModel has no key `default`; expected one of `n`, `of`",
        ),
        (
            "{report: some}",
            "expected `none`, or a mapping with the keys `load_models`, `horizons`, `max_phases` and `balance`",
        ),
        (
            "{report: {horizons: [1, 0]}}",
            "simulation.report.horizons: a horizon must be at least 1 phase, not 0",
        ),
        (
            "{report: {load_models: [NaivePersistence, LinearModel]}}",
            "simulation.report.load_models.1: LinearModel needs the key `n`, a number of phases",
        ),
        ("{report: {balance: GreedyLB}}", "simulation.report.balance"),
    ] {
        let said = workspace.fail(&["simulate", "run.yaml", "--set", &format!("simulation={section}")], 3);
        assert!(said.contains(expected), "{section}: {said}");
    }
}

/// Regression: the run was never balanced, or the message listed a key that was given.
#[test]
fn schedules_without_a_phase_of_the_run_and_with_a_wrong_key_are_refused() {
    let workspace = workspace("");
    for (schedule, expected) in [
        (
            "{phases: 9-12}",
            "simulation.schedule.phases: none of these phases is in the run, which contains phases 0-2",
        ),
        ("{adaptive: 1, factor: 3}", "simulation.schedule.factor: this key requires `procassini`"),
    ] {
        let set = format!("simulation.schedule={schedule}");
        let said = workspace.fail(&["simulate", "run.yaml", "--set", &set], 3);
        assert!(said.contains(expected), "{schedule}: {said}");
    }
}
