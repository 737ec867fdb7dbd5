//! An observer without a parameter that names its trigger.
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
fn show(health: &Health) {
    println!("{}", health.0);
}

fn main() {}
