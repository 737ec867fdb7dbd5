//! Prefabs, and verbs that take names.

use std::fmt::Write as _;

use ecs::prelude::*;
use ecs::reflect::{PrefabLibrary, ReflectWorld};
use ecs::{ChildOf, Prefab};
use serde::{Deserialize, Serialize};

use super::game::shuffled;
use super::measure::Growth::Linear;
use super::measure::{Row, cost, rows};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Weight(u64);

world! {
    #[derive(Serialize, Deserialize, Reflect)]
    struct Store {
        components { Weight, ChildOf }
        resources { PrefabLibrary }
    }
}

fn store(library: &str) -> Store {
    Store::new(serde_json::from_str(library).unwrap())
}

/// The text of a prefab with so many entities. Each is the child of the first one, or of the one
/// behind it in the text.
fn text(n: usize, is_chain: bool) -> String {
    let mut text = String::from("{");
    for i in (1..n).rev() {
        let parent = if is_chain { i - 1 } else { 0 };
        write!(text, r#""part {i}": {{ "Weight": {i}, "ChildOf": "part {parent}" }}, "#).unwrap();
    }
    text + r#""part 0": { "Weight": 0 } }"#
}

fn read_and_spawn(n: usize, is_chain: bool) -> Store {
    let prefab = Prefab::<Store>::from_json("it.json", &text(n, is_chain)).unwrap();
    let mut store = store("{}");
    prefab.spawn(&mut store).unwrap();
    store
}

/// A store with `n` children of one entity.
fn star(n: usize) -> (Store, Vec<Entity>) {
    let mut store = store("{}");
    let parent = store.spawn(Weight(0));
    let children = (0..n as u64).map(|i| store.spawn((Weight(i), ChildOf(parent)))).collect();
    (store, children)
}

pub(crate) const ROWS: &[&[Row]] = &[PREFABS];

const PREFABS: &[Row] = rows! {
    Linear "Prefab: the children of one entity, read and spawned" => |n| {
        cost(|| read_and_spawn(n, false))
    };
    Linear "Prefab: a chain, read and spawned" => |n| {
        cost(|| read_and_spawn(n, true))
    };
    Linear "Prefab: spawned again and again" => |n| {
        let prefab = Prefab::<Store>::from_json("it.json", &text(2, true)).unwrap();
        let mut store = store("{}");
        cost(|| (0..n).for_each(|_| _ = prefab.spawn(&mut store).unwrap()))
    };
    Linear "PrefabLibrary: read" => |n| {
        let library = format!(r#"{{ "it": {} }}"#, text(n, false));
        cost(|| store(&library))
    };
    Linear "spawn_prefab: the children of one entity" => |n| {
        let mut store = store(&format!(r#"{{ "it": {} }}"#, text(n, false)));
        cost(|| store.reflect_mut().spawn_prefab("it", &[]).unwrap())
    };
    Linear "spawn_prefab: a change of each entity" => |n| {
        let mut store = store(&format!(r#"{{ "it": {} }}"#, text(n, true)));
        let names: Vec<String> = (0..n).map(|i| format!("part {i}")).collect();
        let changes: Vec<_> = names.iter().map(|name| (name.as_str(), "Weight", 7_u64.into())).collect();
        cost(|| store.reflect_mut().spawn_prefab("it", &changes).unwrap())
    };
    Linear "reflection: despawn sources of one target, in no order" => |n| {
        let (mut store, children) = star(n);
        let children = shuffled(&children);
        cost(|| children.iter().for_each(|&child| store.reflect_mut().despawn(child).unwrap()))
    };
    Linear "reflection: all entities, ten at a time" => |n| {
        let (store, _) = star(n);
        cost(|| {
            let mut last = None;
            while let Some(&next) = store.reflect().entities(last, 10).last() {
                last = Some(next);
            }
        })
    };
    Linear "reflection: the first sources of one target, again and again" => |n| {
        let (store, children) = star(n);
        let parent = store.target::<ChildOf>(children[0]).unwrap();
        cost(|| (0..n).for_each(|_| assert_eq!(store.reflect().sources("ChildOf", parent, 10).unwrap().len(), 10)))
    };
};
