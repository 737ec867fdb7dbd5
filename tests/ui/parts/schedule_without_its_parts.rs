//! A schedule of a library in a world that includes neither its parts nor those that they need.
use ecs::prelude::*;

use parts_library::fire;

#[derive(Component)]
struct Name(&'static str);

world! {
    struct Game {
        components { Name }
    }
    schedule tick { greet, include fire::spread }
}

#[system(Game)]
fn greet(name: &Name) {
    println!("{}", name.0);
}

fn main() {}
