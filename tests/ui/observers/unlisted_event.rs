//! An observer of an event that the world does not list.
use ecs::prelude::*;

#[derive(Component)]
#[component(tracked)]
struct Health(i32);
#[derive(Event)]
struct Hit(i32);

world! {
    struct Game {
        components { Health }
        events {}
    }
    observers { wound }
}

#[system(Game)]
fn wound(mut hits: EventReader<Hit>) {
    hits.clear();
}

fn main() {}
