//! Several mistakes of one kind (system, input) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);
struct Potion(u32);

world! {
    struct Game { components { Health } }
    schedule tick { heal(Potion(3)) }
    schedule refused_by_the_macro_tick { refused_by_the_macro(3) }
    schedule of_a_plain_type_tick { spawn(3) }
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

// An input behind another parameter.
#[system(Game)]
fn refused_by_the_macro(health: &mut Health, amount: In<u32>) {
    health.0 += *amount;
}

// A parameter that is a number, which is meant to be an input.
#[system(Game)]
fn spawn(number: usize) {
    println!("{number}");
}

fn main() {}
