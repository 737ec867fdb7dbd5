//! The verbs of the handle, and the rules that hold for them.

use ecs::prelude::*;
use ecs::reflect::{DynamicValue, ReflectError, ReflectWorld};

use crate::game::{Clock, *};

fn monster() -> DynamicValue {
    json(
        r#"{ "kind": { "Dragon": { "heads": 3, "fire": true } }, "target": null, "path": [[1, 2]], "loot": { "gold": 5 } }"#,
    )
}

#[test]
fn an_entity_is_spawned_with_required_components() {
    let mut game = Game::new();
    let entity = game
        .reflect_mut()
        .spawn(&[("Monster", monster()), ("Health", json(r#"{"now":1,"max":2}"#))])
        .unwrap();
    assert_eq!(game.get(entity), Some(&Health { now: 1, max: 2 }));
    assert_eq!(game.get(entity), Some(&Score(1)));
    assert_eq!(game.reflect().components_of(entity).unwrap(), ["Health", "Score", "Monster"]);
    let monster = game.get::<Monster>(entity).unwrap();
    assert_eq!((monster.kind.clone(), monster.loot["gold"]), (Kind::Dragon { heads: 3, fire: true }, 5));
}

#[test]
fn nothing_is_spawned_after_an_error() {
    let mut game = Game::new();
    let player = game.spawn(Player);
    let cases: [(&[(&str, DynamicValue)], &str); 6] = [
        (
            &[("Score", 1.into()), ("Positon", 1.into())],
            "world `Game` has no component `Positon`: did you mean `Position`?",
        ),
        (
            &[("Score", 1.into()), ("Health", json(r#"{"now":-1,"max":2}"#))],
            "`Health.now`: invalid value: integer `-1`, expected u32",
        ),
        (&[("Score", 1.into()), ("Health", json(r#"{"now":1}"#))], "`Health`: missing field `max`"),
        (&[("Score", 1.into()), ("Score", 2.into())], "component `Score` occurs twice: name it once"),
        (
            &[("Frozen", ().into()), ("Burning", ().into())],
            "components `Frozen` and `Burning` exclude each other: leave one out",
        ),
        (&[("Score", 1.into()), ("Player", ().into())], "unique"),
    ];
    for (values, message) in cases {
        let error = game.reflect_mut().spawn(values).unwrap_err().to_string();
        assert!(error == message || message == "unique" && error.contains("Player"), "{error}");
        assert_eq!(game.entities().len(), 1, "{error}");
    }
    assert!(game.contains(player));
}

#[test]
fn several_components_are_inserted_or_none() {
    let mut game = Game::new();
    game.spawn(Account(7));
    let entity = game.spawn((Score(1), Burning));
    let mut world = game.reflect_mut();
    for refused in [("Account", 7.into()), ("Frozen", ().into()), ("ChildOf", DynamicValue::EntityId(entity))]
    {
        let error = world.insert_all(entity, &[("Score", 9.into()), refused]).unwrap_err();
        assert!(matches!(error, ReflectError::Refused(_)), "{error}");
        assert_eq!(world.read(entity, "Score"), Ok(1.into()));
    }
    world.insert_all(entity, &[("Score", 9.into()), ("Account", 8.into())]).unwrap();
    assert_eq!((game.get(entity), game.get(entity)), (Some(&Score(9)), Some(&Account(8))));
    assert_eq!(game.find_one::<Account>(&Account(8)), Some(entity));
}

#[test]
fn relations_are_kept_by_name() {
    let mut game = Game::new();
    let [parent, other] = [(); 2].map(|()| game.spawn(()));
    let child = game.reflect_mut().spawn(&[("ChildOf", parent.into())]).unwrap();
    assert_eq!(game.sources::<ChildOf>(parent), [child]);
    game.reflect_mut().patch(child, "ChildOf", format!("{other:#}")).unwrap();
    assert_eq!((game.sources::<ChildOf>(parent), game.sources::<ChildOf>(other)), (&[][..], &[child][..]));
    game.reflect_mut().despawn(other).unwrap();
    assert!(!game.contains(child), "children are despawned with their parent");
    let error = game.reflect_mut().despawn(other).unwrap_err();
    assert!(matches!(error, ReflectError::NoSuchEntity(_)));
}

#[test]
fn a_part_is_patched_by_its_path() {
    let mut game = Game::new();
    let target = game.spawn(());
    let entity = game.reflect_mut().spawn(&[("Monster", monster()), ("Position", json("[1, 2]"))]).unwrap();
    let mut world = game.reflect_mut();
    world.patch(entity, "Monster.kind.Dragon.heads", 4).unwrap();
    world.patch(entity, "Monster.path[0][1]", -5).unwrap();
    world.patch(entity, "Monster.loot[\"gold\"]", 6).unwrap();
    world.patch(entity, "Monster.target", target).unwrap();
    world.patch(entity, "Position.1", 0.25).unwrap();
    assert_eq!(
        world.read(entity, "Monster.target"),
        Ok(DynamicValue::Optional(Some(Box::new(target.into()))))
    );
    let cases = [
        (
            "Monster.kind.Wolf",
            "`Monster.kind.Wolf` of entity E: the value is the variant `Dragon`, not `Wolf`: to change the variant, replace the whole value",
        ),
        ("Monster.knd", "`Monster.knd` of entity E: there is no field `knd`: did you mean `kind`?"),
        ("Monster.path[1]", "`Monster.path.1` of entity E: there is no element 1: the list has 1"),
        (
            "Monster.path.x",
            "`Monster.path.x` of entity E: the value is a list, whose elements have positions, as in `[0]`, not `x`",
        ),
        ("Monster.loot.silver", "`Monster.loot.silver` of entity E: there is no key `silver`, only `gold`"),
        (
            "Monster.path[0][1].x",
            "`Monster.path.0.1.x` of entity E: the value is an integer, which has no parts",
        ),
        ("Monster.", "`Monster.` of entity E: expected a name after `.`"),
        (
            "Monster.kind.Dragon.heads",
            "`Monster.kind.Dragon.heads` of entity E: invalid value: integer `300`, expected u8",
        ),
        (
            "Monster.kind",
            "`Monster.kind` of entity E: invalid type: integer `300`, expected the name of a variant, or a map from the name of a variant to its content",
        ),
        ("Score.x", "`Score.x` of entity E: the value is an integer, which has no parts"),
        ("Weapon", "entity E has no component `Weapon`"),
    ];
    let before = world.read_all(entity).unwrap();
    for (path, message) in cases {
        let error = world.patch(entity, path, 300).unwrap_err().to_string();
        assert_eq!(error.replace(&entity.to_string(), "E"), message);
        assert_eq!(world.read_all(entity).unwrap(), before);
    }
    world.patch(entity, "Monster.kind", "Wolf").unwrap();
    world.patch(entity, "Monster.kind", json(r#"{"Ghost": 3}"#)).unwrap();
    let monster = game.get::<Monster>(entity).unwrap();
    assert_eq!((&monster.kind, monster.path[0].1, monster.loot["gold"]), (&Kind::Ghost(3), -5, 6));
    assert_eq!((monster.target, game.get(entity)), (Some(target), Some(&Position(1.0, 0.25))));
}

#[test]
fn a_patched_component_is_changed() {
    let mut game = Game::new();
    let entity = game.spawn(Health::default());
    game.tick();
    assert_eq!(game.resource::<Keys>().0, [0]);
    game.tick();
    assert!(game.resource::<Keys>().0.is_empty());
    game.reflect_mut().patch(entity, "Health.max", 10).unwrap();
    game.tick();
    assert_eq!(game.resource::<Keys>().0, [0]);
}

#[test]
fn components_are_removed() {
    let mut game = Game::new();
    let entity = game.spawn((Score(1), Weapon("axe".into())));
    let mut world = game.reflect_mut();
    assert_eq!(
        world.remove_all(entity, &["Score", "Hammer"]).map_err(|error| error.to_string()),
        Err("world `Game` has no component `Hammer`".into())
    );
    assert_eq!(world.remove_all(entity, &["Score", "Weapon", "Frozen"]), Ok(2));
    assert_eq!(world.remove(entity, "Score"), Ok(false));
    assert_eq!(game.reflect().read_all(entity), Ok(vec![]));
}

#[test]
fn resources_are_read_and_patched_and_events_sent() {
    let mut game = Game::new();
    let entity = game.spawn(());
    let mut world = game.reflect_mut();
    world.patch_resource("Clock.step", 2).unwrap();
    assert_eq!(world.read_resource("Clock.step"), Ok(2.0_f32.into()));
    let error = world.patch_resource("Clock.step", "fast").unwrap_err().to_string();
    assert_eq!(error, "`Clock.step`: invalid type: string \"fast\", expected f32");
    let event = DynamicValue::Struct(vec![("entity".into(), entity.into()), ("points".into(), 3.into())]);
    world.send("Hit", event).unwrap();
    assert!(world.send("Hit", 3).is_err());
    assert_eq!(game.drain::<Hit>().collect::<Vec<_>>(), [Hit { entity, points: 3 }]);
    assert_eq!(game.resource::<Clock>(), &Clock { step: 2.0, frame: 0 });
}

#[test]
fn the_world_describes_itself() {
    let mut game = Game::new();
    game.spawn((Score(1), Frozen));
    let world = game.reflect();
    let names: Vec<&str> = world.components().iter().map(|info| info.name).collect();
    assert_eq!(
        names,
        [
            "Health", "Position", "Score", "Frozen", "Burning", "Player", "Account", "Monster", "Weapon",
            "ChildOf"
        ]
    );
    let monster = world.component("Monster").unwrap();
    assert_eq!((monster.requires, monster.count), (vec!["Health", "Score"], 0));
    let frozen = world.component("Frozen").unwrap();
    assert_eq!((frozen.excludes, frozen.size, frozen.count), (vec!["Burning"], 0, 1));
    assert!(world.component("Health").unwrap().tracked && world.component("Weapon").unwrap().removed);
    assert!(
        world.component("Account").unwrap().key
            && world.component("Player").unwrap().unique
            && world.component("ChildOf").unwrap().relation
    );
    assert_eq!(world.resources()[0].name, "Clock");
    assert_eq!(world.events()[0].name, "Hit");
    let systems = world.systems();
    assert_eq!(
        (systems[0].schedule, systems[0].system, &*systems[0].writes),
        ("tick", "heal", &["Health"][..])
    );
    assert_eq!(systems[1].resources_written, ["Clock"]);
    assert_eq!(world.schedules(), ["tick"]);
}

#[test]
fn entities_are_listed_in_pages() {
    let mut game = Game::new();
    let all: Vec<Entity> = game.spawn_batch((0..200).map(Score)).collect();
    game.despawn(all[64]).unwrap();
    let (mut paged, mut after) = (Vec::new(), None);
    loop {
        let page = game.reflect().entities(after, 63);
        let Some(last) = page.last() else { break };
        after = Some(*last);
        paged.extend(page);
    }
    assert_eq!(paged, game.entities().iter().collect::<Vec<_>>());
    assert_eq!((paged.len(), game.reflect().len()), (199, 199));
}
