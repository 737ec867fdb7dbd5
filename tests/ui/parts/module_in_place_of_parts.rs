//! The module of parts in place of the parts, and a misspelt schedule of a module.

use ecs::prelude::*;

mod physics {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Body(pub f32);

    parts! {
        pub physics {
            components { Body }
            schedule step { fall }
        }
    }

    #[system]
    pub fn fall(body: &mut Body) {
        body.0 -= 1.0;
    }
}

world! {
    struct Game { include physics; }
    schedule tick { include physics::ste }
}

fn main() {
    Game::new().tick();
}
