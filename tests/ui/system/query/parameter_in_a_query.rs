//! Parameters in a query, filters among its data, and several data without a tuple.
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
    schedule tick { beside, behind, in_parentheses, by_itself, the_world }
}

#[system(Game)]
fn beside(clock: Query<(&Position, Res<Clock>)>, commands: Query<&Position, Commands<Game>>) {}

#[system(Game)]
fn behind(frozen: Query<(&Position, With<Frozen>)>, all: Query<With<Frozen>>, healthy: Query<&Position, Mut<Health>>) {}

#[system]
fn in_parentheses(two: Query<&mut Position, &Velocity>, three: Query<&Position, &Velocity, &Health>) {}

#[system(Game)]
fn by_itself(mover: Query<Each<Mover>>, entity: Query<&Entity>, health: Query<Option<Option<Ref<Health>>>>) {}

#[system(Game)]
fn the_world(game: Query<&Game>, by_value: Game) {}

fn main() {}
