//! A system that other modules cannot see, in the schedule of public parts.
use ecs::prelude::*;

mod physics {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Position(pub f32);

    parts! {
        pub physics {
            components { Position }
            schedule step { fall, stop }
        }
    }

    #[system]
    fn fall(position: &mut Position) {
        position.0 -= 1.0;
    }
    #[system]
    pub fn stop(position: &mut Position) {
        position.0 = position.0.max(0.0);
    }
}

world! {
    struct Game { include physics::physics; }
    schedule tick { include physics::step }
}

fn main() {
    Game::new().tick();
}
