//! Values for systems that take no input.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Score(u32);

world! {
    struct Game {
        resources { Score = Score::default() }
    }
    schedule tick { report(3) if above(1, 2) }
}

#[system(Game)]
fn report(mut score: ResMut<Score>) {
    score.0 += 1;
}

#[system(Game)]
fn above(score: Res<Score>) -> bool {
    score.0 > 1
}

fn main() {
    Game::new().tick();
}
