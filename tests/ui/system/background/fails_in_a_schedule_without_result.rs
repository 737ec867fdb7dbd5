use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);

world! {
    #[derive(Clone)]
    struct Game { components { Position } }
    schedule tick { plan }
}

#[system(Game, background(ticks = 3))]
fn plan(positions: Query<&Position>) -> Result<(), String> {
    if positions.is_empty() { Err("nobody".to_owned()) } else { Ok(()) }
}

fn main() {}
