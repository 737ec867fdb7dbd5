//! Several mistakes of one kind (system, parameter) in one program.
use ecs::prelude::*;
use ecs::component::Disabled;

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
#[derive(Component)]
struct StorageOfADisablingComponent(u32);

world! {
    struct Game {
        components { Position, Velocity, Frozen, Health, StorageOfADisablingComponent, Disabled }
        resources { clock: Clock = Clock }
        events { Bumped }
    }
    schedule tick { whole, per_entity, of_any_world, a_tuple, others, borrowed, bury }
}

// Parameters of the library in an `Option`.
#[system(Game)]
fn whole(positions: Option<Query<&Position>>, clock: Option<Res<Clock>>, commands: Option<Commands<Game>>) {}

#[system(Game)]
fn per_entity(entity: Option<Entity>, velocity: Option<Velocity>, mover: Option<Each<Mover>>, _: Option<With<Frozen>>) {}

#[system]
fn of_any_world(bumped: Option<EventWriter<Bumped>>, velocity: Option<Option<&Velocity>>) {}

#[system(Game)]
fn a_tuple(both: &(&Position, &Velocity), game: Option<&mut Game>) {}

// A parameter or a tuple where a component, a resource or an event is expected.
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

// A `Storage` of a component by which the queries of other systems pass over entities.
#[system(Game)]
fn bury(bodies: Query<(Entity, &StorageOfADisablingComponent)>, mut disabled: Storage<Disabled>) {
    for (entity, health) in &bodies {
        if health.0 == 0 {
            disabled.insert(entity, Disabled).unwrap();
        }
    }
}

fn main() {}
