//! What the messages about schedules of parts and about filters of several components say to write.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Health(u32);
#[derive(Component)]
struct Frozen;

mod physics {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Mass(pub f32);

    #[system]
    pub fn fall(mass: &mut Mass) {
        mass.0 += 1.0;
    }

    parts! {
        pub physics {
            components { Mass }
            schedule rest { fall }
        }
    }
}

world! {
    struct Game {
        include physics::physics;
        components { Position, Velocity, Health, Frozen }
    }
    schedule tick { include physics::rest; warm, place }
}

#[system(Game)]
fn warm(mass: &mut physics::Mass, _: (Without<Frozen>, Without<Health>)) {
    mass.0 += 0.5;
}

#[system(Game)]
fn place(all: Query<&physics::Mass, (Without<Position>, Without<Velocity>)>) {
    assert!(all.iter().all(|mass| mass.0 > 0.0));
}

pub fn main() {
    let mut game = Game::new();
    game.spawn(physics::Mass(1.0));
    game.tick();
}
