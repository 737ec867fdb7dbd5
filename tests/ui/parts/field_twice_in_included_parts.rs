//! Parts list a component of parts that they include.
use ecs::prelude::*;

parts! {
    rigid {
        include parts_library::physics;
        components { parts_library::Velocity }
    }
}

fn main() {}
