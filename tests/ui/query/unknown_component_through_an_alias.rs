//! A query whose alias hides a component that the world does not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Mana(u32);

type Wizard<'a> = (&'a mut Position, &'a Mana);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {
    let mut game = Game::new();
    for (position, mana) in game.query_mut::<Wizard>() {
        position.0 += mana.0 as f32;
    }
}
