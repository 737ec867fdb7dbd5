//! A field asks for a component that the world does not have.
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

#[derive(Component)]
struct Armor(f32);

#[derive(SystemParam)]
struct Hunt<'w> {
    clock: Res<'w, Clock>,
    armors: Query<'w, (&'static Position, &'static mut Armor)>,
}

#[system(Game)]
fn chase(_hunt: Hunt) {}

fn main() {}
