//! Fields are data: parameters stand beside the query, filters behind the struct.

use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Resource, Default)]
struct Clock;
#[derive(Event)]
struct Bumped;
#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    velocity: &'a Velocity,
}

world! {
    struct Game {
        components { Position, Velocity, Frozen, Health }
        resources { clock: Clock = Clock }
        events { Bumped }
    }
}

#[derive(Query)]
struct Seen<'a> {
    velocity: &'a Velocity,
    clock: Res<'a, Clock>,
    frozen: With<Frozen>,
    health: &'a Ref<'a, Health>,
    entity: Option<Entity>,
    mover: Each<Mover<'a>>,
}

fn main() {}
