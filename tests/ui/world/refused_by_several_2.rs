//! Several mistakes of one kind (world) in one program.
use ecs::prelude::*;
use body::Position;

#[derive(Resource, Default)]
#[repr(align(4096))]
struct Buffer(u64);

world! {
    struct Disk { resources { Buffer } }
}

world! {
    struct Game { components { position: Position, place: body::Position } }
}

// A component that is listed twice, once by its path.
mod body {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Position(pub f32);
}

fn main() {}
