//! A component that is listed twice, once by its path.
use ecs::prelude::*;

mod body {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Position(pub f32);
}
use body::Position;

world! {
    struct Game {
        components { position: Position, place: body::Position }
    }
}

fn main() {}
