//! The observers in place of a system of a schedule.
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
    schedule tick { age; observers }
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
