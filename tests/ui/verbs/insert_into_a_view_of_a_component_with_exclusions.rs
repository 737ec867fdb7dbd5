//! Inserting into a view of a component with exclusions, which cannot check the other components.

use ecs::prelude::*;

#[derive(Component)]
#[component(tracked, excludes(Burning))]
struct Frozen(u32);

#[derive(Component)]
#[component(excludes(Frozen))]
struct Burning;

world! {
    struct Game { components { Frozen, Burning } }
}

fn main() {
    let mut game = Game::new();
    let entity = game.spawn(Burning);
    let _ = game.columns_mut().frozen.insert(entity, Frozen(3));
    game.columns_mut().frozen.remove(entity);
}
