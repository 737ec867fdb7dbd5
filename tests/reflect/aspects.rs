//! Aspects by name.

use ecs::error::Reason;
use ecs::prelude::*;
use ecs::reflect::{AllowList, AspectList, AspectNames, DynamicValue, NameKind, ReflectError, ReflectWorld};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Default, PartialEq, Debug)]
struct Health {
    now: u32,
    max: u32,
    /// No format has it.
    #[serde(skip)]
    wounds: u8,
}

#[derive(Component, Serialize, Deserialize, Clone, Default, PartialEq, Debug)]
#[component(requires(Weight))]
struct Speed(u32);

#[derive(Component, Serialize, Deserialize, Clone, Default, PartialEq, Debug)]
struct Weight(u32);

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Eq, Hash, Debug)]
#[component(key, removed)]
struct Name(String);

#[derive(Component, Serialize, Deserialize, Clone, Default, PartialEq, Debug)]
#[component(excludes(Burning))]
struct Frozen;

#[derive(Component, Serialize, Deserialize, Clone, Default, PartialEq, Debug)]
#[component(excludes(Frozen))]
struct Burning;

#[derive(Component, Default)]
#[component(hidden)]
struct Secret;

/// Something that can be hurt.
#[derive(Aspect)]
struct Body {
    /// With a wound.
    #[aspect(default = Health { now: 5, max: 5, wounds: 1 })]
    health: Health,
    speed: Speed,
}

#[derive(Aspect)]
struct Monster {
    #[aspect(.health.max = 9)]
    body: Body,
    #[aspect(default = Name("rat".into()))]
    name: Name,
}

#[derive(Aspect)]
struct Ice {
    frozen: Frozen,
}

#[derive(Aspect)]
struct Fire {
    burning: Burning,
    #[aspect(default = Name("fire".into()))]
    name: Name,
}

#[derive(Aspect)]
struct Spy {
    secret: Secret,
    speed: Speed,
}

#[derive(Aspect)]
struct Boxed<T: Component + Default> {
    content: T,
}

world! {
    #[derive(Reflect)]
    struct Game { components { Health, Speed, Weight, Name, Frozen, Burning, Secret } }
}

impl AspectNames for Game {
    fn aspect_names(list: AspectList<Self>) -> AspectList<Self> {
        let list = list.aspect::<Body>().aspect::<Monster>().aspect::<Ice>().aspect::<Fire>();
        list.aspect::<Spy>().aspect_as::<Boxed<Weight>>("Crate").aspect::<Body>()
    }
}

world! {
    #[derive(Reflect)]
    struct Plain { components { Weight } }
}

#[test]
fn aspects_are_listed_with_docs_components_and_parts() {
    let mut game = Game::new();
    game.spawn(Monster::fresh());
    let game = game.reflect();
    let names: Vec<&str> = game.aspects().iter().map(|aspect| aspect.name).collect();
    assert_eq!(names, ["Body", "Monster", "Ice", "Fire", "Crate"], "`Spy` has a hidden component");
    let monster = game.aspect("Monster").unwrap();
    assert_eq!((&*monster.components, &*monster.parts), (&["Health", "Speed", "Name"][..], &["Body"][..]));
    assert_eq!((monster.docs, monster.count), ("", 1));
    assert_eq!(game.aspect("Body").unwrap().docs, "Something that can be hurt.");
    assert_eq!(game.aspect("Crate").unwrap().components, ["Weight"]);
    let docs = game.docs(NameKind::Aspects, "Body").unwrap();
    assert_eq!(docs, [("", "Something that can be hurt."), ("health", "With a wound.")]);
    let defaults = game.aspect_defaults("Monster").unwrap();
    let texts: Vec<String> = defaults.iter().map(|(name, value)| format!("{name} {value}")).collect();
    assert_eq!(texts, ["Health {now: 5, max: 9}", "Speed 0", "Name \"rat\""]);
    assert!(Plain::new().reflect().aspects().is_empty(), "a world without `AspectNames`");
}

#[test]
fn an_aspect_is_added_with_changes_and_removed() {
    let mut game = Game::new();
    let rat = game.spawn(());
    let mut world = game.reflect_mut();
    world.add_aspect(rat, "Monster", &[]).unwrap();
    assert_eq!(world.aspects_of(rat).unwrap(), ["Body", "Monster", "Crate"]);
    let typed = Health { now: 5, max: 9, wounds: 1 };
    assert_eq!(game.get(rat), Some(&typed), "the field that serde skips, too");
    assert_eq!(game.get(rat), Some(&Weight(0)), "`Speed` requires it");

    let wolf = game.spawn(());
    let changes = [("Health.now", DynamicValue::from(2)), ("Name", "wolf".into()), ("Health.max", 3.into())];
    game.reflect_mut().add_aspect(wolf, "Monster", &changes).unwrap();
    assert_eq!(game.get(wolf), Some(&Health { now: 2, max: 3, wounds: 0 }));
    assert_eq!(game.find_one::<Name>(&Name("wolf".into())), Some(wolf));

    let removed = game.reflect_mut().remove_aspect(wolf, "Body").unwrap();
    assert_eq!(removed[1], ("Speed", 0.into()));
    assert_eq!(game.reflect().components_of(wolf).unwrap(), ["Weight", "Name"]);
    assert!(!game.reflect().has_aspect(wolf, "Body").unwrap());
}

type Changes<'c> = &'c [(&'c str, DynamicValue)];

#[test]
fn nothing_changes_after_an_error() {
    let mut game = Game::new();
    let [rat, ice] = [game.spawn(Monster::fresh()), game.spawn((Frozen, Speed(3)))];
    let text = |error: ReflectError| error.to_string();
    let mut world = game.reflect_mut();
    let cases: [(Entity, &str, Changes<'_>, String); 7] = [
        (ice, "Boddy", &[], "world `Game` has no aspect `Boddy`: did you mean `Body`?".into()),
        (ice, "Spy", &[], "world `Game` has no aspect `Spy`".into()),
        (rat, "Body", &[], format!("entity {rat} already has component `Health`")),
        (ice, "Monster", &[], format!("entity {ice} already has component `Speed`")),
        (ice, "Crate", &[("Health.now", 3.into())], format!("entity {ice} already has component `Weight`")),
        (
            ice,
            "Fire",
            &[("Speed", 3.into())],
            format!("`Speed` of entity {ice}: it is not in aspect `Fire`, which has `Burning`, `Name`"),
        ),
        (
            ice,
            "Fire",
            &[("Name", 3.into())],
            format!("`Name` of entity {ice}: invalid type: integer `3`, expected a string"),
        ),
    ];
    for (entity, aspect, changes, message) in cases {
        assert_eq!(world.add_aspect(entity, aspect, changes).map_err(text), Err(message));
    }
    let error = world.add_aspect(ice, "Fire", &[]).unwrap_err();
    assert!(
        matches!(&error, ReflectError::Refused(refused) if matches!(refused.reason, Reason::Excluded(_))),
        "{error}"
    );
    let missing = format!("entity {ice} has no component `Health`");
    assert_eq!(world.remove_aspect(ice, "Body").map(drop).map_err(text), Err(missing));
    assert_eq!(world.components_of(ice).unwrap(), ["Speed", "Weight", "Frozen"]);
    assert_eq!(world.components_of(rat).unwrap(), ["Health", "Speed", "Weight", "Name"]);
}

#[test]
fn aspects_are_swapped_even_if_they_exclude_each_other() {
    let mut game = Game::new();
    let [rat, ice] = [game.spawn(Monster::fresh()), game.spawn((Frozen, Weight(7)))];
    let mut world = game.reflect_mut();
    world.swap_aspect(ice, "Ice", "Fire", &[]).unwrap();
    assert_eq!(world.components_of(ice).unwrap(), ["Weight", "Name", "Burning"]);
    // a component that both have gets the new value
    world.swap_aspect(rat, "Monster", "Body", &[("Speed", 4.into())]).unwrap();
    assert_eq!(world.components_of(rat).unwrap(), ["Health", "Speed", "Weight"]);
    assert_eq!(game.get(rat), Some(&Health { now: 5, max: 5, wounds: 1 }));
    assert_eq!(game.get(rat), Some(&Speed(4)));
}

#[test]
fn a_refused_swap_leaves_the_old_aspect() {
    let mut game = Game::new();
    let [fire, rat] = [game.spawn(Fire::fresh()), game.spawn(Monster::fresh())];
    game.insert(rat, Health { now: 1, max: 2, wounds: 3 }).unwrap();
    let mut world = game.reflect_mut();
    // the name is taken
    let error = world.swap_aspect(rat, "Monster", "Fire", &[]).unwrap_err();
    assert!(matches!(error, ReflectError::Refused(refused) if refused.reason == Reason::Duplicate(fire)));
    assert!(world.swap_aspect(rat, "Fire", "Ice", &[]).is_err(), "it has no `Burning`");
    assert!(world.swap_aspect(rat, "Monster", "Crate", &[]).is_err(), "it has a `Weight`");
    assert_eq!(world.components_of(rat).unwrap(), ["Health", "Speed", "Weight", "Name"]);
    assert_eq!(game.get(rat), Some(&Health { now: 1, max: 2, wounds: 3 }));
    assert_eq!(game.find_one::<Name>(&Name("rat".into())), Some(rat));
}

#[test]
fn a_restricted_handle_has_only_aspects_of_what_it_shows() {
    let mut game = Game::new();
    let rat = game.spawn(Monster::fresh());
    let guest = AllowList::new().components(["Health", "Speed"]);
    let mut world = game.reflect_mut().restrict(&guest).unwrap();
    assert_eq!(world.aspects_of(rat).unwrap(), ["Body"]);
    let error = world.remove_aspect(rat, "Monster").unwrap_err();
    assert_eq!(error.to_string(), "world `Game` has no aspect `Monster`");
    let mut reader = game.reflect_mut().restrict(&AllowList::new().read_only()).unwrap();
    assert_eq!(reader.add_aspect(rat, "Ice", &[]), Err(ReflectError::ReadOnly));
    assert_eq!(reader.swap_aspect(rat, "Body", "Ice", &[]), Err(ReflectError::ReadOnly));
    assert_eq!(reader.remove_aspect(rat, "Body").map(drop), Err(ReflectError::ReadOnly));
}

mod clash {
    use super::*;

    world! {
        #[derive(Reflect)]
        struct Clashing { components { Weight } }
    }

    impl AspectNames for Clashing {
        fn aspect_names(list: AspectList<Self>) -> AspectList<Self> {
            list.aspect_as::<Boxed<Weight>>("Weight")
        }
    }

    #[test]
    #[should_panic(expected = "world `Clashing` has a component `Weight`: name the aspect with `aspect_as`")]
    fn an_aspect_has_no_name_of_a_component() {
        let _ = Clashing::new().reflect().aspects();
    }
}
