//! Several mistakes of one kind (schedule) in one program: rustc reports them as E0425.
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
    schedule tick { movement if !is_pausd; }
    schedule unknown_system_tick { movment; }
}

// A condition that does not exist.
#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn is_paused(paused: Res<Paused>) -> bool {
    paused.0
}

fn main() {}
