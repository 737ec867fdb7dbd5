//! Parts without a name in a module, which a world includes by the name of the module.

use ecs::prelude::*;

mod physics {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Body(pub f32);

    parts! {
        components { Body }
        schedule step { fall }
    }

    #[system]
    pub fn fall(body: &mut Body) {
        body.0 -= 1.0;
    }
}

world! {
    struct Game { include physics::physics; }
    schedule tick { include physics::step }
}

fn main() {
    Game::new().tick();
}
