//! Things that burn. The systems are generic over what burns.

use std::marker::PhantomData;

use ecs::prelude::*;

/// How much there is left of `T`.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Fuel<T: Send + Sync + 'static>(pub u32, PhantomData<T>);

impl<T: Send + Sync + 'static> Fuel<T> {
    /// So much.
    pub const fn new(left: u32) -> Self {
        Self(left, PhantomData)
    }
}

/// What burns quickly.
#[derive(Clone, PartialEq, Debug)]
pub struct Paper;

/// What burns slowly.
#[derive(Clone, PartialEq, Debug)]
pub struct Wood;

/// Whether there is water.
#[derive(Resource, Clone, Default)]
pub struct Water(pub bool);

parts! {
    /// Things that burn.
    pub fire {
        components { paper: Fuel<Paper>, wood: Fuel<Wood> }
        resources { water: Water = Default::default() }
        schedule burn -> Result {
            flames::<Paper, 3>, flames::<Wood, 1>, drown
        }
    }
}

parts! {
    /// Fires that move.
    pub wildfire {
        needs fire;
        needs crate::physics { clock as wind };
        components { Blown }
        resources { clock: Burning = Burning(0) }
        schedule spread { burn_on }
    }
}

/// What the wind carries.
#[derive(Component, Clone)]
pub struct Blown;

/// How many fires moved.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Burning(pub u32);

/// Counts what burns and moves.
#[system]
pub fn burn_on(fires: Query<(&Fuel<Wood>, &crate::Velocity), With<Blown>>, mut burning: ResMut<Burning>) {
    burning.0 += fires.len() as u32;
}

/// Burns so much at a time.
#[system]
pub fn flames<T: Send + Sync + 'static, const QUICK: u32>(fuel: &mut Fuel<T>) {
    fuel.0 = fuel.0.saturating_sub(QUICK);
}

/// Fails where there is water.
#[system]
pub fn drown(water: Res<Water>) -> Result<(), std::fmt::Error> {
    if water.0 { Err(std::fmt::Error) } else { Ok(()) }
}
