//! Other signs between systems than `,` and `;`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
    schedule one { steer -> movement }
    schedule two { steer || movement }
    schedule three { parallel { steer, movement } }
}

#[system(Game)]
fn movement(position: &mut Position) {}
#[system(Game)]
fn steer(velocity: &mut Velocity) {}
#[system(Game)]
fn paused(positions: Query<&Position>) -> bool {
    positions.is_empty()
}
#[system(Game)]
fn lost(velocities: Query<&Velocity>) -> bool {
    velocities.is_empty()
}

fn main() {}
