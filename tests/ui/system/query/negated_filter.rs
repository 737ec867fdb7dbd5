//! A filter with `!`. The first message is from rustc, which cannot parse the type.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
    schedule tick { rest }
}

#[system(Game)]
fn rest(query: Query<&Position, !With<Velocity>>) {}

fn main() {}
