//! Errors are small, and name entity, component and world.

use ecs::error::{GetManyError, MissingError, NoSuchEntity, PresentError, SingleError};
use ecs::prelude::*;
use static_assertions::assert_impl_all;

#[derive(Component, PartialEq, Debug)]
struct Position(i32);
#[derive(Component, PartialEq, Debug)]
struct Mana(i32);

world! {
    struct Game { components { Position, pool: Mana } }
}

assert_impl_all!(NoSuchEntity: std::error::Error, Copy, Eq, Send, Sync);
assert_impl_all!(MissingError: std::error::Error, Copy, Eq, Send, Sync);
assert_impl_all!(PresentError: std::error::Error, Copy, Eq, Send, Sync);
assert_impl_all!(GetManyError: std::error::Error, Copy, Eq, Send, Sync);
assert_impl_all!(SingleError: std::error::Error, Copy, Eq, Send, Sync);

fn assert_names(error: &dyn std::error::Error, words: &[&str]) {
    let text = error.to_string();
    for word in words {
        assert!(text.contains(word), "`{text}` lacks `{word}`");
    }
    assert!(text.chars().next().is_some_and(char::is_lowercase), "{text}");
}

#[test]
fn errors_name_entity_component_and_world() {
    let mut game = Game::new();
    let entity = game.spawn(Position(1));
    let id = entity.to_string();
    assert_names(&game.try_get::<Mana>(entity).unwrap_err(), &[&id, "`Mana`", "`Game`"]);
    assert_names(&game.try_get_mut::<Mana>(entity).unwrap_err(), &[&id, "`Mana`", "`Game`"]);
    assert_names(&game.try_remove::<Mana>(entity).unwrap_err(), &[&id, "`Mana`", "`Game`"]);
    assert_names(&game.insert_if_new(entity, Position(2)).unwrap_err(), &[&id, "`Position`", "`Game`"]);
    game.despawn(entity).unwrap();
    assert_names(&game.despawn(entity).unwrap_err(), &[&id, "`Game`"]);
    assert_names(&game.try_get::<Position>(entity).unwrap_err(), &[&id, "`Game`"]);
    let many = game.query_mut::<&mut Position>().get_many_mut([entity]).unwrap_err();
    assert_names(&many, &[&id]);
    assert_names(&game.query::<&Mana>().single().unwrap_err(), &["no entity"]);
}

#[test]
fn try_get_distinguishes_dead_entities_and_missing_components() {
    let mut game = Game::new();
    let entity = game.spawn(Position(1));
    assert_eq!(game.try_get(entity), Ok(&Position(1)));
    game.try_get_mut::<Position>(entity).unwrap().0 = 4;
    assert_eq!(game.try_get_mut(entity), Ok(&mut Position(4)));
    let missing = MissingError::Missing { entity, component: "Mana", world: "Game" };
    assert_eq!(game.try_get::<Mana>(entity), Err(missing));
    game.despawn(entity).unwrap();
    let gone = MissingError::NoSuchEntity(NoSuchEntity { entity, world: "Game" });
    assert_eq!(game.try_get::<Position>(entity), Err(gone));
    assert_eq!(game.try_get_mut::<Mana>(entity), Err(gone));
}

#[test]
fn errors_are_small() {
    assert!(size_of::<NoSuchEntity>() <= 24);
    assert!(size_of::<MissingError>() <= 48 && size_of::<PresentError>() <= 72);
    assert!(size_of::<GetManyError>() <= 16 && size_of::<SingleError>() <= 1);
}

#[test]
fn errors_convert_with_a_question_mark() {
    fn work(game: &mut Game, entity: Entity) -> Result<i32, Box<dyn std::error::Error>> {
        game.insert(entity, Mana(1))?;
        game.insert_if_new(entity, Position(1))?;
        Ok(game.try_get::<Position>(entity)?.0)
    }
    let mut game = Game::new();
    let entity = game.spawn(());
    assert_eq!(work(&mut game, entity).unwrap(), 1);
    assert!(work(&mut game, entity).unwrap_err().to_string().contains("already has component `Position`"));
}
