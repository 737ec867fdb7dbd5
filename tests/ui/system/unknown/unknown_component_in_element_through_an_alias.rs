//! An alias that names a component which the world does not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Mana(u32);
type Power = Mana;

world! {
    struct Game { components { Position } }
    schedule tick { regenerate }
}

#[system(Game)]
fn regenerate(position: &mut Position, power: &Power) {
    position.0 += power.0 as f32;
}

fn main() {}
