//! A field clashes with the component of a per-entity system.
use ecs::prelude::*;
use ecs::SystemParam;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock }
    }
    schedule tick { chase }
}

#[derive(SystemParam)]
struct Hunt<'w> {
    prey: Query<'w, &'static Position>,
}

#[system(Game)]
fn chase(position: &mut Position, hunt: Hunt) {
    position.0 += hunt.prey.len() as f32;
}

fn main() {}
