// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs for solvers, their solutions, and the strategy that solves small programs.

use std::process::Command;

use insta::assert_snapshot;

use crate::brute_force::{OPTIMA, WHOLE, affine, assert_optimum, balanced_by, max_work_after, on_nodes};
use crate::peers::{SYNTHETIC_BLOCKS, configuration, peer, skip};
use crate::vom::{one_phase, send, task};
use crate::workspace::Workspace;

/// Problems on `synthetic-blocks`: work model, `whole_clusters`, and the optimum.
fn problems() -> Vec<(String, bool, f64)> {
    let single = OPTIMA.iter().map(|&(parameters, optimum)| (affine(parameters), false, optimum));
    let whole = WHOLE.iter().map(|&(parameters, optimum)| (affine(parameters), true, optimum));
    let ccm = ("name: CCM, parameters: {beta: 1, gamma: 0.1}".to_owned(), false, 4.3);
    single.chain(whole).chain([ccm]).collect()
}

#[test]
fn synthetic_blocks_have_the_optima_found_by_exhaustive_search() {
    let Some(workspace) = peer(SYNTHETIC_BLOCKS) else { return };
    for (model, whole, expected) in problems() {
        let more = balanced_by("Milp", &model, &format!("whole_clusters: {whole}"));
        workspace.write("run.yaml", configuration(SYNTHETIC_BLOCKS, &more));
        workspace.succeed(&["run", "run.yaml"]);
        assert_optimum(max_work_after(&workspace), expected, &model);
    }
    for (bytes, expected) in [(36, 2.0), (27, 2.5)] {
        on_nodes(&workspace, "Milp", bytes);
        workspace.succeed(&["run", "run.yaml"]);
        assert_optimum(max_work_after(&workspace), expected, &format!("node bound {bytes}"));
    }
    on_nodes(&workspace, "Milp", 18);
    let said = workspace.fail(&["run", "run.yaml"], 5);
    assert!(said.contains("microlp proved that no placement is within the bounds"), "{said}");
}

/// Returns the installed solvers, the file that each reads, and arguments to write `answer.sol`.
fn solvers() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let all = [
        ("glpsol", "problem.lp", vec!["--lp", "problem.lp", "-o", "answer.sol"]),
        ("glpsol", "problem.mps", vec!["--freemps", "problem.mps", "-w", "answer.sol"]),
        ("cbc", "problem.lp", vec!["problem.lp", "solve", "solution", "answer.sol"]),
        ("cbc", "problem.mps", vec!["problem.mps", "solve", "solution", "answer.sol"]),
        ("highs", "problem.lp", vec!["problem.lp", "--solution_file", "answer.sol"]),
        ("highs", "problem.mps", vec!["problem.mps", "--solution_file", "answer.sol"]),
    ];
    let is_there = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let found: Vec<_> = all.into_iter().filter(|(name, ..)| is_there(name)).collect();
    if found.is_empty() {
        skip("there is no glpsol, cbc or highs");
    }
    found
}

#[test]
fn other_solvers_find_the_optima_in_the_files() {
    let solvers = solvers();
    if solvers.is_empty() {
        return;
    }
    let Some(workspace) = peer(SYNTHETIC_BLOCKS) else { return };
    for (at, (model, whole, expected)) in problems().into_iter().enumerate() {
        workspace
            .write("run.yaml", configuration(SYNTHETIC_BLOCKS, &balanced_by("PhaseStepper", &model, "")));
        // Solvers take turns: one solver for each problem.
        let (solver, file, arguments) = &solvers[at % solvers.len()];
        let format = file.rsplit('.').next().expect("a suffix");
        let formulation = if at % 4 == 3 { "fwmp" } else { "compact" };
        let mut options = vec!["--formulation", formulation];
        if whole {
            options.push("--whole-clusters");
        }
        let written = ["milp", "run.yaml", "--format", format, "--output", file, "--force"];
        workspace.succeed(&[&written[..], &options].concat());
        let output = Command::new(solver).args(arguments).current_dir(workspace.path("")).output();
        let output = output.expect("the solver starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{solver} on {model}: {said}");
        workspace.succeed(&[&["milp", "run.yaml", "--solution", "answer.sol"], &options[..]].concat());
        assert_optimum(max_work_after(&workspace), expected, &format!("{model} by {solver} from {file}"));
    }
}

/// Two objects that communicate, both on the first of two ranks.
fn two() -> Workspace {
    let workspace = Workspace::new();
    let tasks = [task(7, 0, 1.0), task(11, 0, 2.0)];
    workspace.write("data.0.json", one_phase(0, &tasks, &[send((7, 0), (11, 0), 4.0)]));
    workspace.write("data.1.json", one_phase(1, &[], &[]));
    workspace.write(
        "run.yaml",
        "from_data: {data_stem: data}\noutput_dir: out\nplots: none\n\
         work_model: {name: AffineCombination, parameters: {beta: 0.125}}\nalgorithm: {name: Greedy}\n",
    );
    workspace
}

#[test]
fn a_program_is_printed_or_written_with_a_start() {
    let workspace = two();
    let printed = workspace.succeed(&["milp", "run.yaml"]);
    assert!(
        printed.contains("work_sent_0: - W + 1.5 chi_0_id7 + 2 chi_0_id11 - 0.5 psi_0_id7_id11 <= 0"),
        "{printed}"
    );
    let said = workspace.succeed(&["milp", "run.yaml", "--output", "two.lp", "--start", "two.mst"]);
    assert_snapshot!(said, @r"
    two.lp: phase 0, 7 columns (4 binary), 10 rows, 28 coefficients
    two.mst: start values
    ");
    assert_eq!(String::from_utf8(workspace.read("two.lp")).expect("text"), printed);
    assert_eq!(
        String::from_utf8(workspace.read("two.mst")).expect("text"),
        "# MIP start\nchi_0_id7 0\nchi_1_id7 1\nchi_0_id11 1\nchi_1_id11 0\n"
    );
    assert!(!workspace.path("out").exists());
    let said = workspace.fail(&["milp", "run.yaml", "--output", "two.lp"], 6);
    assert!(said.contains("two.lp already exists"), "{said}");
}

#[test]
fn the_format_follows_from_the_file_extension() {
    let workspace = two();
    let written = |name: &str, more: &[&str]| {
        workspace.succeed(&[&["milp", "run.yaml", "--output", name], more].concat());
        workspace.text(name)
    };
    let (lp, mps) = (written("a.lp", &[]), written("a.mps", &[]));
    // Free MPS has sections such as `ROWS`. CPLEX's LP format has the keyword `Minimize`.
    assert!(mps.contains("\nROWS\n") && mps.ends_with("ENDATA\n"), "{mps}");
    assert!(lp.contains("Minimize") && lp.ends_with("End\n"), "{lp}");
    assert_eq!(written("b.MPS", &[]), mps);
    assert_eq!(written("c.mps", &["--format", "lp"]), lp);
    assert_eq!(written("problem", &["--format", "mps"]), mps);
    for (name, more) in [("problem.txt", vec![]), ("d.mps.gz", vec![]), ("d.lp.gz", vec!["--format", "lp"])] {
        let said = workspace.fail(&[&["milp", "run.yaml", "--output", name], &more[..]].concat(), 2);
        assert!(said.contains(name), "{said}");
        assert!(!workspace.path(name).exists());
    }
}

/// Returns the first line; later lines are about the data.
fn first_line(said: &str) -> &str {
    said.lines().next().unwrap_or_default()
}

/// If the two objects are on different ranks, the maximum work is 2 + 4 / 8.
#[test]
fn a_solution_becomes_a_run() {
    let workspace = two();
    workspace
        .write("two.sol", "Optimal - objective value 2.5\n 0 W 2.5 0\n 2 chi_1_id7 1 0\n 3 chi_0_id11 1 0\n");
    let said = workspace.lbaf(&["milp", "run.yaml", "--solution", "two.sol"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_snapshot!(first_line(&said.stderr), @"note: two.sol: the solver reports `Optimal`: it claims, within its tolerances, that no placement of the program has a maximum work below 2.5; the solution has 2.5");
    assert_eq!(max_work_after(&workspace), 2.5);
    let noted = workspace.json("out/summary.json")["notes"][0].as_str().expect("a note").to_owned();
    assert!(noted.starts_with("two.sol: the solver reports `Optimal`"), "{noted}");
    // The load of 2 s exceeds a bound that the program did not have.
    let bound = "work_model.parameters.upper_bounds.load=1.6";
    let said = workspace.fail(&["milp", "run.yaml", "--solution", "two.sol", "--set", bound], 4);
    assert_snapshot!(said, @"error: two.sol: the placement exceeds an upper bound of the work model by 0.25 of the bound; the solution belongs to another program");
    workspace
        .write("two.sol", "Optimal - objective value 3\n 0 W 3 0\n 2 chi_1_id7 1 0\n 3 chi_0_id11 1 0\n");
    let said = workspace.lbaf(&["milp", "run.yaml", "--solution", "two.sol"]);
    assert_snapshot!(first_line(&said.stderr), @"warning: two.sol: the solution states a maximum work of 3, but its placement has 2.5; it belongs to another program, or the solver stopped early");
    workspace.write("two.sol", "W 1\nchi_1_id7 1\nchi_0_id11 1\n");
    let said = workspace.lbaf(&["milp", "run.yaml", "--solution", "two.sol"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_snapshot!(first_line(&said.stderr), @"warning: two.sol: the solution states a maximum work of 1, but its placement has 2.5; it belongs to another program, or the solver stopped early");
}

#[test]
fn invalid_solutions_are_refused_with_their_line() {
    let workspace = two();
    let refused = |answer: &str| {
        workspace.write("two.sol", answer);
        workspace.fail(&["milp", "run.yaml", "--solution", "two.sol"], 4)
    };
    assert_snapshot!(refused("chi_0_id7 1\n"), @"error: two.sol: object id11 has no rank: none of `chi_*_id11` is 1");
    assert_snapshot!(refused("chi_0_id7 1\nchi_1_id7 1\n"), @"error: two.sol: object id7 has two ranks: `chi_0_id7` and `chi_1_id7` (line 2) are both 1");
    assert_snapshot!(refused("Infeasible - objective value 0\n"), @"error: two.sol: line 1: the solver found no placement: its status is `Infeasible`");
    let said = workspace.fail(&["milp", "run.yaml", "--solution", "none.sol"], 4);
    assert!(said.starts_with("error: cannot read the solution none.sol: "), "{said}");
    assert!(!workspace.path("out/summary.json").exists());
}

#[test]
fn problems_that_a_formulation_cannot_express_are_refused() {
    let workspace = two();
    let said = workspace.fail(&["milp", "run.yaml", "--formulation", "comcp"], 3);
    assert!(
        said.contains("the formulation `comcp` cannot express communication between ranks (beta), which costs 0.125 seconds per byte; use `fwmp` or `compact`"),
        "{said}"
    );
    let said = workspace.fail(&["milp", "run.yaml", "--phase", "3"], 3);
    assert_snapshot!(said, @"error: --phase: phase 3 is not among the phases read: 0");
}
