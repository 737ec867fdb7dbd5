//! `run` of a system that takes an input.

use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

world! {
    struct Game { components { Health } }
}

#[system(Game)]
fn heal(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

fn main() {
    Game::new().run::<heal>();
}
