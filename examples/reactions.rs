//! Reactions: systems that handle the changes since their last run.

use ecs::prelude::*;

/// Tracked: the world records the tick of each change.
#[derive(Component)]
#[component(tracked)]
struct Health(i32);

/// The world keeps removed values for systems with `Removed<Gold>`.
#[derive(Component, Clone)]
#[component(removed)]
struct Gold(u32);

#[derive(Component)]
struct Poisoned;

world! {
    struct Game {
        components { Health, Gold, Poisoned }
    }
    schedule tick { suffer; bars; news; inherit; bury }
}

/// `Mut` is a `&mut` that records the change.
#[system(Game)]
fn suffer(mut health: Mut<Health>, _: With<Poisoned>) {
    health.0 -= 2;
}

/// Draws only the bars of changed values.
#[system(Game)]
fn bars(entity: Entity, health: &Health, _: Changed<Health>) {
    println!("{entity} [{:<5}]", "#".repeat(health.0.max(0) as usize));
}

#[system(Game)]
fn news(sick: Entered<With<Poisoned>>, healthy: Exited<With<Poisoned>>) {
    for entity in sick {
        println!("{entity} is poisoned");
    }
    for entity in healthy {
        println!("{entity} is rid of the poison, this way or that");
    }
}

#[system(Game)]
fn inherit(mut gold: Removed<Gold>) {
    for (entity, gold) in &mut gold {
        println!("{} gold of {entity} are up for grabs", gold.0);
    }
}

#[system(Game)]
fn bury(game: &mut Game) {
    let dead: Vec<Entity> =
        game.query::<(Entity, &Health)>().iter().filter(|(_, health)| health.0 <= 0).map(|it| it.0).collect();
    for entity in dead {
        game.despawn(entity).expect("it lives: it was just matched");
    }
}

fn main() {
    let mut game = Game::new();
    let king = game.spawn((Health(5), Gold(1000)));
    game.spawn((Health(3), Gold(3), Poisoned));
    for turn in 1..=4 {
        println!("turn {turn}");
        game.tick();
        if turn == 3 {
            game.get_tracked::<Health>(king).expect("long live the king").0 -= 1;
        }
    }
}
