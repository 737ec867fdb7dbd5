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
fn debug_prints_counts() {
    let mut game = Game::default();
    game.spawn((Position(1), Frozen));
    game.spawn(Position(1));
    assert_eq!(format!("{game:?}"), "Game { entities: 2, position: 2, frozen: 1, .. }");
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
