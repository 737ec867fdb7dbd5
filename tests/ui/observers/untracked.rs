//! An observer of additions of a component that is not tracked.
use ecs::prelude::*;

#[derive(Component)]
struct Health(i32);
#[derive(Event)]
struct Hit(i32);

world! {
    struct Game {
        components { Health }
        events { Hit(external) }
    }
    observers { greet }
}

#[system(Game)]
fn greet(health: &Health, _: Added<Health>) {
    println!("{}", health.0);
}

fn main() {}
