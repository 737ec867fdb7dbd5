//! Bundles and queries in code that is generic over its world, with the bounds that the messages name or with none but `Has`.
use ecs::{Has, HasEvent, HasMut, HasRelation, HasResource, HasTracked, WorldData};
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Bundle)]
struct Body {
    velocity: Velocity,
    position: Position,
}
#[derive(Query)]
struct Moving<'w> {
    position: &'w mut Position,
    velocity: &'w Velocity,
}

world! {
    struct Game {
        components { Position, Velocity }
    }
}

fn ball<W: World + Has<Position> + Has<Velocity>>(world: &mut W) -> Entity
where
    (Position, Velocity): Bundle<W>,
{
    world.spawn((Position(0.0), Velocity(1.0)))
}

fn body<W: World>(world: &mut W, entity: Entity)
where
    Body: Bundle<W>,
{
    let _ = world.insert(entity, Body { position: Position(0.0), velocity: Velocity(1.0) });
}

fn movement<W: World + HasMut<Position> + Has<Velocity>>(world: &mut W)
where
    (&'static mut Position, &'static Velocity): WorldData<W>,
{
    for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
        position.0 += velocity.0;
    }
}

fn steps<W: World>(world: &mut W)
where
    Moving<'static>: WorldData<W>,
{
    for Moving { position, velocity } in world.query_mut::<Moving>() {
        position.0 += velocity.0;
    }
}

fn fast<W: World>(world: &W) -> usize
where
    (&'static Position, Option<&'static Velocity>): WorldData<W>,
{
    world.query::<(&Position, Option<&Velocity>)>().len()
}

// a query or a bundle of one component, and a query that only reads, need no more than what the world has

#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Resource)]
struct Clock(f32);
#[derive(Event)]
struct Bumped(Entity);

world! {
    struct Arena {
        components { Position, Velocity, Health, ChildOf }
        resources { Clock }
        events { Bumped(external) }
    }
}

fn reads<W: Has<Position> + Has<Velocity>>(world: &W) -> usize {
    let all = world.query::<(Entity, &Position, (&Velocity, Option<&Position>), Is<Velocity>)>();
    all.len() + world.query::<(&Position,)>().filter::<(With<Velocity>, Without<Velocity>)>().len()
}

fn writes<W: HasMut<Position> + HasTracked<Health>>(world: &mut W) -> usize {
    for (_, position) in world.query_mut::<(Entity, &mut Position)>() {
        position.0 += 1.0;
    }
    for (position,) in world.query_mut::<(Option<&mut Position>,)>() {
        position.unwrap().0 += 1.0;
    }
    for (_, mut health) in world.query_mut::<(Entity, Mut<Health>)>() {
        health.0 += 1;
    }
    world.query::<(Entity, Ref<Health>)>().filter::<Changed<Health>>().len()
}

fn adds<W: Has<Position>>(world: &mut W) -> Entity {
    let entity = world.spawn((Position(1.0),));
    world.spawn_batch((0..3).map(|number| ((), Position(number as f32))));
    let _ = world.insert(entity, (Position(2.0),));
    let _ = world.remove::<((), Position)>(entity);
    let _ = world.insert_if_new(entity, ((Position(3.0),),));
    entity
}

fn of_any<C: Component + Clone, W: Has<C>>(world: &mut W, entity: Entity, component: C) -> usize {
    let _ = world.insert_one(entity, component);
    world.query::<(Entity, &C)>().len()
}

fn the_rest<W: HasResource<Clock> + HasEvent<Bumped> + HasRelation<ChildOf> + HasMut<Position>>(world: &mut W, entity: Entity) {
    world.resource_mut::<Clock>().0 += 1.0;
    world.send(Bumped(entity));
    assert_eq!(world.drain::<Bumped>().count(), 1);
    let child = world.spawn(());
    world.relate(child, ChildOf(entity)).unwrap();
    assert_eq!(world.sources::<ChildOf>(entity), [child]);
    world.run::<step>();
    let mut schedule = ecs::Schedule::<W>::new("steps");
    schedule.add::<step>(world, 0).unwrap();
    assert!(schedule.run(world).is_ok());
}

#[system]
fn step(position: &mut Position) {
    position.0 += 1.0;
}

#[derive(Component, Clone)]
struct Gold;
world! { struct Bank { components { Gold } } }

pub fn main() {
    let mut arena = Arena::new(Clock(0.0));
    let entity = adds(&mut arena);
    arena.insert(entity, Health(1)).unwrap();
    assert_eq!(writes(&mut arena), 1);
    assert_eq!(reads(&arena), 0);
    the_rest(&mut arena, entity);
    assert_eq!(arena.get::<Position>(entity).unwrap().0, 7.0);
    let mut bank = Bank::new();
    let customer = bank.spawn(());
    assert_eq!(of_any(&mut bank, customer, Gold), 1);

    let mut game = Game::new();
    let entity = ball(&mut game);
    body(&mut game, entity);
    movement(&mut game);
    steps(&mut game);
    assert_eq!(fast(&game), 1);
    assert_eq!(game.get::<Position>(entity).unwrap().0, 2.0);
}
