//! Two components whose types have the same name.
use ecs::prelude::*;

mod body {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Position(pub f32);
}

mod screen {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Position(pub f32);
}

world! {
    struct Game {
        components { body::Position, screen::Position }
    }
}

fn main() {}
