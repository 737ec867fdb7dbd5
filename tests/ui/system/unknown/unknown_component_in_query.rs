//! A query of a system that names a component which the world does not have.
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
fn regenerate(mut wizards: Query<(&mut Position, &Mana)>) {
    wizards.for_each(|(position, mana)| position.0 += mana.0 as f32);
}

fn main() {}
