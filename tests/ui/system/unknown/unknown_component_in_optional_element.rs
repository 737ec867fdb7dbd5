//! An optional element that names a component which the world does not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Mana(u32);

world! {
    struct Game { components { Position } }
    schedule tick { regenerate }
}

#[system(Game)]
fn regenerate(position: &mut Position, mana: Option<&Mana>) {
    position.0 += mana.map_or(0.0, |mana| mana.0 as f32);
}

fn main() {}
