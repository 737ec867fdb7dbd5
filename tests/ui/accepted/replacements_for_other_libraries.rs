//! The replacements for words of other libraries, and types of the user with names of other libraries.
use std::time::Duration;

use ecs::prelude::*;
use ecs::{Aspect, FixedTime, Has, Schedule, TargetOf, WorldData};

#[derive(Clone, Component)]
#[component(removed)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Children(u32);
#[derive(Component)]
struct Parent<T>(T);
#[derive(Component)]
struct Single(u32);
#[derive(Resource)]
struct Trigger(u32);
#[derive(Event)]
struct Bumped;

type Commands<'w> = ecs::Commands<'w, Game>;
type Or<A, B> = ecs::Or<(A, B)>;
type On<'w> = Query<'w, &'static Position>;

world! {
    struct Game {
        components { Position, Velocity, Children, Parent<u8>, Single, ChildOf }
        resources { trigger: Trigger, time: FixedTime = FixedTime::new(Duration::from_millis(16)) }
        events { Bumped(external) }
    }
    schedule tick {
        clear, launch, land, losses, player, bumps, family, whether, either, neither, own, aliases, roots if !quiet && (quiet || loud)
    }
    schedule fixed every FixedTime { tick }
}

#[system(Game)]
fn clear(mut commands: ecs::Commands<Game>, positions: Query<Entity, (With<Position>, Without<Velocity>)>) {
    for entity in &positions {
        commands.despawn(entity);
    }
}

#[system(Game)]
fn launch(mut commands: Commands<'_>) {
    commands.spawn(Position(0.0));
}

#[system(W)]
fn land<W: World + Has<Position>>(mut commands: ecs::Commands<W>) {
    commands.spawn(Position(0.0));
}

#[system(Game)]
fn losses(mut gone: Removed<Position>) {
    let _ = gone.iter().count();
}

#[system(Game)]
fn player(mut player: Query<&mut Position, With<Velocity>>) {
    if let Ok(position) = player.single_mut() {
        position.0 = 1.0;
    }
}

#[system(Game)]
fn bumps(mut bumps: EventReader<Bumped>) {
    for _ in &mut bumps {}
}

#[system(Game)]
fn family(family: Query<(Entity, Sources<ChildOf>)>, parents: Query<&ChildOf>) {
    let _ = (family.len(), parents.len());
}

#[system(Game)]
fn whether(query: Query<(Entity, Is<Velocity>, Option<&Position>)>) {
    for (_, moves, _) in &query {
        let _: bool = *moves;
    }
}

#[system(Game)]
fn either(query: Query<&Position, ecs::Or<(With<Position>, With<Velocity>)>>) {
    let _ = query.len();
}

#[system(Game)]
fn neither(query: Query<Entity, Not<ecs::Or<(With<Position>, With<Velocity>)>>>, all: Query<Entity, Not<And<(With<Position>, With<Velocity>)>>>) {
    let _ = query.len() + all.len();
}

#[system(Game)]
fn own(children: &Children, parent: &Parent<u8>, single: &mut Single, trigger: Res<Trigger>) {
    single.0 = children.0 + u32::from(parent.0) + trigger.0;
}

#[system(Game)]
fn aliases(on: On<'_>, either: Query<Entity, self::Or<With<Position>, With<Velocity>>>) {
    let _ = on.len() + either.len();
}

#[system(Game)]
fn roots(query: Query<Entity, TargetOf<ChildOf>>) {
    let _ = query.len();
}

#[system(Game)]
fn quiet(positions: Query<&Position>) -> bool {
    positions.is_empty()
}

#[system(Game)]
fn loud(positions: Query<&Position>) -> bool {
    !positions.is_empty()
}

#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);

#[derive(Component, Default)]
struct Health {
    max: u32,
}

#[derive(Aspect)]
struct Monster {
    #[aspect(.max = 9)]
    health: Health,
}

world! {
    struct Other {
        components { Many<Owes>, Health }
    }
}

fn moved<W: World>(world: &mut W)
where
    (&'static mut Position, &'static Velocity): WorldData<W>,
{
    for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
        position.0 += velocity.0;
    }
}

pub fn main() {
    let mut game = Game::new(Trigger(1));
    moved(&mut game);
    let mut built = Schedule::<Game>::new("built");
    built.add::<player>(&mut game, 1).unwrap();
    let _ = built.run(&mut game);
    let mut other = Other::new();
    let (entity, target) = (other.spawn(()), other.spawn(()));
    other.add_aspect(entity, Monster::fresh()).unwrap();
    other.relate(entity, Owes(target)).unwrap();
}
