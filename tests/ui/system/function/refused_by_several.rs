//! Several mistakes of one kind (system, function) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement, target_feature }
}

// A system as a value where its type is expected.
fn called_with_a_value() {
    let mut game = Game::new();
    game.run(movement);
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

// A function with `#[target_feature]`, which is not safe to call.
#[system(Game)]
#[target_feature(enable = "avx2")]
fn target_feature(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
