//! A `Local` of a type without a default.
use ecs::prelude::*;

struct Path(Vec<u32>);

world! {
    struct Game {}
    schedule tick { plan }
}

#[system(Game)]
fn plan(mut path: Local<Path>) {
    path.0.push(1);
}

fn main() {}
