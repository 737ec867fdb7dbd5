//! A system beside `parts!` that names a world of another module.
use ecs::prelude::*;

mod physics {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Position(pub f32);
    #[derive(Component)]
    pub struct Velocity(pub f32);

    parts! {
        pub physics {
            components { Position, Velocity }
            schedule step { fall; stop }
        }
    }

    #[system(Game)]
    pub fn fall(position: &mut Position, velocity: &Velocity) {
        position.0 += velocity.0;
    }

    #[system(Game)]
    pub fn stop(velocity: &mut Velocity) {
        velocity.0 = 0.0;
    }
}

world! {
    struct Game { include physics::physics; }
    schedule tick { include physics::step; }
}

fn main() {
    Game::new().tick();
}
