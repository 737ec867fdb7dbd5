//! A filter by a component that the world does not have.
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

fn main() {
    let mut game = Game::new();
    for position in game.query_mut::<&mut Position>().filter::<With<Mana>>() {
        position.0 += 1.0;
    }
}
