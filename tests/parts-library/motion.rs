//! Parts for moving bodies.

use ecs::prelude::*;

/// A position.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Position(pub f32);

/// The change of the position in a unit of time.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Velocity(pub f32);

/// A body at rest.
#[derive(Component, Clone)]
pub struct Resting;

/// The length of a step.
#[derive(Resource, Clone)]
pub struct Clock {
    step: f32,
}

impl Clock {
    /// A clock with steps of one unit, from a private constructor.
    const fn unit() -> Self {
        Self { step: 1.0 }
    }

    /// A clock with steps of another length.
    pub const fn of(step: f32) -> Self {
        Self { step }
    }
}

/// The number of bounces.
#[derive(Resource, Clone, Default, PartialEq, Debug)]
pub struct Bounces(pub u32);

/// A bounce.
#[derive(Event, Clone)]
pub struct Bumped(pub Entity);

/// A request of the world to move a body.
#[derive(Event, Clone)]
pub struct Moved(pub Entity, pub f32);

parts! {
    /// The parts for bodies between two walls.
    pub physics {
        components {
            /// The positions.
            Position,
            velocity: Velocity,
            Resting,
        }
        resources {
            /// The time.
            clock: Clock = Clock::unit(),
            bounces: Bounces,
        }
        events {
            Bumped,
            /// Sent by the world.
            Moved(external),
        }
        /// Moves all bodies once.
        schedule step {
            movement,
            /// At the walls.
            bounce;
            settle if rest;
        }
    }
}

/// Moves everything.
#[system]
pub fn movement(position: &mut Position, velocity: &Velocity, _: Without<Resting>, clock: Res<Clock>) {
    position.0 += velocity.0 * clock.step;
}

/// Turns bodies that have left the room.
#[system]
pub fn bounce(
    mut bodies: Query<(Entity, &Position, &mut Velocity)>,
    mut bumped: EventWriter<Bumped>,
    mut bounces: ResMut<Bounces>,
) {
    for (entity, position, velocity) in &mut bodies {
        if position.0 * velocity.0.signum() > 10.0 {
            velocity.0 = -velocity.0;
            bounces.0 += 1;
            bumped.send(Bumped(entity));
        }
    }
}

/// Whether enough bounces have happened.
#[system]
pub fn rest(bounces: Res<Bounces>) -> bool {
    bounces.0 >= 3
}

/// Sets all bodies at rest.
#[system]
pub fn settle(bodies: Query<Entity, With<Position>>, mut resting: Storage<Resting>) {
    for entity in &bodies {
        let rested = resting.insert(entity, Resting);
        debug_assert!(rested.is_ok(), "it was found alive");
    }
}
