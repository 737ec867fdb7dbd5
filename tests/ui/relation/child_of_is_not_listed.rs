//! `ChildOf` in a world that does not list it.
use ecs::prelude::*;

#[derive(Component)]
struct Weight(u32);

world! {
    struct Game { components { Weight } }
    schedule tick { weigh }
}

#[system(Game)]
fn weigh(tree: Related<ChildOf>, weights: Query<(Entity, &Weight)>) {
    for (entity, weight) in &weights {
        println!("{} {}", weight.0, tree.sources(entity).len());
    }
}

fn main() {
    Game::new().tick();
}
