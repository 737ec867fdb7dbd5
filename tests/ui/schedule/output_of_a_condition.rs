//! `|` between two conditions, which gives the output of one to the other.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource)]
struct Paused(bool);

world! {
    struct Game {
        components { Position }
        resources { Paused = Paused(false) }
    }
    schedule tick { movement if paused | lost }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}
#[system(Game)]
fn paused(paused: Res<Paused>) -> bool {
    paused.0
}
#[system(Game)]
fn lost(positions: Query<&Position>) -> bool {
    positions.is_empty()
}

fn main() {
    Game::new().tick();
}
