//! Code that panics while a target loses a component that its relations need: afterwards no
//! relation points to an entity without it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::command::FailurePolicy;
use ecs::component::ComponentHook;
use ecs::prelude::*;
use ecs::save::{Baseline, Replica, Selection};
use ecs::world::{GenericComponents, MoveComponents};
use serde::{Deserialize, Serialize};

thread_local! {
    static PANICS: Cell<bool> = const { Cell::new(false) };
}

fn burn(what: &str) {
    if PANICS.replace(false) {
        panic!("{what}");
    }
}

/// Its hook panics when it is removed.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(hook = Pulse)]
struct Health(u32);

#[derive(Clone, Default)]
struct Pulse;

impl ComponentHook<Health> for Pulse {
    fn inserted(&mut self, _: Entity, _: Option<&Health>, _: &Health) {}
    fn removed(&mut self, _: Entity, _: &Health) {
        burn("the hook");
    }
}

/// Its drop panics.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Armor(u32);

impl Drop for Armor {
    fn drop(&mut self) {
        burn("the drop");
    }
}

#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, target(Health))]
struct Attacks(Entity);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = cascade, target(Health, Armor))]
struct BarOf(Entity);

world! {
    #[derive(Clone)]
    struct Arena { components { Health, Armor, Attacks, BarOf } }
}

fn is_sound(arena: &Arena) {
    for source in &arena.entities() {
        let bar = arena.target::<BarOf>(source);
        assert!(arena.target::<Attacks>(source).is_none_or(|target| arena.has::<Health>(target)));
        assert!(bar.is_none_or(|target| arena.has::<Health>(target) && arena.has::<Armor>(target)));
    }
}

#[test]
fn a_panic_while_a_component_is_removed_leaves_no_relation_to_an_entity_without_it() {
    type Verb = fn(&mut Arena, Entity, Entity);
    type Both = (Health, Armor);
    let verbs: [(&str, Verb); 13] = [
        ("remove", |arena, a, _| drop(arena.remove::<Both>(a))),
        ("remove_one", |arena, a, _| drop(arena.remove_one::<Health>(a))),
        ("try_remove", |arena, a, _| drop(arena.try_remove::<Both>(a))),
        ("remove_all", |arena, _, _| _ = arena.remove_all::<Both>()),
        ("command", |arena, a, _| arena.with_commands(|mut commands| commands.remove::<Both>(a))),
        ("swap", |arena, a, b| _ = arena.swap::<Both>(a, b)),
        ("swap_all", |arena, a, b| _ = arena.swap_all(a, b)),
        ("move_components", |arena, a, b| drop(arena.move_components::<Both>(a, b))),
        ("move_all_components", |arena, a, b| _ = arena.move_all_components(a, b)),
        ("move_entities", |arena, a, _| drop(arena.move_entities(&[a], &mut Arena::new()))),
        ("despawn", |arena, a, _| _ = arena.despawn(a)),
        ("clear", |arena, _, _| arena.clear()),
        ("delta", |arena, a, _| {
            let (mut copy, mut replica) = (Arena::new(), Replica::new());
            let selection = Selection::of::<(Health, Armor, Attacks, BarOf)>();
            let delta = selection.delta(&Baseline::nothing(), arena, 1).unwrap();
            PANICS.set(false);
            selection.apply(&mut copy, &mut replica, &delta).unwrap();
            let known = selection.baseline(arena, 1);
            arena.remove::<Both>(a).unwrap();
            let delta = selection.delta(&known, arena, 2).unwrap();
            PANICS.set(true);
            let _ = catch_unwind(AssertUnwindSafe(|| selection.apply(&mut copy, &mut replica, &delta)));
            is_sound(&copy);
        }),
    ];
    for (name, verb) in verbs {
        let mut arena = Arena::new();
        arena.on_failed_command(FailurePolicy::Ignore);
        let [a, b] = [1, 2].map(|n| arena.spawn((Health(n), Armor(n))));
        let c = arena.spawn(());
        for (source, target) in [(b, a), (c, a), (a, b)] {
            arena.insert(source, Attacks(target)).unwrap();
        }
        let bar = arena.spawn(BarOf(a));
        arena.remove::<Health>(b).unwrap();
        PANICS.set(true);
        let _ = catch_unwind(AssertUnwindSafe(|| verb(&mut arena, a, b)));
        PANICS.set(false);
        is_sound(&arena);
        assert!(arena.contains(bar) == arena.target::<BarOf>(bar).is_some(), "{name}");
    }
}
