//! A required component that begins with the result of a function, without its name.
use ecs::prelude::*;

#[derive(Component)]
struct Armor(u32);

fn armor(points: u32) -> Armor {
    Armor(points)
}

#[derive(Component)]
#[component(requires(armor(3)))]
struct Knight;

world! {
    struct Game {
        components { Armor, Knight }
    }
}

fn main() {}
