//! A bundle of a type parameter without a bound on the bundle.

use ecs::prelude::*;

#[derive(Component)]
struct Place;
#[derive(Component)]
struct Speed;

world! {
    struct Game { components { Place, Speed } }
}

fn fill<T: Component>(game: &mut Game, value: T) -> Entity {
    game.spawn((value, Place))
}

fn main() {
    fill(&mut Game::new(), Speed);
}
