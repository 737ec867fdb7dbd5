//! A filter that is negated by a sign. The first message is that of the compiler, for which this is no type.
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
