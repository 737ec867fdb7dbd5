//! `Result` of bevy, an alias.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick -> Result { watch }
}

#[system(Game)]
fn watch(positions: Query<&Position>) -> Result {
    println!("{}", positions.single()?.0);
    Ok(())
}

fn main() {}
