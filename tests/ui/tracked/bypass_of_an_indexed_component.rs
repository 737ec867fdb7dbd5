//! `bypass` of an indexed component, whose changes the index must see.
use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);

world! {
    struct Game { components { Team } }
    schedule tick { switch }
}

#[system(Game)]
fn switch(mut team: Mut<Team>) {
    team.bypass_change_detection().0 += 1;
}

fn main() {}
