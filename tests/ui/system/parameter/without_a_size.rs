//! Slices and trait objects as parameters.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { add, show }
}

#[system(Game)]
pub fn add(names: &[u8], position: &mut Position) {
    position.0 += names.len() as f32;
}

#[system(Game)]
pub fn show(shape: &dyn std::fmt::Debug) {
    println!("{shape:?}");
}

fn main() {}
