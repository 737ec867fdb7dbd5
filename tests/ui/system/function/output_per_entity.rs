//! Systems that run once for every entity and return something, as a step and as a condition.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement, report if is_low }
}

#[system(Game)]
fn movement(position: &mut Position) -> bool {
    position.0 += 1.0;
    position.0 > 2.0
}
#[system(Game)]
fn is_low(position: &Position) -> bool {
    position.0 < 1.0
}
#[system(Game)]
fn report(positions: Query<&Position>) {
    println!("{}", positions.len());
}

fn main() {
    Game::new().tick();
}
