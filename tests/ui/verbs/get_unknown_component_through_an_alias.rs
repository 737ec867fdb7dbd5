//! Reading, under another name, a component that the world does not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Mana(u32);

type Power = Mana;

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    let wizard = game.spawn(Position(0.0));
    game.has::<Power>(wizard);
}
