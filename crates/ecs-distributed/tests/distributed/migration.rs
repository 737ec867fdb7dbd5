//! Entities that move between workers.

use ecs::ChildOf;
use ecs::prelude::*;
use ecs_distributed::{GlobalId, InProcess, Worker};

use crate::settlers::{Bag, Holds, Settlers, hash_of};

#[test]
fn the_hash_is_the_same_for_each_number_of_workers() {
    let one = hash_of(1, 40);
    for workers in [2, 3, 4, 8] {
        assert_eq!(hash_of(workers, 40), one, "{workers} workers");
    }
    assert_ne!(hash_of(1, 39), one);
}

#[test]
fn entities_move_with_their_children_and_their_references() {
    let moved = InProcess::run(3, |exchange| {
        let mut worker = Worker::new(Settlers::new(), exchange)?.rebalance_every(0);
        let mut moved = 0;
        for _ in 0..30 {
            worker.tick()?;
            moved += worker.stats().sent_entities;
            let country = worker.world();
            let mut bags = 0;
            for (&id, holds, settler) in country.query::<(&GlobalId, &Holds, Entity)>() {
                assert_eq!(country.get::<Bag>(holds.0), Some(&Bag(id.0)));
                assert_eq!(country.target::<ChildOf>(holds.0), Some(settler));
                bags += 1;
            }
            assert_eq!(country.query::<&Bag>().len(), bags);
        }
        let sums = worker.sum(&[worker.world().query::<&Bag>().len() as u64])?;
        assert_eq!(sums, [100]);
        Ok(moved)
    });
    let moved = moved.unwrap();
    assert!(moved.iter().sum::<usize>() > 20, "{moved:?}");
}

#[test]
fn uneven_loads_are_balanced() {
    let largest = |interval| {
        let loads = InProcess::run(4, |exchange| {
            let mut worker = Worker::new(Settlers::new(), exchange)?.rebalance_every(interval);
            for _ in 0..20 {
                worker.tick()?;
            }
            let places = worker.partition().of(worker.index());
            for cell in worker.world().query::<&crate::settlers::Cell>() {
                assert!(places.contains(&worker.model().grid.cell(cell.column, cell.row)));
            }
            Ok(worker.world().query::<&crate::settlers::Cell>().len())
        });
        let loads = loads.unwrap();
        loads.iter().max().unwrap() * 4 * 100 / loads.iter().sum::<usize>()
    };
    // in percent of the mean
    assert!(largest(5) < 125, "{}", largest(5));
}
