//! Several mistakes of one kind (observers) in one program: constants refuse them.
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
    observers { show, whole_world }
}

// An observer without a parameter that names its trigger.
#[system(Game)]
fn show(health: &Health) {
    println!("{}", health.0);
}

// An observer that takes the whole world, and so names no trigger.
#[system(Game)]
fn whole_world(game: &mut Game) {
    game.send(Hit(1));
}

fn main() {}
