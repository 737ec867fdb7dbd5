//! Two blocks of observers.
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
    observers { greet }
    observers { wound } max 4
}

#[system(Game)]
fn greet(health: &Health, _: Added<Health>) {
    println!("{}", health.0);
}

#[system(Game)]
fn wound(mut hits: EventReader<Hit>) {
    hits.clear();
}

fn main() {}
