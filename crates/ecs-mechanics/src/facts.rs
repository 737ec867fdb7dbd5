//! Facts: an enum of statements that hold for an entity or do not, such as "is hungry", for
//! planners and conversations.
//!
//! ```
//! use ecs_mechanics::facts::{Fact, FactValues, Facts};
//!
//! #[derive(Fact)]
//! enum Need {
//!     Hungry,
//!     HasBread,
//! }
//!
//! let mut facts = Facts::from([Need::Hungry]);
//! let wish: FactValues<Need> = serde_json::from_str(r#"{"Hungry": false, "HasBread": true}"#)?;
//! assert!(!wish.hold_in(&facts));
//! wish.apply_to(&mut facts);
//! assert!(wish.hold_in(&facts) && facts.has(Need::HasBread) && !facts.has(Need::Hungry));
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::fmt;
use std::marker::PhantomData;

use ecs::prelude::*;
pub use ecs_mechanics_macros::Fact;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::names::list;

/// An enum of up to 64 facts. Implemented with
/// [`#[derive(Fact)]`](macro@ecs_mechanics_macros::Fact).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of facts",
    label = "does not derive `Fact`",
    note = "add `#[derive(Fact)]` to the enum `{Self}`, with `use ecs_mechanics::facts::Fact`"
)]
pub trait Fact: 'static {
    /// The name of the enum.
    const NAME: &'static str;
    /// The names of the facts, in the order of the enum.
    const NAMES: &'static [&'static str];
    /// The position of the fact in [`NAMES`](Self::NAMES).
    fn bit(&self) -> u32;
}

/// The facts that hold for an entity. A component.
///
/// A save has their names, so that it can be read after facts are added to the enum, or moved in
/// it.
#[derive(Component)]
pub struct Facts<F> {
    bits: u64,
    kind: PhantomData<fn() -> F>,
}

/// Facts with values, some that hold and some that do not: a condition, or an effect. In files it
/// is a map from names to `true` or `false`.
pub struct FactValues<F> {
    /// The facts that have a value.
    mask: u64,
    /// The values; zero outside of the mask.
    values: u64,
    kind: PhantomData<fn() -> F>,
}

fn mask(bit: u32) -> u64 {
    // an implementation of `Fact` by hand may count further
    1_u64.checked_shl(bit).unwrap_or(0)
}

impl<F: Fact> Facts<F> {
    /// No fact.
    #[must_use]
    pub const fn new() -> Self {
        Self::from_bits(0)
    }

    /// Whether a fact holds.
    #[must_use]
    pub fn has(&self, fact: F) -> bool {
        self.bits & mask(fact.bit()) != 0
    }

    /// Lets a fact hold, or not.
    pub fn set(&mut self, fact: F, holds: bool) {
        let bit = mask(fact.bit());
        self.bits = if holds { self.bits | bit } else { self.bits & !bit };
    }

    /// The names of the facts that hold, in the order of the enum.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        F::NAMES.iter().enumerate().filter(|(at, _)| self.bits & mask(*at as u32) != 0).map(|(_, name)| *name)
    }
}

impl<F> Facts<F> {
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self { bits, kind: PhantomData }
    }

    pub(crate) const fn bits(&self) -> u64 {
        self.bits
    }
}

impl<F: Fact> FactValues<F> {
    /// No values: a condition that always holds, and an effect that changes nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { mask: 0, values: 0, kind: PhantomData }
    }

    /// These values, and one more; the last value of a fact counts.
    #[must_use]
    pub fn with(mut self, fact: F, holds: bool) -> Self {
        self.insert(mask(fact.bit()), holds);
        self
    }

    /// Whether the facts have these values.
    #[must_use]
    pub const fn hold_in(&self, facts: &Facts<F>) -> bool {
        facts.bits & self.mask == self.values
    }

    /// Gives the facts these values.
    pub const fn apply_to(&self, facts: &mut Facts<F>) {
        facts.bits = facts.bits & !self.mask | self.values;
    }
}

impl<F> FactValues<F> {
    fn insert(&mut self, bit: u64, holds: bool) {
        self.mask |= bit;
        self.values = if holds { self.values | bit } else { self.values & !bit };
    }

    /// The number of facts in the state `bits` that have another value.
    pub(crate) const fn differences(&self, bits: u64) -> u32 {
        ((bits & self.mask) ^ self.values).count_ones()
    }

    /// The number of facts that have a value.
    pub(crate) const fn count(&self) -> u32 {
        self.mask.count_ones()
    }

    pub(crate) const fn words(&self) -> [u64; 2] {
        [self.mask, self.values]
    }
}

impl<F: Fact, const N: usize> From<[F; N]> for Facts<F> {
    fn from(holding: [F; N]) -> Self {
        let mut facts = Self::new();
        holding.into_iter().for_each(|fact| facts.set(fact, true));
        facts
    }
}

/// The name of a fact in a file, as its bit.
struct FactName<F>(u64, PhantomData<fn() -> F>);

impl<'de, F: Fact> Deserialize<'de> for FactName<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name<F>(PhantomData<fn() -> F>);
        impl<F: Fact> Visitor<'_> for Name<F> {
            type Value = u64;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the name of a fact of `{}`", F::NAME)
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<u64, E> {
                let at = F::NAMES.iter().position(|known| *known == name);
                at.map(|at| mask(at as u32)).ok_or_else(|| {
                    let all = list(F::NAMES.iter().copied());
                    E::custom(format!("`{}` has no fact `{name}`: the facts are {all}", F::NAME))
                })
            }
        }
        deserializer.deserialize_str(Name::<F>(PhantomData)).map(|bit| Self(bit, PhantomData))
    }
}

impl<F: Fact> Serialize for Facts<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names: Vec<&str> = self.names().collect();
        names.serialize(serializer)
    }
}

impl<'de, F: Fact> Deserialize<'de> for Facts<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names<F>(PhantomData<fn() -> F>);
        impl<'de, F: Fact> Visitor<'de> for Names<F> {
            type Value = Facts<F>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of facts of `{}`", F::NAME)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<Facts<F>, A::Error> {
                let mut bits = 0;
                while let Some(FactName(bit, _)) = names.next_element::<FactName<F>>()? {
                    bits |= bit;
                }
                Ok(Facts::from_bits(bits))
            }
        }
        deserializer.deserialize_seq(Names(PhantomData))
    }
}

impl<'de, F: Fact> Deserialize<'de> for FactValues<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values<F>(PhantomData<fn() -> F>);
        impl<'de, F: Fact> Visitor<'de> for Values<F> {
            type Value = FactValues<F>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a map from facts of `{}` to `true` or `false`", F::NAME)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FactValues<F>, A::Error> {
                let mut values = FactValues::new();
                while let Some((FactName(bit, _), holds)) = map.next_entry::<FactName<F>, bool>()? {
                    values.insert(bit, holds);
                }
                Ok(values)
            }
        }
        deserializer.deserialize_map(Values(PhantomData))
    }
}

impl<F> Clone for Facts<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Facts<F> {}

impl<F> PartialEq for Facts<F> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<F> Eq for Facts<F> {}

impl<F> Default for Facts<F> {
    fn default() -> Self {
        Self::from_bits(0)
    }
}

impl<F: Fact> fmt::Debug for Facts<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl<F> Clone for FactValues<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for FactValues<F> {}

impl<F> PartialEq for FactValues<F> {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl<F> Eq for FactValues<F> {}

impl<F> Default for FactValues<F> {
    fn default() -> Self {
        Self { mask: 0, values: 0, kind: PhantomData }
    }
}

impl<F: Fact> fmt::Debug for FactValues<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has = |word: u64, at: usize| word & mask(at as u32) != 0;
        let named = F::NAMES.iter().enumerate().filter(|(at, _)| has(self.mask, *at));
        f.debug_map().entries(named.map(|(at, name)| (name, has(self.values, at)))).finish()
    }
}
