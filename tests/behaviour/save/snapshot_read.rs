//! Snapshots are read without a restore, and agree with what a restore would give.

use ecs::prelude::*;
use ecs::{ChildOf, Has, Snapshot};

#[derive(Component, Clone, PartialEq, Debug)]
struct Name(String);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Health(u32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Wide([u8; 3_000]);
#[derive(Component, Clone, PartialEq, Debug)]
struct Hero;

#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Score(u32);

world! {
    #[derive(Clone)]
    struct Game {
        components { Name, Health, Wide, Hero, ChildOf }
        resources { Score = Score(0) }
    }
}

#[derive(Query, Debug)]
#[expect(dead_code, reason = "the fields are compared as text")]
struct Seen<'q> {
    entity: Entity,
    health: &'q Health,
    rest: Rest<'q>,
}

#[derive(Query, Debug)]
#[expect(dead_code, reason = "the fields are compared as text")]
struct Rest<'q> {
    wide: Option<&'q Wide>,
    is_hero: Is<Hero>,
}

/// Compares all that can be read of a snapshot with a world that is restored to it.
fn agrees(snapshot: &Snapshot<Game>, known: &[Entity]) {
    let mut then = Game::new();
    then.restore(snapshot);
    fn of<T: Component + PartialEq + std::fmt::Debug>(
        snapshot: &Snapshot<Game>,
        then: &Game,
        known: &[Entity],
    ) where
        Game: Has<T>,
    {
        for &entity in known {
            assert_eq!(snapshot.get::<T>(entity), then.get::<T>(entity));
            assert_eq!(snapshot.has::<T>(entity), then.has::<T>(entity));
        }
        let expected: Vec<(Entity, &T)> =
            then.entities().iter().filter_map(|entity| Some((entity, then.get::<T>(entity)?))).collect();
        assert_eq!(snapshot.iter::<T>().collect::<Vec<_>>(), expected);
    }
    of::<Name>(snapshot, &then, known);
    of::<Health>(snapshot, &then, known);
    of::<Wide>(snapshot, &then, known);
    of::<Hero>(snapshot, &then, known);
    for &entity in known {
        assert_eq!(snapshot.contains(entity), then.contains(entity));
        assert_eq!(
            snapshot.get::<ChildOf>(entity).map(Relation::target),
            then.get::<ChildOf>(entity).map(Relation::target)
        );
    }
    assert_eq!(snapshot.entities().collect::<Vec<_>>(), then.entities().iter().collect::<Vec<_>>());
    assert_eq!((snapshot.len(), snapshot.is_empty()), (then.entities().len(), then.entities().is_empty()));
    macro_rules! same_query {
        ($data:ty, $($filter:ty),*) => {$({
            let (ours, theirs) = (snapshot.query::<$data>().filter::<$filter>(), then.query::<$data>().filter::<$filter>());
            let expected: Vec<String> = theirs.iter().map(|item| format!("{item:?}")).collect();
            assert_eq!(ours.iter().map(|item| format!("{item:?}")).collect::<Vec<_>>(), expected);
            assert_eq!((ours.len(), ours.is_empty()), (theirs.len(), theirs.is_empty()));
            assert_eq!(format!("{:?}", ours.single()), format!("{:?}", theirs.single()));
            for &entity in known {
                assert_eq!(format!("{:?}", ours.get(entity)), format!("{:?}", theirs.get(entity)));
                assert_eq!(ours.contains(entity), theirs.contains(entity));
            }
        })*};
    }
    type Some = Or<(With<Hero>, And<(With<Name>, Without<Wide>)>)>;
    same_query!((Entity, &Health, Option<&Name>, Is<Hero>), (), With<Name>, Without<Hero>, Some, Or<()>);
    same_query!((&Wide, (Entity, Option<&ChildOf>)), Not<Some>, (Some, Not<With<Name>>));
    same_query!(Entity, (), Not<With<Health>>, With<Wide>);
    same_query!(Seen, (), Without<Wide>);
    assert_eq!(snapshot.resource::<Score>(), then.resource::<Score>());
}

#[test]
fn an_empty_snapshot_has_nothing() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let stranger = other.spawn(Health(1));
    let empty = game.snapshot();
    assert_eq!((empty.entities().count(), empty.iter::<Health>().count()), (0, 0));
    assert!(!empty.contains(stranger));
    assert_eq!(empty.get::<Health>(stranger), None);
    agrees(&empty, &[stranger]);
}

#[test]
fn a_snapshot_is_read_as_the_world_was() {
    let mut game = Game::new();
    let mut known = Vec::new();
    let mut snapshots = vec![game.snapshot()];
    for round in 0..6_u32 {
        for i in 0..700 {
            let entity = match i % 4 {
                0 => game.spawn((Health(i), Name(format!("{round} {i}")))),
                1 => game.spawn((Health(i), Hero)),
                2 => game.spawn(()),
                _ => game.spawn((Wide([i as u8; 3_000]), Hero)),
            };
            known.push(entity);
        }
        for (i, &entity) in known.iter().enumerate() {
            match (i as u32 + round) % 9 {
                0 => drop(game.despawn(entity)),
                1 => drop(game.remove::<Health>(entity)),
                2 => drop(game.insert(entity, Name(format!("{i}")))),
                3 => {
                    if let Some(mut health) = game.get_tracked::<Health>(entity) {
                        health.0 += 1;
                    }
                }
                4 => drop(game.relate(entity, ChildOf(known[i / 2]))),
                _ => {}
            }
        }
        game.resource_mut::<Score>().0 = round;
        snapshots.push(game.snapshot());
        if round == 3 {
            game.restore(&snapshots[1]);
        }
    }
    for snapshot in &snapshots {
        agrees(snapshot, &known);
    }
    agrees(&snapshots[3].clone(), &known);
}

/// Several threads read snapshots of different times, while the world that shares pages with them
/// goes on and is restored.
#[test]
fn snapshots_are_read_on_other_threads_while_the_world_changes() {
    let mut game = Game::new();
    let ids: Vec<Entity> = (0..5_000).map(|i| game.spawn((Health(0), Name(i.to_string())))).collect();
    std::thread::scope(|scope| {
        let mut first = None;
        for round in 0..12_u32 {
            let snapshot = game.snapshot();
            first.get_or_insert_with(|| snapshot.clone());
            let ids = &ids;
            scope.spawn(move || {
                let read = snapshot.query::<(Entity, &Health, &Name)>();
                for (n, (entity, health, name)) in read.iter().enumerate() {
                    assert_eq!(entity, ids[n]);
                    let expected = if (n as u32 % 12) < round { round } else { 0 };
                    assert_eq!((health.0, name.0.parse()), (expected, Ok(n)));
                }
                assert_eq!(read.len(), ids.len());
            });
            for (n, mut health) in game.query_mut::<Mut<Health>>().into_iter().enumerate() {
                if (n as u32 % 12) < round + 1 {
                    health.0 = round + 1;
                }
            }
            if round == 5 {
                let now = game.snapshot();
                game.restore(first.as_ref().unwrap());
                assert!(game.query::<&Health>().iter().all(|health| health.0 == 0));
                game.restore(&now);
            }
        }
    });
}
