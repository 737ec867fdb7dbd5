//! Spawning column by column.

use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(u32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Label(String);
#[derive(Component, PartialEq, Debug)]
struct Wide([u64; 100]);
#[derive(Component)]
struct Tag;
#[derive(Component, Default)]
#[component(tracked)]
struct Speed(u32);
#[derive(Component)]
#[component(requires(Speed))]
struct Wheels(u32);
#[derive(Component)]
#[component(unique)]
struct Captain;

#[derive(Resource, Default)]
struct News(Vec<u32>);

#[system(Game)]
fn report(speed: &Speed, _: Added<Speed>, mut news: ResMut<News>) {
    news.0.push(speed.0);
}

world! {
    struct Game {
        components { Position, Label, Wide, Tag, Speed, Wheels, Captain }
        resources { News = News::default() }
    }
    schedule tick { report }
}

#[test]
fn the_nth_entity_has_the_nth_values() {
    let mut game = Game::new();
    let labels: Vec<Label> = (0..10_000).map(|n: u32| Label(n.to_string())).collect();
    let wide = (0..10_000_u32).map(|n| Wide([n.into(); 100]));
    let ids: Vec<Entity> = game.spawn_columns(((0..10_000).map(Position), labels, wide)).collect();
    assert_eq!(ids.len(), 10_000);
    for (n, &id) in ids.iter().enumerate() {
        assert_eq!(game.get(id), Some(&Position(n as u32)));
        assert_eq!(game.get(id), Some(&Label(n.to_string())));
        assert_eq!(game.get(id), Some(&Wide([n as u64; 100])));
    }
}

#[test]
fn holes_are_filled() {
    let mut game = Game::new();
    let before: Vec<Entity> = game.spawn_columns(((0..300).map(Position), (0..300).map(|_| Tag))).collect();
    for &entity in before.iter().step_by(3) {
        game.despawn(entity).unwrap();
    }
    let blocks = game.stats().blocks;
    let filled: Vec<Entity> =
        game.spawn_columns(((1000..1100).map(Position), (0..100).map(|_| Tag))).collect();
    assert_eq!(game.stats().blocks, blocks);
    for (n, &entity) in filled.iter().enumerate() {
        assert_eq!(game.get(entity), Some(&Position(1000 + n as u32)));
        assert!(!before.contains(&entity));
    }
    assert_eq!((game.entities().len(), game.query::<(&Position, &Tag)>().len()), (300, 300));
}

#[test]
fn no_rows_are_no_entities() {
    let mut game = Game::new();
    assert_eq!(game.spawn_columns((Vec::<Position>::new(), [] as [Tag; 0])).len(), 0);
    assert_eq!((game.entities().len(), game.stats().blocks), (0, 0));
}

#[test]
fn what_was_added_is_tracked() {
    let mut game = Game::new();
    game.spawn_columns(((0..100).map(Speed), (0..100).map(Position)));
    game.tick();
    game.tick();
    assert_eq!(game.resource::<News>().0, (0..100).collect::<Vec<_>>());
}

#[test]
fn required_components_come_along() {
    let mut game = Game::new();
    let ids: Vec<Entity> =
        game.spawn_columns((vec![Wheels(3), Wheels(4)], [Position(1), Position(2)])).collect();
    for (n, id) in ids.into_iter().enumerate() {
        assert_eq!(game.get::<Wheels>(id).map(|wheels| wheels.0), Some(n as u32 + 3));
        assert_eq!(game.get::<Position>(id), Some(&Position(n as u32 + 1)));
        assert!(game.has::<Speed>(id));
    }
}

#[test]
fn rules_hold() {
    let mut game = Game::new();
    assert_eq!(game.spawn_columns(([Captain],)).len(), 1);
    assert!(
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| game.spawn_columns(([Captain],)).len()))
            .is_err()
    );
    assert_eq!(game.query::<&Captain>().len(), 1);
}

#[test]
#[should_panic(expected = "`spawn_columns`: there are 3 values of `Position`, and 2 of `Label`")]
fn columns_are_equally_long() {
    let mut game = Game::new();
    game.spawn_columns((
        vec![Position(1), Position(2), Position(3)],
        ["a", "b"].map(|name| Label(name.into())),
    ));
}
