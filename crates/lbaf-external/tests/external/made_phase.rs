// SPDX-License-Identifier: MIT OR Apache-2.0
//! A small phase, and commands and strategies for tests.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use lbaf_external::{External, ExternalError, ExternalStrategy, Listener, Processes};
use lbaf_model::{
    Block, BlockIdx, Communication, LoadOnly, NodeId, Object, ObjectKey, ObjectMemory, Phase, PhaseId, Rank,
    RankId, Slot, Vertex, Volume, WorkModel,
};
use lbaf_strategies::{Checked, Context, NoObserver, Outcome, Problem, StrategyError, run};

/// Builds a phase with four objects, the first of them non-migratable, on three ranks of two nodes.
pub(crate) fn phase() -> Phase {
    let memory = |block: Option<u32>| ObjectMemory {
        footprint_bytes: 100.0,
        working_bytes: 10.0,
        serialized_bytes: 50.0,
        block: block.map(BlockIdx),
    };
    let object = |slot| Vertex::Object(Slot(slot));
    let edge = |from, to, bytes| Communication { from, to, volume: Volume { bytes, messages: 2 } };
    let rank = |rank| Vertex::Rank(RankId(rank));
    let edges = [
        edge(object(1), object(2), 64.0),
        edge(object(3), rank(1), 16.0),
        edge(rank(0), rank(2), 4.0),
        edge(rank(2), object(3), 8.0),
    ];
    let rank = |(rank, alpha): (u32, f64)| Rank { alpha, node: NodeId(rank / 2), working_bytes: 1000.0 };
    let object = |load, rank, block| Object { memory: memory(block), ..Object::new(load, RankId(rank)) };
    Phase::builder(3)
        .id(PhaseId(7))
        .ranks((0..).zip([1.0, 1.0, 0.5]).map(rank))
        .blocks([Block { id: 9, size_bytes: 200.0, home: RankId(1) }])
        .objects([
            Object { migratable: false, ..object(1.0, 0, None) },
            object(2.0, 0, Some(0)),
            object(0.1 + 0.2, 1, Some(0)),
            object(4.0, 1, None),
        ])
        .communications(edges)
        .build()
        .expect("a valid phase")
}

/// Returns the keys of the objects: numbers 10 to 13, the last one a sequence number.
pub(crate) fn keys() -> Vec<ObjectKey> {
    (0..4).map(|at| ObjectKey::new(at == 3, 10 + at, (at == 0).then_some(RankId(0)))).collect()
}

/// A phase with the keys of its objects and a work model.
pub(crate) struct Posed {
    pub(crate) phase: Phase,
    pub(crate) keys: Vec<ObjectKey>,
    pub(crate) model: Box<dyn WorkModel>,
}

impl Default for Posed {
    fn default() -> Self {
        Posed { phase: phase(), keys: keys(), model: Box::new(LoadOnly::default()) }
    }
}

impl Posed {
    pub(crate) fn problem(&self) -> Problem<'_> {
        let Posed { phase, keys, model } = self;
        Problem { phase, initial: phase.recorded_assignment(), model: &**model, keys }
    }

    /// Returns the outcome of a strategy, or its typed error.
    pub(crate) fn ask(&self, strategy: &ExternalStrategy) -> Result<Outcome, ExternalError> {
        strategy.ask(&self.problem(), &mut Context::new(42, 7, &mut NoObserver))
    }

    /// Returns the outcome of a strategy after the checks of `lbaf_strategies::run`.
    pub(crate) fn run(&self, strategy: &ExternalStrategy) -> Result<Checked, StrategyError> {
        run(strategy, &self.problem(), &mut Context::new(42, 7, &mut NoObserver))
    }
}

/// Returns the parameters of a command that runs a shell script.
pub(crate) fn script(script: &str) -> External {
    External::of(["sh", "-c", script])
}

/// Returns the parameters of a command that prints this answer.
pub(crate) fn answering(answer: &str) -> External {
    External::of(["sh", "-c", "cat > /dev/null; printf '%s\\n' \"$1\"", "sh", answer])
}

/// Returns a strategy that runs its command in a directory, with a listener for standard error.
pub(crate) fn heard(
    parameters: External,
    directory: impl Into<PathBuf>,
    listener: Listener,
) -> ExternalStrategy {
    let processes = Arc::new(Processes::new(directory));
    processes.listen(listener);
    ExternalStrategy::new(parameters, &processes).expect("a command and a time limit")
}

/// Returns a strategy that runs its command in a directory, without a listener.
pub(crate) fn in_directory(parameters: External, directory: impl Into<PathBuf>) -> ExternalStrategy {
    heard(parameters, directory, Arc::new(|_: &str| {}))
}

/// Returns a strategy that runs its command in the current directory, without a listener.
pub(crate) fn strategy(parameters: External) -> ExternalStrategy {
    in_directory(parameters, "")
}

/// Returns a listener, and the list of the lines that it receives.
pub(crate) fn listener() -> (Listener, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&lines);
    (Arc::new(move |line: &str| told.lock().unwrap().push(line.to_owned())), lines)
}

/// Returns the error message of a command for the small phase.
pub(crate) fn refusal(parameters: External) -> String {
    Posed::default().ask(&strategy(parameters)).expect_err("the command is refused").to_string()
}

/// Returns the ranks of an outcome.
pub(crate) fn ranks(outcome: &Outcome) -> Vec<u32> {
    outcome.assignment.as_slice().iter().map(|rank| rank.0).collect()
}
