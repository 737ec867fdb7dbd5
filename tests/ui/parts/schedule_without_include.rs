//! A schedule of parts of a module, named as a system.
use ecs::prelude::*;

mod physics {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Mass(pub f32);

    parts! {
        pub physics {
            components { Mass }
            schedule rest { fall }
        }
    }

    #[system]
    pub fn fall(mass: &mut Mass) {
        mass.0 += 1.0;
    }
}

world! {
    struct Game { include physics::physics; }
    schedule tick { rest }
}

fn main() {
    Game::new().tick();
}
