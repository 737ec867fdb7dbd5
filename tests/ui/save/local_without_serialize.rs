//! A `Local` of a type without `Serialize` in a world that is saved.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Default, Clone)]
struct Path(Vec<u8>);

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {}
    schedule tick { walk }
}

#[system(Game)]
fn walk(mut path: Local<Path>) {
    path.0.push(1);
}

fn main() {}
