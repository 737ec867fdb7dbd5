//! Totals over all workers.

use ecs::World;
use ecs_distributed::{GlobalId, Total};

use crate::street::{Heights, Numbers, Street, after};

/// Adds the heights of the houses of this worker, from the last one to the first.
fn add(street: &mut Street, day: u64) {
    let mut ids: Vec<u64> = street.query::<&GlobalId>().iter().map(|id| id.0).collect();
    ids.sort_by_key(|&id| u64::MAX - id);
    let heights = street.resource_mut::<Heights>();
    for &id in &ids {
        // their sum in the order of ids is 1.0 in place of 3.0 when it is rounded each time
        let height = [1.0, 1e100, 1.0, -1e100, 1.0, 0.0, -0.0, 0.0, 0.0, 0.0][id as usize];
        if day == 0 {
            heights.add("all".to_owned(), height);
        }
        heights.add(if id < 3 { "first" } else { "others" }.to_owned(), height);
    }
    heights.add_all("none".to_owned(), []);
    street.resource_mut::<Numbers>().add_all((), ids.iter().map(|&id| i64::MIN + id as i64));
}

#[test]
fn totals_are_those_of_all_workers_and_of_the_last_tick() {
    for workers in [1, 2, 3, 4, 10] {
        let found = after(1, workers, add, |street| {
            let heights = street.resource::<Heights>();
            assert_eq!(heights.get(&"none".to_owned()), None);
            assert!(heights.iter().map(|(key, _)| key.as_str()).eq(["all", "first", "others"]));
            let numbers = street.resource::<Numbers>().get(&()).copied().expect("there are numbers");
            (heights.get(&"all".to_owned()).copied().expect("there are heights"), numbers)
        });
        for (heights, numbers) in found.expect("the run succeeds") {
            assert_eq!(heights, Total { count: 10, sum: 3.0, min: -1e100, max: 1e100 });
            let sum = i128::from(i64::MIN) * 10 + 45;
            assert_eq!(numbers, Total { count: 10, sum, min: i64::MIN, max: i64::MIN + 9 });
        }
        let later = after(2, workers, add, |street| {
            let heights = street.resource::<Heights>();
            (heights.get(&"all".to_owned()).copied(), heights.get(&"first".to_owned()).map(|first| first.sum))
        });
        assert_eq!(later, Ok(vec![(None, Some(1e100)); workers]));
    }
}

#[test]
fn the_least_and_the_greatest_value_do_not_depend_on_the_sign_of_zero_or_on_nan() {
    for workers in [1, 2, 3, 4] {
        let found = after(
            1,
            workers,
            |street, _| {
                let ids: Vec<u64> = street.query::<&GlobalId>().iter().map(|id| id.0).collect();
                let value = |id: u64| [0.0, -0.0, f64::NAN, 1.0][id as usize % 4];
                street.resource_mut::<Heights>().add_all(String::new(), ids.into_iter().map(value));
            },
            |street| {
                let total =
                    street.resource::<Heights>().get(&String::new()).copied().expect("there are values");
                [total.sum, total.min, total.max].map(f64::to_bits)
            },
        );
        let expected = [f64::NAN, -0.0, f64::NAN].map(f64::to_bits);
        assert_eq!(found, Ok(vec![expected; workers]), "{workers} workers");
    }
}
