//! Worlds without `struct` or its braces: each is one error, and the world exists.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    enum Game { components { Position } }
    schedule tick { movement }
}
world! {
    Other { components { Position } }
    schedule tick { movement }
}
world! {
    struct Third;
    components { Position }
    schedule tick { movement }
}
world! {
    struct Fourth(components { Position })
    schedule tick { movement }
}

#[system]
fn movement(position: &mut Position) {}

fn main() {
    Game::new().tick();
    Other::new().tick();
    Third::new().tick();
    Fourth::new().tick();
}
