//! Children with a relation that the world does not have, and a child that is no component.
use ecs::prelude::*;

#[derive(Component)]
struct Wheel;
struct Rim;

world! {
    struct Game { components { Wheel } }
}
world! {
    struct Race { components { Wheel, ChildOf } }
}

fn main() {
    Game::new().spawn_with_children(Wheel, ChildOf, children![Wheel]);
    Race::new().spawn_with_children(Wheel, ChildOf, children![Wheel => [Wheel, Rim]]);
}
