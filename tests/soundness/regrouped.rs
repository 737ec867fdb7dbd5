//! `World::regroup` while hooks panic, with values whose `Drop`, `Clone` and `Hash` would: no value
//! is lost, dropped or cloned, and all entities have moved when the panic goes on.

use std::cell::Cell;

use ecs::component::ComponentHook;
use ecs::prelude::*;
use ecs::system::HookState;
use ecs_tests::fuse::{arm, blows_up, burn, disarm};

use super::bomb::token;
use super::ground::{Ledger, Token, watched};

std::thread_local! {
    /// Whether the code of values may be called.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

fn called(what: &str) {
    assert!(!QUIET.get() || std::thread::panicking(), "{what} was called");
}

#[derive(Component)]
struct Plain(u32, #[allow(dead_code)] Token);
#[derive(Component)]
#[component(removed, tracked)]
struct Logged(u32, #[allow(dead_code)] Token);
#[derive(Component)]
#[component(key)]
struct Badge(u32, #[allow(dead_code)] Token);
#[derive(Component)]
#[component(storage = "packed")]
struct Rare(u32, #[allow(dead_code)] Token);
#[derive(Component)]
#[component(hook = Fuse)]
struct Fused(u32, #[allow(dead_code)] Token);
#[derive(Component)]
#[component(hook = Fuse)]
struct Other(u32, #[allow(dead_code)] Token);

watched!(called: Plain Logged Badge Rare Fused Other);

/// A hook that counts, and panics when its fuse is burnt.
#[derive(Clone, Default)]
struct Fuse(i32, i32);

macro_rules! fuse {
    ($($name:ident)+) => {$(
        impl ComponentHook<$name> for Fuse {
            fn inserted(&mut self, _: Entity, _: Option<&$name>, _: &$name) {
                self.0 += 1;
                burn("inserted");
            }
            fn removed(&mut self, _: Entity, _: &$name) {
                self.1 += 1;
                burn("removed");
            }
        }
    )+};
}

fuse!(Fused Other);

world! {
    struct Den { components { Plain, Logged, Badge, Rare, Fused, Other, ChildOf } }
    schedule tick { read }
}

#[system(Den)]
fn read(mut removed: Removed<Logged>) {
    removed.iter().for_each(drop);
}

/// Entities that get their components one after the other, with values in the log of removed ones.
fn den() -> (Den, Vec<Entity>) {
    let mut den = Den::new();
    let ids: Vec<Entity> = (0..300).map(|_| den.spawn(())).collect();
    for (n, &id) in (0..).zip(&ids) {
        den.insert(id, (Plain(n, token()), Badge(n, token()))).unwrap();
        if n.is_multiple_of(2) {
            den.insert(id, (Fused(n, token()), Logged(n, token()))).unwrap();
        }
        if n.is_multiple_of(3) {
            den.insert(id, (Other(n, token()), Rare(n, token()))).unwrap();
        }
        if n.is_multiple_of(4) && n > 0 {
            den.insert(id, ChildOf(ids[n as usize / 4])).unwrap();
        }
    }
    for &id in ids.iter().step_by(20) {
        drop(den.remove::<Logged>(id).unwrap());
    }
    (den, ids)
}

/// All values are where they belong: at the entity of the badge with their number.
fn check(den: &Den) {
    assert_eq!(den.entities().len(), 300);
    for n in 0..300 {
        let id = den.find_one::<Badge>(&Badge(n, token())).unwrap();
        assert_eq!(den.get::<Plain>(id).map(|plain| plain.0), Some(n));
        assert_eq!(den.get::<Fused>(id).map(|fused| fused.0), (n.is_multiple_of(2)).then_some(n));
        assert_eq!(den.get::<Other>(id).map(|other| other.0), (n.is_multiple_of(3)).then_some(n));
        assert_eq!(den.get::<Rare>(id).map(|rare| rare.0), (n.is_multiple_of(3)).then_some(n));
        assert_eq!(den.has::<Logged>(id), n.is_multiple_of(2) && !n.is_multiple_of(20));
        let parent = den.target::<ChildOf>(id).map(|parent| den.get::<Badge>(parent).unwrap().0);
        assert_eq!(parent, (n.is_multiple_of(4) && n > 0).then_some(n / 4));
    }
}

#[test]
fn no_code_of_a_value_is_called() {
    let (mut den, ids) = den();
    let alive = Ledger::of_thread().alive();
    QUIET.set(true);
    let moved = den.regroup();
    QUIET.set(false);
    assert!(moved.len() > 100);
    assert_eq!(Ledger::of_thread().alive(), alive);
    assert!(
        ids.iter()
            .all(|&id| den.contains(moved.current(id)) && (den.contains(id) == moved.get(id).is_none()))
    );
    check(&den);
    den.tick();
    drop(den);
    Ledger::of_thread().assert_settled();
}

#[test]
fn a_hook_that_panics_interrupts_nothing() {
    let steps = {
        let (mut den, _) = den();
        arm(u32::MAX);
        let before = (HookState::<Fused>::of(&den).1, HookState::<Other>::of(&den).1);
        let _ = den.regroup();
        disarm();
        let calls = HookState::<Fused>::of(&den).1 - before.0 + HookState::<Other>::of(&den).1 - before.1;
        assert!(calls > 50);
        2 * calls as u32
    };
    for n in (1..=steps).step_by(7).chain([steps, steps + 1]) {
        let (mut den, ids) = den();
        let alive = Ledger::of_thread().alive();
        assert_eq!(blows_up(n, || den.regroup()), n <= steps, "step {n} of {steps}");
        assert_eq!(Ledger::of_thread().alive(), alive);
        check(&den);
        assert_eq!(
            HookState::<Fused>::of(&den).0 - HookState::<Fused>::of(&den).1,
            150,
            "every hook has heard of all"
        );
        assert_eq!(HookState::<Other>::of(&den).0 - HookState::<Other>::of(&den).1, 100);
        assert!(den.regroup().is_empty(), "all entities have moved");
        // ids from before the panic are those of despawned entities, or of the same ones
        for (n, &id) in (0..).zip(&ids) {
            assert!(den.get::<Badge>(id).is_none_or(|badge| badge.0 == n));
            let alive = den.contains(id);
            assert_eq!(den.despawn(id).is_ok(), alive);
        }
        drop(den);
        Ledger::of_thread().assert_settled();
    }
}
