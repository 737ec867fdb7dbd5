//! A schedule in place of an observer.
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
    observers { greet, tick }
    schedule tick { age }
}

#[system(Game)]
fn greet(health: &Health, _: Added<Health>) {
    println!("{}", health.0);
}

#[system(Game)]
fn age(mut health: Mut<Health>) {
    health.0 -= 1;
}

fn main() {}
