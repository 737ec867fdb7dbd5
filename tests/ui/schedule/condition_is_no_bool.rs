//! A condition that does not return `bool`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Resource)]
struct Paused(bool);

world! {
    struct Game {
        components { Position }
        resources { paused: Paused = Paused(false) }
    }
    schedule tick {
        movement if is_paused;
    }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn is_paused(paused: Res<Paused>) {
    let _ = paused.0;
}

fn main() {}
