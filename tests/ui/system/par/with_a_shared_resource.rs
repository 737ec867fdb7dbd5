use std::sync::atomic::{AtomicU32, Ordering};

use ecs::prelude::*;

#[derive(Component)]
struct Number(u32);

#[derive(Resource, Default)]
#[resource(shared)]
struct Next(AtomicU32);

world! {
    struct Game { components { Number } resources { Next } }
    schedule tick { number }
}

#[system(Game, par)]
fn number(number: &mut Number, next: Res<Next>) {
    number.0 = next.0.fetch_add(1, Ordering::Relaxed);
}

fn main() {
    Game::default().tick();
}
