//! Parts give options to the entries of parts that they include.
use ecs::prelude::*;

parts! {
    rigid {
        include parts_library::physics { Bumped(keep = 3) };
    }
}

fn main() {}
