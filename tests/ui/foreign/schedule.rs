//! Methods of other libraries, called on a schedule that is built at run time.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {
    let mut schedule = Schedule::<Game>::new("update");
    schedule.add_systems(movement);
}
