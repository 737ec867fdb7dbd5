//! Options of events without their parentheses or commas.
use ecs::prelude::*;

#[derive(Event)]
struct Hit;
#[derive(Event)]
struct Bumped;
#[derive(Event)]
struct Landed;
#[derive(Event)]
struct Left;
#[derive(Event)]
struct Sent;

world! {
    struct Game { events { Hit external, #[external] Bumped, Landed[external], Left: external, Sent(external keep = 64) } }
}

fn main() {
    Game::new();
}
