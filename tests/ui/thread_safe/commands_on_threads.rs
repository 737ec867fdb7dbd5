//! `Commands` in what runs on several threads: one error for each closure.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

world! {
    struct Game { components { Health } }
    schedule tick { bury; heal }
}

#[system(Game)]
fn bury(mut query: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    query.par_for_each(|(entity, health)| {
        if health.0 == 0 {
            commands.despawn(entity);
        }
    });
}

#[system(Game)]
fn heal(mut query: Query<(Entity, &mut Health)>, mut commands: Commands<Game>) {
    let healed = query.par_map(|(entity, health)| commands.insert(entity, Health(health.0 + 1)));
    println!("{}", healed.len());
}

fn main() {
    Game::new().tick();
}
