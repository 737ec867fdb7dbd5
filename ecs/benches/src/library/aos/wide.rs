//! Structs with a field for each of many components.

use super::Places;
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::wide;

pub(super) fn cases(suite: &mut Suite) {
    width_cases::<26>(suite, &wide::OF_26);
    width_cases::<128>(suite, &wide::OF_128);
    width_cases::<512>(suite, &wide::OF_512);
}

/// As many components as the struct has fields for.
type Parts<const WIDTH: usize> = [Option<f32>; WIDTH];

fn width_cases<const WIDTH: usize>(suite: &mut Suite, width: &wide::Width) {
    fn met<const WIDTH: usize>() -> Places<Parts<WIDTH>> {
        (0..WIDTH).map(|part| std::array::from_fn(|other| (other == part).then_some(9.0))).collect()
    }
    fn spawn<const WIDTH: usize>(all: &mut Places<Parts<WIDTH>>, i: u32) -> u32 {
        let mut entity = [None; WIDTH];
        entity[..4].copy_from_slice(&wide::values(i).map(Some));
        all.spawn(entity)
    }
    fn make<const WIDTH: usize>(count: u32) -> (Places<Parts<WIDTH>>, Vec<u32>) {
        let mut all = met();
        let ids = (0..count).map(|i| spawn(&mut all, i)).collect();
        (all, ids)
    }
    fn sum<const WIDTH: usize>(all: &Places<Parts<WIDTH>>) -> u64 {
        all.sum(|entity| match entity[..] {
            [Some(first), Some(second), ..] => digest(&[&[first], &[second]]),
            _ => 0,
        })
    }
    suite.case(
        width.spawn,
        |count| (met::<WIDTH>(), count),
        |(all, count)| {
            for i in 0..*count {
                spawn(all, i);
            }
        },
        |state| sum(&state.0),
    );
    suite.case(
        width.iter,
        |count| make::<WIDTH>(count).0,
        |all| {
            for entity in all.iter_mut() {
                if let [Some(first), Some(second), ..] = &mut entity[..] {
                    *first += *second;
                }
            }
        },
        |all| sum(all),
    );
    suite.case(
        width.insert,
        make::<WIDTH>,
        |(all, ids)| {
            for &id in &*ids {
                all.all[id as usize].as_mut().expect("it lives")[4] = Some(7.0);
            }
            for &id in &*ids {
                all.all[id as usize].as_mut().expect("it lives")[4] = None;
            }
        },
        |state| sum(&state.0),
    );
    suite.case(
        width.despawn,
        make::<WIDTH>,
        |(all, ids)| ids.iter().for_each(|&id| all.despawn(id)),
        |state| sum(&state.0),
    );
}
