// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf milp`: a phase as a program for an exact solver, and the solution of a solver as a run.

mod arguments;

use std::fmt::Display;
use std::path::Path;

pub(crate) use arguments::MilpArgs;
use arguments::{Formulation, ProgramFormat};
use lbaf_config::{Balancing, Selection, Strategies};
use lbaf_milp::{Form, Formulated, FormulationError, Program, ProgramSize, Solution};
use lbaf_model::{Assignment, Migration, Phase, PhaseId, rank_totals, works};
use lbaf_run::Messages as _;
use lbaf_run::Prepared;
use lbaf_strategies::{Cancel, Permutation, PrescribedMigration, PrescribedPermutation, Strategy};
use lbaf_text::Shown as _;
use lbaf_text::number::{counted, significant};

use crate::error::Error;
use crate::inputs;
use crate::new_files::NewFiles;
use crate::progress::Messages;
use crate::run::{self, Finished};

/// Largest number of variables. Larger programs need more memory than most machines have.
const MOST_VARIABLES: u64 = 20_000_000;

/// Relative tolerance, because solvers violate constraints slightly. By this fraction, a solution may exceed an upper
/// bound, and its stated maximum work may differ from that of its placement without a warning.
const TOLERANCE: f64 = 1e-5;

impl ProgramFormat {
    /// Refused extensions: programs are written uncompressed.
    const COMPRESSED: [&str; 7] = ["gz", "bz2", "xz", "zst", "br", "zip", "z"];

    /// Returns the requested format, else that of the extension of the file; LP if there is neither format nor file.
    ///
    /// # Errors
    /// If the extension is that of a compressed file, or is unknown and no format is requested.
    fn of(asked: Option<Self>, output: Option<&Path>) -> Result<Self, Error> {
        let Some(output) = output else { return Ok(asked.unwrap_or(Self::Lp)) };
        let ending = output.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let ending = ending.as_deref().unwrap_or("");
        if Self::COMPRESSED.contains(&ending) {
            return Err(Error::Usage(format!(
                "--output {}: programs are written uncompressed; choose a name that ends in .lp or .mps, and compress the file afterwards",
                output.display()
            )));
        }
        match (asked, ending) {
            (Some(asked), _) => Ok(asked),
            (None, "lp") => Ok(Self::Lp),
            (None, "mps") => Ok(Self::Mps),
            (None, _) => Err(Error::Usage(format!(
                "--output {}: the name ends in neither .lp nor .mps; add --format lp or --format mps",
                output.display()
            ))),
        }
    }
}

/// Result of the command.
pub(crate) enum Done {
    /// Program to print.
    Program(String),
    /// Report of the written files.
    Written(String),
    /// Finished run.
    Ran(Box<Finished>),
}

/// Writes a program, or reads a solution and runs the configuration with it.
pub(crate) fn milp(args: &MilpArgs, messages: Messages, cancel: &Cancel) -> Result<Done, Error> {
    let format = ProgramFormat::of(args.format, args.output.as_deref())?;
    let overrides = args.overrides.overrides()?;
    let (mut prepared, messages) =
        run::prepare(&args.files.configurations, &overrides, args.solution.is_some(), messages)?;
    let phase = phase(args, &prepared)?;
    let (form, whole_clusters) = formulation(args, &prepared, phase.id());
    check_size(&prepared, &phase, form, whole_clusters)?;
    let initial = phase.recorded_assignment();
    let placed = (&phase, initial, prepared.recorded.data.keys());
    let formulated = Formulated::new(placed, &*prepared.run.model, form, whole_clusters)
        .map_err(|error| refused(&prepared, phase.id(), &error))?;
    match &args.solution {
        Some(path) => {
            let (assignment, claim) = solution(path, &formulated, &phase, &prepared, messages)?;
            prepared.run.summary_notes.extend(claim);
            let permutation = migrations(&assignment, &phase, &prepared);
            go_on(prepared, phase.id(), permutation, path, (messages, cancel))
        }
        None => write(args, format, &formulated, &phase, &prepared, cancel),
    }
}

/// Returns the requested phase, or the phase to balance if there is only one.
///
/// # Errors
/// If no phase is requested and not exactly one is balanced, or if the requested phase was not read.
fn phase(args: &MilpArgs, prepared: &Prepared) -> Result<Phase, Error> {
    let phases = prepared.recorded.data.phases();
    let balanced: Vec<u64> = phases
        .iter()
        .map(|phase| phase.id().0)
        .filter(|&phase| prepared.run.balancing.contains(phase))
        .collect();
    let chosen = match (args.phase, &balanced[..]) {
        (Some(chosen), _) => chosen,
        (None, &[only]) => only,
        (None, _) => {
            let message = format!("--phase: choose one of the phases {}", lbaf_config::ranges(&balanced));
            return Err(Error::Usage(message));
        }
    };
    prepared.recorded.data.phase(PhaseId(chosen)).cloned().ok_or_else(|| {
        let read: Vec<u64> = phases.iter().map(|phase| phase.id().0).collect();
        let phases = lbaf_config::ranges(&read);
        Error::Configuration(format!("--phase: phase {chosen} is not among the phases read: {phases}"))
    })
}

/// Returns the formulation of the arguments, else of the strategy, else the default; and true if clusters stay whole.
fn formulation(args: &MilpArgs, prepared: &Prepared, phase: PhaseId) -> (Form, bool) {
    let strategy = prepared.run.strategy_at(phase).filter(|strategy| strategy.formulation().is_some());
    let form = match args.formulation {
        Some(Formulation::Comcp) => Form::Comcp,
        Some(Formulation::Fwmp) => Form::Fwmp,
        Some(Formulation::Compact) => Form::Compact,
        None => strategy.and_then(Strategy::formulation).unwrap_or_default(),
    };
    (form, args.whole_clusters || strategy.is_some_and(Strategy::keeps_blocks_whole))
}

fn check_size(prepared: &Prepared, phase: &Phase, form: Form, whole_clusters: bool) -> Result<(), Error> {
    let size = ProgramSize::of(phase, &*prepared.run.model, form, whole_clusters);
    if size.n_variables <= MOST_VARIABLES {
        return Ok(());
    }
    Err(Error::Input(format!(
        "phase {}: {size}, but a program may have at most {MOST_VARIABLES} columns; use fewer ranks or objects, \
         --whole-clusters, or --formulation compact",
        phase.id()
    )))
}

/// Reports a formulation error at the work model in the configuration, or as an error of the input if the phase is
/// empty.
fn refused(prepared: &Prepared, phase: PhaseId, error: &FormulationError) -> Error {
    if *error == FormulationError::Empty {
        return Error::Input(format!("phase {phase}: {error}"));
    }
    let layers = &prepared.layers;
    layers.error(&layers.tree.error_at("work_model", error.to_string())).into()
}

fn write(
    args: &MilpArgs,
    format: ProgramFormat,
    formulated: &Formulated<'_>,
    phase: &Phase,
    prepared: &Prepared,
    cancel: &Cancel,
) -> Result<Done, Error> {
    let program = formulated.program();
    let text = match format {
        ProgramFormat::Lp => lbaf_milp::to_lp(program),
        ProgramFormat::Mps => lbaf_milp::to_mps(program),
    };
    let start = args.start.as_ref().map(|_| prepared.placement(phase, cancel)).transpose()?;
    let start = start.map(|placement| formulated.start(&placement));
    let contents = [
        (args.output.as_ref(), Some(&text), size(program, phase)),
        (args.start.as_ref(), start.as_ref(), "start values".to_owned()),
    ];
    let mut files = Vec::new();
    // All files are complete before the first one is published.
    for (path, content, what) in contents {
        if let (Some(path), Some(content)) = (path, content) {
            let file = NewFiles::of_path(path, args.force)?;
            file.put(content.as_bytes())?;
            files.push((file, format!("{}: {what}\n", path.shown())));
        }
    }
    let mut written = Vec::new();
    for (file, what) in files {
        file.publish()?;
        written.push(what);
    }
    Ok(if args.output.is_some() { Done::Written(written.concat()) } else { Done::Program(text) })
}

fn size(program: &Program, phase: &Phase) -> String {
    format!(
        "phase {}, {} ({} binary), {}, {}",
        phase.id(),
        counted(program.variables.len(), "column"),
        program.n_binaries(),
        counted(program.constraints.len(), "row"),
        counted(program.n_terms(), "coefficient"),
    )
}

/// Reads a solution. Returns its placement, and a sentence on its status if it states one.
fn solution(
    path: &Path,
    formulated: &Formulated<'_>,
    phase: &Phase,
    prepared: &Prepared,
    messages: Messages,
) -> Result<(Assignment, Option<String>), Error> {
    let unreadable =
        |error: &dyn Display| Error::Input(format!("cannot read the solution {}: {error}", path.display()));
    let bytes = inputs::read(path).map_err(|error| unreadable(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| unreadable(&error))?;
    let wrong = |error| Error::Input(format!("{}: {error}", path.display()));
    let solution = Solution::read(&text, formulated.program()).map_err(wrong)?;
    let assignment = formulated.placement(&solution).map_err(wrong)?;
    let model = &*prepared.run.model;
    let found = works(model, phase, &rank_totals(phase, &assignment));
    let excess = found.iter().map(|work| work.excess()).fold(0.0, f64::max);
    if excess > TOLERANCE {
        return Err(Error::Input(format!(
            "{}: the placement exceeds an upper bound of the work model by {} of the bound; the solution belongs to another program",
            path.display(),
            significant(excess)
        )));
    }
    let found = found.iter().map(|work| work.cost()).fold(0.0, f64::max);
    let claimed = solution.value(Program::OBJECTIVE).map(|value| value.value);
    let status = solution.status.as_deref();
    let is_optimal = status.is_some_and(is_optimal);
    let is_other = |claimed: f64| {
        claimed < found * (1.0 - TOLERANCE) || is_optimal && claimed > found * (1.0 + TOLERANCE)
    };
    if let Some(claimed) = claimed.filter(|&claimed| is_other(claimed)) {
        messages.warning(&format!(
            "{}: the solution states a maximum work of {claimed}, but its placement has {found}; it belongs to another \
             program, or the solver stopped early",
            path.display()
        ));
    }
    let sentence = status.map(|status| format!("{}: {}", path.display(), claim(status, claimed, found)));
    Ok((assignment, sentence))
}

/// True if a status claims optimality. `INTEGER NON-OPTIMAL` of GLPK and `SUBOPTIMAL` of Gurobi do not.
fn is_optimal(status: &str) -> bool {
    let words = status.to_ascii_lowercase();
    words.contains("optimal") && !words.contains("non-optimal") && !words.contains("suboptimal")
}

/// Returns a sentence on the status that a solver reports. lbaf does not verify a claim of optimality.
fn claim(status: &str, claimed: Option<f64>, found: f64) -> String {
    match claimed.filter(|_| is_optimal(status)) {
        Some(claimed) => {
            format!(
                "the solver reports `{status}`: it claims, within its tolerances, that no placement of the program has a \
                 maximum work below {claimed}; the solution has {found}"
            )
        }
        None => format!("the solver reports `{status}`; its placement has a maximum work of {found}"),
    }
}

/// Returns the migrations of a placement, with objects named as in the files.
fn migrations(assignment: &Assignment, phase: &Phase, prepared: &Prepared) -> PrescribedPermutation {
    let keys = prepared.recorded.data.keys();
    let migration = |migration: Migration| {
        let key = keys[phase.object(migration.slot).index()];
        PrescribedMigration {
            number: key.number,
            is_sequence: Some(key.is_sequence),
            from: Some(migration.from),
            to: migration.to,
            line: 0,
        }
    };
    let of_phase = assignment.migrations_from(phase.recorded_assignment()).map(migration).collect();
    PrescribedPermutation { permutation: Permutation::Migrations([(phase.id().0, of_phase)].into()) }
}

/// Runs the configuration for this phase only, with the prescribed migrations.
fn go_on(
    mut prepared: Prepared,
    phase: PhaseId,
    permutation: PrescribedPermutation,
    path: &Path,
    (messages, cancel): (Messages, &Cancel),
) -> Result<Done, Error> {
    let configured = &mut prepared.run;
    configured.strategies = Strategies::of(permutation, &prepared.layers);
    configured.balancing = Balancing::only(Selection::parse(&phase.to_string()).map_err(Error::Usage)?);
    configured.invocation.overrides.push(format!("--solution {}", path.display()));
    run::finish(prepared, messages, cancel).map(|finished| Done::Ran(Box::new(finished)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_requested_or_follows_from_the_extension() {
        use ProgramFormat::{Lp, Mps};
        let of = |asked, output: Option<&str>| ProgramFormat::of(asked, output.map(Path::new)).ok();
        for (asked, output, expected) in [
            (None, None, Some(Lp)),
            (Some(Mps), None, Some(Mps)),
            (None, Some("x.lp"), Some(Lp)),
            (None, Some("x.mps"), Some(Mps)),
            (None, Some("a.lp/x.MPS"), Some(Mps)),
            (Some(Lp), Some("x.mps"), Some(Lp)),
            (Some(Mps), Some("x"), Some(Mps)),
            (None, Some("x"), None),
            (None, Some("mps"), None),
            (None, Some("x.txt"), None),
            (None, Some("x.mps.gz"), None),
            (Some(Mps), Some("x.mps.gz"), None),
        ] {
            assert_eq!(of(asked, output), expected, "{asked:?} {output:?}");
        }
    }

    #[test]
    fn optimal_statuses_of_solvers_are_recognized() {
        for status in
            ["Optimal", "Optimal - objective value 2.5", "INTEGER OPTIMAL", "optimal solution found"]
        {
            assert!(is_optimal(status), "{status}");
        }
        for status in ["INTEGER NON-OPTIMAL", "SUBOPTIMAL", "Suboptimal solution", "Time limit reached", ""] {
            assert!(!is_optimal(status), "{status}");
        }
    }
}
