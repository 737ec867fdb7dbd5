//! A manual impl of the marker that `derive(Resource)` sets.
#![forbid(unsafe_code)]
use std::cell::Cell;

use ecs::prelude::*;

struct Score(Cell<u32>);

impl ecs::__private::IsResource for Score {}

world! {
    struct Game {
        resources { Score }
    }
    schedule tick { one, other }
}

#[system(Game)]
fn one(score: Res<Score>) {
    score.0.set(score.0.get() + 1);
}

#[system(Game)]
fn other(score: Res<Score>) {
    score.0.set(score.0.get() + 1);
}

fn main() {}
