//! Methods that `Commands` has in bevy.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource, Default)]
struct Clock {
    step: f32,
}
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock = Clock::default() }
        events { Bumped(external) }
    }
    schedule tick { steer }
}

#[system(Game)]
fn steer(balls: Query<Entity, With<Position>>, mut commands: Commands<Game>) {
    for ball in &balls {
        commands.get_entity(ball).unwrap().despawn();
        commands.add(|game: &mut Game| game.resource_mut::<Clock>().step = 1.0);
    }
    commands.queue(|game| println!("{}", game.is_ready()));
    commands.insert_resource(Clock { step: 1.0 });
    commands.init_resource::<Clock>();
    commands.spawn_empty().insert(Position(0.0));
    commands.send_event(Bumped);
    commands.trigger(Bumped);
    commands.delayed().secs(1.0).spawn(Position(0.0));
}

fn main() {}
