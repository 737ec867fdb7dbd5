//! Values that fail or panic while they are read: the values before them are dropped once.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;
use ecs_tests::{Ledger, Token};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

thread_local! {
    /// Whether reads may fail or panic. A save reads each value back, and must not.
    static IS_STRICT: Cell<bool> = const { Cell::new(false) };
    static LEDGER: RefCell<Ledger> = RefCell::default();
}

#[derive(Component)]
struct Held(u32, #[allow(dead_code, reason = "it is dropped")] Token);

impl Held {
    fn new(number: u32) -> Self {
        Self(number, LEDGER.with_borrow(Ledger::token))
    }
}

/// The behaviour of the next reads of a number.
const FAILS: u32 = 1_000;
const PANICS: u32 = 2_000;

impl Serialize for Held {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u32::deserialize(deserializer)?;
        let held = Held::new(number);
        if !IS_STRICT.get() {
            return Ok(held);
        }
        assert!(number < PANICS, "this one panics");
        if number < FAILS { Ok(held) } else { Err(D::Error::custom("this one fails")) }
    }
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game { components { Held } }
}

/// A save of 300 values, with the value `at` changed to `number`.
fn bytes(at: u32, number: u32) -> Vec<u8> {
    let mut game = Game::new();
    for i in 0..300 {
        game.spawn(Held::new(i));
    }
    let id = game.query::<(Entity, &Held)>().iter().find(|(_, held)| held.0 == at).map(|(id, _)| id);
    game.get_mut::<Held>(id.unwrap()).unwrap().0 = number;
    IS_STRICT.set(false);
    let bytes = game.to_bytes().unwrap();
    IS_STRICT.set(true);
    bytes
}

#[test]
fn a_value_that_fails_half_way_drops_those_before_it_once() {
    for at in [1, 63, 64, 150, 299] {
        let bytes = bytes(at, FAILS);
        assert_eq!(LEDGER.with_borrow(Ledger::alive), 0);
        assert!(Game::load(&bytes).err().unwrap().to_string().contains("this one fails"));
        assert_eq!(LEDGER.with_borrow(Ledger::alive), 0);
    }
}

#[test]
fn a_value_that_panics_half_way_drops_those_before_it_once() {
    for at in [1, 63, 64, 150, 299] {
        let bytes = bytes(at, PANICS);
        assert!(catch_unwind(|| Game::load(&bytes).is_ok()).is_err());
        assert_eq!(LEDGER.with_borrow(Ledger::alive), 0);
    }
}

#[test]
fn a_merge_that_panics_half_way_changes_nothing() {
    let bytes = bytes(150, PANICS);
    let mut game = Game::new();
    let first = game.spawn(Held::new(7));
    let merged =
        catch_unwind(AssertUnwindSafe(|| game.merge(&bytes, ecs::save::DanglingIds::Refuse).is_ok()));
    assert!(merged.is_err());
    assert_eq!(game.entities().len(), 1);
    assert_eq!(game.get::<Held>(first).map(|held| held.0), Some(7));
    assert_eq!(LEDGER.with_borrow(Ledger::alive), 1);
}
