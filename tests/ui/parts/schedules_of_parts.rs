//! A schedule behind the braces of its parts, which a world includes all the same; a schedule of parts in place of a system.
use ecs::prelude::*;

mod physics {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Mass(pub f32);

    #[system]
    pub fn fall(mass: &mut Mass) {
        mass.0 += 1.0;
    }

    parts! {
        pub physics { components { Mass } }
        schedule step { fall }
    }

    parts! {
        pub others { components { Mass } schedule rest { fall } }
    }
}

world! {
    struct Game {
        include physics::physics;
    }
    schedule tick { include physics::step; physics::rest }
}

fn main() {
    Game::new().tick();
}
