//! Several mistakes of one kind (system, clash) in one program: constants refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    velocity: &'a Velocity,
}
type Place = Position;
#[derive(Component)]
struct Frozen;
#[derive(Component, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);
type Prey<'w> = Query<'w, &'static Position>;
type Body<'a> = (&'a mut Position, &'a Position);
#[derive(Resource, Default)]
struct Clock(f32);
type Time<'w> = ResMut<'w, Clock>;
type Ice<'w> = Storage<'w, Frozen>;
#[derive(Event)]
struct Bumped(u32);
type Dungeon = Game;

world! {
    struct Game {
        components { Position, Velocity, Frozen, Team }
        resources { clock: Clock = Clock::default() }
        events { Bumped(external) }
    }
    schedule tick {
        swap, movement, borrows_twice_beside_a_struct, borrows_twice_through_an_alias, freeze, stop,
        switch, chase, queries_clash_through_an_alias, query_borrows_twice,
        query_borrows_twice_nested, query_borrows_twice_through_an_alias,
        query_clashes_with_an_element, advance, resources_clash_per_entity,
        resources_clash_through_an_alias, storage_beside_a_filter,
        storage_beside_a_filter_per_entity, storage_beside_presence, storage_twice, reset,
        world_beside_a_resource, leave, world_beside_an_event, world_twice,
        world_twice_through_an_alias
    }
}

// Two parameters of a per-entity system that borrow one component mutably.
#[system(Game)]
fn swap(one: &mut Position, velocity: &Velocity, other: &mut Position) {
    one.0 += velocity.0;
    std::mem::swap(one, other);
}

// Two parameters of a per-entity system that borrow one component, one of them mutably.
#[system(Game)]
fn movement(position: &mut Position, start: &Position) {
    position.0 -= start.0;
}

// A component that a per-entity system borrows beside a query struct with it.
#[system(Game)]
fn borrows_twice_beside_a_struct(mover: Each<Mover>, position: &Position) {
    mover.0.position.0 += mover.0.velocity.0 + position.0;
}

// Two parameters of a per-entity system that borrow one component, once under another name.
#[system(Game)]
fn borrows_twice_through_an_alias(position: &mut Position, start: Option<&Place>) {
    position.0 -= start.map_or(0.0, |start| start.0);
}

// Commands, which read which components entities have, beside a storage that changes it.
#[system(Game)]
fn freeze(mut frozen: Storage<Frozen>, mut commands: Commands<Game>) {
    let entity = commands.spawn(Position(0.0));
    let _ = frozen.remove(entity);
}

// A per-entity parameter beside the storage of its component.
#[system(Game)]
fn stop(entity: Entity, velocity: &Velocity, mut velocities: Storage<Velocity>) {
    if velocity.0 < 0.1 {
        velocities.remove(entity);
    }
}

// A lookup, which reads all values of its component, beside a writer of the component.
#[system(Game)]
fn switch(_team: Mut<Team>, _teams: Lookup<Team>) {}

// Two queries with filters that do not make them disjoint.
#[system(Game)]
fn chase(
    mut hunters: Query<&mut Position, Or<(With<Velocity>, With<Frozen>)>>,
    prey: Query<&Position, Without<Velocity>>,
) {
    hunters.for_each(|position| position.0 = prey.iter().map(|prey| prey.0).sum());
}

// Two queries of one component that may match the same entity, one behind an alias.
#[system(Game)]
fn queries_clash_through_an_alias(mut hunters: Query<(&mut Position, &Velocity)>, prey: Prey<'_>) {
    hunters.for_each(|(position, _)| position.0 = prey.iter().map(|prey| prey.0).sum());
}

// A query that borrows a component mutably and shared.
#[system(Game)]
fn query_borrows_twice(mut bodies: Query<(&mut Position, &Position)>) {
    bodies.for_each(|(position, start)| position.0 -= start.0);
}

// A query that borrows a component mutably twice, once in a nested tuple.
#[system(Game)]
fn query_borrows_twice_nested(mut bodies: Query<(&mut Position, (&Velocity, &mut Position))>) {
    bodies.for_each(|(position, (_, other))| std::mem::swap(position, other));
}

// An alias of query data that borrows a component twice.
#[system(Game)]
fn query_borrows_twice_through_an_alias(mut bodies: Query<Body>) {
    bodies.for_each(|(position, start)| position.0 -= start.0);
}

// A query that may match the entity of a per-entity system.
#[system(Game)]
fn query_clashes_with_an_element(position: &mut Position, others: Query<&Position>) {
    position.0 = others.iter().map(|other| other.0).sum();
}

// A resource that is read and written.
#[system(Game)]
fn advance(mut clock: ResMut<Clock>, before: Res<Clock>) {
    clock.0 += before.0;
}

// A resource that a per-entity system reads and writes.
#[system(Game)]
fn resources_clash_per_entity(position: &mut Position, before: Res<Clock>, mut clock: ResMut<Clock>) {
    position.0 += before.0;
    clock.0 += 0.125;
}

// A resource that is written twice, once under another name.
#[system(Game)]
fn resources_clash_through_an_alias(mut clock: ResMut<Clock>, mut time: Time<'_>) {
    std::mem::swap(&mut *clock, &mut *time);
}

// A storage beside a query that filters by its component.
#[system(Game)]
fn storage_beside_a_filter(bodies: Query<Entity, Without<Frozen>>, mut frozen: Storage<Frozen>) {
    for entity in &bodies {
        let _ = frozen.insert(entity, Frozen);
    }
}

// A storage beside a per-entity filter by its component.
#[system(Game)]
fn storage_beside_a_filter_per_entity(entity: Entity, _: Without<Frozen>, mut frozen: Storage<Frozen>) {
    let _ = frozen.insert(entity, Frozen);
}

// A storage beside an element `Is` of its component.
#[system(Game)]
fn storage_beside_presence(bodies: Query<(Entity, Is<Frozen>)>, mut frozen: Storage<Frozen>) {
    for (entity, is_frozen) in &bodies {
        if !*is_frozen {
            let _ = frozen.insert(entity, Frozen);
        }
    }
}

// Two storages of one component.
#[system(Game)]
fn storage_twice(frozen: Storage<Frozen>, ice: Ice<'_>) {
    println!("{} {}", frozen.len(), ice.len());
}

// The whole world beside a query.
#[system(Game)]
fn reset(game: &mut Game, bodies: Query<&Position>) {
    game.clear();
    println!("{}", bodies.len());
}

// The whole world beside a resource.
#[system(Game)]
fn world_beside_a_resource(clock: Res<Clock>, game: &mut Game) {
    game.clear();
    println!("{}", clock.0);
}

// The whole world beside a per-entity parameter.
#[system(Game)]
fn leave(game: &mut Game, entity: Entity, position: &Position) {
    if position.0 > 100.0 {
        let _ = game.despawn(entity);
    }
}

// The whole world beside a writer of events.
#[system(Game)]
fn world_beside_an_event(game: &mut Game, mut bumped: EventWriter<Bumped>) {
    game.clear();
    bumped.send(Bumped(1));
}

// The whole world, twice.
#[system(Game)]
fn world_twice(game: &mut Game, again: &mut Game) {
    game.clear();
    again.clear();
}

// The whole world, twice, once under another name.
#[system(Game)]
fn world_twice_through_an_alias(game: &mut Game, again: &mut Dungeon) {
    game.clear();
    again.clear();
}

fn main() {}
