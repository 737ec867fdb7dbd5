//! Texts that a client sends to a world by names: queries, and paths with values.
//!
//! A text is refused without a change, or the world keeps its rules. The target `reflect` and a
//! test of worlds by names run these checks.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::reflect::{DynamicQuery, DynamicValue, ReflectError, ReflectWorld};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Default)]
#[component(tracked)]
struct Health {
    now: u32,
    max: Option<f32>,
}
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(requires(Health))]
struct Monster {
    kind: Kind,
    target: Option<Entity>,
    path: Vec<(i8, i8)>,
    loot: BTreeMap<String, u8>,
}
#[derive(Serialize, Deserialize, Clone)]
enum Kind {
    Wolf,
    Ghost(u8),
    Dragon { heads: u8, fire: bool },
}
#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Eq, Hash)]
#[component(key)]
struct Account(u8);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(unique)]
struct Player;
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(excludes(Burning))]
struct Frozen;
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(excludes(Frozen))]
struct Burning;
#[derive(Component, Clone)]
#[component(hidden)]
struct Secret;

world! {
    #[derive(Reflect)]
    struct Menagerie { components { Health, Monster, Account, Player, Frozen, Burning, Secret, ChildOf } }
}

fn menagerie() -> Menagerie {
    let mut game = Menagerie::new();
    let root = game.spawn((Player, Health { now: 3, max: Some(7.5) }, Account(1), Secret));
    let monster = Monster {
        kind: Kind::Dragon { heads: 3, fire: true },
        target: Some(root),
        path: vec![(1, 2), (-3, 4)],
        loot: [("gold".into(), 5)].into(),
    };
    game.spawn((monster.clone(), Frozen, ChildOf(root)));
    game.spawn((Monster { kind: Kind::Ghost(2), target: None, ..monster.clone() }, Account(2)));
    game.spawn((Monster { kind: Kind::Wolf, ..monster }, Burning));
    game
}

/// All values that a handle shows.
fn all(game: &Menagerie) -> Vec<(Entity, Vec<(&'static str, DynamicValue)>)> {
    let world = game.reflect();
    world
        .entities(None, usize::MAX)
        .into_iter()
        .map(|entity| (entity, world.read_all(entity).unwrap()))
        .collect()
}

/// The rules that typed code relies on.
fn check_rules(game: &Menagerie) {
    let mut accounts = BTreeMap::new();
    for entity in game.entities() {
        if let Some(account) = game.get::<Account>(entity) {
            assert!(accounts.insert(account.0, entity).is_none(), "two entities have one key");
            assert_eq!(game.find_one::<Account>(account), Some(entity));
        }
        assert!(!(game.has::<Frozen>(entity) && game.has::<Burning>(entity)));
        assert!(!game.has::<Monster>(entity) || game.has::<Health>(entity));
        if let Some(&ChildOf(parent)) = game.get(entity) {
            assert!(game.contains(parent) && game.sources::<ChildOf>(parent).contains(&entity));
        }
        for &child in game.sources::<ChildOf>(entity) {
            assert_eq!(game.get(child), Some(&ChildOf(entity)));
        }
    }
    assert!(game.entities().iter().filter(|&entity| game.has::<Player>(entity)).count() <= 1);
}

fn query(game: &Menagerie, text: &str) {
    let query: DynamicQuery = match text.parse() {
        Ok(query) => query,
        Err(ReflectError::InvalidQuery { at, .. }) => return assert!(at <= text.len()),
        Err(error) => panic!("{error}"),
    };
    let world = game.reflect();
    let Ok(prepared) = world.prepare(&query) else { return };
    let (page, count) = (world.run_prepared(&prepared).unwrap(), world.count_prepared(&prepared).unwrap());
    assert!(page.rows.len() <= count);
    let first = world.query(&query.at_most(1)).unwrap().rows;
    assert_eq!(first[..], page.rows[..page.rows.len().min(1)], "a limit leaves out rows and changes none");
    for row in &page.rows {
        for (name, value) in &row.values {
            assert_eq!(world.read(row.entity, name).ok().as_ref(), value.as_ref());
        }
    }
}

/// Inputs from which a fuzzer starts.
pub const SEEDS: [&str; 6] = [
    "Health, without Frozen, Health.now < 5, order by Health.now desc, skip 1, limit 10",
    "?Monster, with ChildOf, ChildOf = 0v1, Monster.kind.Dragon.heads >= 2, Monster.path[0][1] = 2, after 0v1",
    "Monster.loot.gold = 5, Monster.kind != Wolf, Monster.target = none\nMonster.path contains \"x\"",
    "Health.now=3\nMonster.kind={\"Dragon\":{\"heads\":2,\"fire\":false}}\nMonster.path[0]=[1,2]\nMonster.loot.gold=7",
    "+Frozen=null\n+Account=7\n+Player=null\n+ChildOf=\"0v1\"\n+Health={\"now\":1,\"max\":null}",
    "*Monster={\"kind\":{\"Ghost\":3},\"target\":null,\"path\":[],\"loot\":{}}\n*Account=9\n*ChildOf=\"1v1\"",
];

/// Runs each line of a text: `path=JSON` changes a part of a component of each entity,
/// `+Component=JSON` inserts a component, `*Component=JSON` also spawns an entity, and every line
/// is a query, too.
pub fn check(text: &str) {
    let mut game = menagerie();
    for line in text.lines().take(8) {
        query(&game, line);
        let Some((path, value)) = line.split_once('=') else { continue };
        let Ok(value) = serde_json::from_str::<DynamicValue>(value) else { continue };
        for entity in game.entities().iter().collect::<Vec<_>>() {
            change(&mut game, entity, path, &value);
        }
        if let Some(name) = path.strip_prefix('*') {
            let before = all(&game);
            if game.reflect_mut().spawn(&[(name, value.clone()), ("Account", 9.into())]).is_err() {
                assert_eq!(all(&game), before, "a refused value changed the world");
            }
            check_rules(&game);
        }
    }
}

fn change(game: &mut Menagerie, entity: Entity, path: &str, value: &DynamicValue) {
    let before = all(game);
    let (name, result) = match path.strip_prefix('+') {
        Some(name) => (name, game.reflect_mut().insert(entity, name, value.clone())),
        None => (path, game.reflect_mut().patch(entity, path, value.clone())),
    };
    match result {
        Ok(()) => {
            assert!(game.reflect().read(entity, name).is_ok(), "`{name}` was written and cannot be read")
        }
        Err(_) => assert_eq!(all(game), before, "a refused value changed the world"),
    }
    check_rules(game);
}
