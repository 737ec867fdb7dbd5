//! A field of a nested struct of parameters clashes with another parameter.
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
struct Hunters<'w> {
    all: Query<'w, &'static mut Position, With<Velocity>>,
}

#[derive(SystemParam)]
struct Hunt<'w> {
    hunters: Hunters<'w>,
    clock: Res<'w, Clock>,
}

#[system(Game)]
fn chase(hunt: Hunt, prey: Query<&Position>) {
    let _ = (hunt.clock, hunt.hunters.all.len(), prey.len());
}

fn main() {}
