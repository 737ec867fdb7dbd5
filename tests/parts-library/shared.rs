//! Parts that include others: two libraries that share a third.

use ecs::prelude::*;

use crate::pool::{Pool, Stamina};
use crate::{Position, Velocity};

/// The number of steps.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Steps(pub u32);

parts! {
    /// Bodies that walk and tire.
    pub walking {
        include crate::physics;
        include crate::pool::pool;
        resources {
            /// The steps of all.
            Steps = Steps(0)
        }
        schedule walk { stride }
    }
}

parts! {
    /// Bodies that the wind moves.
    pub sailing {
        components { Sail }
        include crate::physics;
        schedule sail { drift }
    }
}

parts! {
    /// Both.
    pub travelling {
        include sailing;
        include walking;
    }
}

/// A sail.
#[derive(Component, Clone)]
pub struct Sail(pub f32);

/// Moves what walks, for stamina.
#[system]
pub fn stride(position: &mut Position, pool: &mut Pool<Stamina>, mut steps: ResMut<Steps>) {
    if pool.now > 0 {
        pool.now -= 1;
        position.0 += 1.0;
        steps.0 += 1;
    }
}

/// Moves what sails.
#[system]
pub fn drift(velocity: &mut Velocity, sail: &Sail) {
    velocity.0 = sail.0;
}
