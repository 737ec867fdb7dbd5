//! Several mistakes of one kind (system, input) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);
struct Potion(u32);

world! {
    struct Game { components { Health } }
    schedule tick { heal(Potion(3)) }
}

// A system that runs once for each entity, with an input that is not `Clone`.
#[system(Game)]
fn heal(potion: In<Potion>, health: &mut Health) {
    health.0 += potion.0.0;
}

// `run` of a system that takes an input.
#[system(Game)]
fn run_without(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

fn run_without_main() {
    Game::new().run::<run_without>();
}

fn main() {}
