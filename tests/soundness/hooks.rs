//! Hooks that panic in each of their functions, and hooks whose state does not fit the values. The
//! values stay where they belong, each is dropped once, and the world stays usable.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::command::FailurePolicy;
use ecs::component::{ComponentHook, Disabled};
use ecs::prelude::*;
use ecs::query::AllowDisabled;
use ecs::system::HookState;
use ecs_tests::{Ledger, Token};

thread_local! {
    /// The function that panics the next time it is called.
    static PANICS: Cell<Call> = const { Cell::new(Call::None) };
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Call {
    None,
    Validate,
    Insert,
    Remove,
    Clone,
    Default,
}

fn called(call: Call) {
    if PANICS.get() == call {
        PANICS.set(Call::None);
        panic!("{call:?}");
    }
}

#[derive(Component, Clone)]
#[component(hook = Liar)]
struct Held(u32, #[allow(dead_code)] Token);

/// Counts, with a wrong result after each panic.
struct Liar(Vec<u32>);

impl Clone for Liar {
    fn clone(&self) -> Self {
        called(Call::Clone);
        Self(self.0.clone())
    }
}

impl Default for Liar {
    fn default() -> Self {
        called(Call::Default);
        Self(Vec::new())
    }
}

impl ComponentHook<Held> for Liar {
    fn validate(&self, _: Option<&Held>, new: &Held) -> Result<(), &'static str> {
        called(Call::Validate);
        if new.0 == 999 { Err("refused") } else { Ok(()) }
    }
    fn inserted(&mut self, _: Entity, old: Option<&Held>, new: &Held) {
        self.0.push(new.0);
        called(Call::Insert);
        self.0.extend(old.map(|old| old.0));
    }
    fn removed(&mut self, _: Entity, old: &Held) {
        called(Call::Remove);
        self.0.retain(|value| *value != old.0);
    }
}

world! {
    #[derive(Clone)]
    struct Court { components { Held, Disabled } }
    schedule tick { ask }
}

#[system(Court)]
fn ask(held: Query<(Entity, &Held)>, state: HookState<Held>) {
    assert!(held.iter().all(|(_, held)| held.0 < 2000) && state.0.len() < 5000);
}

fn panicking<R>(call: Call, f: impl FnOnce() -> R) -> Option<R> {
    PANICS.set(call);
    let result = catch_unwind(AssertUnwindSafe(f)).ok();
    PANICS.set(Call::None);
    result
}

#[test]
fn values_are_dropped_once_wherever_a_hook_panics() {
    for call in [Call::None, Call::Validate, Call::Insert, Call::Remove, Call::Clone, Call::Default] {
        let ledger = Ledger::new();
        {
            let mut court = Court::new();
            court.on_failed_command(FailurePolicy::Ignore);
            let held = |value| Held(value, ledger.token());
            panicking(call, || court.spawn(held(1)));
            let one = court.spawn(held(2));
            panicking(call, || drop(court.insert(one, held(3))));
            panicking(call, || drop(court.insert(one, held(999))));
            panicking(call, || court.spawn_batch((0..70).map(held)).for_each(drop));
            panicking(call, || {
                court.with_commands(|mut commands| {
                    commands.insert(one, held(4));
                    commands.spawn(held(5));
                    commands.spawn(held(999));
                    commands.insert(one, Disabled);
                });
            });
            court.insert(one, held(6)).unwrap();
            let copy = panicking(call, || court.clone());
            let before = panicking(call, || court.snapshot());
            panicking(call, || court.remove::<Held>(one).map(drop));
            panicking(call, || court.despawn(one));
            if let Some(before) = &before {
                panicking(call, || court.restore(before));
            }
            panicking(call, || court.despawn_all::<AllowDisabled>());
            panicking(call, || court.columns_mut().held.remove(one).map(drop));
            court.tick();
            panicking(call, || court.clear());
            assert_eq!(court.query::<&Held>().filter::<AllowDisabled>().len(), court.columns().held.len());
            drop((copy, before));
            court.clear();
            let new = court.spawn(held(7));
            assert_eq!(court.get::<Held>(new).unwrap().0, 7, "{call:?}");
            court.tick();
        }
        assert_eq!(ledger.alive(), 0, "{call:?}");
    }
}

#[test]
fn worlds_of_different_types_pass_over_their_own_entities() {
    let mut one = Court::new();
    let mut two = Court::new();
    let entity = one.spawn(Disabled);
    assert_eq!((one.query::<Entity>().len(), two.query::<Entity>().len()), (0, 0));
    std::mem::swap(&mut one, &mut two);
    assert!(one.entities().filter::<AllowDisabled>().is_empty());
    assert_eq!(two.query::<Entity>().filter::<With<Disabled>>().single(), Ok(entity));
    let mut moved = Box::new(two);
    moved.spawn(());
    assert_eq!(moved.entities().len(), 1);
}

#[test]
fn a_hook_that_panics_in_clear_leaves_no_value_without_an_entity() {
    let ledger = Ledger::new();
    let mut court = Court::new();
    court.spawn_batch((0..100).map(|n| Held(n, ledger.token())));
    panicking(Call::Default, || court.clear());
    assert_eq!((court.columns().held.len(), ledger.alive()), (0, 0));
    let new: Vec<Entity> = court.spawn_batch([(); 100]).collect();
    assert!(new.iter().all(|&id| !court.has::<Held>(id)));
}

/// The state that a parameter makes for a world without values: its `Default` panics, it is kept
/// beside one of another world, and read on another thread.
#[test]
fn states_of_worlds_without_values_are_made_kept_and_swapped() {
    let ledger = Ledger::new();
    let (empty, mut court) = (Court::new(), Court::new());
    panicking(Call::Default, || drop(HookState::<Held>::of(&empty)));
    court.spawn_batch((0..100).map(|n| Held(n, ledger.token())));
    let copy = court.clone();
    let mut views = (empty.columns().held, court.columns().held);
    std::mem::swap(&mut views.0, &mut views.1);
    let (mut full, mut none) = (HookState::new(views.0), HookState::new(views.1));
    std::mem::swap(&mut full, &mut none);
    std::thread::scope(|scope| {
        scope.spawn(|| assert_eq!((full.0.len(), none.0.len()), (0, 100)));
        scope.spawn(|| assert_eq!(HookState::<Held>::of(&copy).0, none.0));
    });
    drop((full, none));
    drop((empty, court, copy));
    assert_eq!(ledger.alive(), 0);
}
