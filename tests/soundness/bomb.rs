//! Values that own memory, and whose trait impls panic on request; components, relations and an
//! event of them.

use std::hash::{Hash, Hasher};

use ecs::prelude::*;
use ecs_tests::fuse::burn;
use ecs_tests::{Ledger, Token};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A token of this thread's ledger.
pub(super) fn token() -> Token {
    Ledger::of_thread().token()
}

/// Checks that no value of this thread was dropped twice.
pub(super) fn assert_none_twice() {
    Ledger::of_thread().alive();
}

/// Checks that each value of this thread was dropped, and once.
pub(super) fn assert_settled() {
    Ledger::of_thread().assert_settled();
}

/// A value that owns memory. Each of its trait impls may panic.
#[derive(Debug)]
pub(super) struct Bomb(pub(super) u32, pub(super) Token);

impl Bomb {
    pub(super) fn new(number: u32) -> Self {
        Self(number, token())
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(self.1.number() > 0);
        if !std::thread::panicking() {
            burn("a drop");
        }
    }
}
impl Clone for Bomb {
    fn clone(&self) -> Self {
        burn("a clone");
        Self(self.0, self.1.clone())
    }
}
impl Default for Bomb {
    fn default() -> Self {
        burn("a default");
        Self::new(0)
    }
}
impl PartialEq for Bomb {
    fn eq(&self, other: &Self) -> bool {
        burn("an equality");
        self.0 == other.0
    }
}
impl Eq for Bomb {}
impl PartialOrd for Bomb {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Bomb {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        burn("an order");
        self.0.cmp(&other.0)
    }
}
impl Hash for Bomb {
    fn hash<H: Hasher>(&self, state: &mut H) {
        burn("a hash");
        self.0.hash(state);
    }
}
impl Serialize for Bomb {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        burn("a serialize");
        self.0.serialize(serializer)
    }
}
impl<'de> Deserialize<'de> for Bomb {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        burn("a deserialize");
        let bomb = u32::deserialize(deserializer).map(Self::new);
        burn("a deserialize that ends");
        bomb
    }
}

#[derive(Component, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(index, tracked)]
pub(super) struct Team(pub(super) Bomb);
#[derive(Component, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(key)]
pub(super) struct Key(pub(super) Bomb);
#[derive(Component, Clone, Default, Serialize, Deserialize)]
pub(super) struct Tag;
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, gone = keep)]
pub(super) struct Likes {
    #[target]
    pub(super) whom: Entity,
    pub(super) bomb: Bomb,
}
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, symmetric, gone = remove)]
pub(super) struct Married(#[target] pub(super) Entity, pub(super) Bomb);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, gone = cascade)]
pub(super) struct Owes(#[target] pub(super) Entity, pub(super) Bomb);
#[derive(Event, Clone, Serialize, Deserialize)]
pub(super) struct Note(pub(super) Bomb);
