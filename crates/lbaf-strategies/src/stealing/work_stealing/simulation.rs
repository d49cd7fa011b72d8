// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks that run what they have, and steal when they have nothing, in simulated time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lbaf_model::{Assignment, ObjectMemory, Phase, RankId, RankQuantity, Totals, Transfer, View, WorkModel};

use super::queue::{Queues, Unit};
use super::victim_selection::{Round, Start};
use super::{StealSize, WorkStealing};
use crate::primitives::seconds::Seconds;
use crate::primitives::works::bounds_nodes;
use crate::{Context, Problem};

/// What came of a simulation.
pub(super) struct Simulated {
    pub(super) assignment: Assignment,
    /// When the last rank ends, in simulated seconds.
    pub(super) makespan: f64,
    /// Steals that succeeded.
    pub(super) n_steals: usize,
    /// Objects stolen, each as often as it was.
    pub(super) n_stolen: usize,
    /// Requests that were answered with nothing.
    pub(super) n_failed: usize,
}

/// What a rank is doing.
#[derive(Clone, Debug)]
enum Doing {
    /// Runs a unit until the time given.
    Running(f64),
    /// Waits for an answer.
    Asking(Round),
    /// Nothing any more, unless somebody wakes it.
    Idle,
}

/// Whose refusals are not final: who must ask again after a steal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wake {
    Nobody,
    /// The ranks of the victim's node.
    Node,
    Everybody,
}

struct Simulation<'a> {
    parameters: &'a WorkStealing,
    phase: &'a Phase,
    model: &'a dyn WorkModel,
    /// Everything that a rank has run, runs or is to run counts as being there.
    totals: Totals<'a>,
    queues: Queues,
    start: Start,
    doing: Vec<Doing>,
    /// When a rank has something to do: the earliest first, of equal times those that do not ask, then the first
    /// rank. So nobody loses to a thief what it would begin at the same time.
    events: BinaryHeap<Reverse<(Seconds, bool, RankId)>>,
    wake: Wake,
    /// Whether what an object needs of memory decides who can hold it.
    memory_decides: bool,
    /// How often stolen units went to wait on another rank, where somebody may have asked before.
    n_moves: u64,
    simulated: Simulated,
}

/// Runs all objects of a phase.
pub(super) fn simulate(parameters: &WorkStealing, problem: &Problem<'_>, context: &Context<'_>) -> Simulated {
    let Problem { phase, initial, model, .. } = *problem;
    let (queues, sentinel_loads) = Queues::new(phase, initial, parameters.steal, parameters.order);
    let mut simulation = Simulation {
        parameters,
        phase,
        model,
        totals: Totals::new(phase, initial.clone()),
        queues,
        start: Start::new(parameters.victim, phase.n_ranks(), |rank| context.stream(rank)),
        doing: vec![Doing::Idle; phase.n_ranks()],
        events: BinaryHeap::new(),
        wake: wake(model),
        memory_decides: memory_decides(model),
        n_moves: 0,
        simulated: Simulated {
            assignment: initial.clone(),
            makespan: 0.0,
            n_steals: 0,
            n_stolen: 0,
            n_failed: 0,
        },
    };
    // First what cannot be stolen, so that everything else waits as long as possible.
    for (rank, load) in phase.rank_ids().zip(sentinel_loads) {
        simulation.run(0.0, rank, load);
    }
    while let Some(Reverse((Seconds(now), _, rank))) = simulation.events.pop() {
        if context.check().is_err() {
            break;
        }
        simulation.step(now, rank);
    }
    Simulated { assignment: simulation.totals.into_assignment(), ..simulation.simulated }
}

impl Simulation<'_> {
    /// Lets a rank run a load.
    fn run(&mut self, now: f64, rank: RankId, load: f64) {
        let end = now + self.phase.ranks()[rank.index()].alpha * load;
        self.simulated.makespan = self.simulated.makespan.max(end);
        self.doing[rank.index()] = Doing::Running(end);
        self.events.push(Reverse((Seconds(end), false, rank)));
    }

    /// A rank has run its unit, or is answered.
    fn step(&mut self, now: f64, rank: RankId) {
        match std::mem::replace(&mut self.doing[rank.index()], Doing::Idle) {
            Doing::Running(_) => match self.queues.pop(rank) {
                Some(unit) => self.run(now, rank, unit.load),
                None => self.ask(now, rank),
            },
            Doing::Asking(round) => self.answer(now, rank, round),
            Doing::Idle => {}
        }
    }

    /// An idle rank begins to ask, if there is anything to ask for.
    fn ask(&mut self, now: f64, thief: RankId) {
        if self.queues.n_units() > 0 {
            let round = self.start.round(thief, self.n_moves);
            self.send(now, thief, round);
        }
    }

    fn send(&mut self, now: f64, thief: RankId, round: Round) {
        self.doing[thief.index()] = Doing::Asking(round);
        self.events.push(Reverse((Seconds(now + self.parameters.steal_time), true, thief)));
    }

    /// The answer to a thief; where answers take no time, all of them until one is of use.
    fn answer(&mut self, now: f64, thief: RankId, mut round: Round) {
        while self.queues.n_units() > 0 {
            let Some(victim) = round.next(thief, &self.queues, self.phase.n_ranks()) else {
                // Everybody was asked. Whom it asked first may have something by now.
                if round.n_moves < self.n_moves || round.is_stale {
                    self.ask(now, thief);
                }
                return;
            };
            let stolen = self.steal(now, thief, victim);
            let mut stolen = stolen.into_iter();
            if let Some(first) = stolen.next() {
                self.simulated.n_steals += 1;
                self.start.stole_from(thief, victim);
                self.run(now, thief, first.load);
                self.n_moves += u64::from(stolen.len() > 0);
                for unit in stolen {
                    self.queues.push(thief, unit);
                }
                self.wake(now, victim);
                return;
            }
            self.simulated.n_failed += 1;
            if self.parameters.steal_time > 0.0 {
                return self.send(now, thief, round);
            }
        }
    }

    /// Takes what a thief may have from the back of the victim's queue, in the order in which it would have run.
    fn steal(&mut self, now: f64, thief: RankId, victim: RankId) -> Vec<Unit> {
        let n_waiting = self.queues.len(victim);
        let most = match self.parameters.steal_size {
            StealSize::Half => n_waiting.div_ceil(2),
            StealSize::Count(count) => count.get() as usize,
        };
        let [alpha_thief, alpha_victim] = [thief, victim].map(|rank| self.phase.ranks()[rank.index()].alpha);
        let victim_free = match self.doing[victim.index()] {
            Doing::Running(until) => until,
            Doing::Asking(_) | Doing::Idle => now,
        };
        let mut taken = Vec::new();
        let mut thief_free = now;
        // When the victim would end what is looked at.
        let mut victim_ends = victim_free + alpha_victim * self.queues.waiting(victim);
        let mut refused: Option<ObjectMemory> = None;
        for at in (0..n_waiting).rev() {
            if taken.len() == most {
                break;
            }
            let unit = self.queues.unit(victim, at);
            let ends = thief_free + alpha_thief * unit.load;
            let ends_here = victim_ends;
            victim_ends -= alpha_victim * unit.load;
            if self.parameters.discretion && ends >= ends_here {
                continue;
            }
            let transfer =
                Transfer { from: victim, to: thief, objects: self.queues.objects(unit), returned: &[] };
            if !self.may_hold(&transfer, &mut refused) {
                continue;
            }
            self.totals.apply(&transfer);
            self.simulated.n_stolen += transfer.objects.len();
            thief_free = ends;
            taken.push(self.queues.remove(victim, at));
        }
        taken.reverse();
        taken
    }

    /// Whether neither end is further over its bounds after a transfer. `refused` is what the last single object
    /// that the same thief refused needs of memory.
    fn may_hold(&self, transfer: &Transfer<'_>, refused: &mut Option<ObjectMemory>) -> bool {
        if self.model.bounds().is_empty() {
            return true;
        }
        let memory = match transfer.objects {
            [object] if self.memory_decides => Some(*self.phase.memory(*object)),
            _ => None,
        };
        if memory.is_some() && memory == *refused {
            return false;
        }
        let excess = |rank| self.totals.work(self.model, rank).excess();
        let (from, to) = self.totals.works_after(self.model, transfer);
        let holds = from.excess() <= excess(transfer.from) && to.excess() <= excess(transfer.to);
        if !holds {
            *refused = memory;
        }
        holds
    }

    /// Lets those ask again who may have better luck after a steal.
    fn wake(&mut self, now: f64, victim: RankId) {
        let woken: Vec<RankId> = match self.wake {
            Wake::Nobody => return,
            Wake::Node => self.totals.node_of(victim).iter().copied().map(RankId::from).collect(),
            Wake::Everybody => self.phase.rank_ids().collect(),
        };
        for rank in woken {
            match &mut self.doing[rank.index()] {
                Doing::Running(_) => {}
                Doing::Asking(round) => round.is_stale = true,
                Doing::Idle => self.ask(now, rank),
            }
        }
    }
}

/// Who has to ask again. What a rank could not hold, it cannot hold later as long as it gets nothing else and
/// only its own memory and counts are bounded.
fn wake(model: &dyn WorkModel) -> Wake {
    let bounds = model.bounds();
    if bounds.iter().any(|bound| depends_on_others(bound.quantity)) {
        Wake::Everybody
    } else if bounds_nodes(model) {
        Wake::Node
    } else {
        Wake::Nobody
    }
}

fn memory_decides(model: &dyn WorkModel) -> bool {
    let by_load = |quantity| matches!(quantity, RankQuantity::Load | RankQuantity::MigratableLoad);
    !model.bounds().iter().any(|bound| by_load(bound.quantity) || depends_on_others(bound.quantity))
}

/// Whether a quantity may fall on a rank that gets an object, or rise on one that gives it.
fn depends_on_others(quantity: RankQuantity) -> bool {
    use RankQuantity::{HomedBlocksRatio, ReceivedVolume, SentVolume};
    matches!(quantity, SentVolume | ReceivedVolume | HomedBlocksRatio)
}
