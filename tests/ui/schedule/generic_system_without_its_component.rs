//! A generic system in a world without the component that it needs.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Mana(u32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick {
        regenerate;
    }
}

#[system]
fn regenerate(mana: &mut Mana) {
    mana.0 += 1;
}

fn main() {}
