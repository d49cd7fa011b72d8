// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of a small program, compared with a formulation written by hand.

use lbaf_milp::{Form, Formulated, FormulationError, Program, ProgramSize, VariableId, to_lp, to_mps};
use lbaf_model::{
    Affine, AffineParameters, Assignment, BoundScope, Ccm, CcmParameters, RankId, RankQuantity, UpperBound,
    WorkModel,
};

use crate::small::{keys, model, phase};

fn program(model: &dyn WorkModel, form: Form, whole_clusters: bool) -> Result<Program, FormulationError> {
    let (phase, keys) = (phase(), keys());
    let initial = phase.recorded_assignment();
    Formulated::new((&phase, initial, &keys), model, form, whole_clusters)
        .map(|formulated| formulated.program().clone())
}

/// The sentinel adds constants on rank 1: 0.5 s of load, and 3 bytes of working memory, which are the lower bound of
/// `working_1`.
#[test]
fn an_lp_file_expresses_the_work_model() {
    let text = to_lp(&program(&model(), Form::Compact, false).unwrap());
    let expected = "\\ Phase 7, work model AffineCombination, formulation compact.
\\ W is the largest work of a rank. chi_I_K is 1 if object K is on rank I.
Minimize
 work: W
Subject To
 place_seq4: + chi_0_seq4 + chi_1_seq4 = 1
 place_id5: + chi_0_id5 + chi_1_id5 = 1
 from_0_seq4_id5: - chi_0_seq4 + psi_0_seq4_id5 <= 0
 to_0_seq4_id5: - chi_0_id5 + psi_0_seq4_id5 <= 0
 from_1_seq4_id5: - chi_1_seq4 + psi_1_seq4_id5 <= 0
 to_1_seq4_id5: - chi_1_id5 + psi_1_seq4_id5 <= 0
 block_0_8_with0: - chi_0_seq4 + phi_0_8 >= 0
 block_0_8_with1: - chi_0_id5 + phi_0_8 >= 0
 block_0_8: - chi_0_seq4 - chi_0_id5 + phi_0_8 <= 0
 block_1_8_with0: - chi_1_seq4 + phi_1_8 >= 0
 block_1_8_with1: - chi_1_id5 + phi_1_8 >= 0
 block_1_8: - chi_1_seq4 - chi_1_id5 + phi_1_8 <= 0
 work_sent_0: - W + 1.000003 chi_0_seq4 + 1 chi_0_id5 - 3e-6 psi_0_seq4_id5 <= -0.25
";
    let expected = expected.replace("+ 1 chi_0_id5", "+ chi_0_id5");
    assert!(text.starts_with(&expected), "{text}");
    for line in [
        " work_received_0: - W + chi_0_seq4 + 1.000003 chi_0_id5 - 3e-6 psi_0_seq4_id5 <= -0.25",
        " work_sent_1: - W + 1.000003 chi_1_seq4 + chi_1_id5 - 3e-6 psi_1_seq4_id5 + phi_1_8 <= -0.75",
        " working_0_seq4: - 2 chi_0_seq4 + working_0 >= 0",
        " bound0_max_memory_usage_rank_0: + 1000000000 phi_0_8 + working_0 <= 2000000000",
        // Only one of the two objects has more working memory than the sentinel.
        " working_1_id5: - 4 chi_1_id5 + working_1 >= 0",
        " working_1 >= 3",
    ] {
        assert!(text.lines().any(|found| found == line), "no line `{line}` in\n{text}");
    }
    assert!(!text.contains("working_1_seq4"));
    // Both migratable objects on rank 0 are optimal, with a maximum work of 2.25. With one of them on rank 1 beside the
    // sentinel, their block is also away from home, and the maximum work is about 2.75. The mean work is 1.5.
    let bound = text.lines().find_map(|line| line.strip_prefix(" W >= ")).unwrap().parse::<f64>().unwrap();
    assert!(bound <= 2.25 && bound > 1.5, "{bound}");
    assert!(text.ends_with("Binaries\n chi_0_seq4\n chi_1_seq4\n chi_0_id5\n chi_1_id5\nEnd\n"), "{text}");
}

#[test]
fn an_mps_file_has_the_same_program() {
    let program = program(&model(), Form::Compact, false).unwrap();
    let text = to_mps(&program);
    let lines: Vec<&str> = text.lines().collect();
    for line in [
        "NAME lbaf FREE",
        " N work",
        " E place_seq4",
        " L work_sent_0",
        " W work 1",
        " chi_0_seq4 work_sent_0 1.000003",
        " MARKER 'MARKER' 'INTORG'",
        " RHS bound0_max_memory_usage_rank_1 2000000000",
        " UP BND chi_0_seq4 1",
        " LO BND working_1 3",
        "ENDATA",
    ] {
        assert!(lines.contains(&line), "no line `{line}` in\n{text}");
    }
    let n_entries =
        lines.iter().skip_while(|line| **line != "COLUMNS").take_while(|line| **line != "RHS").count();
    // The other 4 lines are the heading, two markers and the objective.
    assert_eq!(n_entries, program.n_terms() + 4);
}

#[test]
fn columns_are_in_the_order_of_their_first_use_in_rows() {
    for form in [Form::Compact, Form::Fwmp] {
        let program = program(&model(), form, false).unwrap();
        let mut seen = vec![Program::OBJECTIVE];
        for (variable, _) in program.constraints.iter().flat_map(|constraint| &constraint.terms) {
            if !seen.contains(variable) {
                seen.push(*variable);
            }
        }
        assert_eq!(seen, (0..program.variables.len()).map(VariableId).collect::<Vec<_>>(), "{form}");
    }
}

#[test]
fn fwmp_has_a_column_for_every_edge_and_pair_of_ranks() {
    let program = program(&model(), Form::Fwmp, false).unwrap();
    let psi: Vec<&str> = program
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .filter(|name| name.starts_with("psi"))
        .collect();
    assert_eq!(psi, ["psi_0_0_seq4_id5", "psi_0_1_seq4_id5", "psi_1_0_seq4_id5", "psi_1_1_seq4_id5"]);
    // The objective and the two variables of working memory are not binary.
    assert_eq!(program.n_binaries(), program.variables.len() - 3);
    let size = ProgramSize::of(&phase(), &model(), Form::Fwmp, false);
    assert_eq!(
        size.to_string(),
        "2 objects or clusters, 2 ranks, 1 edges and 1 blocks need up to 15 columns"
    );
}

#[test]
fn whole_clusters_have_the_columns_of_their_first_object() {
    let (phase, keys, model) = (phase(), keys(), model());
    let formulated =
        Formulated::new((&phase, phase.recorded_assignment(), &keys), &model, Form::Compact, true).unwrap();
    let program = formulated.program();
    assert_eq!(program.n_binaries(), 2);
    let mut values = vec![0.0; program.variables.len()];
    for (VariableId(at), value) in formulated.values_of_placement(&Assignment::new(vec![RankId(1); 3])) {
        values[at] = value;
    }
    assert_eq!(formulated.placement_of_values(&values), Assignment::new(vec![RankId(1); 3]));
    assert_eq!(formulated.start(phase.recorded_assignment()), "# MIP start\nchi_0_seq4 1\nchi_1_seq4 0\n");
}

#[test]
fn models_that_cannot_be_expressed_are_refused() {
    let refusal = |model: &dyn WorkModel, form| program(model, form, false).unwrap_err().to_string();
    assert_eq!(
        refusal(&model(), Form::Comcp),
        "the formulation `comcp` cannot express communication between ranks (beta), which costs 0.000001 seconds per \
         byte; use `fwmp` or `compact`"
    );
    let bounded = |quantity| {
        let bounds = vec![UpperBound { quantity, limit: 0.5, scope: BoundScope::Node }];
        Affine::new(AffineParameters { beta: 0.0, bounds, ..AffineParameters::default() }).unwrap()
    };
    assert_eq!(
        refusal(&bounded(RankQuantity::HomedBlocksRatio), Form::Compact),
        "an upper bound on `homed_blocks_ratio` cannot be written as a linear constraint; remove the bound"
    );
    assert_eq!(
        refusal(&bounded(RankQuantity::SentVolume), Form::Comcp),
        "the formulation `comcp` cannot express an upper bound on `sent_volume`; use `fwmp` or `compact`"
    );
    let on_rank = Ccm::new(CcmParameters { gamma: 2.0, ..CcmParameters::default() }).unwrap();
    assert!(refusal(&on_rank, Form::Comcp).contains("communication on ranks (gamma), which costs 2 seconds"));
}
