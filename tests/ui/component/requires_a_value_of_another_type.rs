//! A required component that begins with a value of another type.
use ecs::prelude::*;

#[derive(Component)]
struct Armor(u32);

#[derive(Component)]
#[component(requires(Armor = 3))]
struct Knight;

world! {
    struct Game {
        components { Armor, Knight }
    }
}

fn main() {}
