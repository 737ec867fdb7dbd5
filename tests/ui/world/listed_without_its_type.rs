//! A component with a parameter that is listed without a type, and used with one.
use ecs::prelude::*;

#[derive(Component)]
struct Pool<T: Send + Sync + 'static>(T);

world! {
    struct Game { components { Pool } }
    schedule tick { refill }
}

#[system(Game)]
fn refill(pool: &mut Pool<u32>) {
    pool.0 += 1;
}

fn main() {
    let mut game = Game::new();
    game.spawn(Pool(1_u32));
    game.tick();
}
