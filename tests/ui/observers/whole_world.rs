//! An observer that takes the whole world, and so names no trigger.
use ecs::prelude::*;

#[derive(Component)]
#[component(tracked)]
struct Health(i32);
#[derive(Event)]
struct Hit(i32);

world! {
    struct Game {
        components { Health }
        events { Hit(external) }
    }
    observers { show }
}

#[system(Game)]
fn show(game: &mut Game) {
    game.send(Hit(1));
}

fn main() {}
