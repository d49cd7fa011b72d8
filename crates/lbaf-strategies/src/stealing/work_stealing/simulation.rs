// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simulation of ranks that run and steal objects.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lbaf_model::{Assignment, ObjectMemory, Phase, RankId, RankQuantity, Totals, Transfer, View, WorkModel};

use super::queue::{Queues, Unit};
use super::victim_selection::{Round, Start};
use super::{StealSize, WorkStealing};
use crate::primitives::seconds::Seconds;
use crate::primitives::works::bounds_nodes;
use crate::{Context, Problem};

/// Result of a simulation.
pub(super) struct Simulated {
    pub(super) assignment: Assignment,
    /// Simulated seconds until the last rank ends.
    pub(super) makespan: f64,
    /// Number of successful steals.
    pub(super) n_steals: usize,
    /// Number of stolen objects, counted once per steal.
    pub(super) n_stolen: usize,
    /// Number of refused requests.
    pub(super) n_failed: usize,
}

/// State of a rank.
#[derive(Clone, Debug)]
enum Doing {
    /// Runs a unit until the given time.
    Running(f64),
    /// Waits for an answer.
    Asking(Round),
    /// Has stopped. A later steal may wake it.
    Idle,
}

/// Ranks that must repeat refused requests after a steal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wake {
    NoRank,
    /// The ranks of the victim's node.
    Node,
    AllRanks,
}

struct Simulation<'a> {
    parameters: &'a WorkStealing,
    phase: &'a Phase,
    model: &'a dyn WorkModel,
    /// Totals with every object on the rank that queues, runs or ran it.
    totals: Totals<'a>,
    queues: Queues,
    start: Start,
    doing: Vec<Doing>,
    /// Times at which ranks act, the earliest first. Of equal times, the end of a unit precedes an answer, so that a
    /// rank can start its next unit before that unit is stolen. Of equal events at equal times, the event of the lowest
    /// rank is first.
    events: BinaryHeap<Reverse<(Seconds, bool, RankId)>>,
    wake: Wake,
    /// True if the memory of an object decides which ranks can hold the object.
    memory_decides: bool,
    /// Number of steals in which the thief appended units to its queue. After each of them, a rank that refused
    /// requests may have units to give.
    n_moves: u64,
    simulated: Simulated,
}

/// Simulates a phase until all objects have run, or until the run is cancelled.
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
    // Non-migratable objects run first, so that units stay stealable.
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
    /// Starts a unit of the given load on a rank.
    fn run(&mut self, now: f64, rank: RankId, load: f64) {
        let end = now + self.phase.ranks()[rank.index()].alpha * load;
        self.simulated.makespan = self.simulated.makespan.max(end);
        self.doing[rank.index()] = Doing::Running(end);
        self.events.push(Reverse((Seconds(end), false, rank)));
    }

    /// Continues with a rank that has finished a unit or receives an answer.
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

    /// Starts a round of requests of an idle rank, if any unit waits.
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

    /// Handles an answer: the thief steals from the next victim of its round, or sends its next request. Without
    /// latency, the next answer is handled at once.
    fn answer(&mut self, now: f64, thief: RankId, mut round: Round) {
        while self.queues.n_units() > 0 {
            let Some(victim) = round.next(thief, &self.queues, self.phase.n_ranks()) else {
                // Ranks that were asked early may have received units in the meantime.
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

    /// Takes units from the back of the victim's queue, and returns them in the order of the queue.
    ///
    /// With `discretion`, skips units that the victim would finish no later than the thief. Also skips units whose
    /// transfer would increase an excess over bounds.
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
        // Time at which the victim would finish the inspected unit.
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

    /// True if the transfer increases no excess over bounds. `refused` caches the memory of the last refused
    /// object.
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

    /// Lets ranks repeat refused requests after a steal from `victim`.
    fn wake(&mut self, now: f64, victim: RankId) {
        let woken: Vec<RankId> = match self.wake {
            Wake::NoRank => return,
            Wake::Node => self.totals.node_of(victim).iter().copied().map(RankId::from).collect(),
            Wake::AllRanks => self.phase.rank_ids().collect(),
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

/// Returns the ranks that must repeat requests after a steal.
///
/// There are none if no bound depends on other ranks. A unit that an idle rank could not hold then does not fit
/// later either, because the objects of an idle rank do not change.
fn wake(model: &dyn WorkModel) -> Wake {
    let bounds = model.bounds();
    if bounds.iter().any(|bound| depends_on_others(bound.quantity)) {
        Wake::AllRanks
    } else if bounds_nodes(model) {
        Wake::Node
    } else {
        Wake::NoRank
    }
}

fn memory_decides(model: &dyn WorkModel) -> bool {
    let by_load = |quantity| matches!(quantity, RankQuantity::Load | RankQuantity::MigratableLoad);
    !model.bounds().iter().any(|bound| by_load(bound.quantity) || depends_on_others(bound.quantity))
}

/// True if the quantity may decrease on a rank that receives an object, or increase on a rank that gives an object
/// away.
fn depends_on_others(quantity: RankQuantity) -> bool {
    use RankQuantity::{HomedBlocksRatio, ReceivedVolume, SentVolume};
    matches!(quantity, SentVolume | ReceivedVolume | HomedBlocksRatio)
}
