// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns that are stored shorter say the same as when they are written out.

use lbaf_model::{Dictionary, ObjectIdx, Objects, Slot};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(crate::cases(64))]

    #[test]
    fn all_objects_are_those_that_a_list_of_all_has(n in 0_usize..50, wanted in 0_u32..60) {
        let all = Objects::All(n);
        let listed: Objects = (0..n).map(ObjectIdx::from).collect();
        prop_assert_eq!((all.len(), all.is_empty()), (listed.len(), listed.is_empty()));
        prop_assert_eq!(all.slot_of(ObjectIdx(wanted)), listed.slot_of(ObjectIdx(wanted)));
        for slot in (0..n).map(Slot::from) {
            prop_assert_eq!(all.at(slot), listed.at(slot));
        }
    }

    #[test]
    fn a_dictionary_says_what_the_column_says(column in vec(0_u8..5, 0..50), surplus in 0_usize..3) {
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
fn a_dictionary_has_every_value_that_it_names() {
    assert!(Dictionary::new(vec!['a', 'b'], vec![0, 1, 2]).is_none());
    assert!(Dictionary::<char>::new(vec![], vec![0]).is_none());
    assert!(Dictionary::new(vec!['a'], vec![u32::MAX]).is_none());
    assert!(Dictionary::<char>::new(vec![], vec![]).is_some());
}
