//! The two lifetimes of bevy.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(SystemParam)]
struct Tools<'w, 's> {
    bodies: Query<'w, 's, &'static Position>,
}

world! {
    struct Game { components { Position } }
    schedule tick { look }
}

#[system(Game)]
fn look(tools: Tools) {
    let _ = tools.bodies.len();
}

fn main() {
    Game::new().tick();
}
