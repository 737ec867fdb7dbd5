//! Several mistakes of one kind (system, parameter) in one program.
use ecs::prelude::*;
use ecs::system::HookState;

#[derive(Component)]
struct Position(f32);
type Place<'a> = &'a mut Position;
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;
type Moving = Without<Frozen>;
#[derive(Component)]
struct Weight(u32);
struct Path(Vec<u32>);
#[derive(Component, PartialEq, Eq, Hash)]
struct Team(u8);
type Ice = Frozen;
#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
}
#[derive(Resource)]
struct Clock(f32);
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position, Velocity, Frozen, Team }
        resources { clock: Clock }
        events { Bumped(external) }
    }
    schedule tick {
        spawn, movement, filter_through_an_alias, plan, count, thaw, mutable_tag_through_an_alias,
        struct_without_each, either, both, neither, with, without, whether, values, enters, data,
        filter, parameter
    }
    schedule generic_tag_tick { clear::<Frozen>; }
}

world! {
    struct Arena { components { Position } }
}

world! {
    struct Ship { components { Weight } }
    schedule tick { float }
}

// Commands of another world.
#[system(Game)]
fn spawn(mut commands: Commands<Arena>) {
    commands.spawn(Position(0.0));
}

// A per-entity parameter that is an alias of a reference, which the macro cannot recognize.
#[system(Game)]
fn movement(place: Place<'_>) {
    place.0 += 1.0;
}

// A per-entity parameter that is an alias of a filter, which the macro cannot recognize.
#[system(Game)]
fn filter_through_an_alias(position: &mut Position, _: Moving) {
    position.0 += 1.0;
}

// A generic system that changes a component, scheduled for a tag.
#[system]
fn clear<T: Component>(mut values: Query<&mut T>) {
    println!("{}", values.iter_mut().count());
}

// The state of a hook that the component does not have.
#[system(Ship)]
fn float(_load: HookState<Weight>) {}

// A `Local` of a type without a default.
#[system(Game)]
fn plan(mut path: Local<Path>) {
    path.0.push(1);
}

// A `Lookup` of a component without an index.
#[system(Game)]
fn count(_teams: Lookup<Team>) {}

// A tag that a per-entity system borrows mutably.
#[system(Game)]
fn thaw(frozen: &mut Frozen) {
    let _ = frozen;
}

// A tag that a per-entity system borrows mutably under another name.
#[system(Game)]
fn mutable_tag_through_an_alias(ice: &mut Ice) {
    let _ = ice;
}

// A query struct as a parameter without `Each`.
#[system(Game)]
fn struct_without_each(mover: Mover) {
    mover.position.0 += 1.0;
}

// Types of the library with more arguments than they have.
#[system(Game)]
fn either(query: Query<&Position, Or<With<Position>, With<Velocity>>>) {}

#[system(Game)]
fn both(position: &Position, _: And<With<Position>, With<Velocity>>) {}

#[system(Game)]
fn neither(query: Query<Entity, Not<With<Position>, With<Velocity>>>) {}

#[system(Game)]
fn with(position: &Position, _: With<Position, Velocity>) {}

#[system(Game)]
fn without(query: Query<Entity, Without<&Position, &Velocity>>) {}

#[system(Game)]
fn whether(query: Query<(&Position, Is<Position, Velocity>)>) {}

#[system(Game)]
fn values(clocks: Res<Clock, Position>, bumps: EventReader<Bumped, Bumped>) {}

#[system(Game)]
fn enters(entered: Entered<With<Position>, With<Velocity>>) {}

// `Has<T>`, a trait of worlds, where `Is<T>` or `With<T>` belongs.
#[system(Game)]
fn data(query: Query<(Entity, Has<Velocity>)>) {
    for (_, moves) in &query {
        let _: bool = moves;
    }
}

#[system(Game)]
fn filter(query: Query<&Position, Has<Velocity>>) {}

#[system(Game)]
fn parameter(position: &mut Position, moves: Has<Velocity>) {}

fn main() {}
