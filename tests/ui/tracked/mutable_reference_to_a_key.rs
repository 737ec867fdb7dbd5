//! A mutable reference to a key, which can only be replaced.
use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(key)]
struct Seat(u8);

world! {
    struct Game { components { Seat } }
    schedule tick { move_up }
}

#[system(Game)]
fn move_up(seat: &mut Seat) {
    seat.0 += 1;
}

fn main() {}
