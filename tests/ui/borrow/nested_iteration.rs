//! A query that is iterated within its own iteration.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { repel }
}

#[system(Game)]
fn repel(mut bodies: Query<&mut Position>) {
    for one in &mut bodies {
        for other in &mut bodies {
            one.0 -= other.0;
        }
    }
}

fn main() {}
