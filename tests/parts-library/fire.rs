//! Parts with generic systems: fuel of any kind burns.

use std::marker::PhantomData;

use ecs::prelude::*;

/// The remaining amount of `T`.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Fuel<T: Send + Sync + 'static>(pub u32, PhantomData<T>);

impl<T: Send + Sync + 'static> Fuel<T> {
    /// An amount.
    pub const fn new(left: u32) -> Self {
        Self(left, PhantomData)
    }
}

/// A fuel that burns quickly.
#[derive(Clone, PartialEq, Debug)]
pub struct Paper;

/// A fuel that burns slowly.
#[derive(Clone, PartialEq, Debug)]
pub struct Wood;

/// Whether water stops the fire.
#[derive(Resource, Clone, Default)]
pub struct Water(pub bool);

parts! {
    /// The parts for burning.
    pub fire {
        components { paper: Fuel<Paper>, wood: Fuel<Wood> }
        resources { water: Water = Default::default() }
        schedule burn -> Result {
            flames::<Paper, 3>, flames::<Wood, 1>, drown
        }
    }
}

parts! {
    /// The parts for fires that move, which need the parts for motion.
    pub wildfire {
        needs fire;
        needs crate::physics { clock as wind };
        components { Blown }
        resources { clock: Burning = Burning(0) }
        schedule spread { burn_on }
    }
}

/// A fire that the wind carries.
#[derive(Component, Clone)]
pub struct Blown;

/// The number of moved fires.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Burning(pub u32);

/// Counts moving fires.
#[system]
pub fn burn_on(fires: Query<(&Fuel<Wood>, &crate::Velocity), With<Blown>>, mut burning: ResMut<Burning>) {
    burning.0 += fires.len() as u32;
}

/// Burns an amount in each run.
#[system]
pub fn flames<T: Send + Sync + 'static, const QUICK: u32>(fuel: &mut Fuel<T>) {
    fuel.0 = fuel.0.saturating_sub(QUICK);
}

/// Fails if there is water.
#[system]
pub fn drown(water: Res<Water>) -> Result<(), std::fmt::Error> {
    if water.0 { Err(std::fmt::Error) } else { Ok(()) }
}
