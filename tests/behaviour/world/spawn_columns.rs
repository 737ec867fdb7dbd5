//! Spawning column by column.

use ecs::prelude::*;
use ecs_tests::fuse::panic_message;

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(u32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(removed)]
struct Label(String);
#[derive(Component, PartialEq, Debug)]
struct Wide([u64; 100]);
#[derive(Component, Clone)]
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

#[derive(Resource, Default)]
struct Lost(usize);

#[system(Game)]
fn count(mut labels: Removed<Label>, mut lost: ResMut<Lost>) {
    lost.0 += labels.iter().count();
}

#[system(Game)]
fn report(speed: &Speed, _: Added<Speed>, mut news: ResMut<News>) {
    news.0.push(speed.0);
}

world! {
    struct Game {
        components { Position, Label, Wide, Tag, Speed, Wheels, Captain }
        resources { News = News::default(), Lost = Lost::default() }
    }
    schedule tick { report, count }
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
    let before: Vec<Entity> = game.spawn_columns(((0..300).map(Position), vec![Tag; 300])).collect();
    for &entity in before.iter().step_by(3) {
        game.despawn(entity).unwrap();
    }
    let blocks = game.stats().blocks;
    let filled: Vec<Entity> = game.spawn_columns(((1000..1100).map(Position), vec![Tag; 100])).collect();
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
fn spawn_columns_marks_values_as_added() {
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

/// An iterator whose length is `.0` and whose items are those of `.1`.
struct Short(usize, usize);

impl Iterator for Short {
    type Item = Tag;
    fn next(&mut self) -> Option<Tag> {
        self.1 = self.1.checked_sub(1)?;
        Some(Tag)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0, Some(self.0))
    }
}

impl ExactSizeIterator for Short {}

#[test]
fn all_or_nothing() {
    let mut game = Game::new();
    let short = "`spawn_columns`: the iterator of `Tag` has a `len` of 5000, and yielded 4999 values: its \
                 `ExactSizeIterator` is wrong";
    let plain = |game: &mut Game| game.spawn_columns(((0..5000).map(Position), Short(5000, 4999))).len();
    assert_eq!(panic_message(|| plain(&mut game)), short);
    let required = |game: &mut Game| game.spawn_columns(((0..5000).map(Wheels), Short(5000, 4999))).len();
    assert_eq!(panic_message(|| required(&mut game)), short);
    assert_eq!(game.entities().len(), 0);
    game.tick();
    assert!(game.resource::<News>().0.is_empty());
}

#[test]
fn entities_that_were_never_alive_are_not_reported() {
    let mut game = Game::new();
    let label = |n: u32| Label(n.to_string());
    game.tick();
    panic_message(|| game.spawn_columns(((0..100).map(label), Short(100, 99))).len());
    game.tick();
    assert_eq!(game.resource::<Lost>().0, 0);
    let ids: Vec<Entity> = game.spawn_columns(((0..100).map(label), vec![Tag; 100])).collect();
    game.despawn(ids[0]).unwrap();
    game.tick();
    assert_eq!(game.resource::<Lost>().0, 1);
}

#[test]
fn rules_hold() {
    let mut game = Game::new();
    assert_eq!(game.spawn_columns(([Captain],)).len(), 1);
    let message = panic_message(|| game.spawn_columns(([Captain],)).len());
    assert!(message.contains("unique"), "{message}");
    assert_eq!(game.query::<&Captain>().len(), 1);
}

#[test]
#[should_panic(
    expected = "`spawn_columns`: the columns have different lengths: 3 values of `Position`, and 2 of `Label`"
)]
fn columns_are_equally_long() {
    let mut game = Game::new();
    game.spawn_columns((
        vec![Position(1), Position(2), Position(3)],
        ["a", "b"].map(|name| Label(name.into())),
    ));
}
