//! A panic in the `Clone`, `Drop` or `Hash` of a value, in the middle of a change that has several
//! parts: either all parts are made or none is.

use std::hash::{Hash, Hasher};

use ecs::component::ComponentHook;
use ecs::prelude::*;
use ecs::system::HookState;
use ecs_tests::fuse::{blows_up, burn};
use serde::{Deserialize, Serialize};

/// A number whose `Clone` and `Drop` may panic.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Fused(u32);

impl Clone for Fused {
    fn clone(&self) -> Self {
        burn("clone");
        Self(self.0)
    }
}

impl Drop for Fused {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            burn("drop");
        }
    }
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(hook = Sum, removed = 1)]
struct Weight(Fused);

/// The sum of all weights.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Sum(u32);

impl ComponentHook<Weight> for Sum {
    fn inserted(&mut self, _: Entity, old: Option<&Weight>, new: &Weight) {
        self.0 += new.0.0 - old.map_or(0, |old| old.0.0);
    }
    fn removed(&mut self, _: Entity, old: &Weight) {
        self.0 -= old.0.0;
        burn("removed");
    }
}

#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = cascade)]
#[component(removed = 1)]
struct Under {
    #[target]
    to: Entity,
    value: Fused,
}

#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = remove)]
#[component(removed)]
struct Guards {
    #[target]
    to: Entity,
    value: Fused,
}

#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, symmetric)]
#[component(removed = 1)]
struct Knows {
    #[target]
    to: Entity,
    value: Fused,
}

#[derive(Event, Clone, Serialize, Deserialize)]
struct Note(Fused);

/// The numbers that the readers of the two schedules have got.
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Read {
    notes: [Vec<u32>; 2],
    weights: [Vec<u32>; 2],
    guards: Vec<u32>,
    known: Vec<u32>,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    #[world(journal = 100)]
    struct Town {
        components { Weight, Under, Guards, ecs::Many<Knows> }
        resources { Read = Read::default() }
        events { Note(external) }
    }
    schedule tick { read::<0>, read_relations }
    schedule late { read::<1> }
}

#[system(Town)]
fn read<const N: usize>(mut notes: EventReader<Note>, mut weights: Removed<Weight>, mut read: ResMut<Read>) {
    read.notes[N].extend(notes.iter().map(|note| note.0.0));
    read.weights[N].extend(weights.iter().map(|(_, weight)| weight.0.0));
}
#[system(Town)]
fn read_relations(
    mut under: Removed<Under>,
    mut guards: Removed<Guards>,
    mut known: Removed<ecs::Many<Knows>>,
    mut read: ResMut<Read>,
) {
    let _ = under.iter().count();
    read.guards.extend(guards.iter().map(|(_, guards)| guards.value.0));
    read.known.extend(known.iter().flat_map(|(_, known)| known.iter().map(|knows| knows.value.0)));
}

/// The world has no relation to a dead entity, and no half of a symmetric one: it can be loaded.
fn is_consistent(town: &Town) {
    let loaded = Town::load(&town.to_bytes().unwrap());
    assert!(loaded.is_ok(), "{:?}", loaded.err());
    let weights: u32 = town.query::<&Weight>().iter().map(|weight| weight.0.0).sum();
    assert_eq!(HookState::<Weight>::of(town).0, weights);
}

#[test]
fn a_hook_is_told_of_a_removal_that_makes_the_log_drop_another_value() {
    for (despawn, steps) in [false, true].into_iter().flat_map(|despawn| (1..5).map(move |n| (despawn, n))) {
        let mut town = Town::new();
        let [first, second, _] = [1, 2, 3].map(|n| town.spawn(Weight(Fused(n))));
        drop(town.remove::<Weight>(first));
        // the steps: a copy for the log unless the value is moved there, the hook, the drop of the
        // older value
        let blown = blows_up(steps, || {
            if despawn {
                town.despawn(second).unwrap();
            } else {
                std::mem::forget(town.remove::<Weight>(second));
            }
        });
        assert_eq!(blown, steps <= if despawn { 2 } else { 3 });
        is_consistent(&town);
        let is_removed = despawn || steps > 1;
        assert_eq!((town.has::<Weight>(second), town.contains(second)), (!is_removed, !despawn));
        town.tick();
        assert_eq!(town.resource::<Read>().weights[0], [if is_removed { 2 } else { 1 }]);
    }
}

#[test]
fn a_value_whose_hook_panics_at_its_removal_is_logged() {
    let mut town = Town::new();
    let [first, second, third] = [1, 2, 3].map(|n| town.spawn(Weight(Fused(n))));
    assert!(blows_up(1, || town.despawn(first)));
    town.tick();
    assert!(blows_up(2, || drop(town.remove::<Weight>(second))), "the first step is the copy for the log");
    // the bound holds, though the panic came before the older value was dropped
    assert!(blows_up(1, || town.despawn(third)));
    is_consistent(&town);
    let copy = Town::load(&town.to_bytes().unwrap()).unwrap();
    assert_eq!(copy.hash(), town.hash());
    town.tick();
    assert_eq!(town.resource::<Read>().weights[0], [1, 3]);
    assert_eq!(town.spawn(Weight(Fused(4))).slot(), first.slot());
}

#[test]
fn a_hook_that_panics_in_an_exchange_hears_of_all_of_it() {
    let mut town = Town::new();
    let [a, b] = [1, 2].map(|n| town.spawn(Weight(Fused(n))));
    assert!(blows_up(1, || town.swap::<Weight>(a, b)));
    assert_eq!([a, b].map(|entity| town.get::<Weight>(entity).unwrap().0.0), [2, 1]);
    is_consistent(&town);
}

#[derive(Component, Clone)]
#[component(removed = 1)]
struct Load(Fused);
#[derive(Component)]
struct Tag;

world! {
    #[world(journal = 100)]
    struct Dock { components { Load, Tag } }
    schedule tick { look }
}
#[system(Dock)]
fn look(mut loads: Removed<Load>) {
    let _ = loads.iter().count();
}

#[test]
fn a_value_is_moved_and_recorded_though_the_log_drops_another_value() {
    let mut dock = Dock::new();
    let [first, second, third] = [1, 2, 3].map(|n| dock.spawn((Load(Fused(n)), Tag)));
    drop(dock.remove::<Load>(first));
    let before = dock.advance_tick();
    assert!(blows_up(2, || std::mem::forget(dock.remove::<Load>(second))), "the first step is the copy");
    let records = dock.journal_since(before).unwrap().count();
    assert_eq!((dock.has::<Load>(second), records), (false, 1));
    assert!(blows_up(2, || dock.move_all_components(third, second)));
    assert_eq!(dock.get::<Load>(second).map(|load| load.0.0), Some(3));
    assert!(dock.has::<Tag>(second) && !dock.has::<Load>(third) && !dock.has::<Tag>(third));
}

#[test]
fn a_target_is_told_of_a_removal_that_makes_the_log_drop_another_value() {
    let mut town = Town::new();
    let root = town.spawn(());
    let [first, second, third] = [1, 2, 3].map(|n| town.spawn(Under { to: root, value: Fused(n) }));
    drop(town.remove::<Under>(first));
    assert!(blows_up(2, || std::mem::forget(town.remove::<Under>(second))), "the first step is the copy");
    assert!(!town.has::<Under>(second));
    assert_eq!(town.sources::<Under>(root), [third]);
    is_consistent(&town);
    town.despawn(root).unwrap();
    assert!(town.contains(second) && !town.contains(third));
}

#[test]
fn sources_of_a_despawned_target_are_freed_without_a_copy() {
    let mut town = Town::new();
    let target = town.spawn(());
    let sources = [1, 2, 3].map(|n| town.spawn(Guards { to: target, value: Fused(n) }));
    assert!(!blows_up(1, || town.despawn(target).unwrap()), "a value that nobody gets is moved to the log");
    assert!(sources.iter().all(|&source| !town.has::<Guards>(source)));
    is_consistent(&town);
    town.tick();
    assert_eq!(town.resource::<Read>().guards, [1, 2, 3]);
}

#[test]
fn both_sides_of_a_symmetric_relation_are_removed_or_none() {
    for steps in 1.. {
        let mut town = Town::new();
        let [a, b, c] = [(); 3].map(|()| town.spawn(()));
        for (from, to, n) in [(a, b, 1), (a, c, 2), (b, c, 3)] {
            town.relate(from, Knows { to, value: Fused(n) }).unwrap();
        }
        town.remove::<ecs::Many<Knows>>(c).unwrap();
        let blown = blows_up(steps, || drop(town.remove::<ecs::Many<Knows>>(a)));
        assert_eq!(town.relations::<Knows>(a).len(), town.relations::<Knows>(b).len(), "step {steps}");
        assert_eq!(town.sources::<Knows>(a).len(), town.sources::<Knows>(b).len());
        is_consistent(&town);
        if !blown {
            assert!(steps > 2 && town.sources::<Knows>(a).is_empty());
            town.tick();
            assert!(town.resource::<Read>().known.len() == 1, "the log keeps one value");
            break;
        }
    }
}

#[test]
fn readers_go_on_after_a_restore_that_panicked() {
    for steps in 1.. {
        let mut town = Town::new();
        for n in 0..5 {
            town.send(Note(Fused(n)));
            let weight = town.spawn(Weight(Fused(n)));
            town.despawn(weight).unwrap();
        }
        town.tick();
        let snapshot = town.snapshot();
        let blown = blows_up(steps, || town.restore(&snapshot));
        *town.resource_mut::<Read>() = Read::default();
        for n in 100..110 {
            town.send(Note(Fused(n)));
            let weight = town.spawn(Weight(Fused(n)));
            town.despawn(weight).unwrap();
        }
        town.tick();
        town.late();
        let read = town.resource::<Read>();
        assert!(read.notes[0].ends_with(&(100..110).collect::<Vec<_>>()), "step {steps}: {read:?}");
        assert!(read.notes[1].ends_with(&(100..110).collect::<Vec<_>>()), "step {steps}: {read:?}");
        assert!(read.weights.iter().all(|weights| weights.ends_with(&[109])), "step {steps}: {read:?}");
        if !blown {
            assert!(steps > 5);
            break;
        }
    }
}

#[derive(Component, PartialEq, Eq, Debug)]
#[component(key)]
struct Key(u32);
#[derive(Component, PartialEq, Eq, Debug)]
#[component(index)]
struct Team(u32);

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        burn("hash");
        self.0.hash(state);
    }
}
impl Hash for Team {
    fn hash<H: Hasher>(&self, state: &mut H) {
        burn("hash");
        self.0.hash(state);
    }
}

#[derive(Component)]
struct Body;

world! {
    #[world(journal = 100)]
    struct Lists { components { Key, Team, Body } }
}

#[test]
fn commands_spawn_an_entity_with_its_components_or_none() {
    for steps in 1.. {
        let mut lists = Lists::new();
        lists.spawn(Key(1));
        let blown =
            blows_up(steps, || lists.with_commands(|mut commands| _ = commands.spawn((Key(2), Body))));
        let spawned = lists.query::<(&Key, &Body)>().len();
        assert_eq!(lists.entities().len(), 1 + spawned, "step {steps}");
        if !blown {
            assert_eq!((spawned, lists.find_one::<Key>(&Key(2)).is_some()), (1, true));
            break;
        }
    }
}

#[test]
fn values_are_exchanged_and_found_wherever_their_hash_panics() {
    for steps in 1.. {
        let mut lists = Lists::new();
        let [a, b] = [1, 2].map(|n| lists.spawn((Key(n), Team(n))));
        lists.insert(b, Body).unwrap();
        let blown = blows_up(steps, || lists.swap::<(Key, Team, Body)>(a, b).unwrap());
        for entity in [a, b] {
            let (key, team) = (lists.get::<Key>(entity).unwrap().0, lists.get::<Team>(entity).unwrap().0);
            assert_eq!(lists.find_one::<Key>(&Key(key)), Some(entity), "step {steps}");
            assert_eq!(lists.find::<Team>(&Team(team)).collect::<Vec<_>>(), [entity], "step {steps}");
        }
        let keys = [a, b].map(|entity| lists.get::<Key>(entity).unwrap().0);
        // the rules are asked before the first value moves
        assert!(keys == [2, 1] || keys == [1, 2]);
        assert_eq!(
            [a, b].map(|entity| lists.has::<Body>(entity)),
            [keys[0] == 2, keys[0] == 1],
            "step {steps}"
        );
        if !blown {
            break;
        }
    }
}
