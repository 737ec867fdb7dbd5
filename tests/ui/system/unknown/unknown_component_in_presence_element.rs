//! An element that asks for presence that names a component which the world does not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Mana(u32);

world! {
    struct Game {
        components { Position }
    }
}

#[system(Game)]
fn regenerate(position: &mut Position, magic: Is<Mana>) {
    position.0 += f32::from(u8::from(*magic));
}

fn main() {}
