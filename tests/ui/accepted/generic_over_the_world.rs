//! Bundles and queries of several components in code that is generic over its world, with the bounds that the messages name.
use ecs::WorldData;
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

fn main() {
    let mut game = Game::new();
    let entity = ball(&mut game);
    body(&mut game, entity);
    movement(&mut game);
    steps(&mut game);
    assert_eq!(fast(&game), 1);
    assert_eq!(game.get::<Position>(entity).unwrap().0, 2.0);
}
