//! Fields that are no parameters, each with its cure.
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
    position: &'w mut Position,
    clock: &'w Clock,
    count: u32,
    names: Vec<String>,
    entity: Entity,
    moved: Ref<'w, Position>,
    fast: With<Velocity>,
    seen: Option<Res<'w, Clock>>,
    both: (Res<'w, Clock>, bool),
}

#[system(Game)]
fn chase(_hunt: Hunt) {}

fn main() {}
