//! Several mistakes of one kind (tracked) in one program.
use ecs::prelude::*;
use ecs::component::ComponentHook;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Component)]
struct Frozen;
#[derive(Component, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);
#[derive(Component)]
#[component(hook = Load)]
struct Weight(u32);
#[derive(Clone, Default)]
struct Load {
    sum: u32,
}
impl ComponentHook<Weight> for Load {
    fn inserted(&mut self, _: Entity, old: Option<&Weight>, new: &Weight) {
        self.sum = self.sum - old.map_or(0, |old| old.0) + new.0;
    }
    fn removed(&mut self, _: Entity, old: &Weight) {
        self.sum -= old.0;
    }
}
#[derive(Component, PartialEq, Eq, Hash)]
#[component(key)]
struct Seat(u8);
#[derive(Component)]
struct Unlisted;

world! {
    struct Game { components { Position, Health, Frozen, Team, Seat } }
    schedule tick {
        watch, heal, changed_beside_a_writer, refused_by_a_trait, switch,
        changed_of_an_untracked_component, mut_of_an_untracked_component,
        mutable_reference_in_a_query, move_up, mutable_reference_to_an_indexed_component,
        optional_mut, ref_in_a_query
    }
}

world! {
    struct Ship { components { Weight } }
    schedule tick { leak }
}

world! {
    #[world(journal = 64)]
    struct Recorded { components { Health } }
}

// A filter of tracked components where data belongs.
#[system(Game)]
fn watch(changed: Query<(Entity, Changed<Health>)>) {
    let _ = changed;
}

// A query that borrows a tracked component twice, once mutably.
#[system(Game)]
fn heal(healths: Query<(Mut<Health>, Ref<Health>)>) {
    let _ = healths;
}

// A query with `Changed` beside a query that changes the component.
#[system(Game)]
fn changed_beside_a_writer(mut healths: Query<Mut<Health>>, changed: Query<Entity, Changed<Health>>) {
    healths.for_each(|mut health| health.0 += 1);
    let _ = changed;
}

// A filter `Added`, nested, of a component that is not tracked.
#[system(Game)]
fn refused_by_a_trait(entities: Query<Entity, Or<(Added<Frozen>, Changed<Health>)>>) {
    let _ = entities;
}

// `bypass` of an indexed component, whose changes the index must see.
#[system(Game)]
fn switch(mut team: Mut<Team>) {
    team.bypass_change_detection().0 += 1;
}

// A filter `Changed` of a component that is not tracked.
#[system(Game)]
fn changed_of_an_untracked_component(position: &Position, _: Changed<Position>) {
    let _ = position;
}

// `changed_since` and `added_since` of a component that is not tracked.
fn changed_since_of_an_untracked_component() {
    let mut game = Game::new();
    let then = game.advance_tick();
    game.changed_since::<Health>(then).count();
    game.changed_since::<Position>(then).count();
    game.added_since::<Position>(then).count();
}

// Slices of values that some entities lack.
fn chunks() {
    let mut game = Game::new();
    let _ = game.query_mut::<Option<Mut<Health>>>().chunks_mut();
}

// A generic system that asks for `Mut` of a component that is not tracked.
#[system]
fn movement(mut position: Mut<Position>) {
    position.0 += 1.0;
}

fn generic_system() {
    Game::new().run::<movement>();
}

// Code that is generic over its world and asks for `Mut` with `Has` alone.
fn refused_by_a_trait_heal<W: Has<Health>>(world: &mut W) {
    for mut health in world.query_mut::<Mut<Health>>() {
        health.0 += 1;
    }
}

fn generic_without_the_bound() {
    refused_by_a_trait_heal(&mut Game::new());
}

// `get_mut` of a tracked component.
fn get_mut_of_a_tracked_component() {
    let mut game = Game::new();
    let hero = game.spawn(Health(1));
    game.get_mut::<Health>(hero);
}

// `get_tracked` of a component that is not tracked.
fn get_tracked_of_an_untracked_component() {
    let mut game = Game::new();
    let ball = game.spawn(Position(1.0));
    game.get_tracked::<Position>(ball);
}

// A per-entity system that asks for `Mut` of a component that is not tracked.
#[system(Game)]
fn mut_of_an_untracked_component(mut position: Mut<Position>) {
    position.0 += 1.0;
}

// A query outside of systems that borrows a tracked component with `&mut`.
fn mutable_reference_by_hand() {
    let mut game = Game::new();
    for health in game.query_mut::<&mut Health>() {
        health.0 += 1;
    }
}

// A query that borrows a tracked component with `&mut`.
#[system(Game)]
fn mutable_reference_in_a_query(healths: Query<(Entity, Option<&mut Health>)>) {
    let _ = healths;
}

// A component with a hook, changed in place.
#[system(Ship)]
fn leak(weight: &mut Weight) {
    weight.0 += 1;
}

// A mutable reference to a key, which can only be replaced.
#[system(Game)]
fn move_up(seat: &mut Seat) {
    seat.0 += 1;
}

// A mutable reference to an indexed component, whose changes the index must see.
#[system(Game)]
fn mutable_reference_to_an_indexed_component(team: &mut Team) {
    team.0 += 1;
}

// An optional `Mut` of a component that is not tracked.
#[system(Game)]
fn optional_mut(entity: Entity, position: Option<Mut<Position>>) {
    let _ = (entity, position);
}

// A query outside of systems that asks for `Mut` of a component that is not tracked.
fn queried_by_hand() {
    let mut game = Game::new();
    for mut position in game.query_mut::<Mut<Position>>() {
        position.0 += 1.0;
    }
}

// A query that asks for `Ref` of a component that is not tracked.
#[system(Game)]
fn ref_in_a_query(positions: Query<(Entity, Ref<Position>)>) {
    let _ = positions;
}

// `removed_since` and its relatives in a world without a journal, and of a component that the world
// does not have.
fn removed_since_without_a_journal() {
    let mut game = Game::new();
    let then = game.advance_tick();
    game.removed_since::<Health>(then).unwrap();
    game.despawned_since(then).unwrap();
    game.journal_since(then).unwrap();
    let recorded = Recorded::new();
    recorded.removed_since::<Health>(then).unwrap();
    recorded.removed_since::<Unlisted>(then).unwrap();
}

fn main() {}
