//! Several mistakes of one kind (system, query) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;
type Nothing = ();
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
    schedule tick {
        rest, movement, count, thaw, optional_mutable_tag, show, refused_by_the_macro,
        empty_query_with_a_filter, empty_tuple_in_a_query, refused_by_the_macro_movement,
        optional_component_by_value, beside, behind, in_parentheses, by_itself, the_world
    }
}

// A filter with `!`. The first message is from rustc, which cannot parse the type.
#[system(Game)]
fn rest(query: Query<&Position, !With<Velocity>>) {}

// A component where the filter of a query is expected.
#[system(Game)]
fn movement(mut bodies: Query<&mut Position, Frozen>) {
    bodies.for_each(|position| position.0 += 1.0);
}

// A query without elements behind an alias.
#[system(Game)]
fn count(bodies: Query<Nothing>) {
    println!("{}", bodies.len());
}

// A tag that a query borrows mutably.
#[system(Game)]
fn thaw(mut frozen: Query<(Entity, &mut Frozen)>) {
    frozen.for_each(|(entity, _)| println!("{entity}"));
}

// A query with an `Option` of a mutable borrow of a tag.
#[system(Game)]
fn optional_mutable_tag(position: &mut Position, frozen: Option<&mut Frozen>) {
    position.0 += f32::from(u8::from(frozen.is_some()));
}

// A component in a query, where a reference to it is meant.
#[system(Game)]
fn show(positions: Query<Position>) {
    let _ = positions;
}

// A query without elements.
#[system(Game)]
fn refused_by_the_macro(bodies: Query<()>) {
    println!("{}", bodies.len());
}

// A query with a filter and without elements.
#[system(Game)]
fn empty_query_with_a_filter(bodies: Query<(), With<Position>>) {
    println!("{}", bodies.len());
}

// A query with an empty tuple in it.
#[system(Game)]
fn empty_tuple_in_a_query(bodies: Query<(&Position, ())>) {
    println!("{}", bodies.len());
}

// A filter in the data of a query.
#[system(Game)]
fn refused_by_the_macro_movement(mut bodies: Query<(&mut Position, Without<Frozen>)>) {
    bodies.for_each(|(position, _)| position.0 += 1.0);
}

// An `Option` of a component by value among the elements of a query.
#[system(Game)]
fn optional_component_by_value(mut query: Query<(&mut Position, Option<Velocity>)>) {
    for (position, velocity) in &mut query {
        position.0 += velocity.map_or(0.0, |velocity| velocity.0);
    }
}

// Parameters in a query, filters among its data, and several data without a tuple.
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
