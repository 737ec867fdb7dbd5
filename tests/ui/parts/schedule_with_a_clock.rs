//! A schedule of parts with `every`.
use ecs::prelude::*;

#[derive(Component)]
pub struct Position(f32);
#[derive(Resource)]
pub struct Clock(f32);

parts! {
    physics {
        components { Position }
        resources { clock: Clock }
        schedule step every Clock { movement }
    }
}

#[system]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
