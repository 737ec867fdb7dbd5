//! Things that move.

use ecs::prelude::*;

/// Where something is.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Position(pub f32);

/// Where it will be a unit of time later.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Velocity(pub f32);

/// It moves no more.
#[derive(Component, Clone)]
pub struct Resting;

/// How far a step goes.
#[derive(Resource, Clone)]
pub struct Clock {
    step: f32,
}

impl Clock {
    /// A clock of unit steps, which only this library knows how to make.
    const fn unit() -> Self {
        Self { step: 1.0 }
    }

    /// A clock of shorter or longer steps.
    pub const fn of(step: f32) -> Self {
        Self { step }
    }
}

/// How often something bounced.
#[derive(Resource, Clone, Default, PartialEq, Debug)]
pub struct Bounces(pub u32);

/// Something bounced.
#[derive(Event, Clone)]
pub struct Bumped(pub Entity);

/// Something is to be somewhere else, says the world.
#[derive(Event, Clone)]
pub struct Moved(pub Entity, pub f32);

parts! {
    /// Things that move between two walls.
    pub physics {
        components {
            /// Where they are.
            Position,
            velocity: Velocity,
            Resting,
        }
        resources { clock: Clock = Clock::unit(), bounces: Bounces }
        events { Bumped, Moved(external) }
        schedule step {
            movement, bounce;
            settle if rest;
        }
    }
}

/// Moves everything.
#[system]
pub fn movement(position: &mut Position, velocity: &Velocity, _: Without<Resting>, clock: Res<Clock>) {
    position.0 += velocity.0 * clock.step;
}

/// Turns what has left the room.
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

/// Whether everything has bounced enough.
#[system]
pub fn rest(bounces: Res<Bounces>) -> bool {
    bounces.0 >= 3
}

/// Lets everything rest.
#[system]
pub fn settle(bodies: Query<Entity, With<Position>>, mut resting: Storage<Resting>) {
    for entity in &bodies {
        let rested = resting.insert(entity, Resting);
        debug_assert!(rested.is_ok(), "it was found alive");
    }
}
