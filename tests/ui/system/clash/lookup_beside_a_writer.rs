//! A lookup, which reads all values of its component, beside a writer of the component.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);

world! {
    struct Game { components { Team } }
}

#[system(Game)]
fn switch(_team: Mut<Team>, _teams: Lookup<Team>) {}

fn main() {}
