//! Several mistakes of one kind (system, parameter) in one program: traits refuse them.
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

world! {
    struct Game { components { Position, Velocity, Frozen, Team } }
    schedule tick {
        spawn, movement, filter_through_an_alias, plan, count, thaw, mutable_tag_through_an_alias,
        struct_without_each
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

fn main() {}
