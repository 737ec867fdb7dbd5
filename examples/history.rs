//! A goblin is dead. Who has killed it, and what was the world like two steps before?

use ecs::prelude::*;
use ecs_history::{History, Limit};

#[derive(Component, Clone, PartialEq, Debug)]
struct Health(i32);
#[derive(Component, Clone)]
struct Strength(i32);
/// Who fights whom.
#[derive(Component, Clone)]
struct Target(Entity);
#[derive(Component, Clone)]
struct Poisoned;

/// A blow that has hit.
#[derive(Event, Clone)]
struct Blow {
    target: Entity,
    damage: i32,
}

world! {
    #[derive(Clone)] // for snapshots
    struct Arena {
        components { Health, Strength, Target, Poisoned, Name }
        events { Blow }
    }
    schedule round {
        strike;
        wound, sicken;
        recover, bury;
    }
}

#[system(Arena)]
fn strike(fighters: Query<(&Strength, &Target)>, mut blows: EventWriter<Blow>) {
    for (strength, target) in &fighters {
        blows.send(Blow { target: target.0, damage: strength.0 });
    }
}

#[system(Arena)]
fn wound(mut blows: EventReader<Blow>, mut health: Query<&mut Health>) {
    for blow in &mut blows {
        if let Some(health) = health.get_mut(blow.target) {
            health.0 -= blow.damage;
        }
    }
}

#[system(Arena)]
fn sicken(health: &mut Health, _: With<Poisoned>) {
    health.0 -= 2;
}

#[system(Arena)]
fn recover(health: &mut Health) {
    health.0 += 1;
}

#[system(Arena)]
fn bury(all: Query<(Entity, &Health)>, mut commands: Commands<Arena>) {
    all.iter().filter(|(_, health)| health.0 <= 0).for_each(|(dead, _)| commands.despawn(dead));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arena = Arena::new();
    let knight = arena.spawn((Name::new("knight"), Health(30), Strength(3)));
    let goblin = arena.spawn((Name::new("goblin"), Health(14), Strength(2), Target(knight)));
    arena.insert(knight, Target(goblin))?;

    let mut history = History::new(Limit::runs(600));
    for round in 0..6 {
        if round == 1 {
            arena.insert(goblin, Poisoned)?; // the program, between two rounds
        }
        history.run(&mut arena, Arena::round);
    }
    println!("after {} rounds, the goblin is {}", history.position(), status(&arena, goblin));

    // who has killed it, and what has hurt it?
    if let Some((run, cause)) = history.when_despawned(&arena, goblin) {
        println!("gone in round {run}, by {cause}\n\nits health:");
    }
    for change in history.changes::<Health>(&arena, goblin) {
        println!(
            "  round {}  {:<16} {}",
            change.run,
            change.cause.to_string(),
            arrow(&change.before, &change.after)
        );
    }

    // and who has poisoned it?
    for change in history.changes_of(&arena, move |arena: &Arena| arena.has::<Poisoned>(goblin)) {
        println!(
            "  poisoned: {} -> {}, after round {}, {}",
            change.before, change.after, change.run, change.cause
        );
    }

    // inside of its last round: two steps back from the end
    let last = history.last_change::<Health>(&arena, goblin).map_or(0, |change| change.run);
    let mut inside = history.inside(&arena, last)?;
    inside.go_to(usize::MAX);
    println!("\nround {last}, backwards:");
    for _ in 0..2 {
        if let Some(step) = inside.back() {
            println!("  before {:<16} the goblin is {}", step.to_string(), status(inside.world(), goblin));
        }
    }

    // what if nobody had poisoned it?
    history.go_to(&mut arena, 1)?;
    arena.remove::<Poisoned>(goblin)?;
    (1..6).for_each(|_| history.run(&mut arena, Arena::round));
    println!(
        "\nwithout poison, after {} rounds the goblin is {}",
        history.position(),
        status(&arena, goblin)
    );
    println!("the other future is kept: rounds {:?}", history.branches()[0].runs());
    Ok(())
}

fn status(arena: &Arena, entity: Entity) -> String {
    match arena.get::<Health>(entity) {
        Some(Health(points)) => format!("at {points}"),
        None => "gone".into(),
    }
}

fn arrow(before: &Option<Health>, after: &Option<Health>) -> String {
    let points =
        |health: &Option<Health>| health.as_ref().map_or("gone".into(), |health| health.0.to_string());
    format!("{} -> {}", points(before), points(after))
}
