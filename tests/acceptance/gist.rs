//! G: "entity-component-system in under 50 lines". Its events are in `gist_events`.

use ecs::error::NoSuchEntity;
use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Meta {
    name: String,
}

impl Default for Meta {
    fn default() -> Self {
        Self { name: "unnamed".into() }
    }
}

#[derive(Component, Default, Clone, PartialEq, Debug)]
struct Movement {
    path: Vec<(i32, i32)>,
}

#[derive(Component, Default, PartialEq, Debug)]
struct Position(i32, i32);

#[derive(Component, PartialEq, Debug)]
struct Ai {
    target: Option<Entity>,
}

world! {
    struct Game {
        components { m: Meta, Movement, Position, mind: Ai }
    }
}

#[test]
fn g02_a_new_entity_has_a_unique_id_and_no_components_and_is_indexed_at_once() {
    let mut game = Game::new();
    let (one, two) = (game.spawn(()), game.spawn(()));
    assert_ne!(one, two);
    assert_eq!(game.entity(one).unwrap().components().count(), 0);
    assert_eq!(game.entities().iter().collect::<Vec<_>>(), [one, two]);
    game.despawn(one).unwrap();
    let three = game.spawn(());
    assert!(three != one && game.contains(three) && !game.contains(one));
}

#[test]
fn g03_attaching_gives_a_fresh_component_with_its_defaults() {
    let mut game = Game::new();
    let entity = game.spawn(());
    assert_eq!(game.insert(entity, Meta::default()), Ok(None));
    assert_eq!(game.get(entity), Some(&Meta { name: "unnamed".into() }));
}

#[test]
fn g04_a_component_is_reached_under_a_name_of_ones_choice() {
    let mut game = Game::new();
    let entity = game.spawn((Meta { name: "x".into() }, Ai { target: None }));
    let GameColumns { m, mind, .. } = game.columns();
    assert_eq!(m.get(entity).map(|meta| meta.name.as_str()), Some("x"));
    assert!(mind.contains(entity));
    assert_eq!(game.entity(entity).unwrap().components().collect::<Vec<_>>(), ["Meta", "Ai"]);
    assert_eq!(<Meta as Component>::COMPONENT_NAME, "Meta");
}

#[test]
fn g05_double_attach_is_an_error() {
    let mut game = Game::new();
    let entity = game.spawn(Position(1, 1));
    assert!(game.insert_if_new(entity, Position(2, 2)).is_err());
    assert_eq!(game.get(entity), Some(&Position(1, 1)), "nothing was reset silently");
    assert_eq!(game.insert(entity, Position(3, 3)), Ok(Some(Position(1, 1))), "the old value comes back");
    assert_eq!((game.query::<&Position>().len(), game.query::<&Position>().iter().count()), (1, 1));
}

#[test]
fn g06_defaults_are_not_shared_among_entities() {
    let mut game = Game::new();
    let (one, two) = (game.spawn(Movement::default()), game.spawn(Movement::default()));
    game.get_mut::<Movement>(one).unwrap().path.push((1, 2));
    assert_eq!(game.get(two), Some(&Movement { path: vec![] }));
}

#[test]
fn g07_a_component_holds_the_id_of_another_entity() {
    let mut game = Game::new();
    let prey = game.spawn(Position(4, 4));
    let hunter = game.spawn(Ai { target: Some(prey) });
    let target = game.get::<Ai>(hunter).and_then(|ai| ai.target).unwrap();
    assert_eq!(game.get(target), Some(&Position(4, 4)));
    game.despawn(prey).unwrap();
    assert_eq!(game.entity(target).err(), Some(NoSuchEntity { entity: prey, world: "Game" }));
}

#[test]
fn g08_a_query_lists_the_entities_with_a_component_in_a_fixed_order() {
    let mut game = Game::new();
    assert!(game.query::<&Movement>().is_empty());
    let mut movers = Vec::new();
    for n in 0..100 {
        let entity = game.spawn(Position(n, n));
        if n % 3 == 0 {
            game.insert(entity, Movement::default()).unwrap();
            movers.push(entity);
        }
    }
    let listed = |game: &Game| game.query::<Entity>().filter::<With<Movement>>().iter().collect::<Vec<_>>();
    assert_eq!((listed(&game), listed(&game)), (movers.clone(), movers));
}

#[test]
fn g09_filters_and_sets_have_an_algebra() {
    let mut game = Game::new();
    let both = game.spawn((Movement::default(), Position(0, 0)));
    let moves = game.spawn(Movement::default());
    let thinks = game.spawn(Ai { target: None });
    let _still = game.spawn(Position(1, 1));

    type Wanted = Or<((With<Movement>, With<Position>), With<Ai>)>;
    let filtered = game.query::<Entity>().filter::<Wanted>().to_set();

    let movement = game.query::<&Movement>().to_set();
    let position = game.query::<&Position>().to_set();
    let ai = game.query::<&Ai>().to_set();
    let combined = &(&movement & &position) | &ai;
    assert_eq!(combined, filtered);
    assert_eq!(combined, [both, thinks].into_iter().collect());
    assert_eq!(&movement - &position, [moves].into_iter().collect());
}

#[test]
fn g10_two_worlds_of_one_type_share_nothing() {
    let (mut one, mut two) = (Game::new(), Game::new());
    let entity = one.spawn(Position(1, 1));
    assert!(!two.contains(entity) && two.query::<&Position>().is_empty());
    let other = two.spawn(Position(2, 2));
    one.despawn(entity).unwrap();
    assert_eq!(two.get(other), Some(&Position(2, 2)));
}

#[test]
fn g16_attached_components_are_detached_and_destroyed() {
    let mut game = Game::new();
    let entity = game.spawn((Position(1, 2), Meta::default()));
    assert_eq!(game.remove::<Position>(entity), Ok(Some(Position(1, 2))));
    assert!(!game.has::<Position>(entity) && game.has::<Meta>(entity));
    game.despawn(entity).unwrap();
    assert!(game.query::<&Meta>().is_empty() && !game.contains(entity));
}
