// SPDX-License-Identifier: MIT OR Apache-2.0
//! Solutions in the formats of all solvers, and malformed ones. The files of HiGHS, CBC and GLPK are from HiGHS 1.15,
//! CBC 2.10 and GLPK 5.0.

use lbaf_milp::{Form, Formulated, Solution, SolutionError};
use lbaf_model::{LoadOnly, RankId};

use crate::small::{keys, phase};

/// Reads a solution, and returns its status and the ranks of both migratable objects.
fn read(text: &str) -> Result<(Option<String>, [u32; 2]), SolutionError> {
    let (phase, keys) = (phase(), keys());
    let model = LoadOnly::default();
    let formulated =
        Formulated::new((&phase, phase.recorded_assignment(), &keys), &model, Form::Compact, false).unwrap();
    let answer = Solution::read(text, formulated.program())?;
    let placement = formulated.placement(&answer)?;
    let [RankId(first), RankId(second), RankId(1)] = placement.as_slice() else { panic!("{placement:?}") };
    Ok((answer.status, [*first, *second]))
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(read(text).unwrap_err().to_string(), expected);
}

#[test]
fn highs() {
    let text = "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 1.5\n# Columns 5\nW 1.5\n\
                chi_0_seq4 0\nchi_1_seq4 1\nchi_0_id5 1\nchi_1_id5 -1.4e-17\n# Rows 4\nplace_seq4 1\n";
    assert_eq!(read(text).unwrap(), (Some("Optimal".to_owned()), [1, 0]));
    let nothing = "Model status\nTime limit reached\n\n# Primal solution values\nNone\n";
    refused(nothing, "line 5: the solver found no placement: its status is `Time limit reached`");
}

#[test]
fn cbc() {
    let text = "Optimal - objective value 1.50000000\n      0 W                1.5      1\n\
                \x20     2 chi_1_seq4          1      0\n**    3 chi_0_id5    0.9999999      0\n";
    assert_eq!(read(text).unwrap(), (Some("Optimal".to_owned()), [1, 0]));
    refused(
        "Integer infeasible - objective value 0.00000000\n",
        "line 1: the solver found no placement: its status is `Integer infeasible`",
    );
}

#[test]
fn glpk_tables() {
    let text = "Problem:    \nRows:       4\nStatus:     INTEGER OPTIMAL\nObjective:  work = 1.5 (MINimum)\n\n   \
                No.   Row name        Activity     Lower bound   Upper bound\n\
                ------ ------------    ------------- ------------- -------------\n     1 place_seq4 1 1 =\n\n   \
                No. Column name       Activity     Lower bound   Upper bound\n\
                ------ ------------    ------------- ------------- -------------\n     \
                1 W                         1.5           1.5\n     \
                2 chi_0_seq4   *              0             0             1\n     3 chi_1_seq4\n                    \
                *              1             0             1\n     \
                4 chi_0_id5    *              1             0             1\n     \
                5 chi_1_id5    *              0             0             1\n\nInteger feasibility conditions:\n\n\
                KKT.PE: max.abs.err = 0.00e+00 on row 0\nEnd of output\n";
    assert_eq!(read(text).unwrap(), (Some("INTEGER OPTIMAL".to_owned()), [1, 0]));
    let empty = "Problem:\nStatus:     INTEGER EMPTY\n";
    refused(empty, "line 2: the solver found no placement: its status is `INTEGER EMPTY`");
}

#[test]
fn glpk_raw_numbers() {
    let text = "c Problem:\nc\ns mip 4 5 o 1.5\ni 1 1\nj 1 1.5\nj 2 0\nj 3 1\nj 4 1\nj 5 0\ne o f\n";
    assert_eq!(read(text).unwrap(), (Some("optimal".to_owned()), [1, 0]));
    refused(
        "s mip 4 5 o 1.5\nj 6 1\n",
        "line 2: the program has no column `6`; the solution belongs to another program: use the configuration, \
         the phase, the formulation and the options with which the program was written",
    );
    refused(
        "s bas 4 5 f f 1.5\n",
        "line 1: expected `s mip` for an integer solution, not `s bas 4 5 f f 1.5`",
    );
}

#[test]
fn gurobi_scip_and_lines_written_by_hand() {
    let gurobi = "# Solution for model obj\n# Objective value = 1.5\nW 1.5\nchi_1_seq4 1\nchi_0_id5 1\n";
    assert_eq!(read(gurobi).unwrap(), (None, [1, 0]));
    let scip = "solution status: optimal solution found\nobjective value:          1.5\nW     1.5 \t(obj:1)\n\
                chi_1_seq4    1 \t(obj:0)\nchi_0_id5    1 \t(obj:0)\n";
    assert_eq!(read(scip).unwrap(), (Some("optimal solution found".to_owned()), [1, 0]));
    assert_eq!(read("chi_0_seq4 = 1\n\nchi_0_id5 1\n").unwrap(), (None, [0, 0]));
    refused(
        "solution status: infeasible\nno solution available\n",
        "line 1: the solver found no placement: its status is `infeasible`",
    );
}

#[test]
fn an_empty_solution() {
    let expected = "the file has no values; expected a solution of HiGHS, CBC, GLPK, SCIP or Gurobi, or lines `name value`";
    refused("", expected);
    refused("# nothing\n", expected);
}

#[test]
fn an_object_without_a_rank() {
    refused("chi_1_seq4 1\nchi_0_id5 0\n", "object id5 has no rank: none of `chi_*_id5` is 1");
}

#[test]
fn an_object_with_two_ranks() {
    refused(
        "chi_1_seq4 1\nchi_0_id5 1\nchi_1_id5 1\n",
        "object id5 has two ranks: `chi_0_id5` and `chi_1_id5` (line 3) are both 1",
    );
}

#[test]
fn a_fractional_value() {
    refused(
        "chi_1_seq4 0.5\n",
        "line 1: `chi_1_seq4` must be 0 or 1, not 0.5; did the solver solve only the relaxation?",
    );
}

#[test]
fn a_column_of_another_program() {
    let text = "chi_1_seq4 1\nchi_7_seq4 0\n";
    assert!(
        read(text).unwrap_err().to_string().starts_with("line 2: the program has no column `chi_7_seq4`; ")
    );
}

#[test]
fn a_column_twice() {
    refused("chi_1_seq4 1\n\nchi_1_seq4 1\n", "line 3: `chi_1_seq4` already has a value in line 1");
}

#[test]
fn a_value_that_is_not_a_number() {
    refused("chi_1_seq4 yes\n", "line 1: expected a finite number, not `yes`");
    refused("chi_1_seq4 inf\n", "line 1: expected a finite number, not `inf`");
}

#[test]
fn a_solution_without_values() {
    refused("chi_1_seq4\n", "line 1: expected `name value`, not `chi_1_seq4`");
    refused(
        "Optimal - objective value 2\n 1 chi_1_seq4\n",
        "line 2: expected `number name value`, not `1 chi_1_seq4`",
    );
    refused("Model status\nOptimal\n# Columns 1\nW\n", "line 4: expected `name value`, not `W`");
    refused("s mip 1 1 o 1\nj 1\n", "line 2: expected `j number value`, not `j 1`");
}

#[test]
fn a_cut_file() {
    let expected = "the file has no values; expected a solution of HiGHS, CBC, GLPK, SCIP or Gurobi, or lines `name value`";
    refused("Model status\nOptimal\n", expected);
    refused("Model status\nOptimal\n# Columns 5\nW 2\n", "line 4: the file ends after 1 of 5 columns");
    // Not the line of the status.
    refused("Model status\nOptimal\n# Columns 5\n", "line 3: the file ends after 0 of 5 columns");
    refused(
        "Model status\nOptimal\n# Columns many\n",
        "line 3: expected a number of columns, not `# Columns many`",
    );
}
