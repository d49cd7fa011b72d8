// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf milp`: a phase as a program for an exact solver, and the answer of one as a run.

mod arguments;

use std::fmt::Display;
use std::path::Path;

pub(crate) use arguments::MilpArgs;
use arguments::{Formulation, ProgramFormat};
use lbaf_config::{Balancing, Overrides, Selection, Strategies};
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

/// Programs with more variables take more memory than there is.
const MOST_VARIABLES: u64 = 20_000_000;

/// How far the work in an answer may be from that of its placement: solvers miss constraints a little.
const TOLERANCE: f64 = 1e-5;

impl ProgramFormat {
    /// Endings of compressed files, which would be wrong for what is written.
    const COMPRESSED: [&str; 7] = ["gz", "bz2", "xz", "zst", "br", "zip", "z"];

    /// The form of a file: as asked for, else as its name ends.
    ///
    /// # Errors
    /// If the name says neither form and none is asked for, or if it ends as that of a compressed file.
    fn of(asked: Option<Self>, output: Option<&Path>) -> Result<Self, Error> {
        let Some(output) = output else { return Ok(asked.unwrap_or(Self::Lp)) };
        let ending = output.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let ending = ending.as_deref().unwrap_or("");
        if Self::COMPRESSED.contains(&ending) {
            return Err(Error::Usage(format!(
                "--output {}: programs are written uncompressed; choose a name in .lp or .mps, and compress the file",
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

/// What came of the command.
pub(crate) enum Done {
    /// A program to be printed.
    Program(String),
    /// What was written.
    Written(String),
    /// A run.
    Ran(Box<Finished>),
}

/// Writes a program, or reads an answer.
pub(crate) fn milp(args: &MilpArgs, messages: Messages, cancel: &Cancel) -> Result<Done, Error> {
    let format = ProgramFormat::of(args.format, args.output.as_deref())?;
    let overrides = Overrides::from(&args.overrides);
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
            let (assignment, word) = answer(path, &formulated, &phase, &prepared, messages)?;
            prepared.run.summary_notes.extend(word);
            let permutation = migrations(&assignment, &phase, &prepared);
            go_on(prepared, phase.id(), permutation, path, (messages, cancel))
        }
        None => write(args, format, &formulated, &phase, &prepared, cancel),
    }
}

/// The phase that the program is about.
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
        Error::Configuration(format!("--phase: phase {chosen} is not among those that are read: {phases}"))
    })
}

/// How the problem is written down: as the arguments say, or as the strategy does.
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
        "phase {}: the {size}, more than the {MOST_VARIABLES} that are written; take fewer ranks or objects, \
         --whole-clusters, or --formulation compact",
        phase.id()
    )))
}

/// What cannot be written down is said where the work model stands.
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
        (args.output.as_ref(), Some(&text), said(program, phase)),
        (args.start.as_ref(), start.as_ref(), "a start".to_owned()),
    ];
    let mut files = Vec::new();
    // All are complete before any is published.
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

fn said(program: &Program, phase: &Phase) -> String {
    format!(
        "phase {}, {} of which {} binary, {}, {}",
        phase.id(),
        counted(program.variables.len(), "column"),
        program.n_binaries(),
        counted(program.constraints.len(), "row"),
        counted(program.n_terms(), "coefficient"),
    )
}

/// The placement in an answer, and what the solver says of it.
fn answer(
    path: &Path,
    formulated: &Formulated<'_>,
    phase: &Phase,
    prepared: &Prepared,
    messages: Messages,
) -> Result<(Assignment, Option<String>), Error> {
    let unreadable =
        |error: &dyn Display| Error::Input(format!("cannot read the answer {}: {error}", path.display()));
    let bytes = inputs::read(path).map_err(|error| unreadable(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| unreadable(&error))?;
    let wrong = |error| Error::Input(format!("{}: {error}", path.display()));
    let answer = Solution::read(&text, formulated.program()).map_err(wrong)?;
    let assignment = formulated.placement(&answer).map_err(wrong)?;
    let model = &*prepared.run.model;
    let found = works(model, phase, &rank_totals(phase, &assignment));
    let excess = found.iter().map(|work| work.excess()).fold(0.0, f64::max);
    if excess > TOLERANCE {
        return Err(Error::Input(format!(
            "{}: its placement is over the bounds of the work model, by {} of a bound; the answer is to another program",
            path.display(),
            significant(excess)
        )));
    }
    let found = found.iter().map(|work| work.cost()).fold(0.0, f64::max);
    let said = answer.value(Program::OBJECTIVE).map(|value| value.value);
    let status = answer.status.as_deref();
    let is_optimal = status.is_some_and(is_optimal);
    let is_other =
        |said: f64| said < found * (1.0 - TOLERANCE) || is_optimal && said > found * (1.0 + TOLERANCE);
    if let Some(said) = said.filter(|&said| is_other(said)) {
        messages.warning(&format!(
            "{}: its largest work is {said}, but that of its placement is {found}; the answer is to another program, or \
             the solver stopped early",
            path.display()
        ));
    }
    let word = status.map(|status| format!("{}: {}", path.display(), word(status, said, found)));
    Ok((assignment, word))
}

/// `INTEGER NON-OPTIMAL` of GLPK and `SUBOPTIMAL` of Gurobi are solutions of which nothing is known.
fn is_optimal(status: &str) -> bool {
    let words = status.to_ascii_lowercase();
    words.contains("optimal") && !words.contains("non-optimal") && !words.contains("suboptimal")
}

/// What a solver claims, which nobody has proven here.
fn word(status: &str, said: Option<f64>, found: f64) -> String {
    match said.filter(|_| is_optimal(status)) {
        Some(said) => {
            format!(
                "the solver says `{status}`: by its word, and within its tolerances, no placement that the program \
                 allows has less than {said}; this one has {found}"
            )
        }
        None => format!("the solver says `{status}`; its placement has a maximum work of {found}"),
    }
}

/// The objects that migrate, by what they are called in files.
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

/// Goes on as if the placement had been prescribed, for this phase alone and from where it was recorded.
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
    fn the_form_is_asked_for_or_follows_from_the_ending() {
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
    fn solvers_say_in_many_words_what_is_optimal() {
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
