//! Values that take much memory, that are dropped late, and that are not read as they are written.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::__private::save::reseal;
use ecs::prelude::*;
use ecs::save::{Baseline, Replica, Selection};
use serde::de::Deserializer;
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

const LENGTH: usize = 300 * 1024;
const fn zeros() -> [u8; LENGTH] {
    [0; LENGTH]
}

/// A value of one byte in a delta.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Wide<const N: u8> {
    n: u8,
    #[serde(skip, default = "zeros")]
    memory: [u8; LENGTH],
}

world! { #[derive(Clone)] struct Land { components { wide: Wide<0>, other: Wide<1>, third: Wide<2> } } }

/// A column of one of them has a page of 19 MB.
#[test]
fn the_memory_of_large_values_counts_once() {
    let run = || {
        let select = || Selection::<Land>::of::<(Wide<0>, Wide<1>, Wide<2>)>();
        let mut land = Land::new();
        let entity = land.spawn(Wide::<0> { n: 1, memory: zeros() });
        land.insert(entity, Wide::<1> { n: 2, memory: zeros() }).unwrap();
        land.insert(entity, Wide::<2> { n: 3, memory: zeros() }).unwrap();
        let bytes = select().delta(&Baseline::nothing(), &land, 1).unwrap();
        let (mut there, mut replica) = (Land::new(), Replica::new());
        select().apply(&mut there, &mut replica, &bytes).unwrap();
        let wide = there.get::<Wide<1>>(replica.get(entity).unwrap()).unwrap();
        assert_eq!((wide.n, wide.memory[LENGTH - 1]), (2, 0));
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(run).unwrap().join().unwrap();
}

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static PANICS: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// A value that counts itself, and panics when it is dropped if it has a certain number.
#[derive(Component, Serialize, Debug)]
struct Counted(u32);
impl Counted {
    fn new(n: u32) -> Self {
        LIVE.set(LIVE.get() + 1);
        Self(n)
    }
}
impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::new(self.0)
    }
}
impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        u32::deserialize(from).map(Self::new)
    }
}
impl Drop for Counted {
    fn drop(&mut self) {
        LIVE.set(LIVE.get() - 1);
        if self.0 == PANICS.get() {
            PANICS.set(u32::MAX);
            panic!("dropped");
        }
    }
}
/// The same, of a unique rule, so that columns are copied.
#[derive(Component, Serialize, Deserialize, Clone, Debug)]
#[component(key)]
struct Key(Counted);
impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0.0 == other.0.0
    }
}
impl Eq for Key {}
impl std::hash::Hash for Key {
    fn hash<H: std::hash::Hasher>(&self, to: &mut H) {
        self.0.0.hash(to);
    }
}

world! { #[derive(Clone)] struct Ring { components { Counted, Key } } }

fn ring() -> Selection<Ring> {
    Selection::of::<(Counted, Key)>()
}

#[test]
fn each_value_is_dropped_once_after_errors_and_panics() {
    {
        let mut ring_world = Ring::new();
        let all: Vec<Entity> =
            (0..150).map(|n| ring_world.spawn((Counted::new(n), Key(Counted::new(n))))).collect();
        let first = ring().delta(&Baseline::nothing(), &ring_world, 1).unwrap();
        let known = ring().baseline(&mut ring_world, 1);
        for (n, &entity) in all.iter().enumerate() {
            ring_world
                .insert(entity, (Counted::new(n as u32 + 1000), Key(Counted::new(n as u32 + 1000))))
                .unwrap();
        }
        let second = ring().delta(&known, &ring_world, 2).unwrap();
        let (mut there, mut replica) = (Ring::new(), Replica::new());
        ring().apply(&mut there, &mut replica, &first).unwrap();
        let live = LIVE.get();
        // errors at every place
        for at in (13..second.len() - 8).step_by(7) {
            let mut bytes = second[..at].to_vec();
            bytes.extend([0; 8]);
            reseal(&mut bytes);
            assert!(ring().apply(&mut there, &mut replica, &bytes).is_err());
            assert_eq!(LIVE.get(), live, "cut at {at}");
        }
        // panics while old values are dropped
        for number in [0, 63, 64, 100, 149] {
            let (mut there, mut replica) = (there.clone(), replica.clone());
            PANICS.set(number);
            let applied = catch_unwind(AssertUnwindSafe(|| ring().apply(&mut there, &mut replica, &second)));
            assert!(applied.is_err(), "{number}");
            PANICS.set(u32::MAX);
            replica.clear(&mut there);
        }
        assert_eq!(LIVE.get(), live);
        ring().apply(&mut there, &mut replica, &second).unwrap();
        assert_eq!(LIVE.get(), live);
    }
    assert_eq!(LIVE.get(), 0);
}

mod sender {
    use super::*;

    #[derive(Component, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[component(key)]
    pub struct Odd(pub u8);
    world! { pub struct Sender { components { Odd } } }
}

/// A value that is written as two numbers, of which one is read.
#[derive(Component, Clone, PartialEq, Eq, Hash, Deserialize)]
#[component(key)]
struct Odd(u8);
impl Serialize for Odd {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.0, 0_u8).serialize(to)
    }
}
world! { struct Receiver { components { Odd } } }

#[test]
fn a_copy_of_a_value_that_is_read_in_part_is_an_error() {
    let mut there = sender::Sender::new();
    there.spawn(sender::Odd(2));
    let bytes =
        Selection::<sender::Sender>::of::<sender::Odd>().delta(&Baseline::nothing(), &there, 1).unwrap();
    let mut here = Receiver::new();
    here.spawn(Odd(1));
    let error = Selection::of::<Odd>().apply(&mut here, &mut Replica::new(), &bytes).unwrap_err();
    assert!(error.to_string().contains("1 bytes remain after the end of the value"), "{error}");
}
