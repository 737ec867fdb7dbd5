//! The options of `derive(Component)`, and the shapes of components.

use ecs::prelude::*;

#[derive(Component)]
#[component(deref)]
struct Names(Vec<String>);

#[derive(Component)]
#[component(deref)]
struct Speed {
    metres_per_second: f32,
}

/// A type of another crate in a newtype.
#[derive(Component, Default)]
#[component(deref)]
struct Map(std::collections::BTreeMap<u32, &'static str>);

mod inner {
    use ecs::prelude::*;

    #[derive(Component, PartialEq, Debug)]
    pub struct Names(pub u8);
}

type Alias = inner::Names;

world! {
    struct Game { components { Names, Speed, Map, inner: inner::Names } }
}

#[test]
fn deref_reaches_the_only_field() {
    let mut game = Game::new();
    let entity = game.spawn((Names(vec!["a".into()]), Speed { metres_per_second: 1.5 }, Map::default()));
    game.get_mut::<Names>(entity).unwrap().push("b".into());
    **game.get_mut::<Speed>(entity).unwrap() *= 2.0;
    game.get_mut::<Map>(entity).unwrap().insert(1, "one");
    assert_eq!(game.get::<Names>(entity).unwrap().join("+"), "a+b");
    assert_eq!(**game.get::<Speed>(entity).unwrap(), 3.0);
    assert_eq!(game.get::<Map>(entity).unwrap().get(&1), Some(&"one"));
}

#[test]
fn types_of_one_name_are_different_components() {
    let mut game = Game::new();
    let entity = game.spawn(inner::Names(3));
    assert!(!game.has::<Names>(entity));
    assert_eq!(game.get::<inner::Names>(entity), Some(&inner::Names(3)));
}

#[test]
fn an_alias_is_the_component_that_it_names() {
    let mut game = Game::new();
    let entity = game.spawn(inner::Names(3));
    assert_eq!(game.get::<Alias>(entity), Some(&inner::Names(3)));
    assert_eq!(game.query::<&Alias>().filter::<With<inner::Names>>().len(), 1);
}

#[test]
fn components_have_names() {
    assert_eq!(<Names as Component>::COMPONENT_NAME, "Names");
    assert_eq!(<Alias as Component>::COMPONENT_NAME, "Names");
    assert_eq!(Game::COMPONENTS, ["Names", "Speed", "Map", "inner::Names"]);
    assert_eq!(Game::FIELDS, ["names", "speed", "map", "inner"]);
}

#[test]
fn a_component_may_contain_shared_data() {
    #[derive(Component)]
    struct Shared(std::sync::Arc<std::sync::atomic::AtomicU32>);
    world! {
        struct Pool { components { Shared } }
    }
    let counter = std::sync::Arc::<std::sync::atomic::AtomicU32>::default();
    let mut pool = Pool::new();
    pool.spawn_batch((0..50).map(|_| Shared(counter.clone())));
    let pool = &pool;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || {
                for shared in &pool.query::<&Shared>() {
                    shared.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(counter.load(std::sync::atomic::Ordering::Relaxed), 200);
}
