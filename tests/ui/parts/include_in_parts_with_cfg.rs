//! A condition of compilation in parts.
use ecs::prelude::*;

parts! {
    rigid {
        #[cfg(unix)]
        include parts_library::physics;
    }
}

fn main() {}
