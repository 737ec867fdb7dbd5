//! Panics in the code of components while a world is read and changed by names, while deltas are
//! made and applied, and while entities move to another world. Afterwards the world is usable, its
//! indexes and its journal fit its entities, and no value has leaked.

use ecs::component::ComponentSet;
use ecs::prelude::*;
use ecs::query::{StructuralAction, StructuralChange};
use ecs::reflect::{DynamicValue, PrefabLibrary, ReflectWorld};
use ecs::save::{Baseline, DanglingIds, Replica, Selection, move_entities};
use ecs::system::Tick;
use ecs::{ChildOf, Many};
use ecs_tests::fuse::{arm, disarm};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::bomb::{self, Bomb, Key, Likes, Married, Note, Owes, Tag, Team};

macro_rules! comps { ($($(#[$m:meta])* $n:ident;)*) => { $( #[derive(Component, Clone, Serialize, Deserialize)] $(#[$m])* struct $n(Bomb); )* } }
comps! {
    Plain;
    #[component(tracked, removed = 4)] Loot;
    #[component(unique)] Sole;
    #[component(requires(Base))] Needs;
    #[component(excludes(Ice))] Fire;
    #[component(excludes(Fire))] Ice;
}
#[derive(Component, Clone, Serialize, Deserialize, Default)]
struct Base(Bomb);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Seen(Bomb);

world! {
    #[derive(Clone, Reflect, Serialize, Deserialize)]
    #[world(journal = 1000)]
    struct Den {
        components { Plain, Loot, Sole, Needs, Fire, Ice, Base, Team, Key, Tag, likes: Many<Likes>, Married, owes: Many<Owes>, ChildOf }
        resources { seen: Seen = Seen::default() }
        events { Note(external, keep = 4) }
    }
    schedule tick { tags }
}
#[system(Den)]
fn tags(mut commands: Commands<Den>, q: Query<Entity, With<Tag>>) {
    for e in q.iter() {
        commands.remove::<Tag>(e);
    }
}

type All = (Plain, Loot, Sole, Needs, Fire, Base, Team, Key, Tag, Many<Likes>, Married, Many<Owes>);

fn whole(den: &mut Den, what: &str) {
    for column in den.stats().columns {
        let living = || den.entities().iter();
        macro_rules! h { ($($t:ty)*) => { match column.component { $( n if n == <$t as Component>::COMPONENT_NAME => living().filter(|&id| den.has::<$t>(id)).count(), )* _ => continue } } }
        let held = h!(Plain Loot Sole Needs Fire Ice Base Team Key Tag Married ChildOf);
        assert_eq!(held, column.len, "{what}: values of `{}`", column.component);
    }
    let bytes = den.to_bytes().unwrap();
    let again = Den::load(&bytes).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert!(again.entities().iter().eq(den.entities().iter()));
    assert_eq!(again.hash(), den.hash(), "{what}");
    let text = serde_json::to_string(&*den).unwrap();
    let again: Den = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(again.to_bytes().unwrap(), bytes, "{what}");
    den.tick();
    let r = den.reflect();
    let all: Vec<Entity> = den.entities().iter().collect();
    for e in &all {
        let _ = r.read_all(*e).unwrap();
    }
    let mut copy = den.clone();
    for e in all {
        let _ = copy.despawn(e);
    }
    for c in copy.stats().columns {
        assert_eq!(c.len, 0, "{what}: {}", c.component);
    }
    let recorded = journaled(den.journal_since(Tick::default()).unwrap());
    assert!(
        recorded.into_iter().eq(den.entities().iter().collect::<BTreeSet<_>>()),
        "{what}: the journal has other entities"
    );
}

/// The live entities, by the journal.
fn journaled(changes: impl Iterator<Item = StructuralChange>) -> BTreeSet<Entity> {
    let mut alive = BTreeSet::new();
    for change in changes {
        match change.action {
            StructuralAction::Spawn => drop(alive.insert(change.entity)),
            StructuralAction::Despawn => drop(alive.remove(&change.entity)),
            _ => {}
        }
    }
    alive
}

fn bomb(n: u32) -> Bomb {
    Bomb::new(n)
}
fn start() -> (Den, Vec<Entity>) {
    let mut den = Den::new();
    let mut ids = vec![
        den.spawn((Plain(bomb(1)), Loot(bomb(2)), Sole(bomb(3)))),
        den.spawn((Needs(bomb(4)), Team(bomb(5)), Key(bomb(6)))),
        den.spawn((Fire(bomb(7)), Tag)),
        den.spawn(()),
    ];
    den.relate(ids[0], Likes { whom: ids[1], bomb: bomb(1) }).unwrap();
    den.relate(ids[1], Married(ids[2], bomb(1))).unwrap();
    den.relate(ids[3], Owes(ids[2], bomb(1))).unwrap();
    ids.push(den.spawn((Ice(bomb(1)), ChildOf(ids[0]))));
    (den, ids)
}
fn id(e: Entity) -> DynamicValue {
    DynamicValue::EntityId(e)
}

type Operation = fn(&mut Den, &[Entity]) -> bool;
const OPERATIONS: &[(&str, Operation)] = &[
    ("spawn", |d, _| {
        d.reflect_mut()
            .spawn(&[
                ("Plain", 1.into()),
                ("Needs", 2.into()),
                ("Team", 3.into()),
                ("Key", 9.into()),
                ("Tag", DynamicValue::Unit),
            ])
            .is_ok()
    }),
    ("spawn unique", |d, _| d.reflect_mut().spawn(&[("Plain", 1.into()), ("Sole", 2.into())]).is_err()),
    ("insert", |d, i| {
        d.reflect_mut()
            .insert_all(
                i[0],
                &[("Plain", 5.into()), ("Loot", 5.into()), ("Needs", 5.into()), ("Fire", 1.into())],
            )
            .is_ok()
    }),
    ("insert excluded", |d, i| {
        d.reflect_mut().insert_all(i[4], &[("Plain", 5.into()), ("Fire", 1.into())]).is_err()
    }),
    ("replace", |d, i| {
        d.reflect_mut()
            .insert_all(i[1], &[("Team", 1.into()), ("Key", 1.into()), ("Needs", 8.into())])
            .is_ok()
    }),
    ("rel", |d, i| {
        d.reflect_mut()
            .insert_all(
                i[0],
                &[("Married", DynamicValue::List(vec![id(i[1]), 3.into()])), ("Plain", 1.into())],
            )
            .is_ok()
    }),
    ("remove", |d, i| d.reflect_mut().remove_all(i[1], &["Needs", "Team", "Key", "Married", "Base"]).is_ok()),
    ("patch", |d, i| d.reflect_mut().patch(i[0], "Plain", 3).is_ok()),
    ("patch res", |d, _| d.reflect_mut().patch_resource("Seen", 3).is_ok()),
    ("send", |d, _| d.reflect_mut().send("Note", 3).is_ok()),
    ("despawn", |d, i| d.reflect_mut().despawn(i[2]).is_ok()),
    ("despawn0", |d, i| d.reflect_mut().despawn(i[0]).is_ok()),
    ("delta", |d, i| {
        let s = Selection::<Den>::of::<All>();
        let base = s.baseline(d, 1);
        if let Some(v) = d.get_mut::<Plain>(i[0]) {
            v.0.0 = 9;
        }
        let _ = d.despawn(i[2]);
        s.changes(&base, d).is_ok() && s.delta(&base, d, 2).is_ok()
    }),
    ("apply", |d, _| {
        let s = Selection::<Den>::of::<All>();
        let mut other = Den::new();
        let one = other.spawn((Plain(bomb(1)), Loot(bomb(2)), Team(bomb(5)), Key(bomb(60)), Needs(bomb(1))));
        let two = other.spawn((Married(one, bomb(2)), Tag));
        let first = s.delta(&Baseline::nothing(), &other, 1).unwrap();
        let base = s.baseline(&mut other, 1);
        other.despawn(two).unwrap();
        drop(other.remove::<Loot>(one));
        drop(other.insert(one, (Plain(bomb(3)), Key(bomb(61)), Team(bomb(4)))));
        let third = other.spawn(Fire(bomb(3)));
        other.relate(third, Owes(one, bomb(2))).unwrap();
        let second = s.delta(&base, &other, 2).unwrap();
        let mut r = Replica::new();
        s.apply(d, &mut r, &first).unwrap();
        s.apply(d, &mut r, &second).unwrap();
        true
    }),
    ("move", |d, i| {
        let mut other = Den::new();
        move_entities::<All, _, _>(d, [i[0], i[1], i[2]], &mut other, DanglingIds::Keep).is_ok()
    }),
    ("move in", |d, _| {
        let (mut other, i) = start();
        move_entities::<(Plain, Loot, Needs, Fire, Team, Married, Many<Likes>), _, _>(
            &mut other,
            [i[0], i[1], i[2]],
            d,
            DanglingIds::Keep,
        )
        .is_ok()
    }),
    ("entities", |d, i| {
        let mut t = String::new();
        for e in i {
            t += &format!("{:?}", d.reflect().read_all(*e));
        }
        !t.is_empty()
    }),
    ("run", |d, _| {
        d.reflect_mut().run_schedule("tick").unwrap();
        d.reflect_mut().run_system("tags").is_ok()
    }),
    ("merge", |d, _| {
        let (other, _) = start();
        let mut other = other;
        let s: Vec<_> =
            other.entities().iter().filter(|&e| other.has::<Sole>(e) || other.has::<Key>(e)).collect();
        for e in s {
            let _ = other.despawn(e);
        }
        let bytes = other.to_bytes().unwrap();
        d.merge(&bytes, DanglingIds::Keep).is_ok()
    }),
    ("snap", |d, i| {
        let s = d.snapshot();
        let _ = d.despawn(i[0]);
        d.spawn(Loot(bomb(3)));
        let n = s.iter::<Loot>().count();
        d.restore(&s);
        n > 0
    }),
    ("clone_entity", |d, i| d.clone_entity(i[1]).is_err() | d.clone_entity(i[3]).is_ok()),
];

#[test]
fn a_panic_in_any_step_leaves_a_whole_world() {
    let mut panics = 0;
    for (name, operation) in OPERATIONS {
        for n in 1.. {
            let (mut den, ids) = start();
            arm(n);
            let done = catch_unwind(AssertUnwindSafe(|| operation(&mut den, &ids)));
            disarm();
            assert!(!matches!(done, Ok(false)), "{name} {n}");
            whole(&mut den, &format!("{name} {n}"));
            drop(den);
            if done.is_ok() {
                break;
            }
            panics += 1;
        }
        bomb::assert_settled();
    }
    assert!(panics > 300, "{panics} panics");
}

/// The methods of a trait object can be called without a name of its trait.
#[test]
fn a_trait_object_changes_live_entities_only() {
    let (mut den, ids) = start();
    den.despawn(ids[2]).unwrap();
    let dead = [ids[2], Entity::from_bits(7 << 32 | 5_000_000).unwrap()];
    // only a world makes values that are passed to `put`
    let value = |component: usize| {
        let (mut other, ids) = start();
        let other: &mut dyn ReflectWorld = &mut other;
        ids.iter().find_map(|&id| other.take(component, id)).expect("an entity has it")
    };
    let object: &mut dyn ReflectWorld = &mut den;
    for entity in dead {
        for component in [0, 7, 8] {
            object.put(component, entity, value(component));
        }
        object.fill(3, entity);
        assert!(object.take(1, entity).is_none());
    }
    // a value of another component, and a component that the world does not have
    object.put(0, ids[0], value(7));
    object.put(7, ids[0], value(0));
    assert!(object.refuse(8, Some(ids[0]), &value(0)).is_none());
    object.put(9000, ids[0], value(7));
    let new = object.spawn_with((0..256).fold(ComponentSet::EMPTY, ComponentSet::with));
    assert!(den.contains(new));
    whole(&mut den, "a trait object");
    drop(den);
    bomb::assert_settled();
}

world! {
    #[derive(Clone, Reflect)]
    #[world(journal = 1000)]
    struct Shed {
        components { Plain, Loot, Needs, Base, Team, Tag, Married, likes: Many<Likes> }
        resources { library: PrefabLibrary = PrefabLibrary::new() }
    }
}

#[test]
fn a_panic_while_a_prefab_is_spawned_leaves_none_of_its_entities() {
    let library = r#"{ "a": {
        "x": { "Plain": 1, "Married": ["y", 3] },
        "y": { "Needs": 2, "Many<Likes>": [{ "whom": "x", "bomb": 1 }], "Team": 1, "Tag": null }
    } }"#;
    for path in ["Needs", "Needs[0][1]"] {
        for n in 1.. {
            let mut shed = Shed::new();
            *shed.resource_mut() = serde_json::from_str::<PrefabLibrary>(library).unwrap();
            shed.spawn(Plain(bomb(1)));
            arm(n);
            let changes = [("x", "Loot", 3.into()), ("y", path, 4.into()), ("x", "Married[1]", 5.into())];
            let done = catch_unwind(AssertUnwindSafe(|| shed.reflect_mut().spawn_prefab("a", &changes)));
            disarm();
            let spawned = matches!(done, Ok(Ok(_)));
            assert!(!spawned || path == "Needs");
            assert_eq!(shed.entities().len(), if spawned { 3 } else { 1 }, "{path} {n}");
            let recorded = journaled(shed.journal_since(Tick::default()).unwrap());
            assert_eq!(recorded.len(), shed.entities().len(), "{path} {n}");
            shed.clear();
            assert!(shed.stats().columns.iter().all(|column| column.len == 0));
            drop(shed);
            if done.is_ok() {
                break;
            }
        }
        bomb::assert_settled();
    }
}
