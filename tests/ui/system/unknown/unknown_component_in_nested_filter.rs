//! A filter in a filter that names a component which the world does not have.
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
fn regenerate(position: &mut Position, _: Or<(Without<Position>, Not<With<Mana>>)>) {
    position.0 += 1.0;
}

fn main() {}
