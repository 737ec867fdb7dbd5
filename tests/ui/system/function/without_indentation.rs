//! A system in an `impl` without indentation.
use ecs::prelude::*;

#[derive(Resource)]
struct Score(u32);

world! {
    struct Game {
        resources { Score }
    }
}

struct Report;

impl Report {
#[system(Game)]
fn print(score: Res<Score>) { println!("{}", score.0); }
// the second
#[system(Game)]
fn count(mut score: ResMut<Score>) {
    score.0 += 1;
}
}

fn main() {}
