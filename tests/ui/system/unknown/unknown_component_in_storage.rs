//! A `Storage` that names a component which the world does not have.
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
fn regenerate(mut mana: Storage<Mana>) {
    mana.iter_mut().for_each(|(_, mana)| mana.0 += 1);
}

fn main() {}
