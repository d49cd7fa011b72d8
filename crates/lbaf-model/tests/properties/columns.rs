// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dictionary-encoded columns and lists of objects have the content of plain ones.

use lbaf_model::{Dictionary, Object, ObjectIdx, ObjectMemory, Objects, Phase, RankId, Slot};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(crate::cases(64))]

    #[test]
    fn all_objects_equal_a_list_of_all_objects(n in 0_usize..50, wanted in 0_u32..60) {
        let all = Objects::All(n);
        let listed: Objects = (0..n).map(ObjectIdx::from).collect();
        prop_assert_eq!((all.len(), all.is_empty()), (listed.len(), listed.is_empty()));
        prop_assert_eq!(all.slot_of(ObjectIdx(wanted)), listed.slot_of(ObjectIdx(wanted)));
        for slot in (0..n).map(Slot::from) {
            prop_assert_eq!(all.at(slot), listed.at(slot));
        }
    }

    #[test]
    fn a_dictionary_has_the_values_of_its_column(column in vec(0_u8..5, 0..50), surplus in 0_usize..3) {
        let positions = column.iter().map(|&value| u32::from(value)).collect();
        let dictionary = Dictionary::new((0..5_u8 + surplus as u8).collect(), positions).unwrap();
        prop_assert_eq!(dictionary.len(), column.len());
        prop_assert!(dictionary.iter().eq(&column));
        for (slot, value) in column.iter().enumerate() {
            prop_assert_eq!(&dictionary[Slot::from(slot)], value);
        }
        let own: Dictionary<u8> = column.iter().copied().collect();
        prop_assert!(own.iter().eq(&column));
    }
}

#[test]
fn a_dictionary_rejects_positions_without_a_value() {
    assert!(Dictionary::new(vec!['a', 'b'], vec![0, 1, 2]).is_none());
    assert!(Dictionary::<char>::new(vec![], vec![0]).is_none());
    assert!(Dictionary::new(vec!['a'], vec![u32::MAX]).is_none());
    assert!(Dictionary::<char>::new(vec![], vec![]).is_some());
}

/// Returns the error, if any, for a phase of one rank and two objects with these loads and this memory of the
/// first.
fn refusal(load: [f64; 2], memory: ObjectMemory) -> Option<String> {
    let [one, other] = load.map(|load| Object::new(load, RankId(0)));
    let phase = Phase::builder(1).objects([Object { memory, ..one }, other]).build();
    phase.err().map(|error| error.to_string())
}

#[test]
fn invalid_numbers_and_sums_that_overflow_are_rejected() {
    let none = ObjectMemory::default();
    let half = f64::MAX / 2.0;
    for fine in [[0.0, 1.0], [-0.0, 1.0], [-0.0, -0.0], [5e-324, f64::MAX], [half, half]] {
        assert_eq!(refusal(fine, none), None, "{fine:?}");
    }
    let one_is =
        |wrong: f64| format!("loads, sizes and alphas must be finite and non-negative, but one is {wrong}");
    for wrong in [-1.0, -5e-324, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for load in [[wrong, 1.0], [1.0, wrong], [-0.0, wrong]] {
            assert!(refusal(load, none).unwrap().ends_with(&one_is(wrong)), "{load:?}");
        }
        for place in 0..3 {
            let mut memory = ObjectMemory::default();
            *[&mut memory.footprint_bytes, &mut memory.working_bytes, &mut memory.serialized_bytes][place] =
                wrong;
            assert!(refusal([1.0, 1.0], memory).unwrap().ends_with(&one_is(wrong)), "{memory:?}");
        }
    }
    let too_large = |what: &str| format!("the sum of {what} is too large for a floating-point number");
    assert!(refusal([f64::MAX, f64::MAX], none).unwrap().ends_with(&too_large("loads times alpha")));
    let large = ObjectMemory { footprint_bytes: f64::MAX, working_bytes: f64::MAX, ..none };
    assert!(refusal([1.0, 1.0], large).unwrap().ends_with(&too_large("memory")));
}

#[test]
fn negative_and_nan_volumes_are_rejected() {
    let phase = |bytes: f64| {
        let objects = [(1.0, 0), (1.0, 0), (1.0, 0)];
        Phase::builder(1).objects(objects).communications([(0, 1, 8.0), (1, 2, bytes)]).build()
    };
    for fine in [0.0, -0.0, 5e-324] {
        assert!(phase(fine).is_ok(), "{fine}");
    }
    for wrong in [-1.0, -5e-324, f64::NAN, f64::NEG_INFINITY] {
        let error = phase(wrong).unwrap_err().to_string();
        let expected = format!("the bytes of communication must be non-negative, but one volume is {wrong}");
        assert!(error.ends_with(&expected), "{error}");
    }
    let error = phase(f64::INFINITY).unwrap_err().to_string();
    assert!(error.ends_with("the sum of communication volumes is too large for a floating-point number"));
}
