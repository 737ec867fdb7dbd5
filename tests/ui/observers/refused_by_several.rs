//! Several mistakes of one kind (observers) in one program.
use ecs::prelude::*;

#[derive(Component)]
#[component(tracked)]
struct Health(i32);
#[derive(Event)]
struct Hit(i32);
#[derive(Component)]
struct Untracked(i32);
#[derive(Event)]
struct WithAnOutput;

world! {
    struct Game {
        components { Health, Untracked }
        events { Hit(external), WithAnOutput(external) }
    }
    observers { greet, show, whole_world, wound, refused_by_a_trait, watch, count }
    schedule tick { age; observers }
}

world! {
    struct UnlistedEventGame {
        components { Health }
        events {  }
    }
    observers { unlisted_event }
}

// The observers in place of a system of a schedule.
#[system(Game)]
fn greet(health: &Health, _: Added<Health>) {
    println!("{}", health.0);
}

#[system(Game)]
fn age(mut health: Mut<Health>) {
    health.0 -= 1;
}

// An observer without a parameter that names its trigger.
#[system(Game)]
fn show(health: &Health) {
    println!("{}", health.0);
}

// An observer that takes the whole world, and so names no trigger.
#[system(Game)]
fn whole_world(game: &mut Game) {
    game.send(Hit(1));
}

// An observer that returns a `Result`.
#[system(Game)]
fn wound(mut hits: EventReader<Hit>) -> Result<(), std::fmt::Error> {
    hits.clear();
    Ok(())
}

// An observer of an event that the world does not list.
#[system(UnlistedEventGame)]
fn unlisted_event(mut hits: EventReader<Hit>) {
    hits.clear();
}

// An observer of additions of a component that is not tracked.
#[system(Game)]
fn refused_by_a_trait(health: &Untracked, _: Added<Untracked>) {
    println!("{}", health.0);
}

// An observer that returns something.
#[system]
fn watch(mut hits: EventReader<WithAnOutput>) -> Result<(), String> {
    hits.iter().next().map(|_| ()).ok_or_else(|| "no hit".to_owned())
}

#[system]
fn count(mut hits: EventReader<WithAnOutput>) -> usize {
    hits.iter().count()
}

fn main() {}
