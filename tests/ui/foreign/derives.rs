//! Derives of bevy and shipyard.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(QueryData)]
#[query_data(mutable)]
struct Body {
    position: &'static mut Position,
}

#[derive(Component, Deref, DerefMut)]
struct Velocity(f32);

#[derive(Message)]
struct Hit;

#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
enum Phase {
    Physics,
}

#[derive(SubStates, Default)]
#[source(Phase = Phase::Physics)]
enum Turn {
    #[default]
    Player,
    Monsters,
}

#[derive(Unique)]
struct Score(u32);

world! {
    struct Game {
        components { Position, Velocity }
        resources { Score = Score(0) }
        events { Hit(external) }
    }
    schedule tick {
        movement, drag;
    }
}

#[system(Game)]
fn movement(mut bodies: Query<Body>) {
    for body in &mut bodies {
        body.position.0 += 1.0;
    }
}

#[system(Game)]
fn drag(velocity: &mut Velocity, mut hits: EventReader<Hit>) {
    **velocity *= 0.9;
    for _ in &mut hits {}
}

fn main() {}
