//! A `Lookup` of a component without an index.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
struct Team(u8);

world! {
    struct Game { components { Team } }
}

#[system(Game)]
fn count(_teams: Lookup<Team>) {}

fn main() {}
