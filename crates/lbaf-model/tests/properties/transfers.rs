// SPDX-License-Identifier: MIT OR Apache-2.0
//! Totals under transfers: evaluated totals, totals after the transfer, and recomputed totals agree.

use lbaf_model::{
    Affine, AffineParameters, Assignment, Belief, BlockIdx, Ccm, CcmParameters, Phase, RankId, RankTotals,
    SizeCounts, Slot, Totals, Transfer, View, WorkModel, rank_totals, works,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use crate::random_phase::{RandomPhase, affine_parameters, ccm_parameters};
use crate::totals::placed;
use crate::{cases, close, definitions};

/// Parameters of a random work model.
#[derive(Clone, Debug)]
enum Parameters {
    Affine(AffineParameters),
    Ccm(CcmParameters),
}

fn parameters() -> impl Strategy<Value = Parameters> {
    prop_oneof![affine_parameters().prop_map(Parameters::Affine), ccm_parameters().prop_map(Parameters::Ccm),]
}

impl Parameters {
    fn model(self) -> Box<dyn WorkModel> {
        match self {
            Parameters::Affine(parameters) => Box::new(Affine::new(parameters).unwrap()),
            Parameters::Ccm(parameters) => Box::new(Ccm::new(parameters).unwrap()),
        }
    }
}

/// Random numbers that determine a transfer in any phase.
#[derive(Clone, Copy, Debug)]
struct Draw {
    from: usize,
    further: usize,
    given: u16,
    returned: u16,
}

fn draw() -> impl Strategy<Value = Draw> {
    // Half of the transfers move objects in one direction only.
    let returned = prop_oneof![Just(0), any::<u16>()];
    (0..60_usize, 0..60_usize, any::<u16>(), returned).prop_map(|(from, further, given, returned)| Draw {
        from,
        further,
        given,
        returned,
    })
}

impl Draw {
    /// Returns both ranks, the objects that move from the first to the second, and those that move back.
    fn resolve(self, n_ranks: usize, assignment: &Assignment) -> ([RankId; 2], [Vec<Slot>; 2]) {
        let from = self.from % n_ranks;
        let to = (from + 1 + self.further % (n_ranks - 1)) % n_ranks;
        let ranks = [from, to].map(RankId::from);
        let chosen = |rank: RankId, mask: u16| {
            let mut slots: Vec<Slot> = (0..assignment.len())
                .filter(|&slot| mask >> slot & 1 == 1)
                .map(Slot::from)
                .filter(|&slot| assignment.rank_of(slot) == rank)
                .collect();
            // The order of the objects must not matter.
            slots.reverse();
            slots
        };
        (ranks, [chosen(ranks[0], self.given), chosen(ranks[1], self.returned)])
    }
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn totals_follow_any_sequence_of_transfers(
        (random, start) in placed(),
        parameters in parameters(),
        draws in vec(draw(), 1..20),
    ) {
        let phase = &random.phase;
        prop_assume!(phase.n_ranks() > 1);
        let model = parameters.model();
        let mut totals = Totals::new(phase, start);
        for draw in draws {
            let ([from, to], [objects, returned]) = draw.resolve(phase.n_ranks(), totals.assignment());
            let transfer = Transfer { from, to, objects: &objects, returned: &returned };
            let mut expected = totals.assignment().clone();
            for (slots, taker) in [(&objects, to), (&returned, from)] {
                for &slot in slots {
                    expected.set(slot, taker);
                }
            }

            let evaluated = evaluate(&totals, &transfer, &expected, &*model)?;
            totals.apply(&transfer);
            prop_assert_eq!(totals.assignment(), &expected);
            prop_assert_eq!(totals.rank(from), &evaluated.0);
            prop_assert_eq!(totals.rank(to), &evaluated.1);
            check_state(&random, &totals, &*model)?;
        }
    }

    #[test]
    fn a_belief_follows_its_own_transfers_as_totals_do((random, start) in placed(), draws in vec(draw(), 1..12)) {
        let phase = &random.phase;
        prop_assume!(phase.n_ranks() > 1);
        let base = Totals::new(phase, start);
        let (mut belief, mut totals) = (Belief::new(&base), base.clone());
        for draw in draws {
            let ([from, to], [objects, returned]) = draw.resolve(phase.n_ranks(), totals.assignment());
            let transfer = Transfer { from, to, objects: &objects, returned: &returned };
            belief.apply(&transfer);
            totals.apply(&transfer);
            for rank in phase.rank_ids() {
                prop_assert_eq!(belief.rank(rank), totals.rank(rank));
                prop_assert_eq!(belief.objects(rank), totals.objects(rank));
                prop_assert_eq!(belief.working(rank), totals.working(rank));
                for counts in [belief.serialized(rank), totals.serialized(rank)] {
                    prop_assert_eq!(sizes(counts), serialized_sizes(phase, totals.members(rank)));
                }
                for block in (0..phase.blocks().len()).map(BlockIdx::from) {
                    prop_assert_eq!(belief.n_holding(block, rank), totals.n_holding(block, rank));
                }
            }
            prop_assert!(phase.slots().all(|slot| belief.rank_of(slot) == totals.rank_of(slot)));
        }
    }

    #[test]
    fn bundles_are_valid_for_every_destination((random, start) in placed(), draw in draw()) {
        let phase = &random.phase;
        prop_assume!(phase.n_ranks() > 1);
        let totals = Totals::new(phase, start);
        let ([from, _], [objects, _]) = draw.resolve(phase.n_ranks(), totals.assignment());
        let at_once = totals.bundle(from, &objects);
        let joined = |to| {
            let mut joined = totals.bundle(from, &[]).narrowed(to);
            for slots in objects.chunks(2) {
                joined.join(&totals, &totals.bundle(from, slots));
            }
            joined
        };
        let edges = (phase.communication().edges()).filter(|&(sender, receiver, _)| {
            let [sends, receives] = [sender, receiver].map(|end| {
                matches!(end, lbaf_model::Vertex::Object(slot) if objects.contains(&slot))
            });
            sends != receives && [sender, receiver].iter().all(|&end| totals.rank_of_vertex(end) == from)
        });
        let talks = edges.count() > 0;
        for to in phase.rank_ids().filter(|&to| to != from) {
            for bundle in [&at_once, &at_once.narrowed(to), &joined(to)] {
                prop_assert_eq!(bundle.talks_on_its_rank(), talks);
                prop_assert!(close(bundle.load(), objects.iter().map(|&slot| phase.load(slot)).sum()));
                let gift = Transfer { from, to, objects: &objects, returned: &[] };
                let mut made = totals.clone();
                made.apply(&gift);
                definitions::check(&random, made.assignment(), made.ranks())?;
                for (evaluated, rank) in [(totals.without(bundle), from), (totals.with(to, bundle), to)] {
                    let mut ranks = made.ranks().to_vec();
                    ranks[rank.index()] = evaluated;
                    definitions::check(&random, made.assignment(), &ranks)?;
                }
            }
        }
    }

    #[test]
    fn a_transfer_there_and_back_changes_nothing((random, start) in placed(), draw in draw()) {
        prop_assume!(random.phase.n_ranks() > 1);
        let mut totals = Totals::new(&random.phase, start);
        let before = totals.clone();
        let ([from, to], [objects, returned]) = draw.resolve(random.phase.n_ranks(), totals.assignment());
        totals.apply(&Transfer { from, to, objects: &objects, returned: &returned });
        totals.apply(&Transfer { from, to, objects: &returned, returned: &objects });
        prop_assert_eq!(totals.assignment(), before.assignment());
        definitions::check(&random, before.assignment(), totals.ranks())?;
    }
}

/// Evaluates a transfer, compares the result with totals and work of the resulting placement, and checks that
/// the evaluation changes nothing.
fn evaluate(
    totals: &Totals<'_>,
    transfer: &Transfer<'_>,
    expected: &Assignment,
    model: &dyn WorkModel,
) -> Result<(RankTotals, RankTotals), TestCaseError> {
    let before = totals.clone();
    let evaluated = totals.after(transfer);
    let works_foretold = totals.works_after(model, transfer);
    prop_assert_eq!(totals.assignment(), before.assignment());
    prop_assert_eq!(totals.ranks(), before.ranks());

    let works = works(model, totals.phase(), &rank_totals(totals.phase(), expected));
    for (rank, found) in [(transfer.from, works_foretold.0), (transfer.to, works_foretold.1)] {
        let expected = works[rank.index()];
        prop_assert!(close(found.cost(), expected.cost()), "cost {found}, not {expected}");
        prop_assert!(close(found.excess(), expected.excess()), "excess {found}, not {expected}");
    }
    Ok(evaluated)
}

/// Returns the sizes above 0 and the numbers of their occurrences.
fn sizes(counts: &SizeCounts) -> Vec<(u64, u32)> {
    counts.iter().map(|(&key, &count)| (key, count)).filter(|&(key, _)| key > 0).collect()
}

/// Returns the serialized sizes above 0 of objects and the numbers of their occurrences, counted one by one.
fn serialized_sizes(phase: &Phase, objects: &[Slot]) -> Vec<(u64, u32)> {
    let mut counts = SizeCounts::new();
    for &slot in objects {
        *counts.entry(phase.memory(slot).serialized_bytes.to_bits()).or_insert(0) += 1;
    }
    sizes(&counts)
}

/// Compares all totals with the definitions.
fn check_state(
    random: &RandomPhase,
    totals: &Totals<'_>,
    model: &dyn WorkModel,
) -> Result<(), TestCaseError> {
    let (phase, assignment) = (totals.phase(), totals.assignment());
    definitions::check(random, assignment, totals.ranks())?;
    let works = works(model, phase, &rank_totals(phase, assignment));
    for rank in phase.rank_ids() {
        let (found, expected) = (totals.work(model, rank), works[rank.index()]);
        prop_assert!(close(found.cost(), expected.cost()) && close(found.excess(), expected.excess()));
    }
    for block in (0..phase.blocks().len()).map(BlockIdx::from) {
        let holders: Vec<(RankId, u32)> = totals.holders(block).collect();
        let expected = phase.rank_ids().map(|rank| {
            let n_objects = definitions::n_holding(random, assignment, rank, block.index());
            (rank, n_objects)
        });
        prop_assert_eq!(holders, expected.filter(|&(_, count)| count > 0).collect::<Vec<_>>());
        for rank in phase.rank_ids() {
            let holds = definitions::n_holding(random, assignment, rank, block.index()) > 0;
            prop_assert_eq!(totals.holds(rank, block), holds);
        }
    }
    Ok(())
}
