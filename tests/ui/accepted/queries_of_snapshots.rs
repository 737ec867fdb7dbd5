//! Queries of snapshots, with every kind of data and of filter that they accept.
use ecs::prelude::*;
use ecs::{Has, Snapshot};
use ecs::query::{SnapshotData, SnapshotQuery};

#[derive(Component, Clone)]
struct Position(f32);
#[derive(Component, Clone)]
#[component(tracked)]
struct Health(u32);
#[derive(Component, Clone)]
struct Frozen;

type Alias<'q> = &'q Position;

#[derive(Query)]
struct Seen<'q> {
    entity: Entity,
    position: &'q Position,
    inner: Inner<'q>,
}

#[derive(Query)]
struct Inner<'q> {
    health: Option<&'q Health>,
    is_frozen: Is<Frozen>,
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Health, Frozen }
    }
}

fn first<W: World, D: SnapshotData<W>>(snapshot: &Snapshot<W>) -> Option<D::Item<'_>> {
    snapshot.query::<D>().iter().next()
}

fn positions<W: Has<Position>>(snapshot: &Snapshot<W>) -> SnapshotQuery<'_, W, (Entity, &'static Position)> {
    snapshot.query()
}

pub fn main() {
    let mut game = Game::new();
    game.spawn((Position(1.0), Health(2)));
    let before = game.snapshot();
    for Seen { entity, position, inner } in &before.query::<Seen>() {
        println!("{entity} {} {} {}", position.0, inner.health.is_some(), *inner.is_frozen);
    }
    for position in before.query::<Alias>().filter::<(Without<Frozen>, Or<(With<Health>, Not<With<Frozen>>)>)>() {
        println!("{}", position.0);
    }
    assert!(first::<Game, (&Position, Entity)>(&before).is_some());
    assert_eq!(positions(&before).len(), 1);
}
