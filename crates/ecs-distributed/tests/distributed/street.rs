//! A street of ten houses with an entity in each, on which tests act from outside of systems.

use ecs::prelude::*;
use ecs_distributed::{Exchange, GlobalId, Grid, InProcess, Messages, Model, Part, RunError, Totals, Worker};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct House(pub(crate) u32);

#[derive(Resource, Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Day(pub(crate) u64);

pub(crate) type Letters = Messages<String>;
pub(crate) type Heights = Totals<String, f64>;
pub(crate) type Numbers = Totals<(), i64>;

world! {
    #[derive(Serialize, Deserialize)]
    pub(crate) struct Street {
        components { GlobalId, House }
        resources {
            day: Day = Day(0),
            letters: Letters = Messages::new(),
            heights: Heights = Totals::new(),
            numbers: Numbers = Totals::new(),
            entities: Messages<Entity> = Messages::new(),
            by_entity: Totals<Entity, u8> = Totals::new()
        }
    }
}

/// Acts on the part of a worker in a tick, which begin with 0.
pub(crate) type Act = fn(&mut Street, u64);

/// A model with all shared resources of the world, or with other lists of them.
pub(crate) struct Houses<const LIST: usize = 0> {
    grid: Grid,
    act: Act,
}

impl<const LIST: usize> Houses<LIST> {
    pub(crate) fn new(act: Act) -> Self {
        Self { grid: Grid::new(10, 1), act }
    }
}

macro_rules! model {
    ($list:literal $shared:ty) => {
        impl Model for Houses<$list> {
            type World = Street;
            type Place = House;
            type Components = (GlobalId, House);
            type Shared = $shared;
            type Space = Grid;

            fn space(&self) -> &Grid {
                &self.grid
            }

            fn place(&self, house: &House) -> u32 {
                house.0
            }

            fn build(&self, part: &Part<'_>) -> Street {
                let mut street = Street::new();
                part.places().for_each(|place| _ = street.spawn((GlobalId(place.into()), House(place))));
                street
            }

            fn tick(&self, street: &mut Street) {
                let day = street.resource::<Day>().0;
                (self.act)(street, day);
                street.resource_mut::<Day>().0 += 1;
            }
        }
    };
}
model!(0(Letters, Heights, Numbers));
model!(1(Letters, Heights));
model!(2(Letters, Numbers, Heights));
model!(3(Heights, Numbers));
model!(4());
model!(5 (Messages<Entity>, Totals<Entity, u8>));

/// The worker of one part.
pub(crate) fn worker<E: Exchange>(exchange: E, act: Act) -> Result<Worker<Houses, E>, RunError> {
    Ok(Worker::new(Houses::new(act), exchange)?.rebalance_every(0))
}

/// The findings of `see` on each worker after a number of ticks, in the order of workers.
pub(crate) fn after<R: Send>(
    ticks: u64,
    workers: usize,
    act: Act,
    see: impl Fn(&Street) -> R + Sync,
) -> Result<Vec<R>, RunError> {
    InProcess::run(workers, |exchange| {
        let mut worker = worker(exchange, act)?;
        (0..ticks).try_for_each(|_| worker.tick())?;
        Ok(see(worker.world()))
    })
}

/// The entity of a part with an id.
pub(crate) fn entity(street: &Street, id: u64) -> Option<Entity> {
    street.query::<(&GlobalId, Entity)>().iter().find(|(found, _)| found.0 == id).map(|(_, entity)| entity)
}
