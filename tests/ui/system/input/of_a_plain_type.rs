//! A parameter that is a number, which is meant to be an input.
use ecs::prelude::*;

world! {
    struct Game {}
    schedule tick { spawn(3) }
}

#[system(Game)]
fn spawn(number: usize) {
    println!("{number}");
}

fn main() {}
