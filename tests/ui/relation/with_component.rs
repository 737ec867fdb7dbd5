//! A relation without its options that derives `Component` as well.
use ecs::prelude::*;

#[derive(Component, Relation)]
struct Follows(Entity);

world! {
    struct Game { components { Follows } }
    schedule tick { look }
}

#[system(Game)]
fn look(follows: &Follows) {
    println!("{:?}", follows.0);
}

fn main() {
    Game::new().tick();
}
