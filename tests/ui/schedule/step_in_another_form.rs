//! Steps as other languages write them: each is one error.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick {
        movement as first as second,
        let n = count,
        { movement, steer } if playing,
        movement + steer,
        first: movement,
        movement * 2,
        movement when playing,
        movement if not playing,
        count.pipe(take),
        Game::movement,
        #[run_if(playing)] movement as third,
        take 3;
        react(16) { steer };
        movement as fourth every LIMIT;
        movement as fifth if
    }
}

const LIMIT: u64 = 3;

#[system]
fn movement(position: &mut Position) {}
#[system]
fn steer(position: &mut Position) {}
#[system]
fn count(positions: Query<&Position>) -> usize {
    positions.len()
}
#[system]
fn take(number: In<usize>) {}
#[system]
fn playing() -> bool {
    true
}

fn main() {
    Game::new().tick();
}
