//! Generic parts: a supply of anything, which fills up.

use std::marker::PhantomData;

use ecs::prelude::*;

/// A supply.
pub trait Supply: Send + Sync + 'static {
    /// The gain in each run.
    const GAIN: u32;
}

/// The supply with which the parts are checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Stamina;

impl Supply for Stamina {
    const GAIN: u32 = 1;
}

/// The amount of a supply.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Pool<T: Supply> {
    /// The current amount.
    pub now: u32,
    of: PhantomData<T>,
}

impl<T: Supply> Pool<T> {
    /// An amount.
    pub const fn of(now: u32) -> Self {
        Self { now, of: PhantomData }
    }
}

/// The limit of all pools of one supply.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Limit<T: Supply>(pub u32, pub PhantomData<T>);

impl<T: Supply> Default for Limit<T> {
    fn default() -> Self {
        Self(10 * T::GAIN, PhantomData)
    }
}

/// The number of runs of all schedules.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Runs(pub u32);

/// A pool is full.
#[derive(Event, Clone)]
pub struct Full<T: Supply>(pub Entity, pub PhantomData<T>);

parts! {
    /// A supply of `T`.
    pub pool<T: Supply = Stamina, const SPEED: u32 = 1> {
        components {
            /// The amounts.
            Pool<T>
        }
        resources {
            /// The largest amount.
            limit: Limit<T> = Limit::default(),
            /// Counted for all supplies together.
            Runs = Runs(0),
        }
        events { Full<T> }
        schedule refill { count_runs::<T>, grow::<T, SPEED>; announce::<T> }
    }
}

/// Counts the runs.
#[system]
pub fn count_runs<T: Supply>(mut runs: ResMut<Runs>) {
    runs.0 += 1;
}

/// Fills the pools.
#[system]
pub fn grow<T: Supply, const SPEED: u32>(pool: &mut Pool<T>, limit: Res<Limit<T>>) {
    pool.now = (pool.now + T::GAIN * SPEED).min(limit.0);
}

/// Reports full pools.
#[system]
pub fn announce<T: Supply>(
    pools: Query<(Entity, &Pool<T>)>,
    limit: Res<Limit<T>>,
    mut full: EventWriter<Full<T>>,
) {
    for (entity, pool) in &pools {
        if pool.now == limit.0 {
            full.send(Full(entity, PhantomData));
        }
    }
}

parts! {
    /// A list of all values of the user's component `T`.
    pub census<T: Component> {
        components { T }
        resources { Census<T> = Census(0, PhantomData) }
        schedule take_census { census_of::<T> }
    }
}

/// The number of components `T`.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Census<T: Component>(pub usize, PhantomData<T>);

/// Counts the components.
#[system]
pub fn census_of<T: Component>(all: Query<Is<T>>, mut census: ResMut<Census<T>>) {
    census.0 = all.iter().filter(|is| **is).count();
}
