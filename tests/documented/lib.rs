//! A game that includes parts of a library. `tests/docs.rs` reads its documentation.
#![forbid(unsafe_code)]

use ecs::prelude::*;
use parts_library::{Position, Velocity, step};

/// The power of an engine.
#[derive(Component)]
pub struct Motor(pub f32);

/// The car does not drive.
#[derive(Component)]
pub struct Parked;

/// A private component.
#[derive(Component)]
struct Secret;

/// The settings of the user.
#[derive(Resource)]
pub struct Settings {
    /// Whether the cars stand still.
    pub paused: bool,
}

/// A car has left the road.
#[derive(Event)]
pub struct Crashed(pub Entity);

/// A horn.
#[derive(Component)]
pub struct Horn;

world! {
    /// Cars on a road.
    ///
    #[doc = include_str!("pictures/schedules.svg")]
    pub struct Game {
        include parts_library::physics;
        include parts_library::fire::fire;
        include parts_library::shared::walking;
        include parts_library::pool::census::<Horn> as counted;
        components {
            /// Drives a car.
            motor: Motor,
            Parked,
            Secret,
        }
        resources { settings: Settings }
        events { Crashed }
    }

    /// One frame.
    schedule tick {
        /// Before anything moves,
        /// so that a car stops at once.
        steer if !(paused || stopped);
        include step;
        react { crash } max 8;
        announce, hide;
    }

    schedule burn -> Result {
        include parts_library::fire::burn;
        tick;
    }
}

/// Sets the speed of each car.
#[system(Game)]
pub fn steer(velocity: &mut Velocity, motor: &Motor, _: Without<Parked>, settings: Res<Settings>) {
    velocity.0 = if settings.paused { 0.0 } else { motor.0 };
}

/// Whether the game is paused.
#[system(Game)]
pub fn paused(settings: Res<Settings>) -> bool {
    settings.paused
}

/// Whether no car has an engine.
#[system(Game)]
pub fn stopped(motors: Query<&Motor>) -> bool {
    motors.is_empty()
}

/// Reports the cars that have come to the end of the road.
#[system(Game)]
pub fn crash(
    arrived: Entered<With<Motor>>,
    positions: Query<(Entity, &Position)>,
    mut crashed: EventWriter<Crashed>,
) {
    for (entity, _) in &positions {
        if arrived.contains(entity) {
            crashed.send(Crashed(entity));
        }
    }
}

/// Removes the cars that have crashed.
#[system(Game)]
pub fn announce(mut crashed: EventReader<Crashed>, mut commands: Commands<Game>) {
    for Crashed(entity) in &mut crashed {
        commands.despawn(*entity);
    }
}

/// A private system of a public world.
#[system(Game)]
fn hide(secrets: Query<Entity, With<Secret>>) {
    let _ = secrets.len();
}
