//! One condition for several systems in parentheses.

use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { (steer, movement) if playing; movement }
}

#[system(Game)]
fn playing() -> bool {
    true
}

#[system(Game)]
fn steer(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
