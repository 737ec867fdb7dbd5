//! Two fields of a struct of parameters reach the same component.
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
    hunters: Query<'w, (&'static mut Position, &'static Velocity)>,
    prey: Query<'w, &'static Position>,
}

#[system(Game)]
fn chase(hunt: Hunt) {
    let _ = hunt.prey.len();
}

fn main() {}
