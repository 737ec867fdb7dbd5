//! Types that no handle shows.

use ecs::prelude::*;
use ecs::reflect::{AllowList, ReflectError, ReflectWorld};

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
