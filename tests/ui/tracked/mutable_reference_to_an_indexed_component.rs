//! A mutable reference to an indexed component, whose changes the index must see.
use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);

world! {
    struct Game { components { Team } }
    schedule tick { switch }
}

#[system(Game)]
fn switch(team: &mut Team) {
    team.0 += 1;
}

fn main() {}
