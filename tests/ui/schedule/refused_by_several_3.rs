//! Several mistakes of one kind (schedule) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Attack(u32);
#[derive(Component)]
struct Health(u32);
#[derive(Component, Clone)]
struct PipeOutOfTheWorld(u32);
#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        components { Position, Velocity, Attack, Health, PipeOutOfTheWorld }
        resources { clock: Clock = Clock(0.0) }
    }
    schedule one { movement, |velocity: &mut Velocity| velocity.0 = 1.0 }
    schedule two { "movement"; steer }
    schedule three { if paused { movement }; steer }
    schedule four { (steer, movement).chain() }
    schedule tick { exchange::<Health, Health>; }
    schedule pipe_out_of_the_world_tick { everything | heal; }
    schedule refused_by_a_trait_2_tick every Clock { refused_by_a_trait_2 }
    schedule error_in_a_box_tick -> Result { error_in_a_box }
}

// Steps that are no name of a system: a closure, a string, a condition, and a tuple.
#[system(Game)]
fn movement(position: &mut Position) {}

#[system(Game)]
fn steer(velocity: &mut Velocity) {}

#[system(Game)]
fn paused(positions: Query<&Position>) -> bool {
    positions.is_empty()
}

#[system(Game)]
fn lost(velocities: Query<&Velocity>) -> bool {
    velocities.is_empty()
}

// A generic system whose parameters clash in the world that schedules it.
#[system]
fn exchange<A: Component, B: Component>(one: Query<&mut A>, other: Query<&B>) {
    let _ = (one, other);
}

// A system that takes the whole world, piped into one that takes parts of it.
#[system(Game)]
fn everything(game: &mut Game) -> u32 {
    game.query::<&PipeOutOfTheWorld>().len() as u32
}

#[system(Game)]
fn heal(amount: In<u32>, health: &mut PipeOutOfTheWorld) {
    health.0 += *amount;
}

#[system(Game)]
fn refused_by_a_constant(health: &mut PipeOutOfTheWorld) {
    health.0 += 1;
}

#[system(Game)]
fn total(healths: Query<&PipeOutOfTheWorld>) -> u32 {
    healths.iter().map(|health| health.0).sum()
}

#[system(Game)]
fn playing() -> bool {
    true
}

// `every` with a resource that is no clock.
#[system(Game)]
fn refused_by_a_trait_2(position: &mut Position) {
    position.0 += 1.0;
}

// A system whose error may not leave its thread.
#[system(Game)]
fn error_in_a_box(position: Query<&Position>) -> Result<(), Box<dyn std::error::Error>> {
    let _: u32 = "4".parse()?;
    println!("{}", position.len());
    Ok(())
}

fn error_in_a_box_main() {
    Game::new().error_in_a_box_tick().unwrap();
}

fn main() {}
