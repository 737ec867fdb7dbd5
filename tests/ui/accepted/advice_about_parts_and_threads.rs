//! What the messages about unknown parts and about commands on several threads say to write.
use ecs::Aspect;
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component, Default)]
struct Health(u32);
#[derive(Aspect)]
struct Monster {
    health: Health,
}

mod weather {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Wind(f32);

    parts! { pub breeze { components { Wind } } }

    pub fn gust() -> Wind {
        Wind(1.0)
    }
}

parts! { gravity { components { Position } } }
parts! { motion { components { Health } } }

world! {
    struct Game {
        include gravity;
        include motion;
        include weather::breeze;
    }
    schedule tick { bury }
}

#[system(Game)]
fn bury(mut query: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    for entity in query.par_filter_map(|item| (item.1.0 == 0).then_some(item.0)) {
        commands.despawn(entity);
    }
}

pub fn main() {
    let mut game = Game::new();
    game.spawn((Position(0.0), weather::gust()));
    game.spawn(Monster::fresh());
    game.tick();
}
