//! Arguments and pipes in schedules of parts, also of generic ones whose arguments name their
//! parameters.

use std::marker::PhantomData;
use std::time::Duration;

use ecs::prelude::*;
use ecs::time::{Clock, every_period};

#[derive(Resource, Default)]
pub struct Log(pub Vec<String>);

#[derive(Component)]
pub struct Pool<T: Kind>(pub u32, pub PhantomData<T>);

pub trait Kind: Send + Sync + 'static {
    const START: u32;
    const NAME: &'static str;
}

pub struct Mana;
pub struct Stamina;

impl Kind for Mana {
    const START: u32 = 10;
    const NAME: &'static str = "mana";
}
impl Kind for Stamina {
    const START: u32 = 20;
    const NAME: &'static str = "stamina";
}

parts! {
    /// A pool that is filled in periods of a clock.
    pub pool<T: Kind = Mana, Tag = (), const STEP: u32 = 3>
    where
        Tag: 'static,
    {
        components { Pool<T> }
        resources { Clock<Tag> = Clock::new(), Log = Log::default() }
        schedule fill {
            gain::<T>(T::START + STEP) if every_period::<Tag>(Duration::from_millis(500)) && below::<T>(100);
            sum::<T>(STEP as u64) | write;
        }
    }
}

#[system]
pub fn gain<T: Kind>(number: In<u32>, pool: &mut Pool<T>) {
    pool.0 += *number;
}
#[system]
pub fn below<T: Kind>(limit: In<u32>, pools: Query<&Pool<T>>) -> bool {
    pools.iter().all(|pool| pool.0 < *limit)
}
#[system]
pub fn sum<T: Kind>(scale: In<u64>, pools: Query<&Pool<T>>) -> u64 {
    *scale * pools.iter().map(|pool| u64::from(pool.0)).sum::<u64>()
}
#[system]
pub fn write(sum: In<u64>, mut log: ResMut<Log>) {
    log.0.push(format!("{}", *sum));
}

enum Play {}

world! {
    struct Game {
        include pool::<Mana> as mana;
        include pool::<Stamina, Play, 5> as stamina;
    }
    schedule tick { include fill::<Mana>; include fill::<Stamina, Play, 5> }
}

#[test]
fn arguments_in_generic_parts_name_their_parameters() {
    let mut game = Game::new();
    let hero = game.spawn((Pool::<Mana>(0, PhantomData), Pool::<Stamina>(0, PhantomData)));
    game.resource_mut::<Clock>().advance(Duration::from_millis(600));
    game.tick();
    assert_eq!(game.resource::<Log>().0, ["39", "0"], "the other clock stands still");
    game.resource_mut::<Clock>().advance(Duration::from_millis(100));
    game.resource_mut::<Clock<Play>>().advance(Duration::from_millis(500));
    game.tick();
    assert_eq!(game.get::<Pool<Mana>>(hero).map(|pool| pool.0), Some(13));
    assert_eq!(game.get::<Pool<Stamina>>(hero).map(|pool| pool.0), Some(25));
    assert_eq!(game.resource::<Log>().0[2..], ["39", "125"]);
}
