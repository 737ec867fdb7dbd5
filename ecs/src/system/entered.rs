//! Who began and who ceased to pass a filter, as parameters.
#![expect(unsafe_code, reason = "parameters are made from a world whose accesses were checked")]

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU32;

use super::access::Access;
use super::{StateParts, SystemParam};
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::query::QueryFilter;
use crate::query::data::RawEntities;
use crate::query::iter::Rows;
use crate::world::{World, WorldCell};

/// Who passed a filter when a system ran last at its place.
#[derive(Clone, Default)]
pub struct FilterHistory {
    /// One for each slot.
    bits: Vec<u64>,
    /// 64 for each word of bits; of no meaning where the bit is clear.
    generations: Vec<u32>,
    /// The tick of that run.
    seen: u64,
    /// Who came, or left, since: found when the system runs.
    found: Vec<Entity>,
    /// Those of a file, in order, until the system runs: what follows the slots of the world, and not the length of the file, is
    /// not allocated while the file is loaded.
    loaded: Vec<Entity>,
}

impl StateParts for FilterHistory {
    #[cfg(feature = "serde")]
    fn kept<'s>(&'s self, each: &mut dyn FnMut(&'s dyn super::state::SavedState)) {
        each(self);
    }

    #[cfg(feature = "serde")]
    fn kept_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn super::state::SavedState)) {
        each(self);
    }
}

#[cfg(feature = "serde")]
impl super::state::SavedState for FilterHistory {
    fn what(&self) -> &'static str {
        "those that passed a filter"
    }

    fn save_kept(&self) -> alloc::boxed::Box<dyn erased_serde::Serialize + '_> {
        let slots =
            self.bits.iter().enumerate().flat_map(|(word, &bits)| Bits(bits).map(move |bit| word * 64 + bit));
        let there =
            slots.filter_map(|slot| Some(Entity::new(slot as u32, NonZeroU32::new(self.generations[slot])?)));
        let seen = self.seen.min(crate::entity::image::LATEST);
        alloc::boxed::Box::new((seen, self.loaded.iter().copied().chain(there).collect::<Vec<_>>()))
    }

    fn load_kept(
        &mut self,
        file: &mut dyn erased_serde::Deserializer<'_>,
        context: &crate::save::state::LoadContext<'_>,
    ) -> Result<(), erased_serde::Error> {
        let (seen, there): (u64, Vec<Entity>) = erased_serde::deserialize(file)?;
        let words = there.last().map_or(0, |last| last.slot() as usize / 64 + 1);
        if seen > context.tick
            || words * 64 > context.slots
            || !there.is_sorted_by(|a, b| a.slot() < b.slot())
        {
            return Err(serde::de::Error::custom(
                "those that passed a filter are not sorted, or were never there",
            ));
        }
        *self = Self { seen, loaded: there, ..Self::default() };
        Ok(())
    }
}

/// Which of the two is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Transition {
    Entered,
    Exited,
}

impl FilterHistory {
    /// Takes on those of a file.
    #[cold]
    fn expand(&mut self) {
        let loaded = core::mem::take(&mut self.loaded);
        let words = loaded.last().map_or(0, |last| last.slot() as usize / 64 + 1);
        self.bits.resize(words, 0);
        self.generations.resize(words * 64, 0);
        for entity in loaded {
            let slot = entity.slot() as usize;
            self.bits[slot / 64] |= 1 << (slot % 64);
            self.generations[slot] = entity.generation().get();
        }
    }

    /// Finds who came or left since the last time, and remembers who is there now.
    ///
    /// # Safety
    /// Nobody adds or removes the components that the filter looks at meanwhile.
    unsafe fn update<W: World, F: QueryFilter<W>>(
        &mut self,
        world: WorldCell<'_, W>,
        transition: Transition,
    ) {
        if !self.loaded.is_empty() {
            self.expand();
        }
        let last = core::mem::replace(&mut self.seen, world.this_run());
        let entities = world.entities();
        // SAFETY: the caller's promise.
        let columns = unsafe { F::columns(world) };
        let rows = Rows::new(RawEntities::new(entities), columns, entities);
        self.found.clear();
        if self.bits.len() < rows.words {
            self.bits.resize(rows.words, 0);
            self.generations.resize(rows.words * 64, 0);
        }
        for word in 0..self.bits.len() {
            // SAFETY: the word is within bounds.
            let now = if word < rows.words { unsafe { rows.mask(word) } } else { 0 };
            let was = self.bits[word];
            // SAFETY: the caller's promise.
            let stay = unsafe { self.stay::<W, F>(world, word, now, last) };
            if stay == now && stay == was {
                continue;
            }
            let changed = if transition == Transition::Exited { was & !stay } else { now & !stay };
            for slot in Bits(changed).map(|bit| word * 64 + bit) {
                let generation = match transition {
                    Transition::Exited => NonZeroU32::new(self.generations[slot]),
                    Transition::Entered => Some(entities.at(slot).generation()),
                };
                self.found.extend(generation.map(|generation| Entity::new(slot as u32, generation)));
            }
            for slot in Bits(now & !stay).map(|bit| word * 64 + bit) {
                self.generations[slot] = entities.at(slot).generation().get();
            }
            self.bits[word] = now;
        }
    }

    /// Who was and is there, and has not been replaced, of those of a word who are there now.
    ///
    /// # Safety
    /// As for `update`.
    unsafe fn stay<W: World, F: QueryFilter<W>>(
        &self,
        world: WorldCell<'_, W>,
        word: usize,
        now: u64,
        last: u64,
    ) -> u64 {
        let entities = world.entities();
        let mut stay = now & self.bits.get(word).copied().unwrap_or(0);
        if F::REPLACES && stay != 0 {
            // SAFETY: the caller's promise.
            stay &= !unsafe { F::replaced(world, word, last) };
        }
        if stay != 0 && entities.last_despawn(word) > last {
            stay = self.same(stay, word, entities.generations());
        }
        stay
    }

    /// Whether somebody came or left since the last time.
    ///
    /// # Safety
    /// As for `update`.
    unsafe fn has_news<W: World, F: QueryFilter<W>>(
        &mut self,
        world: WorldCell<'_, W>,
        transition: Transition,
    ) -> bool {
        if !self.loaded.is_empty() {
            self.expand();
        }
        let entities = world.entities();
        // SAFETY: the caller's promise.
        let columns = unsafe { F::columns(world) };
        let rows = Rows::new(RawEntities::new(entities), columns, entities);
        (0..rows.words.max(self.bits.len())).any(|word| {
            // SAFETY: the word is within bounds.
            let now = if word < rows.words { unsafe { rows.mask(word) } } else { 0 };
            // SAFETY: the caller's promise.
            let stay = unsafe { self.stay::<W, F>(world, word, now, self.seen) };
            stay != if transition == Transition::Entered {
                now
            } else {
                self.bits.get(word).copied().unwrap_or(0)
            }
        })
    }

    /// Those of a word's slots that still hold the same entity.
    fn same(&self, slots: u64, word: usize, generations: &[u32]) -> u64 {
        let same = |bit: &usize| generations.get(word * 64 + bit) == self.generations.get(word * 64 + bit);
        Bits(slots).filter(same).fold(0, |bits, bit| bits | 1 << bit)
    }
}

macro_rules! transitions {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name<'w, F> {
            entities: &'w [Entity],
            filter: PhantomData<fn() -> F>,
        }

        impl<'w, F> $name<'w, F> {
            /// These entities, which are sorted, for calling a system as the function it is.
            pub const fn new(entities: &'w [Entity]) -> Self {
                Self { entities, filter: PhantomData }
            }

            /// The entities, in the order of their slots.
            pub fn iter(&self) -> core::iter::Copied<core::slice::Iter<'w, Entity>> {
                self.entities.iter().copied()
            }

            /// How many there are.
            pub const fn len(&self) -> usize {
                self.entities.len()
            }

            /// Whether there are none.
            pub const fn is_empty(&self) -> bool {
                self.entities.is_empty()
            }

            /// Whether the entity is among them.
            pub fn contains(&self, entity: Entity) -> bool {
                self.entities.binary_search(&entity).is_ok()
            }
        }

        impl<F> Clone for $name<'_, F> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<F> Copy for $name<'_, F> {}

        impl<F> fmt::Debug for $name<'_, F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))?;
                f.debug_list().entries(self.entities).finish()
            }
        }

        impl<'w, F> IntoIterator for $name<'w, F> {
            type Item = Entity;
            type IntoIter = core::iter::Copied<core::slice::Iter<'w, Entity>>;
            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl<'w, F> IntoIterator for &$name<'w, F> {
            type Item = Entity;
            type IntoIter = core::iter::Copied<core::slice::Iter<'w, Entity>>;
            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        // SAFETY: it reads what the filter looks at, and who is alive.
        unsafe impl<F: QueryFilter<W> + 'static, W: World> SystemParam<W> for $name<'_, F> {
            const ACCESS: Access = F::ACCESS.and(Access::ENTITIES).timed();
            type State = FilterHistory;
            type Item<'w> = $name<'w, F>;
            fn init(_: &mut W) -> FilterHistory {
                FilterHistory::default()
            }
            unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut FilterHistory) -> $name<'w, F> {
                // SAFETY: the caller keeps those away who add and remove what the filter looks at.
                unsafe { state.update::<W, F>(world, Transition::$name) };
                $name::new(&state.found)
            }
            #[inline(always)]
            fn lend<'a>(item: &'a mut $name<'_, F>) -> $name<'a, F> {
                *item
            }
            unsafe fn has_news(world: WorldCell<'_, W>, state: &mut FilterHistory) -> bool {
                // SAFETY: nobody else accesses the world, by the caller's promise.
                unsafe { state.has_news::<W, F>(world, Transition::$name) }
            }
        }
    )*};
}

transitions! {
    /// As a parameter: the entities that pass the filter `F` now and did not when this system ran last at this place.
    ///
    /// In the first run these are all that pass. Nobody is reported who passed all the time, and nobody who began and
    /// ceased to pass between two runs. Who ceased to pass and began again has been replaced: it is in [`Exited`], and in
    /// `Entered`. That is noticed of an entity whose slot now belongs to another one, and where `F` demands a tracked
    /// component, by itself or in a tuple, since that remembers when it was added. It is not noticed of a component that
    /// is not tracked, nor behind `Or`, `Not` and `Without`.
    ///
    /// The memory of who passed belongs to the place in the schedule, and to the world, with which it is cloned. It
    /// takes 33 bits for each slot of the world.
    ///
    /// Cost: the filter, 64 entities at a time, in each run; and what changed.
    ///
    /// ```
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component)] struct Ship;
    /// #[derive(Component)] struct Burning;
    /// #[derive(Resource, Default, PartialEq, Debug)] struct Alarms { raised: usize, ended: usize }
    ///
    /// world! {
    ///     struct Game { components { Ship, Burning } resources { alarms: Alarms = Alarms::default() } }
    ///     schedule tick { alarm }
    /// }
    ///
    /// #[system(Game)]
    /// fn alarm(
    ///     burning: Entered<(With<Ship>, With<Burning>)>,
    ///     safe: Exited<(With<Ship>, With<Burning>)>,
    ///     mut alarms: ResMut<Alarms>,
    /// ) {
    ///     alarms.raised += burning.len();
    ///     alarms.ended += safe.len();
    /// }
    ///
    /// let mut game = Game::new();
    /// let ship = game.spawn((Ship, Burning));
    /// game.tick();
    /// game.tick();
    /// game.remove::<Burning>(ship)?;
    /// game.tick();
    /// assert_eq!(game.resource::<Alarms>(), &Alarms { raised: 1, ended: 1 });
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    Entered;
    /// As a parameter: the entities that passed the filter `F` when this system ran last at this place, and do not pass
    /// now. They may be dead. For details see [`Entered`].
    Exited;
}
