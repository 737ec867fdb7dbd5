//! `is_changed` of a resource that is not tracked.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Score(u32);

world! {
    struct Game {
        resources { Score }
    }
    schedule tick { watch }
}

#[system(Game)]
fn watch(score: Res<Score>) {
    if score.is_changed() {
        println!("{}", score.0);
    }
}

fn main() {}
