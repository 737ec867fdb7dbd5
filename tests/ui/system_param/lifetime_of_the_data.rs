//! The data of a query has the lifetime of the struct, and a parameter `'static`.
use ecs::prelude::*;

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
    bodies: Query<'w, (Entity, &'w mut Position)>,
    set: ParamSet<'w, (Query<'w, &'static mut Velocity>, Query<'w, &'static Velocity>)>,
    clock: Res<'static, Clock>,
}

#[system(Game)]
fn chase(_hunt: Hunt) {}

fn main() {}
