// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files written by a run and read again give the work, homing, memory and imbalance that the run printed:
//! random data, every strategy, every work model, every form of output.

mod by_hand;
mod data;
mod draw;
mod figures;
mod settings;

use std::collections::BTreeMap;

use data::{Data, Entities, Form};
use draw::Draw;
use figures::Figures;
use settings::{Settings, Strategy};

use crate::workspace::Workspace;

/// Results of random runs.
#[derive(Default)]
struct Tally {
    /// Number of compared phases, once for each reading of the files.
    n_phases: usize,
    n_failed: usize,
    n_runs: usize,
    /// Runs that were repeated without files for vt, because vt cannot read the data.
    n_refused: usize,
    /// Number of comparisons by strategy.
    n_compared: BTreeMap<String, usize>,
    complaints: Vec<String>,
}

impl Tally {
    /// Checks that all numbers agree, and that enough of them were compared.
    fn check(&self) {
        assert_eq!(self.n_failed, 0, "{}", self.complaints.join("\n"));
        let uncompared: Vec<_> = self.n_compared.iter().filter(|&(_, n)| *n == 0).collect();
        assert!(uncompared.is_empty(), "strategies without a comparison: {uncompared:?}");
    }
}

#[allow(clippy::print_stderr, reason = "the counts show how much was compared")]
/// Runs, reads the files again and compares, for each seed with the next strategy.
fn tally(seeds: std::ops::Range<u64>) -> Tally {
    let listed = Workspace::new().succeed(&["strategies", "--json"]);
    let strategies = settings::strategies(&serde_json::from_str(&listed).expect("it is JSON"));
    let mut tally = Tally::default();
    tally.n_compared.extend(strategies.iter().map(|strategy| (strategy.name.clone(), 0)));
    for seed in seeds {
        tally.n_runs += 1;
        let strategy = &strategies[seed as usize % strategies.len()];
        case(seed, strategy, &mut tally);
    }
    for complaint in &tally.complaints {
        eprintln!("{complaint}");
    }
    eprintln!(
        "{} runs ({} repeated without files for vt), {} phases compared, {} differ",
        tally.n_runs, tally.n_refused, tally.n_phases, tally.n_failed
    );
    tally
}

fn case(seed: u64, strategy: &Strategy, tally: &mut Tally) {
    let workspace = Workspace::new();
    let mut draw = Draw::new(seed);
    let is_offline = draw.once_in(5);
    // The run must detect data sets that vt cannot read.
    let is_for_vt = is_offline && !draw.once_in(4);
    let data = Data::write(&mut draw, strategy, is_for_vt, &workspace);
    let mut settings = Settings::draw(&mut draw, &data, strategy, is_offline);
    let run = |settings: &Settings| {
        let yaml = settings.yaml("data", &settings.algorithm, "first", Some(&settings.writing));
        workspace.write("run.yaml", yaml);
        workspace.lbaf(&["run", "run.yaml"])
    };
    let mut said = run(&settings);
    // Data that vt cannot read are written and compared without files for vt.
    if said.code == 4 && settings.is_offline {
        let is_known = !is_for_vt && said.stderr.contains("vt cannot read the files for OfflineLB");
        assert!(is_known, "seed {seed}: {}", said.stderr);
        tally.n_refused += 1;
        settings.is_offline = false;
        settings.writing =
            settings.writing.replace("offline_lb_compatible: true", "offline_lb_compatible: false");
        said = run(&settings);
    }
    // Infeasible placements are written too.
    assert!([0, 5].contains(&said.code), "seed {seed}, {}: {}", strategy.name, said.stderr);
    let printed = Figures::after(&workspace, "first");
    let written = "first/output_file";
    let mut ignored = Vec::new();
    if settings.is_offline {
        // A rank without a migratable object gets an added one.
        ignored.push("objects");
    }
    if said.stderr.contains("no phase was rebalanced") {
        // The files hold the phases as recorded.
        settings.is_offline = false;
    }
    let is_at_home = settings.from_data.contains("absent_endpoints: home");
    if is_at_home && said.stderr.contains("with `absent_endpoints: home`, lbaf counts the volume") {
        ignored.extend(OF_COMMUNICATION);
    }
    let ignored = &ignored[..];
    let mut compare =
        |what: &str, stem: &str, phases: &str, ignored: &[&str], renamed: &dyn Fn(u64) -> u64| {
            let found = read_again(&workspace, &settings, stem, phases);
            for (phase, expected) in &printed {
                let Some(found) = found.get(&written_as(*phase, &settings, &data).map_or(u64::MAX, renamed))
                else {
                    continue;
                };
                tally.n_phases += 1;
                *tally.n_compared.entry(strategy.name.clone()).or_default() += 1;
                if let Some(difference) = expected.difference(found, ignored) {
                    tally.n_failed += 1;
                    tally.complaints.push(format!(
                        "seed {seed}, {}, {:?}, {}, {}, {what}, phase {phase}: {difference}",
                        strategy.name, data.form, settings.from_data, settings.writing
                    ));
                }
            }
        };
    let same = |phase| phase;
    compare("all phases", written, "all", ignored, &same);
    let alone = draw.of(&printed.keys().copied().collect::<Vec<_>>());
    if let Some(alone) = written_as(alone, &settings, &data) {
        compare("one phase alone", written, &alone.to_string(), ignored, &same);
        let arguments = ["extract", written, "extracted/data", "--renumber", "--phases", &alone.to_string()];
        workspace.succeed(&arguments);
        let renamed = |phase| if phase == alone { 0 } else { u64::MAX };
        compare("one phase extracted", "extracted/data", "all", ignored, &renamed);
    }
    let form = draw.of(&["lb-data", "seq-id", "node-stats"]);
    let said = workspace.lbaf(&["convert", written, "converted/data", "--to", form]);
    if said.code == 0 {
        let ignored = [ignored, &lost(&data, form)].concat();
        compare(&format!("converted to {form}"), "converted/data", "all", &ignored, &same);
    } else {
        let is_known = said.code == 4 && said.stderr.contains("this form cannot distinguish them");
        assert!(is_known, "seed {seed}, {}, converted to {form}: {}", strategy.name, said.stderr);
    }
}

/// Words in the names of numbers that depend on the location of endpoints.
const OF_COMMUNICATION: [&str; 5] = ["work", "bound", "excess", "sent", "received"];

/// Returns words in the names of numbers that a converted data set does not reproduce.
/// `node-stats` cannot store the speed and the node of a rank. A conversion between `id` and `seq_id` may change the
/// object of an endpoint whose home is missing or deviates from the id.
fn lost(data: &Data, to: &str) -> Vec<&'static str> {
    let mut lost = Vec::new();
    if to == "node-stats" {
        lost.extend(["alpha", "node", "work", "bound", "excess"]);
    }
    let was_packed = data.form == Form::Packed && data.entities != Entities::Stale;
    if !was_packed && (data.form == Form::Sequence) != (to == "seq-id") {
        lost.extend(OF_COMMUNICATION);
    }
    lost
}

/// Returns the phase of the output that has the placement and the records of `phase`, if there is one.
fn written_as(phase: u64, settings: &Settings, data: &Data) -> Option<u64> {
    if settings.is_offline { Some(phase + 1).filter(|next| !data.phases.contains(next)) } else { Some(phase) }
}

/// Returns the numbers of the recorded placement of these files.
fn read_again(workspace: &Workspace, settings: &Settings, stem: &str, phases: &str) -> figures::Phases {
    workspace.write("again.yaml", settings.yaml(stem, "name: PhaseStepper", "again", None));
    let phases = format!("from_data.phase_ids={phases}");
    let said = workspace.lbaf(&["run", "again.yaml", "--set", &phases]);
    assert_eq!(said.code, 0, "{stem}: {}", said.stderr);
    Figures::before(workspace, "again")
}

#[test]
fn files_read_again_give_the_printed_numbers() {
    let tally = tally(0..60);
    tally.check();
    assert!(tally.n_phases > 60);
}

#[test]
#[ignore = "long: scripts/long.sh reproduced"]
fn files_read_again_give_the_printed_numbers_of_2000_phases() {
    let tally = tally(1_000..3_000);
    tally.check();
    assert!(tally.n_phases > 2_000);
}
