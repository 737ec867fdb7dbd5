//! Types that no handle shows.

use ecs::prelude::*;
use ecs::reflect::{AllowList, DynamicQuery, NameKind, ReflectError, ReflectWorld};

use crate::game::*;

#[test]
fn a_hidden_type_does_not_exist_for_a_handle() {
    let mut game = Game::new();
    let entity = game.spawn((Secret(std::ptr::null()), Score(1)));
    let mut world = game.reflect_mut();
    assert_eq!(world.components_of(entity).unwrap(), ["Score"]);
    assert_eq!(world.read_all(entity).unwrap(), [("Score", 1.into())]);
    assert!(world.components().iter().all(|info| info.name != "Secret"));
    let unknown = |result: Result<(), ReflectError>| match result {
        Err(ReflectError::UnknownName { nearest, .. }) => {
            assert!(!["Secret", "Keys", "Tick"].map(Some).contains(&nearest))
        }
        other => panic!("{other:?}"),
    };
    for name in ["Secret", "Secre"] {
        unknown(world.read(entity, name).map(drop));
        unknown(world.has(entity, name).map(drop));
        unknown(world.insert(entity, name, 1));
        unknown(world.patch(entity, name, 1));
        unknown(world.remove(entity, name).map(drop));
        unknown(world.spawn(&[(name, 1.into())]).map(drop));
        unknown(world.component(name).map(drop));
    }
    unknown(world.read_resource("Keys").map(drop));
    unknown(world.patch_resource("Keys", 1));
    unknown(world.send("Tick", ()));
    assert_eq!((world.resources().len(), world.events().len()), (1, 1));
    let systems = format!("{:?}", world.systems());
    assert!(!systems.contains("Keys"), "{systems}");
    assert!(game.has::<Secret>(entity));
}

#[test]
fn a_restricted_handle_shows_only_its_list() {
    let mut game = Game::new();
    let entity = game.spawn((Score(1), Burning));
    let list = AllowList::new().components(["Score", "Frozen"]).resources([""; 0]).systems(["heal"]);
    let mut world = game.reflect_mut().restrict(&list).unwrap();
    assert_eq!(world.components_of(entity).unwrap(), ["Score"]);
    assert_eq!(world.component("Frozen").unwrap().excludes, [""; 0]);
    let refused = world.insert(entity, "Frozen", ()).unwrap_err();
    assert!(
        matches!(refused, ReflectError::RefusedByHidden { component: "Frozen", .. })
            && !refused.to_string().contains("Burning")
    );
    assert!(world.read_resource("Clock").is_err());
    let systems = world.systems();
    assert_eq!((systems.len(), systems[0].system, systems[0].writes.len()), (1, "heal", 0));
    // a list cannot widen a handle
    assert!(world.restrict(&AllowList::new().components(["Health"])).is_err());
    assert!(game.reflect().restrict(&AllowList::new().components(["Secret"])).is_err());
}

#[test]
fn a_handle_for_reading_refuses_every_change() {
    let mut game = Game::new();
    let entity = game.spawn(Score(1));
    let mut world = game.reflect_mut().restrict(&AllowList::new().read_only()).unwrap();
    let results = [
        world.spawn(&[]).map(drop),
        world.insert(entity, "Score", 2),
        world.patch(entity, "Score", 2),
        world.remove(entity, "Score").map(drop),
        world.despawn(entity),
        world.patch_resource("Clock.step", 2),
        world.send("Hit", ()),
        world.time_systems(true),
    ];
    assert!(results.iter().all(|result| *result == Err(ReflectError::ReadOnly)), "{results:?}");
    assert_eq!(world.read(entity, "Score"), Ok(1.into()));
}

/// Tries each door of a handle by the names of what is hidden, and looks for the names in all that
/// the handle says of the world.
#[test]
fn no_door_leads_to_what_is_hidden() {
    let mut game = Game::new();
    let entity = game.spawn((Secret(std::ptr::null()), Score(1), Account(3)));
    // everything that is told without a question
    let mut world = game.reflect_mut();
    let told = [
        format!("{:?}", world.components()),
        format!("{:?}", world.resources()),
        format!("{:?}", world.events()),
        format!("{:?}", world.systems()),
        format!("{:?}", world.conditions()),
        format!("{:?}", world.failures()),
        format!("{:?}", world.timings()),
        format!("{:?}", world.read_all(entity).unwrap()),
        format!(
            "{:?}",
            world
                .components()
                .iter()
                .map(|one| world.schema(NameKind::Components, one.name))
                .collect::<Vec<_>>()
        ),
    ];
    for text in &told {
        for name in ["Secret", "Keys"] {
            assert!(!text.contains(name), "{name} in {text}");
        }
    }
    assert!(!format!("{:?}", world.events()).contains("Tick"));
    // questions: by part of a query, by schema, by documentation and default
    let queries = [
        "Secret",
        "Score, with Secret",
        "Score, without Secret",
        "Score, maybe Secret",
        "Score, Secret = 1",
        "Score, Secret.0 < 5",
        "Score, order by Secret",
        "Score, order by Secret.0 desc",
    ];
    for text in queries {
        let answer = text.parse::<DynamicQuery>().and_then(|query| world.query(&query));
        assert!(answer.is_err(), "{text}: {answer:?}");
    }
    for (kind, name) in
        [(NameKind::Components, "Secret"), (NameKind::Resources, "Keys"), (NameKind::Events, "Tick")]
    {
        assert!(world.schema(kind, name).is_err() && world.docs(kind, name).is_err());
        assert!(world.default_of(kind, name).is_err());
    }
    assert!(world.remove_all(entity, &["Score", "Secret"]).is_err() && world.has(entity, "Score").unwrap());
    assert!(world.insert_all(entity, &[("Score", 2.into()), ("Secret", 1.into())]).is_err());
    assert_eq!(world.read(entity, "Score"), Ok(1.into()));
    // a query that a handle for everything has prepared does not widen a restricted one
    let query = "Account, order by Account".parse::<DynamicQuery>().unwrap();
    let prepared = world.prepare(&query).unwrap();
    let guest = game.reflect().restrict(&AllowList::new().components(["Score"]).systems(["heal"])).unwrap();
    assert!(guest.run_prepared(&prepared).is_err() && guest.count_prepared(&prepared).is_err());
    assert!(guest.start(&prepared).is_err());
    assert!(guest.failure_of("count").is_err() && guest.is_system_enabled("count").is_err());
    let list = AllowList::new().systems(["heal"]);
    let mut guest = game.reflect_mut().restrict(&list).unwrap();
    assert!(guest.run_schedule("tick").is_err() && guest.run_system("count").is_err());
    assert!(guest.step("tick", 1).is_err() && guest.enable_system("count", false).is_err());
    // the texts of an entity: without the value
    let world = &game;
    let entity = world.entity(entity).unwrap();
    assert!(!serde_json::to_string(&entity).unwrap().contains("Secret"));
    assert!(format!("{entity:?}").contains("Secret: _"), "{entity:?}");
}
