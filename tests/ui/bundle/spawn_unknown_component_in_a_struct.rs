//! Spawning a bundle struct with a component that the world does not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Mana(u32);

#[derive(Bundle)]
struct Wizard {
    position: Position,
    mana: Mana,
}

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Wizard { position: Position(0.0), mana: Mana(3) });
}
