//! Spawning a relation with many targets without `Many`.
use ecs::prelude::*;

#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);

world! {
    struct Game {
        components { owes: Many<Owes> }
    }
}

fn main() {
    let mut game = Game::new();
    let bank = game.spawn(());
    game.spawn(Owes(bank));
}
