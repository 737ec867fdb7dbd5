//! [`Entered`] and [`Exited`]: system parameters with the entities that began or ceased to pass a
//! filter.
#![expect(unsafe_code, reason = "parameters are made from a world whose accesses were checked")]

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::num::NonZeroU32;

use super::{StateParts, SystemParam};
use crate::base::access::Access;
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::regrouped::Regrouped;
use crate::persist::state::SavedState;
use crate::query::QueryFilter;
use crate::query::data::RawEntities;
use crate::query::iter::Rows;
use crate::query::passed_over::{PassedColumnsList, PassedOver, PassedOverByQuery};
use crate::raw_world::{RawWorld, WorldCell};

/// The entities that passed a filter when a system ran last at its place: the state of [`Entered`]
/// and [`Exited`].
#[derive(Clone, Default)]
pub struct FilterHistory {
    /// The slots that passed, one bit for each.
    pub(super) bits: Vec<u64>,
    /// The generations of the slots that passed, 64 for each word of `bits`. The value has no
    /// meaning if the bit is clear.
    pub(super) generations: Vec<u32>,
    /// Entities that passed and were despawned, and whose slot has another entity that passed:
    /// `bits` and `generations` have room for one entity in a slot.
    pub(super) displaced: Vec<Entity>,
    /// The tick of that run.
    pub(super) seen: u64,
    /// The entities that began to pass, or ceased to pass, since that run: computed when the system
    /// runs.
    pub(super) found: Vec<Entity>,
    /// The entities that were loaded from a file, in order, until the system runs for the first
    /// time. `bits` and `generations` are built only then: their size follows from the largest
    /// slot, and a short file could make loading allocate much memory.
    pub(super) loaded: Vec<Entity>,
}

impl StateParts for FilterHistory {
    fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState)) {
        each(self);
    }
    fn saved_states_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn SavedState)) {
        each(self);
    }
    fn regrouped(&mut self, moved: &Regrouped) {
        self.move_ids(moved);
    }
}

/// Which transitions a parameter gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Transition {
    Entered,
    Exited,
}

impl FilterHistory {
    /// Moves the entities that were loaded from a file into `bits` and `generations`.
    #[cold]
    fn expand(&mut self) {
        core::mem::take(&mut self.loaded).into_iter().for_each(|entity| self.add(entity));
    }

    /// Adds an entity that passed. The entity that passed with the same slot, if there is one, is
    /// displaced.
    fn add(&mut self, entity: Entity) {
        let (word, bit) = (entity.slot() as usize / 64, entity.slot() % 64);
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
            self.generations.resize((word + 1) * 64, 0);
        }
        self.displaced.extend(self.passed(entity.slot()));
        self.bits[word] |= 1 << bit;
        self.generations[entity.slot() as usize] = entity.generation().get();
    }

    /// The entity that passed with this slot.
    fn passed(&self, slot: u32) -> Option<Entity> {
        let bits = *self.bits.get(slot as usize / 64)?;
        let generation = NonZeroU32::new(*self.generations.get(slot as usize)?)?;
        (bits >> (slot % 64) & 1 == 1).then(|| Entity::from_parts(slot, generation))
    }

    /// Replaces the ids of entities that were moved to other slots.
    fn move_ids(&mut self, moved: &Regrouped) {
        self.expand();
        // first all entities leave their slots, since one may get the slot of another
        let mut present = Vec::new();
        for (former, now) in moved.iter() {
            if self.passed(former.slot()) == Some(former) {
                self.bits[former.slot() as usize / 64] &= !(1 << (former.slot() % 64));
                present.push(now);
            }
        }
        present.into_iter().for_each(|entity| self.add(entity));
    }

    /// The slots that pass now.
    ///
    /// # Safety
    /// While the rows are used, no one adds or removes the components that the filter reads.
    unsafe fn rows<W: RawWorld, F: QueryFilter<W>>(world: WorldCell<'_, W>) -> Rows<RawEntities, F::Columns> {
        let entities = world.entities();
        // SAFETY: the caller promises that no one adds or removes the components that the filter
        // reads.
        unsafe {
            let passed_over = PassedOver::new(world, PassedOverByQuery::<W, Entity, F>::COLUMNS);
            Rows::new(RawEntities::new(entities), F::columns(world), passed_over, entities)
        }
    }

    /// Finds the entities that began or ceased to pass since the last call, and stores those that
    /// pass now.
    ///
    /// # Safety
    /// During the call no one adds or removes the components that the filter reads.
    unsafe fn update<W: RawWorld, F: QueryFilter<W>>(
        &mut self,
        world: WorldCell<'_, W>,
        transition: Transition,
    ) {
        if !self.loaded.is_empty() {
            self.expand();
        }
        let last = core::mem::replace(&mut self.seen, world.this_run());
        let entities = world.entities();
        // SAFETY: the caller promises that no one adds or removes the components that the filter
        // reads.
        let rows = unsafe { Self::rows::<W, F>(world) };
        self.found.clear();
        let displaced = core::mem::take(&mut self.displaced);
        if self.bits.len() < rows.words {
            self.bits.resize(rows.words, 0);
            self.generations.resize(rows.words * 64, 0);
        }
        for word in 0..self.bits.len() {
            // SAFETY: `word < rows.words` is tested before the call.
            let now = if word < rows.words { unsafe { rows.mask(word) } } else { 0 };
            let was = self.bits[word];
            // SAFETY: the caller promises that no one adds or removes the components that the
            // filter reads.
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
                self.found.extend(generation.map(|generation| Entity::from_parts(slot as u32, generation)));
            }
            for slot in Bits(now & !stay).map(|bit| word * 64 + bit) {
                self.generations[slot] = entities.at(slot).generation().get();
            }
            self.bits[word] = now;
        }
        if transition == Transition::Exited && !displaced.is_empty() {
            self.found.extend(displaced);
            self.found.sort_unstable();
        }
    }

    /// The slots of a word whose entities passed at the last run, pass `now`, and are known to have
    /// passed all the time.
    ///
    /// # Safety
    /// During the call no one adds or removes the components that the filter reads.
    unsafe fn stay<W: RawWorld, F: QueryFilter<W>>(
        &self,
        world: WorldCell<'_, W>,
        word: usize,
        now: u64,
        last: u64,
    ) -> u64 {
        let entities = world.entities();
        let mut stay = now & self.bits.get(word).copied().unwrap_or(0);
        if F::REPLACES && stay != 0 {
            // SAFETY: the caller promises that no one adds or removes the components that the
            // filter reads.
            stay &= !unsafe { F::replaced(world, word, last) };
        }
        // an observer without a trigger is up to date with the tick at which the program despawns
        // after it, too
        if stay != 0 && entities.last_despawn(word) >= last {
            stay = self.same(stay, word, entities.generations());
        }
        stay
    }

    /// Whether an entity began or ceased to pass since the last run.
    ///
    /// # Safety
    /// During the call no one adds or removes the components that the filter reads.
    unsafe fn has_news<W: RawWorld, F: QueryFilter<W>>(
        &mut self,
        world: WorldCell<'_, W>,
        transition: Transition,
    ) -> bool {
        if !self.loaded.is_empty() {
            self.expand();
        }
        // SAFETY: the caller promises that no one adds or removes the components that the filter
        // reads.
        let rows = unsafe { Self::rows::<W, F>(world) };
        let displaced = transition == Transition::Exited && !self.displaced.is_empty();
        displaced
            || (0..rows.words.max(self.bits.len())).any(|word| {
                // SAFETY: `word < rows.words` is tested before the call.
                let now = if word < rows.words { unsafe { rows.mask(word) } } else { 0 };
                // SAFETY: the caller promises that no one adds or removes the components that the
                // filter reads.
                let stay = unsafe { self.stay::<W, F>(world, word, now, self.seen) };
                stay != if transition == Transition::Entered {
                    now
                } else {
                    self.bits.get(word).copied().unwrap_or(0)
                }
            })
    }

    /// The slots of a word that belong to the same entity as at the last run.
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
            /// The parameter with these entities, which are sorted, to call a system as a plain
            /// function.
            pub const fn new(entities: &'w [Entity]) -> Self {
                Self { entities, filter: PhantomData }
            }

            /// Iterates over the entities, in the order of their slots.
            pub fn iter(&self) -> core::iter::Copied<core::slice::Iter<'w, Entity>> {
                self.entities.iter().copied()
            }

            /// The number of entities.
            pub const fn len(&self) -> usize {
                self.entities.len()
            }

            /// Whether there are no entities.
            pub const fn is_empty(&self) -> bool {
                self.entities.is_empty()
            }

            /// Whether the entity is one of them.
            pub fn contains(&self, entity: Entity) -> bool {
                self.entities.binary_search(&entity).is_ok()
            }
        }

        copy!([F] $name<'_, F>);
        debug!([F] $name<'_, F>, |this, f| {
            f.write_str(stringify!($name))?;
            f.debug_list().entries(this.entities).finish()
        });

        into_iter!(['w, F] $name<'w, F>: Entity, core::iter::Copied<core::slice::Iter<'w, Entity>>, |this| this.iter());

        into_iter!(['w, F] &$name<'w, F>: Entity, core::iter::Copied<core::slice::Iter<'w, Entity>>, |this| this.iter());

        // SAFETY: `ACCESS` declares that the components of the filter and the entities are read.
        unsafe impl<F: QueryFilter<W> + 'static, W: RawWorld> SystemParam<W> for $name<'_, F> {
            const ACCESS: Access = F::ACCESS.and(Access::ENTITIES).timed();
            type State = FilterHistory;
            type Item<'w> = $name<'w, F>;
            fn init(_: &mut W) -> FilterHistory {
                FilterHistory::default()
            }
            unsafe fn get<'w>(world: WorldCell<'w, W>, state: &'w mut FilterHistory) -> $name<'w, F> {
                // SAFETY: `ACCESS` contains that of `F`, so the caller promises that no one adds or
                // removes its components.
                unsafe { state.update::<W, F>(world, Transition::$name) };
                $name::new(&state.found)
            }
            #[inline(always)]
            fn lend<'a>(item: &'a mut $name<'_, F>) -> $name<'a, F> {
                *item
            }
            unsafe fn has_news(world: WorldCell<'_, W>, state: &mut FilterHistory) -> bool {
                // SAFETY: the caller promises that no one else accesses the world.
                unsafe {
                    let news = state.has_news::<W, F>(world, Transition::$name);
                    // An observer without a trigger does not run. It still stores the entities that
                    // pass now: otherwise `Exited` would not know those that began to pass
                    // meanwhile, and `Entered` those that ceased.
                    if W::OBSERVERS.is_some() && !news {
                        state.update::<W, F>(world, Transition::$name);
                    }
                    news
                }
            }
        }
    )*};
}

transitions! {
    /// System parameter: the entities that pass the filter `F` now and did not pass it when this
    /// system last ran at this place.
    ///
    /// In the first run, these are all entities that pass. An entity that passed all the time is
    /// not given, and neither is an entity that began and ceased to pass between two runs.
    ///
    /// An entity that ceased to pass and began to pass again between two runs is given by both
    /// [`Exited`] and `Entered`, if `F` demands a tracked component (by itself or in a tuple),
    /// because a tracked component records when it was added. If the component is not tracked, or
    /// is behind `Or`, `Not` or `Without`, such an entity is not given. An entity whose slot was
    /// reused for another entity is always distinguished from the new one.
    ///
    /// The list of entities that passed is kept for each place of the system in a schedule. It
    /// belongs to the world and is cloned with it.
    ///
    /// Cost: each run evaluates the filter, 64 slots at a time, plus time for each entity that is
    /// given. Memory: 33 bits for each slot of the world.
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
    /// # Ok::<(), ecs::error::NoSuchEntity>(())
    /// ```
    Entered;
    /// System parameter: the entities that passed the filter `F` when this system last ran at this
    /// place and do not pass it now.
    ///
    /// They may be despawned. For details, cost and an example see [`Entered`].
    Exited;
}
