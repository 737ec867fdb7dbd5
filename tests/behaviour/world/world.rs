//! Methods of worlds that have no module of their own.

use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(i32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Frozen;
#[derive(Resource, Clone, Default)]
struct Score(u32);
#[derive(Event, Clone)]
struct Hit(u32);

world! {
    /// Documented.
    #[derive(Clone)]
    pub struct Game {
        components {
            /// A position.
            position: Position,
            Frozen,
        }
        resources { Score }
        events { Hit }
    }
    schedule tick { hit, score }
}

#[system(Game)]
fn hit(mut hits: EventWriter<Hit>, mut round: Local<u32>) {
    *round += 1;
    hits.send(Hit(*round));
}

#[system(Game)]
fn score(mut hits: EventReader<Hit>, mut score: ResMut<Score>) {
    score.0 = hits.iter().fold(score.0, |sum, hit| sum * 10 + hit.0);
}

#[test]
fn an_entity_without_components_lives() {
    let mut game = Game::default();
    let entity = game.spawn(());
    assert!(game.contains(entity) && !game.has::<Position>(entity));
    assert_eq!(game.entities().iter().collect::<Vec<_>>(), [entity]);
}

#[test]
fn get_and_has_agree() {
    let mut game = Game::default();
    let entity = game.spawn(Position(1));
    assert_eq!((game.get(entity), game.has::<Position>(entity)), (Some(&Position(1)), true));
    assert_eq!((game.get::<Frozen>(entity), game.has::<Frozen>(entity)), (None, false));
    game.get_mut::<Position>(entity).unwrap().0 += 1;
    assert_eq!(game.get(entity), Some(&Position(2)));
}

#[test]
fn entities_are_listed_in_order_and_counted() {
    let mut game = Game::default();
    let mut all: Vec<Entity> = (0..300)
        .map(|n| if n % 2 == 0 { game.spawn(Position(n)) } else { game.spawn((Position(n), Frozen)) })
        .collect();
    for entity in all.split_off(250) {
        game.despawn(entity).unwrap();
    }
    all.sort();
    assert_eq!(game.entities().iter().collect::<Vec<_>>(), all);
    assert_eq!((game.entities().len(), game.entities().is_empty()), (250, false));
    assert_eq!(game.entities().filter::<With<Frozen>>().len(), 125);
}

#[test]
fn clear_despawns_all_entities_and_the_world_continues() {
    let mut game = Game::default();
    let before: Vec<Entity> = (0..100).map(|n| game.spawn((Position(n), Frozen))).collect();
    game.clear();
    assert!(game.entities().is_empty() && game.query::<&Position>().is_empty());
    assert!(before.iter().all(|&entity| !game.contains(entity)));
    game.clear();
    let after: Vec<Entity> = (0..100).map(|n| game.spawn(Position(n))).collect();
    assert_eq!((game.entities().len(), game.query::<&Frozen>().len()), (100, 0));
    assert!(after.iter().all(|&entity| game.contains(entity)));
}

#[test]
fn debug_prints_counts() {
    let mut game = Game::default();
    game.spawn((Position(1), Frozen));
    game.spawn(Position(1));
    assert_eq!(format!("{game:?}"), "Game { entities: 2, position: 2, frozen: 1, .. }");
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut game = Game::default();
    let entity = game.spawn(Position(1));
    let dead = game.spawn(Position(2));
    game.despawn(dead).unwrap();
    let mut copy = game.clone();
    copy.get_mut::<Position>(entity).unwrap().0 = 9;
    assert_eq!((game.get(entity), copy.get(entity)), (Some(&Position(1)), Some(&Position(9))));
    assert!(!copy.contains(dead));
    assert_eq!(game.spawn(Frozen), copy.spawn(Frozen), "both hand out the same ids");
    copy.despawn(entity).unwrap();
    assert!(game.contains(entity));
}

#[test]
fn a_clone_keeps_the_locals_of_systems() {
    let mut game = Game::default();
    game.tick();
    game.tick();
    let mut copy = game.clone();
    game.tick();
    copy.tick();
    copy.tick();
    assert_eq!((game.resource::<Score>().0, copy.resource::<Score>().0), (123, 1234));
}

#[test]
fn a_clone_keeps_unread_events() {
    let mut game = Game::default();
    game.send(Hit(7));
    let mut copy = game.clone();
    assert_eq!(game.drain::<Hit>().count(), 1);
    copy.tick();
    assert_eq!(copy.resource::<Score>().0, 71);
}
