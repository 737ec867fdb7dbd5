//! `relate` with a relation that the world, which has one component, does not list.

use ecs::prelude::*;

#[derive(Component)]
struct Position;

#[derive(Relation)]
#[relation(exclusive)]
struct Guards(Entity);

world! {
    struct Game { components { Position } }
}

fn main() {
    let mut game = Game::new();
    let gate = game.spawn(Position);
    let _ = game.relate(gate, Guards(gate));
}
