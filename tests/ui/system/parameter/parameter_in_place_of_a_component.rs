//! A parameter or a tuple where a component, a resource or an event is expected.

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

#[system(Game)]
fn components(
    _: With<&Frozen>,
    _: Without<(Frozen, Health)>,
    _: Changed<Ref<Health>>,
    _: Without<With<Frozen>>,
    _: With<Entity>,
    _: With<Res<Clock>>,
    _: Without<Or<(With<Frozen>, With<Health>)>>,
) {
}

#[system]
fn others(clock: Res<&Clock>, twice: ResMut<Option<Clock>>, bumped: EventReader<&Bumped>, query: Res<Query<&Position>>) {}

#[system(Game)]
fn borrowed(commands: Commands<&mut Game>, is: Is<Mut<Health>>, storage: Storage<&Frozen>) {}

fn main() {}
