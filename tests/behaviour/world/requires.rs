//! Required components are inserted with their defaults.

use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};
use ecs_tests::{Ledger, Token};

#[derive(Component, PartialEq, Debug)]
#[component(requires(Velocity, Mass))]
struct Position(i32);
#[derive(Component, PartialEq, Debug)]
#[component(requires(Damping))]
struct Velocity(i32);
#[derive(Component, PartialEq, Debug)]
#[component(requires(Damping))]
struct Mass(i32);
#[derive(Component, PartialEq, Debug)]
struct Damping(i32);
#[derive(Component)]
struct Lonely;

impl Default for Velocity {
    fn default() -> Self {
        Self(7)
    }
}
impl Default for Mass {
    fn default() -> Self {
        Self(8)
    }
}
impl Default for Damping {
    fn default() -> Self {
        burn("a default");
        Self(9)
    }
}

world! {
    struct Game { components { Damping, Lonely, Position, Mass, Velocity } }
}

fn values(game: &Game, entity: Entity) -> [Option<i32>; 4] {
    [
        game.get::<Position>(entity).map(|value| value.0),
        game.get::<Velocity>(entity).map(|value| value.0),
        game.get::<Mass>(entity).map(|value| value.0),
        game.get::<Damping>(entity).map(|value| value.0),
    ]
}

#[test]
fn required_components_join_on_spawn_transitively() {
    let mut game = Game::new();
    let entity = game.spawn(Position(1));
    assert_eq!(values(&game, entity), [Some(1), Some(7), Some(8), Some(9)]);
    let entity = game.spawn(Velocity(1));
    assert_eq!(values(&game, entity), [None, Some(1), None, Some(9)]);
}

#[test]
fn a_component_of_the_bundle_is_not_replaced_by_a_required_one() {
    let mut game = Game::new();
    let entity = game.spawn((Damping(1), Position(2), Velocity(3)));
    assert_eq!(values(&game, entity), [Some(2), Some(3), Some(8), Some(1)]);
    let entity = game.spawn((Position(2), Lonely, Damping(1)));
    assert_eq!(values(&game, entity), [Some(2), Some(7), Some(8), Some(1)]);
}

#[test]
fn required_components_join_on_insert() {
    let mut game = Game::new();
    let entity = game.spawn((Lonely, Mass(5)));
    game.insert(entity, Position(1)).unwrap();
    assert_eq!(values(&game, entity), [Some(1), Some(7), Some(5), Some(9)]);
    let entity = game.spawn(Damping(4));
    game.insert_if_new(entity, (Position(2), Lonely)).unwrap();
    assert_eq!(values(&game, entity), [Some(2), Some(7), Some(8), Some(4)]);
}

#[test]
fn required_components_join_again_when_the_first_is_inserted_again() {
    let mut game = Game::new();
    let entity = game.spawn(Position(1));
    game.remove::<(Velocity, Damping)>(entity).unwrap();
    assert_eq!(values(&game, entity), [Some(1), None, Some(8), None]);
    assert_eq!(game.insert(entity, Position(2)), Ok(Some(Position(1))));
    assert_eq!(values(&game, entity), [Some(2), Some(7), Some(8), Some(9)]);
}

#[test]
fn after_an_insert_all_that_is_required_is_there() {
    let mut game = Game::new();
    let entity = game.spawn((Velocity(1), Mass(2)));
    game.remove::<Damping>(entity).unwrap();
    game.insert(entity, Position(3)).unwrap();
    assert_eq!(
        values(&game, entity),
        [Some(3), Some(1), Some(2), Some(9)],
        "`Position` needs it through others"
    );
}

#[test]
fn required_components_join_in_batches() {
    let mut game = Game::new();
    let entities: Vec<Entity> = game.spawn_batch((0..200).map(|n| (Position(n), Mass(-n)))).collect();
    for (n, &entity) in entities.iter().enumerate() {
        let n = n as i32;
        assert_eq!(values(&game, entity), [Some(n), Some(7), Some(-n), Some(9)]);
    }
}

#[test]
fn required_components_are_part_of_the_kind() {
    let mut game = Game::new();
    game.spawn(Position(1));
    game.spawn((Position(1), Velocity(1)));
    game.spawn((Damping(1), Mass(1), Velocity(1), Position(1)));
    assert_eq!(game.stats().groups, 1);
}

#[test]
fn a_panicking_default_on_insert_leaves_a_valid_world() {
    let mut game = Game::new();
    let entity = game.spawn(Lonely);
    assert!(blows_up(1, || game.insert(entity, Position(2))));
    assert!(game.contains(entity));
    assert_eq!(game.query::<&Damping>().len(), 0);
    game.despawn(entity).unwrap();
    for len in [game.query::<&Position>().len(), game.query::<&Velocity>().len(), game.entities().len()] {
        assert_eq!(len, 0);
    }
}

#[test]
fn a_panic_between_the_bundles_of_a_batch_leaves_only_whole_entities() {
    #[derive(Component)]
    #[component(requires(Shadow))]
    struct Body(#[allow(dead_code)] Token);
    #[derive(Component, Default)]
    struct Shadow;
    world! {
        struct Stage { components { Body, Shadow } }
    }
    for at in [1, 40, 64, 65, 100] {
        let ledger = Ledger::new();
        let mut stage = Stage::new();
        let bodies = (0..200).map(|_| {
            burn("an iterator");
            Body(ledger.token())
        });
        assert!(blows_up(at, || stage.spawn_batch(bodies).len()));
        let whole = stage.query::<(&Body, &Shadow)>().len();
        assert_eq!((stage.entities().len(), stage.query::<&Body>().len()), (whole, whole));
        assert_eq!((stage.query::<&Shadow>().len(), ledger.alive()), (whole, whole));
        drop(stage);
        ledger.assert_settled();
    }
}

/// Required components that begin with a value.
mod values {
    use ecs::prelude::*;

    #[derive(Component, PartialEq, Debug)]
    #[component(requires(Armor(3), Team::of(2), Speed { value: 2 }, Damping))]
    struct Body;
    #[derive(Component, PartialEq, Debug)]
    #[component(requires(Damping(9)))]
    struct Armor(u32);
    #[derive(Component, PartialEq, Debug)]
    enum Team {
        Red,
        Blue,
    }
    #[derive(Component, PartialEq, Debug)]
    struct Speed {
        value: u32,
    }
    #[derive(Component, PartialEq, Debug, Default)]
    struct Damping(u32);
    #[derive(Component, PartialEq, Debug)]
    #[component(requires(Pair<u8, Vec<u16>> = Pair(1, vec![2]), Armor(1)))]
    struct Knight;
    #[derive(Component, PartialEq, Debug)]
    struct Pair<A: Send + Sync + 'static, B: Send + Sync + 'static>(A, B);

    impl Team {
        fn of(number: u32) -> Self {
            if number.is_multiple_of(2) { Self::Red } else { Self::Blue }
        }
    }

    world! {
        struct Game { components { Body, Armor, Team, Speed, Damping, Knight, pair: Pair<u8, Vec<u16>> } }
    }

    #[test]
    fn a_required_component_begins_with_the_value_of_the_list() {
        let mut game = Game::new();
        let body = game.spawn(Body);
        assert_eq!((game.get(body), game.get(body)), (Some(&Armor(3)), Some(&Team::Red)));
        assert_eq!(game.get(body), Some(&Speed { value: 2 }));
        let knight = game.spawn(Knight);
        assert_eq!(game.get(knight), Some(&Pair(1_u8, vec![2_u16])));
        game.insert(knight, Body).unwrap();
        assert_eq!(game.get(knight), Some(&Armor(1)), "it was there before");
        let mixed = game.spawn((Team::Blue, Body, Speed { value: 7 }));
        assert_eq!((game.get(mixed), game.get(mixed)), (Some(&Team::Blue), Some(&Speed { value: 7 })));
    }

    #[test]
    fn an_own_list_counts_more_than_those_of_required_components() {
        let mut game = Game::new();
        let body = game.spawn(Body);
        assert_eq!(game.get(body), Some(&Damping(0)), "`Body` requires the default, `Armor` another value");
        let armor = game.spawn(Armor(4));
        assert_eq!(game.get(armor), Some(&Damping(9)));
        let knight = game.spawn(Knight);
        assert_eq!(game.get(knight), Some(&Damping(9)));
    }
}

/// Two components that require a third one with different values: the first one decides, in
/// whatever way they are inserted.
mod several {
    use std::time::Duration;

    use ecs::prefab::Definitions;
    use ecs::prelude::*;
    use ecs::reflect::{AspectList, AspectNames, DynamicValue, PrefabLibrary, ReflectWorld};
    use ecs::save::DanglingIds;
    use ecs::time::{Delayed, InsertBundle, SpawnBundle, apply_due};
    use ecs::{Aspect, MetaAspect, Prefab, Prefabs};
    use serde::{Deserialize, Serialize};

    #[derive(Component, PartialEq, Debug, Clone, Serialize, Deserialize)]
    #[component(skip)]
    struct Size(u8);
    #[derive(Component, PartialEq, Debug, Clone, Default, Serialize, Deserialize)]
    #[component(requires(Size(1)))]
    struct Small {
        n: u8,
    }
    // the first in alphabetical order, the second in the list of the world
    #[derive(Component, PartialEq, Debug, Clone, Default, Serialize, Deserialize)]
    #[component(requires(Size(2)))]
    struct Large {
        n: u8,
    }

    #[derive(Bundle)]
    struct Pair {
        small: Small,
        large: Large,
    }
    #[derive(Aspect)]
    struct Sized {
        small: Small,
        large: Large,
    }
    #[derive(MetaAspect)]
    enum OneOf {
        Sized(Sized),
    }

    #[derive(Event, Clone, Serialize, Deserialize)]
    struct Go(Entity);

    world! {
        #[derive(Clone, Serialize, Deserialize, Reflect)]
        struct Game {
            components { Size, Small, Large, ChildOf }
            resources {
                PrefabLibrary = PrefabLibrary::new(),
                Clock = Clock::new(),
                inserts: Delayed<InsertBundle<(Small, Large)>> = Delayed::new(),
                spawns: Delayed<SpawnBundle<(Small, Large)>> = Delayed::new(),
            }
            events { Go(external) }
        }
        schedule due { apply_due::<InsertBundle<(Small, Large)>, ()>, apply_due::<SpawnBundle<(Small, Large)>, ()> }
        schedule parallel { spread }
    }

    impl AspectNames for Game {
        fn aspect_names(list: AspectList<Self>) -> AspectList<Self> {
            list.aspect::<Sized>()
        }
    }

    #[system(Game)]
    fn spread(mut go: EventReader<Go>, mut commands: ParCommands<Game>) {
        for &Go(entity) in &mut go {
            commands.spawn((SMALL, LARGE));
            commands.spawn_then((SMALL, LARGE), |_, _| {});
            commands.spawn_batch([(SMALL, LARGE)]);
            commands.insert(entity, (SMALL, LARGE));
            commands.spawn_with_children((SMALL, LARGE), ChildOf, children![(SMALL, LARGE)]);
        }
    }

    const SMALL: Small = Small { n: 0 };
    const LARGE: Large = Large { n: 0 };

    fn pair() -> (Small, Large) {
        (SMALL, LARGE)
    }

    /// The sizes of all entities in a new world after `make`, which makes so many.
    fn sizes(make: impl FnOnce(&mut Game)) -> Vec<u8> {
        let mut game = Game::new();
        make(&mut game);
        assert_eq!(game.query::<(&Small, &Large)>().len(), game.query::<&Size>().len());
        game.query::<&Size>().iter().map(|size| size.0).collect()
    }

    #[track_caller]
    fn small(count: usize, make: impl FnOnce(&mut Game)) {
        assert_eq!(sizes(make), vec![1; count]);
    }

    #[test]
    fn the_first_component_of_a_bundle_decides() {
        small(1, |game| _ = game.spawn(pair()));
        small(1, |game| _ = game.try_spawn(pair()).unwrap());
        small(1, |game| _ = game.spawn(Pair { small: SMALL, large: LARGE }));
        small(1, |game| _ = game.spawn(Sized::fresh()));
        small(3, |game| _ = game.spawn_batch([pair(), pair(), pair()]).len());
        small(2, |game| _ = game.spawn_columns((vec![SMALL; 2], vec![LARGE; 2])).len());
        small(1, |game| {
            game.spawn_at(Game::new().spawn(()), pair()).unwrap();
        });
        small(3, |game| {
            let parent = game.spawn_with_children(pair(), ChildOf, children![(SMALL, LARGE)]);
            game.spawn_children(parent, ChildOf, children![(SMALL, LARGE)]).unwrap();
        });
        let inserts: [fn(&mut Game, Entity); 12] = [
            |game, id| _ = game.insert(id, pair()).unwrap(),
            |game, id| game.insert_if_new(id, pair()).unwrap(),
            |game, id| _ = game.insert_batch([(id, pair())]).unwrap(),
            |game, id| _ = game.entity_mut(id).unwrap().insert(pair()),
            |game, id| game.entity_mut(id).unwrap().insert_if_new(pair()).unwrap(),
            |game, id| game.add_aspect(id, Sized::fresh()).unwrap(),
            |game, id| game.add_one_of(id, OneOf::Sized(Sized::fresh())).unwrap(),
            |game, id| game.with_commands(|mut commands| commands.insert(id, pair())),
            |game, id| game.with_commands(|mut commands| commands.insert_if_new(id, pair()).unwrap()),
            |game, id| game.with_commands(|mut commands| _ = commands.entity(id).insert(pair())),
            |game, id| {
                game.with_commands(|mut commands| commands.after(Duration::ZERO, InsertBundle(id, pair())));
                game.due();
            },
            |game, id| {
                let other = game.spawn(());
                game.insert(other, pair()).unwrap();
                drop(game.remove::<Size>(other));
                _ = game.move_components::<(Small, Large)>(other, id).unwrap();
            },
        ];
        for insert in inserts {
            small(1, |game| {
                let id = game.spawn(());
                insert(game, id);
            });
        }
        small(5, |game| {
            game.with_commands(|mut commands| {
                commands.spawn(pair());
                commands.spawn_batch([pair(), pair()]);
                commands.spawn_with_children(pair(), ChildOf, children![(SMALL, LARGE)]);
            });
        });
        small(1, |game| {
            game.with_commands(|mut commands| commands.after(Duration::ZERO, SpawnBundle(pair())));
            game.due();
        });
        small(6, |game| {
            let id = game.spawn(());
            game.send(Go(id));
            game.parallel();
        });
        assert_eq!(sizes(|game| _ = game.spawn((LARGE, SMALL))), [2]);
    }

    const ORDERS: [&str; 2] = [
        r#"{ "Small": { "n": 0 }, "Large": { "n": 0 } }"#,
        r#"{ "Large": { "n": 0 }, "Small": { "n": 0 } }"#,
    ];

    #[test]
    fn the_first_component_in_the_list_of_the_world_decides_for_files() {
        for components in ORDERS {
            let text = format!(r#"{{ "it": {components} }}"#);
            let prefab = Prefab::<Game>::from_json("it.json", &text).unwrap();
            small(1, |game| _ = prefab.spawn(game).unwrap());
            small(1, |game| _ = game.with_commands(|mut commands| commands.spawn_prefab(&prefab)["it"]));
            let library = format!(r#"{{ "thing": {text} }}"#);
            small(1, |game| {
                *game.resource_mut() = serde_json::from_str::<PrefabLibrary>(&library).unwrap();
                game.reflect_mut().spawn_prefab("thing", &[]).unwrap();
            });
        }
        let aspect = Prefabs::<Game>::new().aspect::<Sized>();
        let prefab = aspect.from_json("it.json", r#"{ "it": { "Sized": {} } }"#).unwrap();
        small(1, |game| _ = prefab.spawn(game).unwrap());
        let mut definitions = Definitions::<Game>::new();
        let text =
            r#"[{ "type": "Large", "schema": { "n": 0 } }, { "type": "Small", "schema": { "n": 0 } }]"#;
        definitions.read_json("all.json", text).unwrap();
        for names in [["Small", "Large"], ["Large", "Small"]] {
            small(1, |game| _ = definitions.spawn(game, &names).unwrap());
        }
    }

    world! {
        #[derive(Serialize, Deserialize)]
        struct Archive { components { Size, Small, Large } }
    }

    /// The sizes are not in the file.
    #[test]
    fn the_first_component_in_the_list_of_the_world_decides_for_saves() {
        let mut archive = Archive::new();
        archive.spawn((LARGE, SMALL));
        let (bytes, text) = (archive.to_bytes().unwrap(), serde_json::to_string(&archive).unwrap());
        let mut merged = Archive::new();
        merged.merge(&bytes, DanglingIds::Refuse).unwrap();
        for loaded in [Archive::load(&bytes).unwrap(), serde_json::from_str(&text).unwrap(), merged] {
            assert_eq!(loaded.query::<&Size>().iter().collect::<Vec<_>>(), [&Size(1)]);
        }
    }

    #[test]
    fn the_first_component_in_the_list_of_the_world_decides_by_name() {
        let zero = || serde_json::from_str::<DynamicValue>(r#"{ "n": 0 }"#).unwrap();
        for names in [["Small", "Large"], ["Large", "Small"]] {
            let values = names.map(|name| (name, zero()));
            small(1, |game| _ = game.reflect_mut().spawn(&values).unwrap());
            small(1, |game| {
                let id = game.spawn(());
                game.reflect_mut().insert_all(id, &values).unwrap();
            });
        }
        small(1, |game| {
            let id = game.spawn(());
            game.reflect_mut().add_aspect(id, "Sized", &[]).unwrap();
        });
    }
}
