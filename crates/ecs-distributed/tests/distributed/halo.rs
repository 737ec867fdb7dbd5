//! The copies of other workers' entities.

use std::collections::BTreeSet;

use ecs::prelude::*;
use ecs_distributed::{GlobalId, Halo, InProcess, Space, Worker};

use crate::settlers::{Cell, Diary, Others, Settlers};

/// The id, the place and the diary of a settler.
type Seen = (u64, u32, Vec<u32>);

#[test]
fn a_halo_has_the_entities_of_other_workers_within_reach_and_no_others() {
    let mirrors = InProcess::run(4, |exchange| {
        let mut worker = Worker::new(Settlers::new(), exchange)?.rebalance_every(6);
        let mut mirrors = 0;
        for _ in 0..20 {
            worker.tick()?;
            let own: Vec<Seen> = worker
                .world()
                .query::<(&GlobalId, &Cell, &Diary)>()
                .iter()
                .map(|(id, cell, diary)| {
                    (id.0, worker.model().grid.cell(cell.column, cell.row), diary.0.clone())
                })
                .collect();
            let all = worker.gather(&bincode::serialize(&own).unwrap())?;
            let mut near = BTreeSet::new();
            for place in worker.partition().of(worker.index()) {
                worker.model().grid.near(place, 2, &mut |place| {
                    near.insert(place);
                });
            }
            let mut expected: Vec<Seen> = Vec::new();
            for (_, message) in all.iter().enumerate().filter(|(from, _)| *from != worker.index()) {
                expected.extend(bincode::deserialize::<Vec<Seen>>(message).unwrap());
            }
            expected.retain(|(_, place, _)| near.contains(place));
            expected.sort_by_key(|&(id, place, _)| (place, id));
            let halo = worker.world().resource::<Others>();
            let found: Vec<Seen> =
                halo.iter().map(|mirror| (mirror.id.0, mirror.place, mirror.value.1.0.clone())).collect();
            assert_eq!(found, expected);
            for mirror in halo {
                assert!(halo.at(mirror.place).contains(mirror));
            }
            assert!(halo.at(u32::MAX).is_empty());
            mirrors += halo.len();
        }
        Ok(mirrors)
    });
    let mirrors = mirrors.unwrap();
    assert!(mirrors.iter().all(|&mirrors| mirrors > 0), "{mirrors:?}");
}

mod still {
    //! A model in which nothing moves.

    use ecs::prelude::*;
    use ecs_distributed::{GlobalId, Grid, Halo, Model, Part};
    use serde::{Deserialize, Serialize};

    #[derive(Component, Clone, Serialize, Deserialize)]
    pub(crate) struct Stone(pub(crate) u32);
    #[derive(Component, Clone, Serialize, Deserialize)]
    pub(crate) struct Moss(pub(crate) u64);

    world! {
        #[derive(Serialize, Deserialize)]
        pub(crate) struct Desert {
            components { GlobalId, Stone, Moss }
            resources { halo: Halo<(Stone, Moss), 1> = Halo::new() }
        }
        schedule tick { grow }
    }

    #[system(Desert)]
    fn grow(stone: &Stone, moss: &mut Moss) {
        moss.0 += u64::from(stone.0 == 51);
    }

    pub(crate) struct Stones(pub(crate) Grid);

    impl Model for Stones {
        type World = Desert;
        type Place = Stone;
        type Components = (GlobalId, Stone, Moss);
        type Shared = Halo<(Stone, Moss), 1>;
        type Space = Grid;

        fn space(&self) -> &Grid {
            &self.0
        }

        fn place(&self, stone: &Stone) -> u32 {
            stone.0
        }

        fn build(&self, part: &Part<'_>) -> Desert {
            let mut desert = Desert::new();
            for place in part.places() {
                desert.spawn((GlobalId(place.into()), Stone(place), Moss(0)));
            }
            desert
        }

        fn tick(&self, desert: &mut Desert) {
            desert.tick();
        }
    }
}

#[test]
fn what_stays_is_not_sent_again() {
    let done = InProcess::run(2, |exchange| {
        let mut worker = Worker::new(still::Stones(ecs_distributed::Grid::new(10, 10)), exchange)?;
        for tick in 1..10 {
            worker.tick()?;
            // stone 51 is at the border: one byte of its moss changes in each tick
            let bytes = worker.stats().halo_bytes;
            assert!(if worker.index() == 1 { bytes > 1 && bytes < 10 } else { bytes == 1 }, "{bytes}");
            let halo = worker.world().resource::<Halo<(still::Stone, still::Moss), 1>>();
            assert_eq!(halo.len(), 10);
            if worker.index() == 0 {
                assert_eq!(halo.at(51)[0].value.1.0, tick);
            }
        }
        Ok(())
    });
    done.unwrap();
}
