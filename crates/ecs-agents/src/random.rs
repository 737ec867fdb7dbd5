//! Random numbers that belong to the world.
//!
//! [`Random`] is a resource with a seed. What is drawn is the same in each run with this seed, on
//! every machine, and is saved, cloned, hashed and rolled back with the world. It offers two ways:
//!
//! - `ResMut<Random>` is a generator for systems that act one after the other: each draw follows
//!   from the seed and from the number of draws before it.
//! - `Res<Random>` is enough for [`Random::of`], which makes a generator for one purpose of one
//!   agent in one step. Its draws depend on nothing else, so neither on the order of agents, nor on
//!   threads, nor on other systems that draw: it is the way for systems that run in parallel.
//!
//! Both are generators of the crate `rand`, whose methods the [prelude](crate::prelude) has:
//! `random_range`, `random_bool`, `shuffle`, `choose`, and distributions of `rand_distr`.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//!
//! #[derive(Component)]
//! struct Health(u32);
//!
//! world! {
//!     struct Town {
//!         include ecs_agents::random::random;
//!         components { Health }
//!     }
//!     schedule step { include ecs_agents::random::next_step; fall_ill; meet }
//! }
//!
//! #[system(Town, par)]
//! fn fall_ill(entity: Entity, health: &mut Health, random: Res<Random>) {
//!     if random.of("fall ill", entity).random_bool(0.1) {
//!         health.0 = 0;
//!     }
//! }
//!
//! #[system(Town)]
//! fn meet(mut healths: Query<&mut Health>, agents: Query<Entity, With<Health>>, mut random: ResMut<Random>) {
//!     for entity in random.shuffled(agents.iter()) {
//!         if let Some(health) = healths.get_mut(entity) {
//!             health.0 += random.random_range(0..=1);
//!         }
//!     }
//! }
//!
//! let mut town = Town::new(Random::new(1));
//! town.spawn_batch((0..100).map(|_| Health(9)));
//! town.step();
//! assert_eq!(town.resource::<Random>().step(), 1);
//! ```

use std::convert::Infallible;

use ecs::component::StableId;
use ecs::prelude::*;
use rand::TryRng;
use rand::seq::SliceRandom;
use rand_philox::{philox4x32_10, splitmix64};
use serde::{Deserialize, Serialize};

parts! {
    /// Random numbers with a seed, and the number of the model's step.
    pub random {
        resources { Random }
        schedule next_step { advance }
    }
}

/// Counts the steps of the model: the first system of a step.
#[system]
pub fn advance(mut random: ResMut<Random>) {
    random.step += 1;
}

/// Random numbers that follow from a seed: a resource, and a generator.
///
/// The generator is Philox4x32-10, by Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
/// easy as 1, 2, 3", 2011. It is not for secrets.
#[derive(Resource, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Random {
    seed: u64,
    step: u64,
    stream: Stream,
}

/// The random numbers of one purpose of one agent in one step, of [`Random::of`].
#[derive(Clone, PartialEq, Debug)]
pub struct Draws {
    stream: Stream,
}

/// The numbers of one key.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Stream {
    key: u64,
    /// The block that comes next, and in the upper half what the blocks are of.
    block: (u64, u64),
    /// The second half of the last block, if it was not drawn.
    rest: Option<u64>,
}

/// The agent to which the draws of [`Random::of`] belong: an [`Entity`], a [`StableId`] or a number.
///
/// The id of an entity follows from all entities that were spawned and despawned before. Where
/// draws must not depend on them, give the agents a `StableId`, or a number of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentId(u64);

impl From<Entity> for AgentId {
    fn from(entity: Entity) -> Self {
        Self(entity.to_bits())
    }
}

impl From<StableId> for AgentId {
    fn from(id: StableId) -> Self {
        Self(id.0)
    }
}

impl From<u64> for AgentId {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

impl Random {
    /// Random numbers of this seed, in step 0. Each seed is as good as any other.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, step: 0, stream: Stream::new(splitmix64(seed.wrapping_add(1)), 0) }
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of the model's step: the runs of [`advance`].
    #[must_use]
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The random numbers for this purpose of an agent in this step. They follow from the seed, the
    /// purpose, the agent and the step: who asks again in the same step gets the same numbers.
    ///
    /// The purpose tells apart what is drawn in one step, such as `"move"` and `"fall ill"`. Two
    /// systems with the same purpose draw the same numbers.
    ///
    /// The step is counted by [`advance`]: a schedule that does not include
    /// [`next_step`] stays in step 0, and draws the same numbers again.
    #[must_use]
    #[inline]
    pub fn of(&self, purpose: &str, agent: impl Into<AgentId>) -> Draws {
        let purpose = fnv(purpose.as_bytes());
        let key = splitmix64(splitmix64(self.seed ^ purpose).wrapping_add(self.step));
        Draws { stream: Stream::new(key, agent.into().0) }
    }

    /// The items in random order.
    #[must_use]
    pub fn shuffled<T>(&mut self, items: impl IntoIterator<Item = T>) -> Vec<T> {
        let mut items: Vec<T> = items.into_iter().collect();
        items.shuffle(self);
        items
    }
}

/// The hash of a text: FNV-1a, by Fowler, Noll and Vo.
#[inline]
fn fnv(text: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    text.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

impl Stream {
    #[inline]
    fn new(key: u64, of: u64) -> Self {
        Self { key, block: (0, of), rest: None }
    }

    #[inline]
    fn next(&mut self) -> u64 {
        if let Some(rest) = self.rest.take() {
            return rest;
        }
        let halves = |bits: u64| [bits as u32, (bits >> 32) as u32];
        let ([a, b], [c, d]) = (halves(self.block.0), halves(self.block.1));
        let [a, b, c, d] = philox4x32_10([a, b, c, d], halves(self.key));
        self.block.0 = self.block.0.wrapping_add(1);
        self.rest = Some(u64::from(c) | u64::from(d) << 32);
        u64::from(a) | u64::from(b) << 32
    }
}

/// Implements the traits of generators for a type with a field `stream`.
macro_rules! generator {
    ($name:ident) => {
        impl TryRng for $name {
            type Error = Infallible;
            #[inline]
            fn try_next_u32(&mut self) -> Result<u32, Infallible> {
                Ok((self.stream.next() >> 32) as u32)
            }
            #[inline]
            fn try_next_u64(&mut self) -> Result<u64, Infallible> {
                Ok(self.stream.next())
            }
            fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
                rand::rand_core::utils::fill_bytes_via_next_word(bytes, || self.try_next_u64())
            }
        }
    };
}
generator!(Random);
generator!(Draws);
