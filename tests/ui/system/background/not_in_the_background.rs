use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);

world! {
    #[derive(Clone)]
    struct Game { components { Position } }
    schedule tick { plan }
}

#[system(Game)]
fn plan(positions: Query<&Position>) {
    let _ = positions.len();
}

fn main() {
    Game::new().cancel_background::<plan>();
}
