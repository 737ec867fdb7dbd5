//! A system that takes the whole world, piped into one that takes parts of it.

use ecs::prelude::*;

#[derive(Component, Clone)]
struct Health(u32);

world! {
    struct Game { components { Health } }
    schedule tick { everything | heal; }
}

#[system(Game)]
fn everything(game: &mut Game) -> u32 {
    game.query::<&Health>().len() as u32
}

#[system(Game)]
fn heal(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

#[system(Game)]
fn movement(health: &mut Health) {
    health.0 += 1;
}

#[system(Game)]
fn total(healths: Query<&Health>) -> u32 {
    healths.iter().map(|health| health.0).sum()
}

#[system(Game)]
fn playing() -> bool {
    true
}

fn main() {}
